// A neural net as an evaluator of leaves: positions become planes, what the net says becomes values and priors.
#pragma once

#include <cmath>
#include <functional>
#include <mutex>
#include <vector>

#include "../selfplay/view.hpp"
#include "key.hpp"
#include "leaf_evaluator.hpp"

namespace tabuleiro {

/// `exchanges_sides(position, move)`: whether this legal move gives each player the other's side and changes nothing
/// else. Nets learn the game without it.
template <class G>
concept ExchangesSides = Game<G> && requires(const G rules, const typename G::Position here, Move move) {
    { rules.exchanges_sides(here, move) } -> std::same_as<bool>;
};

/// A symmetry as a net sees it: for every bit of the planes and every index of the policy, where it comes from.
struct ViewSymmetry {
    std::vector<std::int32_t> bits, policy;
};

struct NetSettings {
    ViewTables tables;
    /// The net is asked about the position seen through each of these as well; what it says is averaged.
    std::vector<ViewSymmetry> symmetries;
    /// Above 1 the priors are more alike than the net says, below less.
    double temperature = 1;
    /// The number of positions of which it is remembered what the net said.
    std::size_t remembered = 1 << 14;
};

/// Rows of planes, and what the net says of each: a logit for every index of the policy, and a value for the player to
/// move, from -1 to 1.
struct NetQuestion {
    int rows;
    std::vector<float> planes, logits, values;
};
using AskNet = std::function<void(NetQuestion&)>;

class NetEvaluator {
   public:
    virtual ~NetEvaluator() = default;
    /// Called by any thread, several at a time.
    virtual void evaluate(LeafBatch& batch) = 0;
    /// How many positions were asked about, and how many of them the net saw.
    std::pair<std::uint64_t, std::uint64_t> tally() {
        const std::lock_guard lock(mutex_);
        return {asked_, seen_};
    }

   protected:
    std::mutex mutex_;
    std::uint64_t asked_ = 0, seen_ = 0;
};

template <Game G>
class NetEvaluatorOf final : public NetEvaluator {
   public:
    NetEvaluatorOf(G rules, NetSettings settings, AskNet ask)
        : rules_(std::move(rules)),
          view_(rules_, std::move(settings.tables)),
          symmetries_(std::move(settings.symmetries)),
          temperature_(settings.temperature),
          ask_(std::move(ask)),
          memory_(settings.remembered) {
        require(temperature_ > 0, "a temperature is positive");
        require(!memory_.empty(), "at least one position is remembered");
        const auto within = [](const std::vector<std::int32_t>& from, int size) {
            return static_cast<int>(from.size()) == size &&
                   std::all_of(from.begin(), from.end(), [&](int at) { return 0 <= at && at < size; });
        };
        for (const ViewSymmetry& symmetry : symmetries_)
            require(within(symmetry.bits, row_length()) && within(symmetry.policy, view_.tables().policy_size),
                    "a symmetry is of another view");
    }

    void evaluate(LeafBatch& batch) override {
        batch.values.resize(batch.size());
        batch.priors.resize(batch.moves.size());
        std::vector<Leaf> unknown;
        {
            const std::lock_guard lock(mutex_);
            for (const Leaf& leaf : leaves_of(batch))
                if (!recall(batch, leaf)) unknown.push_back(leaf);
            asked_ += batch.size();
            seen_ += unknown.size();
        }
        if (unknown.empty()) return;
        const NetQuestion answered = ask(batch, unknown);
        for (std::size_t i = 0; i < unknown.size(); ++i) judge(batch, unknown[i], answered, static_cast<int>(i));
        const std::lock_guard lock(mutex_);
        for (const Leaf& leaf : unknown) remember(batch, leaf);
    }

   private:
    using Position = typename G::Position;

    struct Leaf {
        int number, first_move, moves;
        Word hash;
    };
    struct Remembered {
        Word hash = 0;
        float value = 0;
        std::vector<float> priors;
    };

    /// How clearly a side must be better before it is preferred: of two sides that differ by this much in value, the
    /// better is e times as attractive.
    static constexpr float side_scale = 0.25F;

    int row_length() const { return view_.tables().planes * view_.tables().area; }
    int images() const { return 1 + static_cast<int>(symmetries_.size()); }

    const Word* words(const LeafBatch& batch, const Leaf& leaf) const {
        return batch.positions.data() + static_cast<std::size_t>(leaf.number) * rules_.words();
    }

