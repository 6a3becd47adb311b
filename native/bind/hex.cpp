#include "../eval/hex.hpp"
#include "../hex/bind_hex.hpp"
#include "../hex/bind_solver.hpp"
#include "register.hpp"

const tabuleiro::Registration hex([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Hex>(module);
    bind_search_of<Linear<HexFeatures>>(module);
    bind_prover_of<Hex>(module);
    bind_tree_of<Linear<HexFeatures>>(module);
    bind_hex_judge(module);
    bind_hex_solver(module);
});
