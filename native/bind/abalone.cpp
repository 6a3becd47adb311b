#include "../eval/abalone.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_abalone(nb::module_& module) {
    bind_game<Abalone>(module, "Abalone");
    bind_search_of<AbaloneEvaluator>(module);
    bind_mcts_of<AbaloneEvaluator>(module);
}
