// Cells that do not matter: filling them in changes the value of no position, so nobody need play there.
//
// A cell is dead when no colour can ever use it: however its neighbours end up, those of each colour are joined around
// it without it. Two neighbouring empty cells are captured by a colour when a stone of it on either makes the other
// dead: if the enemy takes one, the answer on the other makes that stone worthless.
#pragma once

#include "board.hpp"

namespace tabuleiro::hex {

class Inferior {
   public:
    Inferior() {
        for (int code = 0; code < ring_codes; ++code) dead_[code] = is_dead(code);
    }

    /// Fills in what is dead or captured until nothing more is. Dead cells may be of any colour.
    void fill_in(const Shape& shape, Board& board) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (int cell = 0; cell < shape.cells; ++cell) {
                const int place = shape.place_of[cell];
                if (board.at[place] != empty) continue;
                const int code = board.ring(shape, place);
                if (dead_[code]) {
                    board.at[place] = white;
                    changed = true;
                    continue;
                }
                // Half of the ways are enough to see each pair once.
                for (int way = 0; way < ways / 2; ++way) {
                    const int next = place + shape.around[way];
                    if (board.at[next] != empty) continue;
                    const Stone captor = captor_of(code, way, board.ring(shape, next));
                    if (captor == empty) continue;
                    board.at[place] = board.at[next] = captor;
                    changed = true;
                    break;
                }
            }
        }
    }

   private:
    /// Who captures a cell with this ring and its neighbour on that way, which has the other ring.
    Stone captor_of(int code, int way, int other_code) const {
        const int back = (way + ways / 2) % ways;
        for (Stone colour : {white, black})
            if (dead_[code | colour << 2 * way] && dead_[other_code | colour << 2 * back]) return colour;
        return empty;
    }

    static bool is_dead(int code) {
        for (int way = 0; way < ways; ++way) {
            if (in_ring(code, way) == 3) return false;
            if (in_ring(code, way) == empty)
                return is_dead(code | white << 2 * way) && is_dead(code | black << 2 * way);
        }
        int changes = 0;
        for (int way = 0; way < ways; ++way) changes += in_ring(code, way) != in_ring(code, (way + 1) % ways);
        return changes <= 2;
    }

    std::array<bool, ring_codes> dead_;
};

}  // namespace tabuleiro::hex
