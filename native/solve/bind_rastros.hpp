// From Python's objects to the solver of Rastros and back.
#pragma once

#include "../search/bind_search.hpp"
#include "bind_tables.hpp"
#include "rastros.hpp"

namespace tabuleiro {

inline std::vector<std::uint8_t> read_bytes(nb::bytes bytes) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
    return {begin, begin + bytes.size()};
}

inline void bind_rastros_solver(nb::module_& module) {
    nb::class_<RastrosSolver>(module, "RastrosSolver")
        .def(
            "__init__",
            [](RastrosSolver* self, nb::handle options, nb::handle mebibytes) {
                new (self) RastrosSolver(read_integers<std::int64_t>(options), read_integer<std::uint32_t>(mebibytes));
            },
            nb::arg("options"), nb::arg("mebibytes"),
            nb::sig("def __init__(self, options: Sequence[int], mebibytes: int) -> None"))
        .def_prop_ro(
            "nodes", [](const RastrosSolver& solver) { return solver.nodes(); }, nb::sig("def nodes(self) -> int"))
        .def(
            "known",
            [](RastrosSolver& solver, nb::handle position) {
                return static_cast<int>(solver.known_value(solver.state_of(read_integers<Word>(position))));
            },
            nb::arg("position"), nb::sig("def known(self, position: Sequence[int]) -> int"))
        .def(
            "value",
            [](RastrosSolver& solver, nb::handle position, nb::handle nodes, double seconds, StopFlag& stop) {
                const auto state = solver.state_of(read_integers<Word>(position));
                const auto most = read_integer<std::uint64_t>(nodes);
                nb::gil_scoped_release others_may_run;
                Pulse pulse = python_pulse();
                return static_cast<int>(solver.value(state, most, seconds, stop.set, pulse));
            },
            nb::arg("position"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("stop"),
            nb::sig("def value(self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag) -> int"))
        .def(
            "winning_move",
            [](RastrosSolver& solver, nb::handle position) {
                return solver.winning_move(read_integers<Word>(position));
            },
            nb::arg("position"), nb::sig("def winning_move(self, position: Sequence[int]) -> int"))
        .def(
            "costly", [](const RastrosSolver& solver, std::size_t most) { return bytes_of(solver.costly(most)); },
            nb::arg("most"), nb::sig("def costly(self, most: int) -> bytes"))
        .def(
            "remember",
            [](RastrosSolver& solver, const ReadOnlyBytes& entries) {
                require(entries.size() % sizeof(RastrosSolver::Entry) == 0, "these are no states");
                std::vector<RastrosSolver::Entry> read(entries.size() / sizeof(RastrosSolver::Entry));
                if (!read.empty()) std::memcpy(read.data(), entries.data(), entries.size());
                solver.remember(read);
            },
            nb::arg("entries"), nb::sig("def remember(self, entries: Buffer) -> None"))
        .def(
            "positions_after",
            [](const RastrosSolver& solver, nb::handle start, int plies) {
                nb::list positions;
                for (const auto& state : solver.states_after(solver.state_of(read_integers<Word>(start)), plies))
                    positions.append(tuple_of(solver.position_of(state)));
                return positions;
            },
            nb::arg("start"), nb::arg("plies"),
            nb::sig("def positions_after(self, start: Sequence[int], plies: int) -> list[tuple[int, ...]]"))
        .def(
            "learn_opening",
            [](RastrosSolver& solver, nb::handle start, int plies, nb::bytes wins) {
                solver.learn_opening(solver.state_of(read_integers<Word>(start)), plies, read_bytes(wins));
            },
            nb::arg("start"), nb::arg("plies"), nb::arg("wins"),
            nb::sig("def learn_opening(self, start: Sequence[int], plies: int, wins: bytes) -> None"))
        .def(
            "proof",
            [](RastrosSolver& solver, nb::handle start, StopFlag& stop) {
                const auto state = solver.state_of(read_integers<Word>(start));
                std::vector<std::uint8_t> steps;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    steps = solver.proof(state, stop.set, pulse);
                }
                return bytes_of(steps);
            },
            nb::arg("start"), nb::arg("stop"),
            nb::sig("def proof(self, start: Sequence[int], stop: StopFlag) -> bytes"))
        .def(
            "learn_proof",
            [](RastrosSolver& solver, nb::handle start, nb::bytes proof) {
                solver.learn_proof(solver.state_of(read_integers<Word>(start)), read_bytes(proof));
            },
            nb::arg("start"), nb::arg("proof"),
            nb::sig("def learn_proof(self, start: Sequence[int], proof: bytes) -> None"));
}

}  // namespace tabuleiro
