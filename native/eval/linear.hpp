// Evaluation as a linear form: named features of a position, two weights each, and a phase that blends the weights.
//
// An evaluator is eval/<id>.hpp: it names its features and extracts them. The weights come from outside (the file
// search/weights/<id>.json of the package), so that they can be tuned without compiling.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "../game.hpp"

namespace tabuleiro {

/// The phase of a position that is all early; all late is 0.
constexpr int early_phase = 256;

template <class E>
concept Evaluator = Game<typename E::Rules> && std::constructible_from<E, OptionReader&> &&
                    requires(const E evaluator, const typename E::Rules rules,
                             const typename E::Rules::Position position, Move move, int* features) {
                        /// The names of the features, in their order.
                        { E::names[0] } -> std::convertible_to<const char*>;

                        /// Writes the features of a game that goes on, as the player to move sees them (what is good
                        /// for that player counts up), and returns the phase.
                        { evaluator.extract(rules, position, features) } -> std::same_as<int>;

                        /// 0 for a quiet move; for one that changes much (a capture, a push off the board) the more,
                        /// the more it should be looked at first. Noisy moves are played out before evaluating.
                        { evaluator.noise(rules, position, move) } -> std::same_as<int>;

                        /// Whether there are noisy moves at all.
                        { E::has_noise } -> std::convertible_to<bool>;
                    };

/// `certain(position, anew)`: the least and the most that the player to move can still get, where a look at the position
/// proves it: -1 a loss, 0 a draw, 1 a win. `anew` says that no position which might come back has occurred so often that
/// it would then end the game.
template <class E>
concept SeesBounds = Evaluator<E> && requires(const E evaluator, const typename E::Rules::Position position) {
    { evaluator.certain(position, true) } -> std::same_as<std::pair<int, int>>;
};

/// Evaluators that may be given tables of patterns, which then judge positions in place of the features.
template <class E>
concept MaySeePatterns = Evaluator<E> && requires(const E evaluator, const typename E::Rules::Position position) {
    { evaluator.sees_patterns(position) } -> std::same_as<bool>;
    { evaluator.by_patterns(position) } -> std::same_as<int>;
};

template <Evaluator E>
class Linear {
   public:
    using Rules = typename E::Rules;
    using Position = typename Rules::Position;
    static constexpr int features = static_cast<int>(E::names.size());

    Linear(E evaluator, const std::vector<int>& early, const std::vector<int>& late) : evaluator_(evaluator) {
        require(early.size() == features && late.size() == features, "there must be one weight for each feature");
        for (int i = 0; i < features; ++i) {
            require(std::abs(early[i]) <= 30'000 && std::abs(late[i]) <= 30'000, "a weight is out of range");
            early_[i] = early[i];
            late_[i] = late[i];
        }
    }

    int extract(const Rules& rules, const Position& position, int* values) const {
        return evaluator_.extract(rules, position, values);
    }

    /// An estimate for the player to move, never as large as `limit`.
    int evaluate(const Rules& rules, const Position& position, int limit) const {
        if constexpr (MaySeePatterns<E>)
            if (evaluator_.sees_patterns(position)) return std::clamp(evaluator_.by_patterns(position), -limit, limit);
        int values[features];
        const int phase = evaluator_.extract(rules, position, values);
        std::int64_t early = 0, late = 0;
        for (int i = 0; i < features; ++i) {
            early += values[i] * early_[i];
            late += values[i] * late_[i];
        }
        const std::int64_t score = (early * phase + late * (early_phase - phase)) / early_phase;
        return static_cast<int>(std::clamp<std::int64_t>(score, -limit, limit));
    }

    int noise(const Rules& rules, const Position& position, Move move) const {
        return evaluator_.noise(rules, position, move);
    }

    std::pair<int, int> certain(const Position& position, bool anew) const
        requires SeesBounds<E>
    {
        return evaluator_.certain(position, anew);
    }

   private:
    E evaluator_;
    std::array<int, features> early_, late_;
};

}  // namespace tabuleiro
