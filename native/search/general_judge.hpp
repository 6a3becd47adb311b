// The judge that serves every game: random games, the evaluation, or something of both.
#pragma once

#include <cmath>

#include "judge.hpp"
#include "tree_settings.hpp"

namespace tabuleiro {

template <Estimator E>
class GeneralJudge {
   public:
    using Rules = typename E::Rules;
    using Position = typename Rules::Position;
    static constexpr bool has_priors = false;

    GeneralJudge(const Rules& rules, const E& estimator, const JudgeSettings& settings)
        : rules_(rules), estimator_(estimator), settings_(settings), playouts_(rules, settings.max_plies, pulse_) {}
    // The random games of a copy have a pulse of their own.
    GeneralJudge(const GeneralJudge& other) : GeneralJudge(other.rules_, other.estimator_, other.settings_) {}

    double value(const Position& position, History so_far, Random& random, Marks* marks) {
        double value = 0;
        if (settings_.playouts > 0) value += settings_.playouts * play(position, so_far, random, marks);
        if (settings_.playouts < 1) value += (1 - settings_.playouts) * chance(position);
        return value;
    }

    /// Knows nothing of moves: a random order is as good as any.
    int open(const Position&, Move* moves, int n, float* priors, Random& random) {
        for (int i = n - 1; i > 0; --i) std::swap(moves[i], moves[random.below(i + 1)]);
        std::fill_n(priors, n, 1.0F / static_cast<float>(n));
        return n;
    }

   private:
    double play(const Position& position, History so_far, Random& random, Marks* marks) {
        record_.clear();
        const RandomGame game = playouts_.play(position, random, marks ? &record_ : nullptr, so_far);
        int player = rules_.turn(position);
        // That players take turns is not always so, but near enough for what marks are for.
        for (Move move : record_) {
            marks->set(player, move);
            player = other(player);
        }
        return game.result == Result::one ? 1 : game.result == Result::two ? -1 : 0;
    }

    double chance(const Position& position) const {
        const int points = estimate(estimator_, rules_, position);
        const double value = std::tanh(points / (2 * settings_.scale));
        return rules_.turn(position) == 1 ? value : -value;
    }

    const Rules& rules_;
    const E estimator_;
    const JudgeSettings settings_;
    Pulse pulse_{[] {}};
    Playouts<Rules> playouts_;
    std::vector<Move> record_;
};

}  // namespace tabuleiro
