// What a search is asked, and what it answers.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "score.hpp"

namespace tabuleiro {

using Clock = std::chrono::steady_clock;

/// When a search ends, at the latest. A limit of 0 is none.
struct Limits {
    int depth = 0;            // plies
    std::uint64_t nodes = 0;  // positions; in a tree search, simulations
    double seconds = 0;

    void check() const { require(depth >= 0 && seconds >= 0, "a limit is negative"); }
};

/// What is wanted of a search.
struct Wanted {
    Limits limits;
    int lines = 1;  // of the best moves, as many as this
    int threads = 1;

    void check() const {
        limits.check();
        require(lines >= 1, "at least one line is wanted");
        require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
    }
};

/// One line of play from the root, and what was found about its first move.
struct Line {
    Found found;
    std::vector<Move> moves;
};

/// How a tree search came to see one move at the root.
struct RootVisits {
    Move move;
    std::uint32_t visits;
    double value;  // the mean of the simulations for the player to move at the root, from -1 to 1; 0 without visits
    double prior;  // how much the move was trusted beforehand; all of them add up to 1
};

/// What a search knows now: after a depth has been searched, or some time has passed.
struct Report {
    int depth = 0;  // plies
    std::uint64_t nodes = 0;
    double seconds = 0;
    /// Whether the value of the position is proven.
    bool decided = false;
    std::vector<Line> lines;
    /// Every move at the root that has a node, the most visited first; empty where a search counts no visits.
    std::vector<RootVisits> root;
};

using Listener = std::function<void(const Report&)>;

}  // namespace tabuleiro
