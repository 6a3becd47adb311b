#include "../eval/hex.hpp"
#include "../hex/bind_hex.hpp"
#include "../hex/bind_solver.hpp"
#include "games.hpp"

void tabuleiro::bind_hex(nb::module_& module) {
    bind_game<Hex>(module, "Hex");
    bind_search_of<HexEvaluator>(module);
    bind_mcts_of<HexEvaluator>(module);
    bind_hex_judge(module);
    bind_hex_solver(module);
}
