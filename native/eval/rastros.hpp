// What matters in Rastros: how far the marker is from both goals, and who runs out of moves if they are cut off.
#pragma once

#include "../games/rastros.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct RastrosFeatures {
    using Rules = Rastros;
    static constexpr std::array names = {
        "turn",           // the right to move
        "distance",       // steps to the opponent's goal minus steps to the own one
        "reachable",      // own goal reachable minus the opponent's
        "own_parity",     // 1 when the own goal is an odd number of steps away, -1 when even
        "enemy_parity",   // the same for the opponent's goal
        "region_parity",  // 1 when an odd number of cells can still be reached, -1 when even
        "closed_parity",  // the same, once neither goal can be reached
        "exits",          // cells next to the marker that are free
        "gates",          // free cells next to the own goal minus those next to the opponent's
    };

    explicit RastrosFeatures(OptionReader& options) : board(options.number(4, 8)) {}

    int extract(const Rastros&, const Rastros::Position& position, int* features) const {
        const Word free = board.all & ~position.blocked & ~bit(position.marker);
        const int goals[2] = {0, board.cells - 1};
        int steps[2] = {nowhere, nowhere};
        Word reached = bit(position.marker);
        for (int step = 1; step < nowhere; ++step) {
            const Word next = reached | (board.grown(reached) & free);
            if (next == reached) break;
            for (int i : {0, 1})
                if (steps[i] == nowhere && next >> goals[i] & 1) steps[i] = step;
            reached = next;
        }
        const int own = position.turn - 1, enemy = 1 - own;
        const bool closed = steps[own] == nowhere && steps[enemy] == nowhere;
        const auto parity = [](int n) { return n % 2 ? 1 : -1; };
        const auto gates = [&](int goal) { return count(board.grown(bit(goal)) & free & ~bit(goal)); };
        int n = 0;
        features[n++] = 1;
        features[n++] = steps[enemy] - steps[own];
        features[n++] = (steps[own] < nowhere) - (steps[enemy] < nowhere);
        features[n++] = steps[own] < nowhere ? parity(steps[own]) : 0;
        features[n++] = steps[enemy] < nowhere ? parity(steps[enemy]) : 0;
        features[n++] = closed ? 0 : parity(count(reached) - 1);
        features[n++] = closed ? parity(count(reached) - 1) : 0;
        features[n++] = count(board.grown(bit(position.marker)) & free);
        features[n++] = gates(goals[own]) - gates(goals[enemy]);
        return early_phase * count(free) / board.cells;
    }

   private:
    /// Farther than any goal that can be reached matters.
    static constexpr int nowhere = 20;

    SquareBoard board;
};

}  // namespace tabuleiro
