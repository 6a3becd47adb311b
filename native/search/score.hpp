// What a search says about a position: an estimate, and apart from it what has been proven.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "../game.hpp"

namespace tabuleiro {

/// Scores are for the player to move. A win in n plies is `win_score - n`, a loss in n plies the opposite, a draw 0;
/// everything of smaller size than `smallest_win` is an estimate.
constexpr int win_score = 32'000;
constexpr int max_ply = 250;
constexpr int smallest_win = win_score - max_ply;
constexpr int largest_estimate = 30'000;
constexpr int no_score = -32'500;

/// The three values of a game, for the player to move.
enum Worth : std::int8_t { lost = -1, drawn = 0, won = 1 };

/// What the game would end with, for the player to move, if a position of its past came back that would end it by that:
/// the worst and the best of the results. As it is made, nothing can come back.
struct Returns {
    Worth least = won, most = lost;

    Returns operator-() const { return {static_cast<Worth>(-most), static_cast<Worth>(-least)}; }
};

/// What a node returns. `score` may come from estimates and reductions, and may be a mere bound. `floor` and `ceiling`
/// bound the true value of the position and are only ever deduced from ends of games, so pruning cannot fake them.
struct Found {
    std::int32_t score = no_score;
    Worth floor = lost, ceiling = won;
    /// The smallest ply of the path on which this depends by a repetition; `free_of_path` when it would be found
    /// however the position had been reached, `this_path` when it is true on this path and says nothing of others.
    std::int16_t taint = free_of_path;

    static constexpr std::int16_t free_of_path = std::numeric_limits<std::int16_t>::max(), this_path = -1;

    bool decided() const { return floor == ceiling; }

    Found operator-() const { return {-score, static_cast<Worth>(-ceiling), static_cast<Worth>(-floor), taint}; }

    /// Brings the score into the range that is proven. Only a proven draw is 0: an estimate that cannot be better than
    /// a draw is a little less, so that a search prefers to prove the draw.
    void respect_proof() {
        if (floor == won) score = std::max(score, smallest_win);
        if (ceiling == lost) score = std::min(score, -smallest_win);
        if (decided()) {
            if (floor == drawn) score = 0;
        } else {
            if (floor == drawn) score = std::max(score, 1);
            if (ceiling == drawn) score = std::min(score, -1);
        }
    }
};

/// The value of a finished game for a player, `ply` plies from the root.
inline Found ended(Result result, int player, int ply) {
    if (result == Result::draw) return {0, drawn, drawn};
    const int score = win_score - ply;
    return result == win_of(player) ? Found{score, won, won} : Found{-score, lost, lost};
}

}  // namespace tabuleiro
