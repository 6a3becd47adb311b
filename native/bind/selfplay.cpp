#include <nanobind/stl/string.h>

#include "../games/abalone.hpp"
#include "../games/avanco.hpp"
#include "../games/guerreiros.hpp"
#include "../games/hex.hpp"
#include "../games/konane.hpp"
#include "../games/ouri.hpp"
#include "../games/rastros.hpp"
#include "../games/semaforo.hpp"
#include "../selfplay/bind_view.hpp"
#include "../selfplay/selfplay.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// Self-play with the caller's memory, which lives as long as it does.
struct SelfPlayAtDesk {
    Rows<Word> planes;
    Rows<Bfloat> logits;
    Column<float> values;
    std::unique_ptr<SelfPlay> play;
};

SelfPlaySettings read_settings(const nb::dict& given) {
    SelfPlaySettings settings;
    const auto number = [&](const char* name) { return nb::cast<int>(given[name]); };
    const auto real = [&](const char* name) { return nb::cast<double>(given[name]); };
    settings.simulations = number("simulations");
    settings.candidates = number("candidates");
    settings.trust = {static_cast<float>(real("trust_visits")), static_cast<float>(real("trust_scale"))};
    settings.opening_share = real("opening_share");
    settings.opening_plies = number("opening_plies");
    settings.longest = number("longest");
    require(settings.simulations >= 1 && settings.candidates >= 1 && settings.longest >= 1,
            "a setting is not positive");
    return settings;
}

template <Game G>
void bind_game_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("PACKERS"))[G::id] =
        nb::cpp_function([](nb::handle options, const nb::dict& tables, Rows<const Word> positions) {
            const G rules = rules_of<G>(options);
            const View<G> view(rules, read_tables(tables));
            require(static_cast<int>(positions.shape(1)) == rules.words(), "a position has another number of words");
            const int length = view.tables().packed_words();
            std::vector<Word> packed(positions.shape(0) * length);
            for (std::size_t i = 0; i < positions.shape(0); ++i)
                view.pack(rules.decode(positions.data() + i * rules.words()), packed.data() + i * length);
            return bytes_of(packed);
        });
    nb::cast<nb::dict>(module.attr("SELF_PLAYS"))[G::id] = nb::cpp_function(
        [](nb::handle options, const nb::dict& tables, nb::handle start, const nb::dict& settings, nb::handle seed,
           int games, int groups, int threads, bool records, Rows<Word> planes, Rows<Bfloat> logits,
           Column<float> values) {
            G rules = rules_of<G>(options);
            ViewTables read = read_tables(tables);
            const Words words = read_integers<Word>(start);
            const auto rows = static_cast<std::size_t>(games);
            require(games >= 1 && groups >= 1 && groups <= games, "every group has a game");
            require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
            require(static_cast<int>(words.size()) == rules.words(), "a position has another number of words");
            require(planes.shape(0) == rows && logits.shape(0) == rows && values.shape(0) == rows, "one row a game");
            require(static_cast<int>(planes.shape(1)) == read.packed_words() &&
                        static_cast<int>(logits.shape(1)) == read.policy_size,
                    "a row has another length");
            return new SelfPlayAtDesk{planes, logits, values,
                                      std::make_unique<SelfPlayOf<G>>(
                                          std::move(rules), std::move(read), words.data(), read_settings(settings),
                                          read_integer<std::uint64_t>(seed), games, groups, threads, records,
                                          Desk{planes.data(), logits.data(), values.data()})};
        },
        nb::rv_policy::take_ownership);
}

void bind_selfplay(nb::module_& module) {
    nb::class_<SelfPlayAtDesk>(module, "SelfPlay")
        .def(
            "change",
            [](SelfPlayAtDesk& self, const nb::dict& settings) { self.play->change(read_settings(settings)); },
            nb::arg("settings"), nb::sig("def change(self, settings: dict[str, float]) -> None"))
        .def(
            "advance",
            [](SelfPlayAtDesk& self, int group) {
                nb::gil_scoped_release others_may_run;
                self.play->advance(group);
            },
            nb::arg("group"), nb::sig("def advance(self, group: int) -> None"))
        .def(
            "lessons",
            [](SelfPlayAtDesk& self) {
                Lessons lessons;
                {
                    nb::gil_scoped_release others_may_run;
                    lessons = self.play->lessons();
                }
                return nb::make_tuple(bytes_of(lessons.planes), bytes_of(lessons.policies), bytes_of(lessons.values));
            },
            nb::sig("def lessons(self) -> tuple[bytes, bytes, bytes]"))
        .def(
            "records",
            [](SelfPlayAtDesk& self) {
                nb::list records;
                for (const GameRecord& record : self.play->records()) {
                    nb::list moves;
                    for (Move move : record.moves) moves.append(move);
                    records.append(nb::make_tuple(moves, static_cast<int>(record.result)));
                }
                return records;
            },
            nb::sig("def records(self) -> list[tuple[list[int], int]]"))
        .def(
            "tally",
            [](const SelfPlayAtDesk& self) {
                const Tally tally = self.play->tally();
                return nb::make_tuple(tally.games, tally.moves, tally.questions);
            },
            nb::sig("def tally(self) -> tuple[int, int, int]"));
    module.attr("PACKERS") = nb::dict();
    module.attr("SELF_PLAYS") = nb::dict();
    bind_game_of<Avanco>(module);
    bind_game_of<Rastros>(module);
    bind_game_of<Hex>(module);
    bind_game_of<Semaforo>(module);
    bind_game_of<Ouri>(module);
    bind_game_of<Konane>(module);
    bind_game_of<Guerreiros>(module);
    bind_game_of<Abalone>(module);
}

}  // namespace
}  // namespace tabuleiro

const tabuleiro::Registration selfplay(tabuleiro::bind_selfplay);
