#include "../eval/konane.hpp"
#include "../search/bind_mcts.hpp"
#include "../solve/bind_tables.hpp"
#include "../solve/konane.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// What is known as (value, {move: value}, nodes, seconds): -1 lost, 0 open, 1 won.
nb::tuple tuple_of(const konane::Solved& solved) {
    nb::dict moves;
    for (const auto& [move, verdict] : solved.moves) moves[nb::int_(move)] = static_cast<int>(verdict);
    return nb::make_tuple(static_cast<int>(solved.verdict), moves, solved.nodes, solved.seconds);
}

void bind_patterns(nb::module_& module) {
    nb::class_<KonanePatterns, Tables>(module, "KonanePatterns")
        .def(
            "__init__",
            [](KonanePatterns* self, nb::bytes content) {
                require(content.size() == sizeof(KonanePatterns::Worth) * KonanePatterns::size,
                        "patterns have another length");
                new (self) KonanePatterns(
                    std::span(static_cast<const KonanePatterns::Worth*>(content.data()), KonanePatterns::size));
            },
            nb::arg("content"), nb::sig("def __init__(self, content: bytes) -> None"));
}

/// What a search finds that runs without the interpreter and tells a Python function how many positions it has seen.
template <class Work>
nb::tuple found_by(const nb::callable& tell, const Work& work) {
    konane::Solved solved;
    {
        nb::gil_scoped_release others_may_run;
        Progress progress = python_progress(tell);
        solved = work(progress);
    }
    return tuple_of(solved);
}

void bind_solver(nb::module_& module) {
    using konane::ProofTable;
    using konane::Solver;
    nb::class_<Solver>(module, "KonaneSolver")
        .def(
            "__init__",
            [](Solver* self, nb::handle options, nb::handle bytes, nb::handle proof_bytes) {
                new (self) Solver(read_integers<std::int64_t>(options), read_integer<std::uint64_t>(bytes),
                                  read_integer<std::uint64_t>(proof_bytes));
            },
            nb::arg("options"), nb::arg("bytes"), nb::arg("proof_bytes"),
            nb::sig("def __init__(self, options: Sequence[int], bytes: int, proof_bytes: int) -> None"))
        .def(
            "solve",
            [](Solver& solver, nb::handle position, bool every_move, nb::handle nodes, double seconds, StopFlag& stop,
               const nb::callable& tell) {
                const Words words = read_integers<Word>(position);
                const auto most = read_integer<std::uint64_t>(nodes);
                return found_by(tell, [&](Progress& progress) {
                    return solver.solve(words, every_move, most, seconds, stop, progress);
                });
            },
            nb::arg("position"), nb::arg("every_move"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("stop"),
            nb::arg("tell"),
            nb::sig("def solve(self, position: Sequence[int], every_move: bool, nodes: int, seconds: float,"
                    " stop: StopFlag, tell: Callable[[float], object]) -> KonaneSolved"))
        .def(
            "prove",
            [](Solver& solver, nb::handle position, int threads, nb::handle budget, double seconds, StopFlag& stop,
               const nb::callable& tell) {
                const Words words = read_integers<Word>(position);
                const auto leaf = read_integer<std::uint64_t>(budget);
                return found_by(tell, [&](Progress& progress) {
                    return solver.prove(words, threads, leaf, seconds, stop, progress);
                });
            },
            nb::arg("position"), nb::arg("threads"), nb::arg("budget"), nb::arg("seconds"), nb::arg("stop"),
            nb::arg("tell"),
            nb::sig("def prove(self, position: Sequence[int], threads: int, budget: int, seconds: float,"
                    " stop: StopFlag, tell: Callable[[float], object]) -> KonaneSolved"))
        .def_prop_ro(
            "places", [](Solver& solver) { return solver.proofs().places(); }, nb::sig("def places(self) -> int"))
        .def(
            "proofs",
            [](Solver& solver, std::uint64_t first, std::uint64_t last) {
                return bytes_of(solver.proofs().entries(first, last));
            },
            nb::arg("first"), nb::arg("last"), nb::sig("def proofs(self, first: int, last: int) -> bytes"))
        .def(
            "restore",
            [](Solver& solver, const ReadOnlyBytes& proofs) {
                require(proofs.size() % sizeof(ProofTable::Entry) == 0, "proofs have another length");
                for (std::size_t at = 0; at < proofs.size(); at += sizeof(ProofTable::Entry)) {
                    ProofTable::Entry entry;
                    std::memcpy(&entry, proofs.data() + at, sizeof entry);
                    solver.proofs().restore(entry);
                }
            },
            nb::arg("proofs"), nb::sig("def restore(self, proofs: Buffer) -> None"));
}

}  // namespace
}  // namespace tabuleiro

const tabuleiro::Registration konane([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Konane>(module);
    bind_search_of<KonaneEstimator>(module);
    bind_prover_of<Konane>(module);
    bind_tree_of<KonaneEstimator>(module);
    bind_patterns(module);
    bind_solver(module);
});
