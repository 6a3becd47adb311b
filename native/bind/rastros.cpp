#include "../eval/rastros.hpp"
#include "../search/bind_search.hpp"
#include "games.hpp"

void tabuleiro::bind_rastros(nb::module_& module) {
    bind_game<Rastros>(module, "Rastros");
    bind_search_of<RastrosEvaluator>(module);
}
