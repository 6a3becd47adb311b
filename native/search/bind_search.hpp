// From Python's objects to searches and back.
#pragma once

#include "../bind.hpp"
#include "searcher.hpp"

namespace tabuleiro {

/// A line as (score, floor, ceiling, moves).
inline nb::tuple tuple_of(const Line& line) {
    return nb::make_tuple(line.found.score, static_cast<int>(line.found.floor), static_cast<int>(line.found.ceiling),
                          tuple_of(line.moves));
}

/// A report as (depth, nodes, seconds, decided, lines).
inline nb::tuple tuple_of(const Report& report) {
    nb::list lines;
    for (const Line& line : report.lines) lines.append(tuple_of(line));
    return nb::make_tuple(report.depth, report.nodes, report.seconds, report.decided, nb::tuple(lines));
}

/// The classes that all games share: `StopFlag`, `Searcher`, `Prover`.
inline void bind_search(nb::module_& module) {
    nb::class_<StopFlag>(module, "StopFlag")
        .def(nb::init<>(), nb::sig("def __init__(self) -> None"))
        .def("set", [](StopFlag& flag) { flag.set = true; }, nb::sig("def set(self) -> None"))
        .def("is_set", [](const StopFlag& flag) { return flag.set.load(); }, nb::sig("def is_set(self) -> bool"));
    nb::class_<Searcher>(module, "Searcher")
        .def_prop_ro(
            "feature_names",
            [](const Searcher& searcher) {
                nb::list names;
                for (const char* name : searcher.feature_names()) names.append(name);
                return nb::tuple(names);
            },
            nb::sig("def feature_names(self) -> tuple[str, ...]"))
        .def(
            "features",
            [](const Searcher& searcher, nb::handle position) {
                return tuple_of(searcher.features(read_integers<Word>(position)));
            },
            nb::arg("position"), nb::sig("def features(self, position: Sequence[int]) -> tuple[int, ...]"))
        .def(
            "evaluate",
            [](const Searcher& searcher, nb::handle position) {
                return searcher.evaluate(read_integers<Word>(position));
            },
            nb::arg("position"), nb::sig("def evaluate(self, position: Sequence[int]) -> int"))
        .def("forget", &Searcher::forget, nb::call_guard<nb::gil_scoped_release>(), nb::sig("def forget(self) -> None"))
        .def(
            "search",
            [](Searcher& searcher, nb::handle start, nb::handle moves, int depth, nb::handle nodes, double seconds,
               int lines, int threads, StopFlag& stop, nb::callable listener) {
                const PlayedWords played{read_integers<Word>(start), read_integers<std::uint64_t>(moves)};
                const Limits limits{depth, read_integer<std::uint64_t>(nodes), seconds};
                Report report;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    const Listener tell = [&](const Report& found) {
                        nb::gil_scoped_acquire interpreter;
                        listener(tuple_of(found));
                    };
                    report = searcher.search(played, limits, lines, threads, stop, tell, pulse);
                }
                return tuple_of(report);
            },
            nb::arg("start"), nb::arg("moves"), nb::arg("depth"), nb::arg("nodes"), nb::arg("seconds"),
            nb::arg("lines"), nb::arg("threads"), nb::arg("stop"), nb::arg("listener"),
            nb::sig("def search(self, start: Sequence[int], moves: Sequence[int], depth: int, nodes: int,"
                    " seconds: float, lines: int, threads: int, stop: StopFlag,"
                    " listener: Callable[[Report], object]) -> Report"));
    nb::class_<Prover>(module, "Prover")
        .def("forget", &Prover::forget, nb::call_guard<nb::gil_scoped_release>(), nb::sig("def forget(self) -> None"))
        .def(
            "prove",
            [](Prover& prover, nb::handle start, nb::handle moves, int player, bool draw_is_enough, nb::handle nodes,
               double seconds, StopFlag& stop) {
                const PlayedWords played{read_integers<Word>(start), read_integers<std::uint64_t>(moves)};
                const Limits limits{0, read_integer<std::uint64_t>(nodes), seconds};
                Proof proof;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    proof = prover.prove(played, player, draw_is_enough, limits, stop, pulse);
                }
                nb::object move = proof.move == Known::no_move ? nb::none() : nb::object(nb::int_(proof.move));
                return nb::make_tuple(static_cast<int>(proof.verdict), proof.nodes, proof.seconds, move);
            },
            nb::arg("start"), nb::arg("moves"), nb::arg("player"), nb::arg("draw_is_enough"), nb::arg("nodes"),
            nb::arg("seconds"), nb::arg("stop"),
            nb::sig("def prove(self, start: Sequence[int], moves: Sequence[int], player: int, draw_is_enough: bool,"
                    " nodes: int, seconds: float, stop: StopFlag) -> tuple[int, int, float, int | None]"));
    module.attr("SEARCHERS") = nb::dict();
    module.attr("PROVERS") = nb::dict();
}

/// A search; `known` are the tables that its evaluator looks up, if any.
template <Evaluator E, class... Known>
Searcher* new_searcher(nb::handle options, nb::handle early, nb::handle late, nb::handle mebibytes, bool full_width,
                       const Known*... known) {
    const auto values = read_integers<std::int64_t>(options);
    OptionReader reader(values);
    const Linear<E> evaluator(E(reader, known...), read_integers<int>(early), read_integers<int>(late));
    return new SearcherOf<E>(values, evaluator, read_integer<std::uint32_t>(mebibytes), full_width);
}

/// The searches of one game, entered in `SEARCHERS` and `PROVERS` under its id.
template <Evaluator E>
void bind_search_of(nb::module_& module) {
    using G = typename E::Rules;
    nb::cast<nb::dict>(module.attr("SEARCHERS"))[G::id] = nb::cpp_function(
        [](nb::handle options, nb::handle early, nb::handle late, nb::handle mebibytes, bool full_width) -> Searcher* {
            return new_searcher<E>(options, early, late, mebibytes, full_width);
        },
        nb::rv_policy::take_ownership);
    nb::cast<nb::dict>(module.attr("PROVERS"))[G::id] = nb::cpp_function(
        [](nb::handle options, nb::handle mebibytes) -> Prover* {
            return new ProverOf<G>(read_integers<std::int64_t>(options), read_integer<std::uint32_t>(mebibytes));
        },
        nb::rv_policy::take_ownership);
}

}  // namespace tabuleiro
