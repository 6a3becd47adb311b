#include "../eval/avanco.hpp"
#include "../search/bind_search.hpp"
#include "games.hpp"

void tabuleiro::bind_avanco(nb::module_& module) {
    bind_game<Avanco>(module, "Avanco");
    bind_search_of<AvancoEvaluator>(module);
}
