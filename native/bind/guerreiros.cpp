#include "../eval/guerreiros.hpp"
#include "../search/bind_mcts.hpp"
#include "../search/bind_nnue.hpp"
#include "register.hpp"

namespace tabuleiro {

template <class Judge>
using GuerreirosBlend = Blended<Judge, GuerreirosFeatures>;

}  // namespace tabuleiro

const tabuleiro::Registration guerreiros([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Guerreiros>(module);
    bind_search_of<Linear<GuerreirosFeatures>>(module);
    bind_nnue_of<GuerreirosInputs, GuerreirosFeatures, GuerreirosBlend>(module, "GuerreirosNnue");
    bind_prover_of<Guerreiros>(module);
    bind_tree_of<Linear<GuerreirosFeatures>>(module);
});
