// The Python module tabuleiro._native: one line a game.
#include "bind.hpp"
#include "games/abalone.hpp"
#include "games/avanco.hpp"
#include "games/guerreiros.hpp"
#include "games/hex.hpp"
#include "games/konane.hpp"
#include "games/ouri.hpp"
#include "games/rastros.hpp"
#include "games/semaforo.hpp"

NB_MODULE(_native, module) {
    using namespace tabuleiro;
    // Which sources this was built from: Python compares it with the sources it sees, and refuses a stale build.
    module.attr("STAMP") = TABULEIRO_STAMP;
    module.attr("KERNELS") = nb::dict();
    bind_kernel(module);
    bind_game<Avanco>(module, "Avanco");
    bind_game<Rastros>(module, "Rastros");
    bind_game<Hex>(module, "Hex");
    bind_game<Semaforo>(module, "Semaforo");
    bind_game<Ouri>(module, "Ouri");
    bind_game<Konane>(module, "Konane");
    bind_game<Guerreiros>(module, "Guerreiros");
    bind_game<Abalone>(module, "Abalone");
}
