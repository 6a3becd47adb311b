// What a tree search is made of.
#pragma once

#include "../eval/estimator.hpp"

namespace tabuleiro {

/// How the judge that serves every game values a leaf (general_judge.hpp).
struct JudgeSettings {
    /// How much random games count, from 0 to 1; the rest is the evaluation.
    double playouts = 1;
    /// A random game of this number of plies is given up as a draw.
    int max_plies = 1'000;
    /// This number of points of the evaluation more makes the odds of winning e times as good.
    double scale = 250;
};

struct TreeSettings {
    EstimatorSettings estimator;
    JudgeSettings judge;
    std::uint64_t seed = 0;
    std::size_t mebibytes = 64;
    /// How much is risked on moves that had few visits.
    double exploration = 1;
    /// A leaf gets children when it has had this number of visits.
    std::uint32_t expand_after = 1;
    /// The visits at which a move's own results weigh as much as those of games in which it came later; 0: they alone.
    double rave = 0;
    /// A node is studied, by a judge who can prove something, when it has had this number of visits.
    std::uint32_t study_after = 500;
    /// How much worse than its parent a move is taken to be, where priors guide, before it is tried.
    double caution = 0.2;
    /// The number of leaves that an evaluator from outside is asked about at once.
    int batch = 16;
    /// Whether anything is proven, and passed up from positions to those that lead to them.
    bool proofs = true;
};

}  // namespace tabuleiro
