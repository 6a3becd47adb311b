// Konane on 8x8 judged by what small parts of the board look like.
//
// Every cell belongs to the stones of one colour for the whole game, so a part of the board is known by which of its
// cells are taken: a row by 8 bits, two rows of four cells by 8, a square of nine by 9. Each such pattern has a worth
// for White early in the game and another one late; the sum over all parts of the board is the estimate. The worths are
// fitted to solved positions (training/konane_patterns.py). To look up few tables instead of many small ones, all
// patterns within two whole rows are added up beforehand, and so are the squares within three rows of five cells.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "../bits.hpp"
#include "estimator.hpp"

namespace tabuleiro {

class KonanePatterns : public Tables {
   public:
    /// A worth late in the game and one early, from the file: worths of White, in units of `unit` points.
    struct Worth {
        std::int8_t late, early;
    };
    static constexpr int unit = 4;
    static constexpr int lines = 4 * 256;  // rows 1 to 4; the others are their images with colours exchanged
    static constexpr int pairs = 4 * 5 * 256;  // of rows 1-2 to 4-5, from column a to e, four cells wide
    static constexpr int squares = 3 * 3 * 512;  // of rows 1-3 to 3-5, from column a to c
    static constexpr int turns = 1;  // the right to move
    static constexpr int size = lines + pairs + squares + turns;
    /// The game is all late with this number of stones or fewer, and all early with that number or more.
    static constexpr int late_stones = 12, early_stones = 44;

    explicit KonanePatterns(std::span<const Worth> worths) : in_rows_(4 * 65536), in_squares_(3 * 32768) {
        const auto line = worths.subspan(0, lines), pair = worths.subspan(lines, pairs),
                   square = worths.subspan(lines + pairs, squares);
        for (int row = 0; row < 4; ++row)
            for (int cells = 0; cells < 65536; ++cells) {
                // The first of the two rows; of the middle pair both, as there the other half of the board has none.
                Packed sum = packed(line[row * 256 + (cells & 255)]);
                if (row == 3) sum -= packed(line[row * 256 + (cells >> 8)]);
                for (int column = 0; column < 5; ++column)
                    sum += packed(
                        pair[(row * 5 + column) * 256 + (cells >> column & 15) + (cells >> (8 + column) & 15) * 16]);
                in_rows_[row * 65536 + cells] = sum;
            }
        for (int row = 0; row < 3; ++row)
            for (int cells = 0; cells < 32768; ++cells) {
                Packed sum = 0;
                for (int column = 0; column < 3; ++column) {
                    const int nine =
                        (cells >> column & 7) + (cells >> (5 + column) & 7) * 8 + (cells >> (10 + column) & 7) * 64;
                    sum += packed(square[(row * 3 + column) * 512 + nine]);
                }
                in_squares_[row * 32768 + cells] = sum;
            }
        turn_ = packed(worths[size - 1]);
    }

    /// Points for White (`colour` 0) or Black (1), who is to move.
    int evaluate(Word stones, int colour) const {
        const Word across = transposed(stones);
        // Seen from the other side the colours are exchanged, hence the minus.
        Packed sum = rows(stones) + rows(across) + quarter(stones) - quarter(mirrored(stones)) -
                     quarter(upended(stones)) + quarter(upended(mirrored(stones)));
        if (colour != 0) sum = -sum;
        sum += turn_;
        const int early = static_cast<int>((sum + 0x8000) >> 16), late = static_cast<std::int16_t>(sum);
        const int phase = std::clamp(count(stones), late_stones, early_stones) - late_stones;
        return unit * (early * phase + late * (early_stones - late_stones - phase)) / (early_stones - late_stones);
    }

   private:
    /// Early in the upper half, late in the lower, so that one addition does for both.
    using Packed = std::int32_t;
    static Packed packed(Worth worth) { return worth.early * 65536 + worth.late; }

    Packed rows(Word stones) const {
        const Word over = upended(stones);
        Packed sum = in_rows_[3 * 65536 + (stones >> 24 & 0xffff)];
        for (int row = 0; row < 3; ++row)
            sum += in_rows_[row * 65536 + (stones >> 8 * row & 0xffff)] -
                   in_rows_[row * 65536 + (over >> 8 * row & 0xffff)];
        return sum;
    }

    /// The squares in the corner at a1, a quarter of all.
    Packed quarter(Word stones) const {
        Packed sum = 0;
        for (int row = 0; row < 3; ++row, stones >>= 8)
            sum += in_squares_[row * 32768 + ((stones & 31) | (stones >> 8 & 31) << 5 | (stones >> 16 & 31) << 10)];
        return sum;
    }

    std::vector<Packed> in_rows_, in_squares_;
    Packed turn_;
};

}  // namespace tabuleiro
