#include <nanobind/stl/optional.h>

#include "../batch/driver.hpp"
#include "../games/abalone.hpp"
#include "../games/avanco.hpp"
#include "../games/guerreiros.hpp"
#include "../games/hex.hpp"
#include "../games/konane.hpp"
#include "../games/ouri.hpp"
#include "../games/rastros.hpp"
#include "../games/semaforo.hpp"
#include "../selfplay/bind_view.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// A batch with the caller's memory, which lives as long as it does.
struct BoundBatch {
    BoundBatch(Column<std::uint8_t> turns_, Column<std::uint8_t> results_, Rows<float> rewards_,
               std::unique_ptr<GameBatch> batch, std::size_t size, int threads)
        : turns(std::move(turns_)),
          results(std::move(results_)),
          rewards(std::move(rewards_)),
          driver(std::move(batch), size, threads) {}

    Column<std::uint8_t> turns, results;
    Rows<float> rewards;
    BatchDriver driver;
};

/// The memory of rows, one a game.
template <class Value>
Value* rows_of(const BoundBatch& self, const Rows<Value>& rows, int length) {
    require(rows.shape(0) == self.driver.size() && static_cast<int>(rows.shape(1)) == length,
            "there must be one row a game, and a row has another length");
    return rows.data();
}

template <class Value>
Value* column_of(const BoundBatch& self, const Column<Value>& column) {
    require(column.shape(0) == self.driver.size(), "there must be one number a game");
    return column.data();
}

/// Does something with every game, without the interpreter.
template <class Work>
void each(BoundBatch& self, Work work) {
    nb::gil_scoped_release others_may_run;
    self.driver.each(work);
}

int read_player(int player) {
    require(0 <= player && player <= 2, "a player is 1 or 2; 0 is the player to move");
    return player;
}

template <Game G>
void bind_batch_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("BATCHES"))[G::id] = nb::cpp_function(
        [](nb::handle options, const nb::dict& tables, nb::handle start, nb::handle seed, int threads, bool auto_reset,
           std::uint32_t max_plies, Column<std::uint8_t> turns, Column<std::uint8_t> results, Rows<float> rewards) {
            G rules = rules_of<G>(options);
            const Words words = read_integers<Word>(start);
            const std::size_t size = turns.shape(0);
            require(size >= 1, "there is at least one game");
            require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
            require(static_cast<int>(words.size()) == rules.words(), "a position has another number of words");
            require(results.shape(0) == size && rewards.shape(0) == size && rewards.shape(1) == 2, "one row a game");
            const BatchSettings settings{size, read_integer<std::uint64_t>(seed), auto_reset, max_plies};
            const Told told{turns.data(), results.data(), rewards.data()};
            return new BoundBatch(
                turns, results, rewards,
                std::make_unique<GameBatchOf<G>>(std::move(rules), read_tables(tables), words.data(), settings, told),
                size, threads);
        },
        nb::rv_policy::take_ownership);
}

