// The judge that serves every game: random games, the evaluation, or something of both.
#pragma once

#include "mcts.hpp"

namespace tabuleiro {

struct Taste {
    /// How much random games count; the rest is the evaluation.
    double playouts = 1;
    /// A random game of so many plies is given up as a draw.
    int max_plies = 1'000;
    /// So many points of the evaluation more make the odds of winning e times as good.
    double scale = 250;
};

template <Evaluator E>
class GeneralJudge {
   public:
    using Rules = typename E::Rules;
    using Position = typename Rules::Position;
    static constexpr bool has_priors = false;

    GeneralJudge(const Rules& rules, const Linear<E>& evaluator, const Taste& taste)
        : rules_(rules), evaluator_(evaluator), taste_(taste), playouts_(rules, taste.max_plies, pulse_) {}
    // The random games of a copy have a pulse of their own.
    GeneralJudge(const GeneralJudge& other) : GeneralJudge(other.rules_, other.evaluator_, other.taste_) {}

    double value(const Position& position, History so_far, Random& random, Marks* marks) {
        double value = 0;
        if (taste_.playouts > 0) value += taste_.playouts * play(position, so_far, random, marks);
        if (taste_.playouts < 1) value += (1 - taste_.playouts) * estimate(position);
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

    double estimate(const Position& position) const {
        const int points = evaluator_.evaluate(rules_, position, largest_estimate);
        const double value = std::tanh(points / (2 * taste_.scale));
        return rules_.turn(position) == 1 ? value : -value;
    }

    const Rules& rules_;
    Linear<E> evaluator_;
    Taste taste_;
    Pulse pulse_{[] {}};
    Playouts<Rules> playouts_;
    std::vector<Move> record_;
};

}  // namespace tabuleiro
