#include "../eval/rastros.hpp"
#include "../search/bind_mcts.hpp"
#include "../solve/bind_rastros.hpp"
#include "register.hpp"

const tabuleiro::Registration rastros([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Rastros>(module);
    bind_search_of<Linear<RastrosFeatures>>(module);
    bind_prover_of<Rastros>(module);
    bind_tree_of<Linear<RastrosFeatures>>(module);
    bind_rastros_solver(module);
});
