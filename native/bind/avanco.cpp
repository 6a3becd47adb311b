#include "../eval/avanco.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_avanco(nb::module_& module) {
    bind_game<Avanco>(module, "Avanco");
    bind_search_of<AvancoEvaluator>(module);
    bind_mcts_of<AvancoEvaluator>(module);
}
