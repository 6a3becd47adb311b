// Recorded games played again: whether their moves are legal, how they stand at their end, which positions they begin
// with.
#pragma once

#include <algorithm>
#include <vector>

#include "history.hpp"
#include "kernel.hpp"

namespace tabuleiro {

/// Many games from one start: how many plies each has, and the moves of all, one after another.
struct RecordedGames {
    const std::uint32_t* lengths;
    std::size_t size;
    const Move* moves;
    std::size_t plies;
};

struct ReplayedGames {
    /// How many moves of each game could be played: fewer than it has where one is illegal or comes after the end.
    std::vector<std::uint32_t> played;
    /// How each game stands after them.
    Results results;
    /// The hashes of the first positions of each game, the start and `depth` more; 0 after the end of a game.
    std::vector<Word> keys;
};

template <Game G>
ReplayedGames replay_games(const G& rules, const typename G::Position& start, RecordedGames games, std::uint32_t depth,
                           Pulse& pulse) {
    ReplayedGames replayed{std::vector<std::uint32_t>(games.size), Results(games.size),
                           std::vector<Word>(games.size * (depth + 1))};
    Lookback<G> so_far(rules);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < games.size; ++i) {
        const std::size_t length = games.lengths[i];
        require(length <= games.plies - begin, "there are fewer moves than the lengths say");
        Word* const keys = replayed.keys.data() + i * (depth + 1);
        typename G::Position position = start;
        so_far.start(rules, position);
        Result result = rules.outcome(position);
        keys[0] = hash64(rules, position);
        std::size_t ply = 0;
        while (ply < length && result == Result::ongoing) {
            Move legal[G::max_moves];
            Move* const end = legal + rules.moves(position, legal);
            const Move move = games.moves[begin + ply];
            if (!std::binary_search(legal, end, move)) break;
            const typename G::Position before = position;
            rules.play(position, move);
            result = rules.outcome(position);
            if (result == Result::ongoing) result = so_far.ends(rules, before, move, position);
            if (++ply <= depth) keys[ply] = hash64(rules, position);
            pulse.beat();
        }
        replayed.played[i] = static_cast<std::uint32_t>(ply);
        replayed.results[i] = result;
        begin += length;
    }
    return replayed;
}

}  // namespace tabuleiro
