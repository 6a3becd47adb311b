#include "../bind.hpp"
#include "../games/abalone.hpp"
#include "../games/avanco.hpp"
#include "../games/guerreiros.hpp"
#include "../games/hex.hpp"
#include "../games/konane.hpp"
#include "../games/ouri.hpp"
#include "../games/rastros.hpp"
#include "../games/semaforo.hpp"
#include "../replay.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// A position is kept of so many plies, at most.
constexpr std::uint32_t max_depth = 1000;

using Lengths = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <Game G>
void bind_replay_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("REPLAYS"))[G::id] =
        nb::cpp_function([](nb::handle options, nb::handle start, Lengths lengths, MoveColumn moves, nb::handle depth) {
            const G rules = read_rules<G>(read_integers<std::int64_t>(options));
            const Words words = read_integers<Word>(start);
            const auto plies = read_integer<std::uint32_t>(depth);
            require(static_cast<int>(words.size()) == rules.words(), "a position has another number of words");
            require(plies <= max_depth, "the depth is from 0 to 1000");
            ReplayedGames replayed;
            {
                nb::gil_scoped_release others_may_run;
                Pulse pulse = python_pulse();
                const RecordedGames games{lengths.data(), lengths.shape(0), moves.data(), moves.shape(0)};
                replayed = replay_games(rules, rules.decode(words.data()), games, plies, pulse);
            }
            return nb::make_tuple(bytes_of(replayed.played), bytes_of(replayed.results), bytes_of(replayed.keys));
        });
}

void bind_replays(nb::module_& module) {
    module.attr("REPLAYS") = nb::dict();
    bind_replay_of<Abalone>(module);
    bind_replay_of<Avanco>(module);
    bind_replay_of<Guerreiros>(module);
    bind_replay_of<Hex>(module);
    bind_replay_of<Konane>(module);
    bind_replay_of<Ouri>(module);
    bind_replay_of<Rastros>(module);
    bind_replay_of<Semaforo>(module);
}

const Registration registration(bind_replays);

}  // namespace
}  // namespace tabuleiro
