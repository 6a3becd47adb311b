// From Python's objects to kernels and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "kernel.hpp"

namespace tabuleiro {

namespace nb = nanobind;

/// Runs Python's signal handlers now and then while the interpreter is let go, so that Ctrl-C ends a long call.
inline Pulse python_pulse() {
    return Pulse([] {
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
}

/// The integer of a Python object, or a ValueError when it does not fit.
template <class Integer>
Integer read_integer(nb::handle object) {
    if (!PyLong_Check(object.ptr())) throw nb::type_error("an integer is wanted");
    Integer value;
    if (!nb::try_cast(object, value)) throw std::invalid_argument("an integer is negative or too large");
    return value;
}

template <class Integer>
std::vector<Integer> read_integers(nb::handle objects) {
    std::vector<Integer> values;
    for (nb::handle object : nb::iter(objects)) values.push_back(read_integer<Integer>(object));
    return values;
}

template <class Integer>
nb::tuple tuple_of(const std::vector<Integer>& values) {
    nb::list list;
    for (Integer value : values) list.append(value);
    return nb::tuple(list);
}

/// The values as they lie in memory: what memoryview.cast and numpy.frombuffer read.
template <class Value>
nb::bytes bytes_of(const std::vector<Value>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

/// Settings that Python gives by name. Those that are not given keep the value they have; a name that nobody reads is
/// refused.
class SettingsReader {
   public:
    explicit SettingsReader(const nb::kwargs& settings) : left_(nb::steal<nb::dict>(PyDict_Copy(settings.ptr()))) {}

    template <class Integer>
    void integer(const char* name, Integer& value, std::uint64_t low, std::uint64_t high) {
        const nb::object given = take(name);
        if (!given.is_valid()) return;
        if (!PyLong_Check(given.ptr())) throw nb::type_error((about(name) + " is an integer").c_str());
        std::uint64_t number;
        if (!nb::try_cast(given, number) || number < low || number > high)
            throw std::invalid_argument(about(name) + " is from " + std::to_string(low) + " to " +
                                        std::to_string(high));
        value = static_cast<Integer>(number);
    }

    /// Not negative, and not infinite.
    void number(const char* name, double& value) {
        const nb::object given = take(name);
        if (!given.is_valid()) return;
        if (!nb::try_cast(given, value)) throw nb::type_error((about(name) + " is a number").c_str());
        if (!(value >= 0 && value <= 1e300)) throw std::invalid_argument(about(name) + " is negative or infinite");
    }

    void truth(const char* name, bool& value) {
        const nb::object given = take(name);
        if (given.is_valid() && !nb::try_cast(given, value, false))
            throw nb::type_error((about(name) + " is True or False").c_str());
    }

    template <class Integer>
    void integers(const char* name, std::vector<Integer>& values) {
        const nb::object given = take(name);
        if (given.is_valid()) values = read_integers<Integer>(given);
    }

    /// An object of one of our classes, or None; the caller keeps it alive.
    template <class Class>
    nb::object object(const char* name, Class*& value) {
        const nb::object given = take(name);
        if (!given.is_valid() || given.is_none()) return {};
        if (!nb::try_cast(given, value)) throw nb::type_error((about(name) + " is of another class").c_str());
        return given;
    }

    void end() const {
        for (auto [name, value] : left_)
            throw std::invalid_argument("there is no setting \"" + std::string(nb::str(name).c_str()) + "\"");
    }

   private:
    static std::string about(const char* name) { return std::string("the setting \"") + name + "\""; }

    nb::object take(const char* name) {
        if (!left_.contains(name)) return {};
        nb::object value = left_[name];
        PyDict_DelItemString(left_.ptr(), name);
        return value;
    }

    nb::dict left_;
};

using PositionRows = nb::ndarray<Word, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ReadOnlyPositionRows = nb::ndarray<const Word, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using MoveColumn = nb::ndarray<const Move, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Rows>
Batch batch_of(const Kernel& kernel, const Rows& rows) {
    require(static_cast<int>(rows.shape(1)) == kernel.words(), "a position has another number of words");
    return {rows.data(), rows.shape(0)};
}

/// The class `Kernel`: everything but the constructors. Signatures are spelt out as _native.pyi has them.
inline void bind_kernel(nb::module_& module) {
    nb::class_<Kernel>(module, "Kernel")
        .def_prop_ro("words", &Kernel::words, nb::sig("def words(self) -> int"))
        .def_prop_ro("move_codes", &Kernel::move_codes, nb::sig("def move_codes(self) -> int"))
        .def(
            "moves",
            [](const Kernel& kernel, nb::handle position) {
                nb::list moves;
                for (Move move : kernel.moves(read_integers<Word>(position))) moves.append(move);
                return moves;
            },
            nb::arg("position"), nb::sig("def moves(self, position: Sequence[int]) -> list[int]"))
        .def(
            "play",
            [](const Kernel& kernel, nb::handle position, nb::handle move) {
                return tuple_of(kernel.play(read_integers<Word>(position), read_integer<std::uint64_t>(move)));
            },
            nb::arg("position"), nb::arg("move"),
            nb::sig("def play(self, position: Sequence[int], move: int) -> tuple[int, ...]"))
        .def(
            "turn",
            [](const Kernel& kernel, nb::handle position) { return kernel.turn(read_integers<Word>(position)); },
            nb::arg("position"), nb::sig("def turn(self, position: Sequence[int]) -> int"))
        .def(
            "outcome",
            [](const Kernel& kernel, nb::handle position) {
                return static_cast<int>(kernel.outcome(read_integers<Word>(position)));
            },
            nb::arg("position"), nb::sig("def outcome(self, position: Sequence[int]) -> int"))
        .def(
            "hash",
            [](const Kernel& kernel, nb::handle position) { return kernel.hash(read_integers<Word>(position)); },
            nb::arg("position"), nb::sig("def hash(self, position: Sequence[int]) -> int"))
        .def(
            "transform",
            [](const Kernel& kernel, nb::handle position, nb::handle cells, bool exchange) {
                return tuple_of(
                    kernel.transform(read_integers<Word>(position), read_integers<std::uint16_t>(cells), exchange));
            },
            nb::arg("position"), nb::arg("cells"), nb::arg("exchanges_players"),
            nb::sig("def transform(self, position: Sequence[int], cells: Sequence[int], exchanges_players: bool)"
                    " -> tuple[int, ...]"))
        .def(
            "perft",
            [](const Kernel& kernel, nb::handle position, nb::handle depth, bool bulk) {
                const Words start = read_integers<Word>(position);
                const int plies = read_integer<int>(depth);
                nb::gil_scoped_release others_may_run;
                Pulse pulse = python_pulse();
                return kernel.perft(start, plies, bulk, pulse);
            },
            nb::arg("position"), nb::arg("depth"), nb::arg("bulk") = true,
            nb::sig("def perft(self, position: Sequence[int], depth: int, bulk: bool = True) -> int"))
        .def(
            "random_games",
            [](const Kernel& kernel, nb::handle start, nb::handle games, nb::handle seed, bool records,
               nb::handle max_plies) {
                const Words first = read_integers<Word>(start);
                const auto wanted = read_integer<std::uint32_t>(games);
                const auto sown = read_integer<std::uint64_t>(seed);
                const auto longest = read_integer<int>(max_plies);
                RandomGames played;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    played = kernel.random_games(first, wanted, sown, records, longest, pulse);
                }
                return nb::make_tuple(bytes_of(played.results), bytes_of(played.lengths), bytes_of(played.moves));
            },
            nb::arg("start"), nb::arg("games"), nb::arg("seed"), nb::arg("records") = false,
            nb::arg("max_plies") = 100'000,
            nb::sig("def random_games(self, start: Sequence[int], games: int, seed: int, records: bool = False, "
                    "max_plies: int = 100000) -> tuple[bytes, bytes, bytes]"))
        .def(
            "step_many",
            [](const Kernel& kernel, PositionRows positions, MoveColumn moves) {
                const Batch batch = batch_of(kernel, positions);
                require(moves.shape(0) == batch.size, "there must be one move for each position");
                Results results;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    Words after(positions.size());
                    results = kernel.step_many(batch, moves.data(), after.data(), pulse);
                    // Only now: when one move is illegal, no position has changed.
                    std::copy(after.begin(), after.end(), positions.data());
                }
                return bytes_of(results);
            },
            nb::arg("positions"), nb::arg("moves"),
            nb::sig("def step_many(self, positions: Buffer, moves: Buffer) -> bytes"))
        .def(
            "moves_many",
            [](const Kernel& kernel, ReadOnlyPositionRows positions) {
                const Batch batch = batch_of(kernel, positions);
                std::pair<std::vector<std::uint32_t>, Moves> listed;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    listed = kernel.moves_many(batch, pulse);
                }
                return nb::make_tuple(bytes_of(listed.first), bytes_of(listed.second));
            },
            nb::arg("positions"), nb::sig("def moves_many(self, positions: Buffer) -> tuple[bytes, bytes]"));
    module.attr("KERNELS") = nb::dict();
}

/// The kernel of one game, entered in `KERNELS` under the game's id.
template <Game G>
void bind_game(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("KERNELS"))[G::id] = nb::cpp_function(
        [](nb::handle options) -> Kernel* { return new KernelOf<G>(read_integers<std::int64_t>(options)); },
        nb::rv_policy::take_ownership);
}

}  // namespace tabuleiro
