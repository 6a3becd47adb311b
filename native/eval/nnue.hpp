// An estimator that is a small net, of which the first layer is kept up to date move by move (NNUE).
//
// Both players' views of the board go through the first layer; what the mover sees comes first. Then two narrow layers
// and the last, all in whole numbers. Files of weights are made by training/nnue; training/nnue/net.py has the form.
#pragma once

#include <string_view>

#include "linear.hpp"
#include "nnue_arithmetic.hpp"

namespace tabuleiro {

/// The weights of a net for a game. What is noisy is for the game's features to say.
template <class Inputs>
struct NnueWeights : Tables {
    static constexpr int hidden = 64, both = 2 * hidden, rows = 64 * Inputs::words;

    explicit NnueWeights(std::string_view file) {
        const std::uint32_t shape[2] = {Inputs::words, hidden};
        require(file.size() ==
                    12 + sizeof first + sizeof bias / 2 + sizeof second + sizeof third + sizeof last + sizeof last_bias,
                "this net has another size");
        require(file.substr(0, 4) == "TNN1" && std::memcmp(file.data() + 4, shape, sizeof shape) == 0,
                "this is not a net for this game");
        const char* at = file.data() + 12;
        const auto read = [&at](void* to, std::size_t size) {
            std::memcpy(to, at, size);
            at += size;
        };
        read(first, sizeof first);
        read(bias, sizeof bias / 2);
        std::copy_n(bias, hidden, bias + hidden);
        read(second.weights, sizeof second.weights);
        read(second.bias, sizeof second.bias);
        read(third.weights, sizeof third.weights);
        read(third.bias, sizeof third.bias);
        read(last, sizeof last);
        read(&last_bias, sizeof last_bias);
        for (const auto* layer : {second.bias, third.bias})
            for (int i = 0; i < nnue::narrow; ++i) require(std::abs(layer[i]) <= 1 << 24, "a bias is out of range");
        require(std::abs(last_bias) <= 1 << 28, "a bias is out of range");
    }

    alignas(32) std::int16_t first[rows][both];
    alignas(32) std::int16_t bias[both];
    nnue::Narrow<both> second;
    nnue::Narrow<nnue::narrow> third;
    std::int16_t last[nnue::narrow];
    std::int32_t last_bias;
};

template <class Inputs, class Features, class Arithmetic>
class Nnue {
   public:
    using Rules = typename Inputs::Rules;
    using Position = typename Rules::Position;
    using Net = NnueWeights<Inputs>;

    static constexpr bool prunes = Inputs::prunes;

    /// Sums of the first layer, the first player's view and then the second's.
    struct State {
        alignas(32) std::int16_t sums[Net::both];
    };

    explicit Nnue(const EstimatorSettings& settings)
        : features_(read(settings.options)), weights_(dynamic_cast<const Net*>(settings.net)) {
        require(weights_, "this estimate needs a net for its game");
    }

    void start(const Rules&, const Position& position, State& state) const {
        Word bits[Inputs::words];
        Inputs::write(position, bits);
        std::copy_n(weights_->bias, Net::both, state.sums);
        for (int word = 0; word < Inputs::words; ++word)
            for (Word left = bits[word]; left;) {
                nnue::Changes changes;
                changes.in[changes.n_in++] = weights_->first[64 * word + pop(left)];
                const State before = state;
                Arithmetic::template update<Net::both>(before.sums, changes, state.sums);
            }
    }

    void update(const Rules& rules, const State& before, const Position& from, Move, const Position& to,
                State& after) const {
        Word old_bits[Inputs::words], new_bits[Inputs::words];
        Inputs::write(from, old_bits);
        Inputs::write(to, new_bits);
        nnue::Changes changes;
        for (int word = 0; word < Inputs::words; ++word) {
            const Word in = new_bits[word] & ~old_bits[word], out = old_bits[word] & ~new_bits[word];
            if (changes.n_in + count(in) > nnue::Changes::most || changes.n_out + count(out) > nnue::Changes::most)
                return start(rules, to, after);
            for (Word left = in; left;) changes.in[changes.n_in++] = weights_->first[64 * word + pop(left)];
            for (Word left = out; left;) changes.out[changes.n_out++] = weights_->first[64 * word + pop(left)];
        }
        Arithmetic::template update<Net::both>(before.sums, changes, after.sums);
    }

    int evaluate(const Rules& rules, const Position& position, const State& state) const {
        const int mover = rules.turn(position) - 1;
        const std::int16_t *own = state.sums + mover * Net::hidden, *other = state.sums + (1 - mover) * Net::hidden;
        alignas(32) std::uint8_t seen[Net::both], once[nnue::narrow], twice[nnue::narrow];
        Arithmetic::template clip<Net::hidden>(own, seen);
        Arithmetic::template clip<Net::hidden>(other, seen + Net::hidden);
        Arithmetic::pass(weights_->second, seen, once);
        Arithmetic::pass(weights_->third, once, twice);
        return points(twice);
    }

    int noise(const Rules& rules, const Position& position, Move move) const {
        return features_.noise(rules, position, move);
    }

    int foresee(const Position& position) const
        requires requires(const Features features) { features.foresee(position); }
    {
        return features_.foresee(position);
    }

   private:
    static Features read(const std::vector<std::int64_t>& options) {
        OptionReader reader(options);
        return Features(reader);
    }

    int points(const std::uint8_t* seen) const {
        std::int32_t sum = weights_->last_bias;
        for (int i = 0; i < nnue::narrow; ++i) sum += seen[i] * weights_->last[i];
        return sum >> 7;
    }

    Features features_;
    const Net* weights_;
};

/// The mean of a net and of the weighed features: where a net foresees the outcome better, but features name threats
/// that it does not see.
template <class Judge, class Features>
class Blended {
   public:
    using Rules = typename Judge::Rules;
    using Position = typename Rules::Position;
    using State = typename Judge::State;
    using Net = typename Judge::Net;

    explicit Blended(const EstimatorSettings& settings) : net_(settings), features_(settings) {}

    void start(const Rules& rules, const Position& position, State& state) const { net_.start(rules, position, state); }

    void update(const Rules& rules, const State& before, const Position& from, Move move, const Position& to,
                State& after) const {
        net_.update(rules, before, from, move, to, after);
    }

    int evaluate(const Rules& rules, const Position& position, const State& state) const {
        return (net_.evaluate(rules, position, state) + features_.evaluate(rules, position, {})) / 2;
    }

    int noise(const Rules& rules, const Position& position, Move move) const {
        return features_.noise(rules, position, move);
    }

   private:
    Judge net_;
    Linear<Features> features_;
};

}  // namespace tabuleiro