void bind_batches(nb::module_& module) {
    nb::class_<BoundBatch>(module, "Batch")
        .def(
            "reset",
            [](BoundBatch& self, std::optional<Column<const bool>> which) {
                const bool* const marks = which ? column_of(self, *which) : nullptr;
                each(self, [=](GameBatch& batch, Run run) { batch.reset(run, marks); });
            },
            nb::arg("which").none(), nb::sig("def reset(self, which: Buffer | None) -> None"))
        .def(
            "sow",
            [](BoundBatch& self, nb::handle seed) {
                const auto sown = read_integer<std::uint64_t>(seed);
                each(self, [=](GameBatch& batch, Run run) { batch.sow(run, sown); });
            },
            nb::arg("seed"), nb::sig("def sow(self, seed: int) -> None"))
        .def(
            "mask",
            [](BoundBatch& self, Rows<bool> mask) {
                bool* const rows = rows_of(self, mask, self.driver.batch().tables().policy_size);
                each(self, [=](GameBatch& batch, Run run) { batch.mask(run, rows); });
            },
            nb::arg("mask"), nb::sig("def mask(self, mask: Buffer) -> None"))
        .def(
            "count_moves",
            [](BoundBatch& self, Column<std::int64_t> counts) {
                std::int64_t* const numbers = column_of(self, counts);
                each(self, [=](GameBatch& batch, Run run) { batch.count_moves(run, numbers); });
            },
            nb::arg("counts"), nb::sig("def count_moves(self, counts: Buffer) -> None"))
        .def(
            "list_moves",
            [](BoundBatch& self, Column<const std::int64_t> starts, Column<std::int64_t> moves,
               Column<Action> actions) {
                require(starts.shape(0) == self.driver.size() + 1, "there must be one start a game, and the end");
                const std::int64_t* const from = starts.data();
                for (std::size_t i = 0; i < self.driver.size(); ++i)
                    require(from[0] == 0 && from[i] <= from[i + 1], "the starts must ascend from 0");
                const auto total = static_cast<std::size_t>(from[self.driver.size()]);
                require(moves.shape(0) == total && actions.shape(0) == total, "there is room for another number");
                std::atomic<bool> fits = true;
                each(self, [&](GameBatch& batch, Run run) {
                    if (!batch.list_moves(run, from, moves.data(), actions.data())) fits = false;
                });
                require(fits, "a game has another number of moves");
            },
            nb::arg("starts"), nb::arg("moves"), nb::arg("actions"),
            nb::sig("def list_moves(self, starts: Buffer, moves: Buffer, actions: Buffer) -> None"))
        .def(
            "draw",
            [](BoundBatch& self, Column<Action> actions) {
                Action* const drawn = column_of(self, actions);
                each(self, [=](GameBatch& batch, Run run) { batch.draw(run, drawn); });
            },
            nb::arg("actions"), nb::sig("def draw(self, actions: Buffer) -> None"))
        .def(
            "step",
            [](BoundBatch& self, Column<const Action> actions) {
                const Action* const given = column_of(self, actions);
                nb::gil_scoped_release others_may_run;
                return self.driver.step(given);
            },
            nb::arg("actions"), nb::sig("def step(self, actions: Buffer) -> int"))
        .def(
            "random_step",
            [](BoundBatch& self, Rows<bool> mask, Column<Action> actions) {
                bool* const rows = rows_of(self, mask, self.driver.batch().tables().policy_size);
                Action* const drawn = column_of(self, actions);
                each(self, [=](GameBatch& batch, Run run) { batch.random_step(run, rows, drawn); });
            },
            nb::arg("mask"), nb::arg("actions"),
            nb::sig("def random_step(self, mask: Buffer, actions: Buffer) -> None"))
        .def(
            "rollout",
            [](BoundBatch& self, std::uint32_t steps) {
                ResultCounts sum{};
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    // In parts of about a million steps, between which somebody may interrupt.
                    const std::uint32_t part = 1 + static_cast<std::uint32_t>((1u << 20) / self.driver.size());
                    for (std::uint32_t done = 0; done < steps;) {
                        const std::uint32_t now = std::min(part, steps - done);
                        const ResultCounts tally = self.driver.rollout(now);
                        for (int i = 0; i < result_kinds; ++i) sum[i] += tally[i];
                        done += now;
                        pulse.beat(1 << 20);
                    }
                }
                return nb::make_tuple(sum[1], sum[2], sum[3], sum[given_up]);
            },
            nb::arg("steps"), nb::sig("def rollout(self, steps: int) -> tuple[int, int, int, int]"))
        .def(
            "observe",
            [](BoundBatch& self, Rows<bool> planes, int player) {
                const ViewTables& tables = self.driver.batch().tables();
                bool* const rows = rows_of(self, planes, tables.planes * tables.area);
                each(self,
                     [=, who = read_player(player)](GameBatch& batch, Run run) { batch.observe(run, who, rows); });
            },
            nb::arg("planes"), nb::arg("player"), nb::sig("def observe(self, planes: Buffer, player: int) -> None"))
        .def(
            "pack",
            [](BoundBatch& self, Rows<Word> planes, int player) {
                Word* const rows = rows_of(self, planes, self.driver.batch().tables().packed_words());
                each(self, [=, who = read_player(player)](GameBatch& batch, Run run) { batch.pack(run, who, rows); });
            },
            nb::arg("planes"), nb::arg("player"), nb::sig("def pack(self, planes: Buffer, player: int) -> None"))
        .def(
            "encode",
            [](BoundBatch& self, Rows<Word> positions) {
                Word* const rows = rows_of(self, positions, self.driver.batch().words());
                each(self, [=](GameBatch& batch, Run run) { batch.encode(run, rows); });
            },
            nb::arg("positions"), nb::sig("def encode(self, positions: Buffer) -> None"))
        .def(
            "plies",
            [](BoundBatch& self, Column<std::uint32_t> plies) {
                std::uint32_t* const numbers = column_of(self, plies);
                each(self, [=](GameBatch& batch, Run run) { batch.plies(run, numbers); });
            },
            nb::arg("plies"), nb::sig("def plies(self, plies: Buffer) -> None"));
    module.attr("BATCHES") = nb::dict();
    bind_batch_of<Avanco>(module);
    bind_batch_of<Rastros>(module);
    bind_batch_of<Hex>(module);
    bind_batch_of<Semaforo>(module);
    bind_batch_of<Ouri>(module);
    bind_batch_of<Konane>(module);
    bind_batch_of<Guerreiros>(module);
    bind_batch_of<Abalone>(module);
}

}  // namespace
}  // namespace tabuleiro

const tabuleiro::Registration batches(tabuleiro::bind_batches);
