// Evaluation as a linear form: named features of a position, two weights each, and a phase that blends the weights.
//
// The features of a game are eval/<id>.hpp, which names and extracts them. The weights come from outside (the file
// search/weights/<id>.json of the package), so that they can be tuned without compiling.
#pragma once

#include <span>

#include "estimator.hpp"

namespace tabuleiro {

/// The phase of a position that is all early; all late is 0.
constexpr int early_phase = 256;

template <class F>
concept Features =
    Game<typename F::Rules> && std::constructible_from<F, OptionReader&> &&
    requires(const F features, const typename F::Rules rules, const typename F::Rules::Position position, int* values) {
        /// The names of the features, in their order.
        { F::names[0] } -> std::convertible_to<const char*>;

        /// Writes the features of a game that goes on, as the player to move sees them (what is good
        /// for that player counts up), and returns the phase.
        { features.extract(rules, position, values) } -> std::same_as<int>;
    };

template <Features F>
class Linear : public WithoutState {
   public:
    using Rules = typename F::Rules;
    using Position = typename Rules::Position;
    static constexpr const auto& names = F::names;

    explicit Linear(const EstimatorSettings& settings) : features_(read(settings.options)) {
        require(settings.early.size() == size && settings.late.size() == size,
                "there must be one weight for each feature");
        for (int i = 0; i < size; ++i) {
            require(std::abs(settings.early[i]) <= 30'000 && std::abs(settings.late[i]) <= 30'000,
                    "a weight is out of range");
            early_[i] = settings.early[i];
            late_[i] = settings.late[i];
        }
    }

    int extract(const Rules& rules, const Position& position, int* values) const {
        return features_.extract(rules, position, values);
    }

    int evaluate(const Rules& rules, const Position& position, const State&) const {
        int values[size];
        const int phase = features_.extract(rules, position, values);
        std::int64_t early = 0, late = 0;
        for (int i = 0; i < size; ++i) {
            early += values[i] * early_[i];
            late += values[i] * late_[i];
        }
        const std::int64_t score = (early * phase + late * (early_phase - phase)) / early_phase;
        return static_cast<int>(std::clamp<std::int64_t>(score, -largest_estimate, largest_estimate));
    }

    int noise(const Rules& rules, const Position& position, Move move) const
        requires SeesNoise<F>
    {
        return features_.noise(rules, position, move);
    }

   protected:
    const F& features() const { return features_; }

   private:
    static constexpr int size = static_cast<int>(F::names.size());

    static F read(const std::vector<std::int64_t>& options) {
        OptionReader reader(options);
        return F(reader);
    }

    F features_;
    std::array<int, size> early_, late_;
};

}  // namespace tabuleiro
