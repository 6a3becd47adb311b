#include "../eval/semaforo.hpp"
#include "../search/bind_mcts.hpp"
#include "games.hpp"

void tabuleiro::bind_semaforo(nb::module_& module) {
    bind_game<Semaforo>(module, "Semaforo");
    bind_search_of<SemaforoEvaluator>(module);
    bind_mcts_of<SemaforoEvaluator>(module);
}
