// From Python's objects to the solver of Hex and back.
#pragma once

#include "../search/bind_search.hpp"
#include "solver.hpp"

namespace tabuleiro {

class HexSolver {
   public:
    virtual ~HexSolver() = default;

    struct Answer {
        int winner, cell;  // -1 where it is not known
        std::uint64_t nodes;
    };

    /// A position as the kernel encodes it; its swap is nobody's business here.
    virtual Answer solve(const std::vector<Word>& position, const Limits& limits, StopFlag& stop, Pulse& pulse) = 0;
};

template <int N>
class HexSolverOf final : public HexSolver {
   public:
    HexSolverOf(const std::vector<std::int64_t>& options, int size, std::size_t mebibytes)
        : rules_(read_rules<Hex>(options)), solver_(size, mebibytes) {}

    Answer solve(const std::vector<Word>& words, const Limits& limits, StopFlag& stop, Pulse& pulse) override {
        limits.check();
        const Hex::Position position = read_ongoing(rules_, words);
        Bits<N> stones[2];
        for (Hex::Colour colour : {Hex::white, Hex::black})
            position.stones[colour].each([&](int cell) { stones[colour].set(cell); });
        const auto verdict = solver_.solve(stones[Hex::white], stones[Hex::black], hex::stone_of(position.to_move),
                                           limits, stop.set, pulse);
        return {static_cast<int>(verdict.winner) - 1, verdict.cell, verdict.nodes};
    }

   private:
    const Hex rules_;
    hex::Solver<N> solver_;
};

inline void bind_hex_solver(nb::module_& module) {
    nb::class_<HexSolver>(module, "HexSolver")
        .def_static(
            "make",
            [](nb::handle options, nb::handle mebibytes) -> HexSolver* {
                const auto values = read_integers<std::int64_t>(options);
                const auto memory = read_integer<std::uint32_t>(mebibytes);
                require(memory >= 1 && memory <= 1 << 20, "the table has from 1 to 1048576 MiB");
                OptionReader reader(values);
                const int size = reader.number(3, Hex::max_size);
                if (size * size <= 64) return new HexSolverOf<1>(values, size, memory);
                if (size * size <= 128) return new HexSolverOf<2>(values, size, memory);
                return new HexSolverOf<Hex::max_stone_words>(values, size, memory);
            },
            nb::arg("options"), nb::arg("mebibytes"), nb::rv_policy::take_ownership,
            nb::sig("def make(options: Sequence[int], mebibytes: int) -> HexSolver"))
        .def(
            "solve",
            [](HexSolver& solver, nb::handle position, nb::handle nodes, double seconds, StopFlag& stop) {
                const auto words = read_integers<Word>(position);
                const Limits limits{0, read_integer<std::uint64_t>(nodes), seconds};
                HexSolver::Answer answer;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    answer = solver.solve(words, limits, stop, pulse);
                }
                const auto known = [](int number) { return number < 0 ? nb::none() : nb::object(nb::int_(number)); };
                return nb::make_tuple(known(answer.winner), known(answer.cell), answer.nodes);
            },
            nb::arg("position"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("stop"),
            nb::sig("def solve(self, position: Sequence[int], nodes: int, seconds: float, stop: StopFlag)"
                    " -> tuple[int | None, int | None, int]"));
}

}  // namespace tabuleiro