    std::vector<Leaf> leaves_of(const LeafBatch& batch) const {
        std::vector<Leaf> leaves;
        int first = 0;
        for (int i = 0; i < batch.size(); ++i) {
            Leaf leaf{i, first, static_cast<int>(batch.counts[i]), 0};
            leaf.hash = hash64(rules_, rules_.decode(words(batch, leaf)));
            leaves.push_back(leaf);
            first += leaf.moves;
        }
        return leaves;
    }

    bool recall(LeafBatch& batch, const Leaf& leaf) const {
        const Remembered& known = memory_[leaf.hash % memory_.size()];
        if (known.hash != leaf.hash || known.priors.size() != static_cast<std::size_t>(leaf.moves)) return false;
        batch.values[leaf.number] = known.value;
        std::copy(known.priors.begin(), known.priors.end(), batch.priors.begin() + leaf.first_move);
        return true;
    }

    void remember(const LeafBatch& batch, const Leaf& leaf) {
        const auto priors = batch.priors.begin() + leaf.first_move;
        memory_[leaf.hash % memory_.size()] = {leaf.hash, batch.values[leaf.number], {priors, priors + leaf.moves}};
    }

    /// Asks about each leaf and then, in rows of their own, about its images.
    NetQuestion ask(const LeafBatch& batch, const std::vector<Leaf>& leaves) {
        NetQuestion question{static_cast<int>(leaves.size()) * images(), {}, {}, {}};
        question.planes.resize(static_cast<std::size_t>(question.rows) * row_length());
        std::vector<Word> packed(view_.tables().packed_words());
        float* row = question.planes.data();
        for (const Leaf& leaf : leaves) {
            view_.pack(rules_.decode(words(batch, leaf)), packed.data());
            const float* const upright = row;
            for (int i = 0; i < row_length(); ++i) *row++ = static_cast<float>(packed[i >> 6] >> (i & 63) & 1);
            for (const ViewSymmetry& symmetry : symmetries_)
                for (std::int32_t from : symmetry.bits) *row++ = upright[from];
        }
        ask_(question);
        require(question.values.size() == static_cast<std::size_t>(question.rows) &&
                    question.logits.size() == static_cast<std::size_t>(question.rows) * view_.tables().policy_size,
                "a net answers with logits and a value for every row");
        return question;
    }

    /// Averages what the net said of a leaf and its images.
    void judge(LeafBatch& batch, const Leaf& leaf, const NetQuestion& answered, int number) const {
        const int size = view_.tables().policy_size;
        const float* logits = answered.logits.data() + static_cast<std::size_t>(number) * images() * size;
        std::vector<float> mean(logits, logits + size);
        float value = answered.values[number * images()];
        for (std::size_t image = 0; image < symmetries_.size(); ++image) {
            logits += size;
            for (int i = 0; i < size; ++i) mean[symmetries_[image].policy[i]] += logits[i];
            value += answered.values[number * images() + 1 + image];
        }
        value /= static_cast<float>(images());
        require(std::isfinite(value), "a net's value is a number");
        const Position position = rules_.decode(words(batch, leaf));
        const bool second = view_.is_second(words(batch, leaf));
        const Move* const moves = batch.moves.data() + leaf.first_move;
        float* const priors = batch.priors.data() + leaf.first_move;
        const auto scale = static_cast<float>(1 / (images() * temperature_));
        float largest = -1e30F;
        for (int i = 0; i < leaf.moves; ++i) {
            priors[i] = mean[view_.index(second, moves[i])] * scale;
            require(std::isfinite(priors[i]), "a net's logits are numbers");
            if (!exchanges(position, moves[i])) largest = std::max(largest, priors[i]);
        }
        float total = 0;
        for (int i = 0; i < leaf.moves; ++i)
            if (!exchanges(position, moves[i])) total += priors[i] = std::exp(priors[i] - largest);
        // The other side is worth what one's own is not.
        for (int i = 0; i < leaf.moves; ++i)
            if (exchanges(position, moves[i])) {
                priors[i] = total * std::exp(-2 * value / side_scale);
                value = std::abs(value);
            }
        batch.values[leaf.number] = std::clamp(value, -1.0F, 1.0F);
    }

    bool exchanges([[maybe_unused]] const Position& position, [[maybe_unused]] Move move) const {
        if constexpr (ExchangesSides<G>)
            return rules_.exchanges_sides(position, move);
        else
            return false;
    }

    const G rules_;
    const View<G> view_;
    const std::vector<ViewSymmetry> symmetries_;
    const double temperature_;
    const AskNet ask_;
    /// Each position has one place; a later one takes it.
    std::vector<Remembered> memory_;
};

}  // namespace tabuleiro
