// Leaves valued from outside the tree, many at once, as a neural net wants it.
#pragma once

#include <functional>
#include <vector>

#include "../game.hpp"

namespace tabuleiro {

/// Positions of games that go on, and what is answered about them.
struct LeafBatch {
    std::vector<Word> positions;        // the words of each, one after another
    std::vector<std::uint32_t> counts;  // how many legal moves each has
    std::vector<Move> moves;            // all of them, one after another
    std::vector<float> values;          // answer: for the player to move, from -1 to 1
    std::vector<float> priors;          // answer: how much each move is to be trusted, at least 0

    int size() const { return static_cast<int>(counts.size()); }

    template <Game G>
    void put(const G& rules, const typename G::Position& position) {
        Word words[G::max_words];
        rules.encode(position, words);
        positions.insert(positions.end(), words, words + rules.words());
        Move listed[G::max_moves];
        const int n = rules.moves(position, listed);
        counts.push_back(n);
        moves.insert(moves.end(), listed, listed + n);
    }
};

/// Fills in the answers. Python's function or a native net; called by any thread of a search, several at a time.
using LeafEvaluator = std::function<void(LeafBatch&)>;

/// Makes priors add up to 1.
inline void normalise(float* priors, int n) {
    double total = 0;
    for (int i = 0; i < n; ++i) {
        require(priors[i] >= 0 && priors[i] < 1e30F, "a prior is not negative, and not infinite");
        total += priors[i];
    }
    for (int i = 0; i < n; ++i)
        priors[i] = total > 0 ? static_cast<float>(priors[i] / total) : 1.0F / static_cast<float>(n);
}

/// Has a batch answered, refuses answers that make no sense, and makes the priors of each position add up to 1.
inline void evaluate(const LeafEvaluator& evaluator, LeafBatch& batch) {
    evaluator(batch);
    require(batch.values.size() == batch.counts.size(), "there must be one value for each position");
    require(batch.priors.size() == batch.moves.size(), "there must be one prior for each move");
    for (float value : batch.values) require(value >= -1 && value <= 1, "a value is from -1 to 1");
    float* priors = batch.priors.data();
    for (std::uint32_t n : batch.counts) {
        normalise(priors, static_cast<int>(n));
        priors += n;
    }
}

}  // namespace tabuleiro
