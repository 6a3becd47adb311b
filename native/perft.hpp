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

/// How many different sequences of `depth` moves there are; a finished game has no successors.
/// In bulk, the moves of the last ply are counted and not played; otherwise every leaf position is made.
template <bool bulk, Game G>
std::uint64_t perft(const G& rules, const typename G::Position& position, int depth, Pulse& pulse) {
    if (depth == 0) {
        look_at(position);
        return 1;
    }
    if constexpr (bulk && CountsMoves<G>)
        if (depth == 1) return rules.count(position);
    Move moves[G::max_moves];
    const int n = rules.moves(position, moves);
    if constexpr (bulk)
        if (depth == 1) return n;
    pulse.beat(n);
    std::uint64_t total = 0;
    for (int i = 0; i < n; ++i) {
        typename G::Position next = position;
        rules.play(next, moves[i]);
        total += perft<bulk>(rules, next, depth - 1, pulse);
    }
    return total;
}

}  // namespace tabuleiro
