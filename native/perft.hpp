// Counting the tree of a game to a depth: the classical check that two sets of rules agree, and a measure of speed.
#pragma once

#include "game.hpp"
#include "pulse.hpp"

namespace tabuleiro {

/// Makes the compiler believe that a value is looked at, so that it cannot leave out computing it.
template <class T>
inline void look_at(const T& value) {
    asm volatile("" : : "m"(value) : "memory");
}

template <Game G>
int count_moves(const G& rules, const typename G::Position& position) {
    if constexpr (CountsMoves<G>) {
        return rules.count(position);
    } else {
        Move moves[G::max_moves];
        return rules.moves(position, moves);
    }
}

/// How many different sequences of `depth` moves there are; a finished game has no successors.
/// In bulk, the moves of the last ply are counted and not played; otherwise every leaf position is made.
template <bool bulk, Game G>
std::uint64_t perft(const G& rules, const typename G::Position& position, int depth, Pulse& pulse) {
    if (depth == 0) return 1;
    if (bulk && depth == 1) return count_moves(rules, position);
    Move moves[G::max_moves];
    const int n = rules.moves(position, moves);
    pulse.beat(n);
    std::uint64_t total = 0;
    for (int i = 0; i < n; ++i) {
        typename G::Position next = position;
        rules.play(next, moves[i]);
        // The last two plies are most of the tree: spare them the recursion.
        if (bulk && depth == 2) {
            total += count_moves(rules, next);
        } else if (!bulk && depth == 1) {
            look_at(next);
            ++total;
        } else {
            total += perft<bulk>(rules, next, depth - 1, pulse);
        }
    }
    return total;
}

}  // namespace tabuleiro
