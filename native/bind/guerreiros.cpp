#include "../eval/guerreiros.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_guerreiros(nb::module_& module) {
    bind_game<Guerreiros>(module, "Guerreiros");
    bind_search_of<GuerreirosEvaluator>(module);
    bind_mcts_of<GuerreirosEvaluator>(module);
}
