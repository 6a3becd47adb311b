// Alpha-beta that judges by a net, as Python sees it.
#pragma once

#include "../eval/nnue.hpp"
#include "../eval/nnue_inputs.hpp"
#include "bind_search.hpp"

namespace tabuleiro {

/// A net that judges alone.
template <class Judge>
using Alone = Judge;

/// Enters the class of a game's nets in `NNUE`, and the searches that judge by one in `SEARCHERS`: `nnue` by the
/// fastest arithmetic that the processor has, `nnue_plain` by that of any processor. `Estimate` is what is made of the
/// net's estimate.
template <class Inputs, class Features, template <class> class Estimate = Alone>
void bind_nnue_of(nb::module_& module, const char* name) {
    using Weights = NnueWeights<Inputs>;
    nb::class_<Weights, Tables>(module, name)
        .def(
            "__init__",
            [](Weights* self, nb::bytes content) {
                new (self) Weights(std::string_view(static_cast<const char*>(content.data()), content.size()));
            },
            nb::arg("content"), nb::sig("def __init__(self, content: bytes) -> None"));
    nb::cast<nb::dict>(module.attr("NNUE"))[Inputs::Rules::id] = module.attr(name);
    using Plain = Estimate<Nnue<Inputs, Features, nnue::Plain>>;
    bind_search_of<Plain>(module, "nnue_plain");
#ifdef TABULEIRO_AVX2
    using Fast = Estimate<Nnue<Inputs, Features, nnue::Avx2>>;
    if (nnue::has_avx2()) return bind_search_of<Fast>(module, "nnue");
#endif
    bind_search_of<Plain>(module, "nnue");
}

}  // namespace tabuleiro
