#include "../eval/avanco.hpp"
#include "../search/bind_mcts.hpp"
#include "../search/bind_nnue.hpp"
#include "../solve/avanco.hpp"
#include "../solve/bind_tables.hpp"
#include "register.hpp"

namespace tabuleiro {

struct HeldAvancoSolver {
    HeldAvancoSolver(const std::vector<std::int64_t>& options, std::size_t mebibytes)
        : rules(read_rules<Avanco>(options)), solver(rules, mebibytes) {}

    const Avanco rules;
    AvancoSolver solver;
};

void bind_avanco_solver(nb::module_& module) {
    nb::class_<HeldAvancoSolver>(module, "AvancoSolver")
        .def(
            "__init__",
            [](HeldAvancoSolver* self, nb::handle options, nb::handle mebibytes) {
                new (self)
                    HeldAvancoSolver(read_integers<std::int64_t>(options), read_integer<std::uint32_t>(mebibytes));
            },
            nb::arg("options"), nb::arg("mebibytes"),
            nb::sig("def __init__(self, options: Sequence[int], mebibytes: int) -> None"))
        .def(
            "wins",
            [](HeldAvancoSolver& self, nb::handle position, nb::handle nodes, double seconds, StopFlag& stop,
               const nb::callable& tell) {
                const auto seen = AvancoSolver::seen(read_position(self.rules, read_integers<Word>(position)));
                const auto most = read_integer<std::uint64_t>(nodes);
                const std::uint64_t last_node = most ? self.solver.nodes() + most : 0;
                const auto begin = Clock::now();
                nb::gil_scoped_release others_may_run;
                const auto say = [&] {
                    nb::gil_scoped_acquire interpreter;
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    tell(self.solver.nodes());
                };
                Progress progress([&](double) { say(); });
                const auto over = [&] {
                    return stop.set || (last_node && self.solver.nodes() >= last_node) ||
                           (seconds > 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= seconds);
                };
                return self.solver.wins(seen, last_node, [&] { over() ? say() : progress.at(0); });
            },
            nb::arg("position"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("stop"), nb::arg("tell"),
            nb::sig("def wins(self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag,"
                    " tell: Callable[[int], object]) -> bool"))
        .def_prop_ro(
            "nodes", [](const HeldAvancoSolver& self) { return self.solver.nodes(); },
            nb::sig("def nodes(self) -> int"));
}

}  // namespace tabuleiro

const tabuleiro::Registration avanco([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Avanco>(module);
    bind_search_of<Linear<AvancoFeatures>>(module);
    bind_nnue_of<AvancoInputs, AvancoFeatures>(module, "AvancoNnue");
    bind_prover_of<Avanco>(module);
    bind_tree_of<Linear<AvancoFeatures>>(module);
    bind_avanco_solver(module);
});
