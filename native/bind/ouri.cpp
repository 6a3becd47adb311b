#include "../eval/ouri.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_ouri(nb::module_& module) {
    bind_game<Ouri>(module, "Ouri");
    bind_search_of<OuriEvaluator>(module);
    bind_mcts_of<OuriEvaluator>(module);
}
