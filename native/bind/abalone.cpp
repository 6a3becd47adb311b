#include "../eval/abalone.hpp"
#include "../search/bind_mcts.hpp"
#include "../search/bind_nnue.hpp"
#include "register.hpp"

const tabuleiro::Registration abalone([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Abalone>(module);
    bind_search_of<Linear<AbaloneFeatures>>(module);
    bind_nnue_of<AbaloneInputs, AbaloneFeatures>(module, "AbaloneNnue");
    bind_prover_of<Abalone>(module);
    bind_tree_of<Linear<AbaloneFeatures>>(module);
});
