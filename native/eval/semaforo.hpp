// What matters in Semáforo: how many changes remain that do not hand the opponent a line.
#pragma once

#include "../games/semaforo.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct SemaforoFeatures {
    using Rules = Semaforo;
    static constexpr std::array names = {
        "turn",         // the right to move
        "win",          // a line can be made at once
        "safe",         // changes after which the opponent cannot make a line
        "safe_parity",  // 1 when their number is odd, -1 when it is even but not zero
        "no_safe",      // there are none, nor a line to make
        "left_parity",  // 1 when an odd number of changes is left on the whole board, -1 when even
    };

    explicit SemaforoFeatures(OptionReader& options) : board(board_of(options.word(4))) {
        const int steps[] = {1, board.width, board.width + 1, board.width - 1};
        for (int way = 0; way < ways; ++way) step[way] = steps[way];
        for (int cell = 0; cell < board.cells; ++cell) {
            const int column = cell % board.width, row = cell / board.width;
            const bool room_east = column + 2 < board.width, room_north = row + 2 < board.height;
            if (room_east) starts[0] |= bit(cell);
            if (room_north) starts[1] |= bit(cell);
            if (room_north && room_east) starts[2] |= bit(cell);
            if (room_north && column >= 2) starts[3] |= bit(cell);
        }
    }

    int extract(const Semaforo& rules, const Semaforo::Position& position, int* features) const {
        const bool wins = winning(position) != 0;
        int safe = 0;
        if (!wins)
            for (Word left = board.all & ~position.red; left;) {
                Semaforo::Position next = position;
                rules.play(next, pop(left));
                safe += winning(next) == 0;
            }
        const int left = 3 * count(board.all & ~position.red) - count(position.green) - 2 * count(position.yellow);
        int n = 0;
        features[n++] = 1;
        features[n++] = wins;
        features[n++] = safe;
        features[n++] = safe == 0 ? 0 : safe % 2 ? 1 : -1;
        features[n++] = !wins && safe == 0;
        features[n++] = left % 2 ? 1 : -1;
        return early_phase * left / (3 * board.cells);
    }

   private:
    static constexpr int ways = 4;

    static SquareBoard board_of(int word) {
        constexpr int rows[] = {3, 3, 3, 4}, columns[] = {4, 3, 5, 4};
        return SquareBoard(columns[word], rows[word]);
    }

    /// The cells whose change makes a line.
    Word winning(const Semaforo::Position& position) const {
        const Word empty = board.all & ~(position.green | position.yellow | position.red);
        return (empty & completing(position.green)) | (position.green & completing(position.yellow)) |
               (position.yellow & completing(position.red));
    }

    /// The cells that make a line with two lights of a colour.
    Word completing(Word lights) const {
        Word cells = 0;
        for (int way = 0; way < ways; ++way) {
            const Word first = starts[way] & lights, second = starts[way] & lights >> step[way],
                       third = starts[way] & lights >> 2 * step[way];
            cells |= (second & third) | (first & third) << step[way] | (first & second) << 2 * step[way];
        }
        return cells;
    }

    SquareBoard board;
    int step[ways];
    Word starts[ways] = {};
};

}  // namespace tabuleiro
