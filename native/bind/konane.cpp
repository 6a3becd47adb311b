#include "../eval/konane.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_konane(nb::module_& module) {
    bind_game<Konane>(module, "Konane");
    bind_search_of<KonaneEvaluator>(module);
    bind_mcts_of<KonaneEvaluator>(module);
}
