// Square boards of up to 64 cells: cell = row * width + column, a1 is cell 0.
#pragma once

#include "bits.hpp"

namespace tabuleiro {

struct SquareBoard {
    explicit constexpr SquareBoard(int size) : SquareBoard(size, size) {}
    constexpr SquareBoard(int width_, int height_)
        : width(width_), height(height_), cells(width * height), all(first_cells(cells)) {
        for (int row = 0; row < height; ++row) left_column |= bit(row * width);
        right_column = left_column << (width - 1);
    }

    constexpr Word row(int number) const { return first_cells(width) << (number * width); }
    constexpr Word column(int number) const { return left_column << number; }

    /// A set with all its neighbours, diagonal ones too.
    constexpr Word grown(Word set) const {
        set |= (set & ~right_column) << 1 | (set & ~left_column) >> 1;
        return (set | set << width | set >> width) & all;
    }

    int width, height, cells;
    Word all, left_column = 0, right_column = 0;
};

}  // namespace tabuleiro
