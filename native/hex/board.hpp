// A board of Hex made for looking around: an array with a rim, on which the sides stand as stones of their colours.
#pragma once

#include "../games/hex.hpp"

namespace tabuleiro::hex {

/// What stands on a place.
enum Stone : std::uint8_t { empty = 0, white = 1, black = 2 };

constexpr Stone enemy_of(Stone colour) { return colour == white ? black : white; }
constexpr Stone stone_of(Hex::Colour colour) { return colour == Hex::white ? white : black; }

constexpr int ways = 6;

/// The shape of a board. Places number the cells and the rim around them.
struct Shape {
    static constexpr int max_places = (Hex::max_size + 2) * (Hex::max_size + 2);

    explicit Shape(int size) : size(size), width(size + 2), places(width * width), cells(size * size) {
        // Neighbours in turn around a place; a bridge lies beyond each two of them that follow one another.
        const int steps[ways] = {1, 1 - width, -width, -1, width - 1, width};
        for (int way = 0; way < ways; ++way) {
            around[way] = steps[way];
            bridge[way] = steps[way] + steps[(way + 1) % ways];
        }
        for (int cell = 0; cell < cells; ++cell) {
            place_of[cell] = static_cast<std::uint16_t>((cell / size + 1) * width + cell % size + 1);
            cell_of[place_of[cell]] = static_cast<std::uint16_t>(cell);
        }
    }

    int size, width, places, cells;
    int around[ways], bridge[ways];
    std::array<std::uint16_t, Hex::max_cells> place_of{};
    std::array<std::uint16_t, max_places> cell_of{};
};

struct Board {
    std::array<Stone, Shape::max_places> at;

    explicit Board(const Shape& shape) {
        std::fill_n(at.begin(), shape.places, empty);
        const int last = shape.width - 1;
        // White's sides are the first and the last letter, Black's the first and the last number. The corners of the
        // rim touch a cell only where two sides meet: whose they are makes no difference.
        for (int i = 0; i <= last; ++i) at[i] = at[last * shape.width + i] = black;
        for (int i = 0; i <= last; ++i) at[i * shape.width] = at[i * shape.width + last] = white;
    }

    Board(const Shape& shape, const Hex::Position& position) : Board(shape) {
        position.stones[Hex::white].each([&](int cell) { at[shape.place_of[cell]] = white; });
        position.stones[Hex::black].each([&](int cell) { at[shape.place_of[cell]] = black; });
    }

    /// What stands around a place: two bits for each way.
    int ring(const Shape& shape, int place) const {
        int code = 0;
        for (int way = 0; way < ways; ++way) code |= at[place + shape.around[way]] << 2 * way;
        return code;
    }
};

constexpr int ring_codes = 1 << 2 * ways;
constexpr Stone in_ring(int code, int way) { return static_cast<Stone>(code >> 2 * way & 3); }

/// Whether stones of a colour join its sides.
inline bool joined(const Shape& shape, const Board& board, Stone colour) {
    std::array<bool, Shape::max_places> seen{};
    std::uint16_t waiting[Shape::max_places];
    int n = 0;
    const int last = shape.size - 1;
    for (int i = 0; i < shape.size; ++i) {
        const int place = shape.place_of[colour == white ? i * shape.size : i];
        if (board.at[place] == colour) seen[place] = true, waiting[n++] = static_cast<std::uint16_t>(place);
    }
    while (n > 0) {
        const int place = waiting[--n], cell = shape.cell_of[place];
        if ((colour == white ? cell % shape.size : cell / shape.size) == last) return true;
        for (int step : shape.around) {
            const int next = place + step, row = next / shape.width, column = next % shape.width;
            if (row == 0 || column == 0 || row > shape.size || column > shape.size) continue;
            if (board.at[next] == colour && !seen[next])
                seen[next] = true, waiting[n++] = static_cast<std::uint16_t>(next);
        }
    }
    return false;
}

}  // namespace tabuleiro::hex
