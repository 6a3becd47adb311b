// Random games of Hex in which nobody lets a bridge be cut.
#pragma once

#include "board.hpp"

namespace tabuleiro::hex {

/// Which neighbours of a stone just placed save a bridge that it attacks: an empty cell between two stones of the other
/// colour, one of which it would otherwise cut from the other.
class Bridges {
   public:
    Bridges() {
        for (int code = 0; code < ring_codes; ++code)
            for (Stone defender : {white, black}) {
                std::uint8_t saves = 0;
                for (int way = 0; way < ways; ++way)
                    if (in_ring(code, way) == empty && in_ring(code, (way + 1) % ways) == defender &&
                        in_ring(code, (way + ways - 1) % ways) == defender)
                        saves |= static_cast<std::uint8_t>(1 << way);
                saves_[defender - 1][code] = saves;
            }
    }

    std::uint8_t saving(Stone defender, int code) const { return saves_[defender - 1][code]; }

   private:
    std::array<std::uint8_t, ring_codes> saves_[2];
};

/// Fills the board, the colours taking turns; then one of them has joined its sides.
inline void fill_at_random(const Shape& shape, const Bridges& bridges, Board& board, Stone to_move, Random& random) {
    std::uint16_t left[Hex::max_cells], index[Shape::max_places];
    int n = 0;
    for (int cell = 0; cell < shape.cells; ++cell) {
        const std::uint16_t place = shape.place_of[cell];
        if (board.at[place] != empty) continue;
        index[place] = static_cast<std::uint16_t>(n);
        left[n++] = place;
    }
    int answer = 0;  // a place that saves a bridge; none of the cells has place 0
    while (n > 0) {
        const int place = answer ? answer : left[random.below(n)];
        const std::uint16_t last = left[--n];
        left[index[place]] = last;
        index[last] = index[place];
        board.at[place] = to_move;
        to_move = enemy_of(to_move);
        answer = 0;
        if (const unsigned saves = bridges.saving(to_move, board.ring(shape, place))) {
            const int chosen = std::has_single_bit(saves) ? 0 : random.below(std::popcount(saves));
            answer = place + shape.around[select(saves, chosen)];
        }
    }
}

/// Who has joined the sides of a full board. Walks along the border between the colours, beginning where the sides of
/// White and Black meet at the first cell, with White on the one hand and Black on the other: it ends at another corner
/// of the board, and which one tells who won.
inline Stone winner_of_full(const Shape& shape, const Board& board) {
    // `here` is white and `there` black, neighbours on the rim; the third place that touches both lies ahead.
    int here = shape.width, there = 1;
    // From (-1, 0), white, the place (0, -1), black, lies on way 1 (one letter on, one number back).
    int way = 1;
    const int far_white = shape.width - 1;  // the column of White's far side
    const int far_black = shape.width - 1;  // the row of Black's far side
    while (true) {
        const int ahead = here + shape.around[(way + ways - 1) % ways];
        if (board.at[ahead] == white) {
            here = ahead;
            way = (way + 1) % ways;
        } else {
            there = ahead;
            way = (way + ways - 1) % ways;
        }
        if (here % shape.width == far_white) return white;
        if (there / shape.width == far_black) return black;
    }
}

}  // namespace tabuleiro::hex
