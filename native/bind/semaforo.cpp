#include "../eval/semaforo.hpp"
#include "../search/bind_mcts.hpp"
#include "../solve/bind_tables.hpp"
#include "../solve/semaforo.hpp"
#include "register.hpp"

const tabuleiro::Registration semaforo([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Semaforo>(module);
    bind_search_of<Linear<SemaforoFeatures>>(module);
    bind_prover_of<Semaforo>(module);
    bind_tree_of<Linear<SemaforoFeatures>>(module);
    module.def(
        "semaforo_distances",
        [](nb::handle options, const Bytes& distances, const nb::callable& tell) {
            const auto rules = read_rules<Semaforo>(read_integers<std::int64_t>(options));
            require(distances.size() == std::size_t{1} << 2 * rules.cells(), "there must be a byte for each position");
            nb::gil_scoped_release others_may_run;
            Progress progress = python_progress(tell);
            semaforo_distances(rules, distances.data(), progress);
        },
        nb::arg("options"), nb::arg("distances"), nb::arg("tell"),
        nb::sig("def semaforo_distances(options: Sequence[int], distances: Buffer, tell: Callable[[float], object])"
                " -> None"));
});
