#include "../eval/rastros.hpp"
#include "../search/bind_mcts.hpp"
#include "../solve/bind_rastros.hpp"
#include "games.hpp"

void tabuleiro::bind_rastros(nb::module_& module) {
    bind_game<Rastros>(module, "Rastros");
    bind_search_of<RastrosEvaluator>(module);
    bind_mcts_of<RastrosEvaluator>(module);
    bind_rastros_solver(module);
}
