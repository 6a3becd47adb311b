// The Python module tabuleiro._native: what all games share, and then what each file of bind/ adds.
#include "bind/register.hpp"
#include "search/bind_mcts.hpp"

NB_MODULE(_native, module) {
    using namespace tabuleiro;
    // Which sources this was built from: Python compares it with the sources it sees, and refuses a stale build.
    module.attr("STAMP") = TABULEIRO_STAMP;
    bind_kernel(module);
    bind_search(module);
    bind_mcts(module);
    Registration::run_all(module);
}
