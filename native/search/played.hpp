// Games and positions as Python gives them, and the flag by which it stops what runs.
#pragma once

#include <algorithm>
#include <atomic>

#include "../kernel.hpp"
#include "path.hpp"

namespace tabuleiro {

/// Set from any thread to end a search that runs in another.
struct StopFlag {
    std::atomic<bool> set = false;
};

/// A game so far: its start, and its moves.
struct PlayedWords {
    Words start;
    std::vector<std::uint64_t> moves;
};

template <Game G>
typename G::Position read_position(const G& rules, const Words& words) {
    require(static_cast<int>(words.size()) == rules.words(), "a position has another number of words");
    return rules.decode(words.data());
}

template <Game G>
typename G::Position read_ongoing(const G& rules, const Words& words) {
    const typename G::Position position = read_position(rules, words);
    require(rules.outcome(position) == Result::ongoing, "the game is over");
    return position;
}

template <Game G>
Played<G> replayed(const G& rules, const PlayedWords& words) {
    Played<G> played{.root = read_position(rules, words.start), .positions = {}, .moves = {}};
    played.positions.push_back(played.root);
    Move legal[G::max_moves];
    for (std::uint64_t move : words.moves) {
        Move* const end = legal + rules.moves(played.root, legal);
        require(std::binary_search(legal, end, move), "a move of the game is not legal");
        rules.play(played.root, static_cast<Move>(move));
        played.positions.push_back(played.root);
        played.moves.push_back(static_cast<Move>(move));
    }
    require(rules.outcome(played.root) == Result::ongoing, "the game is over");
    return played;
}

}  // namespace tabuleiro
