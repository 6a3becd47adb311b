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

/// A report as (depth, nodes, seconds, decided, lines, root), where the root is of (move, visits, value, prior).
inline nb::tuple tuple_of(const Report& report) {
    nb::list lines, root;
    for (const Line& line : report.lines) lines.append(tuple_of(line));
    for (const RootVisits& move : report.root)
        root.append(nb::make_tuple(move.move, move.visits, move.value, move.prior));
    return nb::make_tuple(report.depth, report.nodes, report.seconds, report.decided, nb::tuple(lines),
                          nb::tuple(root));
}

/// What a search is asked about, and for.
struct SearchRequest {
    PlayedWords played;
    Wanted wanted;
};

/// Settings as Python holds them, with the tables and the net that they point to.
template <class Settings>
struct Held : Settings {
    nb::object tables, net;
};

inline void read(SettingsReader& reader, EstimatorSettings& settings, nb::object& tables) {
    reader.integers("options", settings.options);
    reader.integers("early", settings.early);
    reader.integers("late", settings.late);
    tables = reader.object("tables", settings.tables);
}

inline void read_mebibytes(SettingsReader& reader, std::size_t& mebibytes) {
    reader.integer("mebibytes", mebibytes, 1, 1 << 20);
}

/// Calls `search(tell, pulse)` without the interpreter; the Python function hears what is found on the way.
template <class Search>
nb::tuple searched(const nb::callable& listener, const Search& search) {
    Report report;
    {
        nb::gil_scoped_release others_may_run;
        Pulse pulse = python_pulse();
        const Listener tell = [&](const Report& found) {
            nb::gil_scoped_acquire interpreter;
            listener(tuple_of(found));
        };
        report = search(tell, pulse);
    }
    return tuple_of(report);
}

inline void bind_settings(nb::module_& module) {
    nb::class_<Tables>(module, "Tables");
    nb::class_<Held<SearchSettings>>(module, "SearchSettings")
        .def(
            "__init__",
            [](Held<SearchSettings>* self, const nb::kwargs& given) {
                Held<SearchSettings> settings;
                SettingsReader reader(given);
                read(reader, settings.estimator, settings.tables);
                settings.net = reader.object("net", settings.estimator.net);
                read_mebibytes(reader, settings.mebibytes);
                reader.truth("full_width", settings.full_width);
                reader.end();
                new (self) Held<SearchSettings>(std::move(settings));
            },
            nb::sig("def __init__(self, *, options: Sequence[int] = ..., early: Sequence[int] = ...,"
                    " late: Sequence[int] = ..., tables: Tables | None = ..., net: Tables | None = ...,"
                    " mebibytes: int = ..., full_width: bool = ...) -> None"));
    nb::class_<ProverSettings>(module, "ProverSettings")
        .def(
            "__init__",
            [](ProverSettings* self, const nb::kwargs& given) {
                ProverSettings settings;
                SettingsReader reader(given);
                reader.integers("options", settings.options);
                read_mebibytes(reader, settings.mebibytes);
                reader.end();
                new (self) ProverSettings(std::move(settings));
            },
            nb::sig("def __init__(self, *, options: Sequence[int] = ..., mebibytes: int = ...) -> None"));
    nb::class_<SearchRequest>(module, "SearchRequest")
        .def(
            "__init__",
            [](SearchRequest* self, const nb::kwargs& given) {
                SearchRequest request;
                Wanted& wanted = request.wanted;
                SettingsReader reader(given);
                reader.integers("start", request.played.start);
                reader.integers("moves", request.played.moves);
                reader.integer("depth", wanted.limits.depth, 0, std::numeric_limits<int>::max());
                reader.integer("nodes", wanted.limits.nodes, 0, std::numeric_limits<std::uint64_t>::max());
                reader.number("seconds", wanted.limits.seconds);
                reader.integer("lines", wanted.lines, 1, std::numeric_limits<int>::max());
                reader.integer("threads", wanted.threads, 1, 512);
                reader.end();
                new (self) SearchRequest(std::move(request));
            },
            nb::sig("def __init__(self, *, start: Sequence[int] = ..., moves: Sequence[int] = ..., depth: int = ...,"
                    " nodes: int = ..., seconds: float = ..., lines: int = ..., threads: int = ...) -> None"));
}

/// The classes that all games share, and the dictionaries where each enters its searches.
inline void bind_search(nb::module_& module) {
    bind_settings(module);
    nb::class_<StopFlag>(module, "StopFlag")
        .def(nb::init<>(), nb::sig("def __init__(self) -> None"))
        .def(
            "set", [](StopFlag& flag) { flag.set = true; }, nb::sig("def set(self) -> None"))
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
            [](Searcher& searcher, const SearchRequest& request, StopFlag& stop, const nb::callable& listener) {
                return searched(listener, [&](const Listener& tell, Pulse& pulse) {
                    return searcher.search(request.played, request.wanted, stop, tell, pulse);
                });
            },
            nb::arg("request"), nb::arg("stop"), nb::arg("listener"),
            nb::sig("def search(self, request: SearchRequest, stop: StopFlag, listener: Callable[[Report], object])"
                    " -> Report"));
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
    module.attr("NNUE") = nb::dict();
}

/// Enters a function in one of the module's dictionaries, under the id of a game and a name.
inline void enter(nb::module_& module, const char* dictionary, const char* game, const char* kind,
                  nb::object function) {
    auto games = nb::cast<nb::dict>(module.attr(dictionary));
    if (!games.contains(game)) games[game] = nb::dict();
    nb::cast<nb::dict>(games[game])[kind] = function;
}

/// A kind of alpha-beta for the game of an estimator, entered in `SEARCHERS`.
template <Estimator E>
void bind_search_of(nb::module_& module, const char* kind = "usual") {
    enter(
        module, "SEARCHERS", E::Rules::id, kind,
        nb::cpp_function([](const Held<SearchSettings>& settings) -> Searcher* { return new SearcherOf<E>(settings); },
                         nb::rv_policy::take_ownership, nb::keep_alive<0, 1>()));
}

/// Df-pn for a game, entered in `PROVERS`.
template <Game G>
void bind_prover_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("PROVERS"))[G::id] =
        nb::cpp_function([](const ProverSettings& settings) -> Prover* { return new ProverOf<G>(settings); },
                         nb::rv_policy::take_ownership);
}

}  // namespace tabuleiro
