// The Python module tabuleiro._native: one line a game.
#include "bind/games.hpp"
#include "search/bind_mcts.hpp"

NB_MODULE(_native, module) {
    using namespace tabuleiro;
    // Which sources this was built from: Python compares it with the sources it sees, and refuses a stale build.
    module.attr("STAMP") = TABULEIRO_STAMP;
    module.attr("KERNELS") = nb::dict();
    bind_kernel(module);
    bind_search(module);
    bind_mcts(module);
    bind_tables(module);
    bind_avanco(module);
    bind_rastros(module);
    bind_hex(module);
    bind_semaforo(module);
    bind_ouri(module);
    bind_konane(module);
    bind_guerreiros(module);
    bind_abalone(module);
    bind_selfplay(module);
}
