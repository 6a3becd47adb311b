#include "../eval/semaforo.hpp"
#include "../search/bind_mcts.hpp"
#include "../solve/bind_tables.hpp"
#include "../solve/semaforo.hpp"
#include "games.hpp"

void tabuleiro::bind_semaforo(nb::module_& module) {
    bind_game<Semaforo>(module, "Semaforo");
    bind_search_of<SemaforoEvaluator>(module);
    bind_mcts_of<SemaforoEvaluator>(module);
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
}
