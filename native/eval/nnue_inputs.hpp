// What a net that is kept up to date move by move sees of a position: bits of words, the first player's first. Each bit
// is a row of its first layer. The twin of training/nnue/inputs.py.
//
// `prunes` says whether a search may leave moves out by the net's estimates (see estimator.hpp).
#pragma once

#include "../games/abalone.hpp"
#include "../games/avanco.hpp"
#include "../games/guerreiros.hpp"
#include "../games/ouri.hpp"

namespace tabuleiro {

struct AvancoInputs {
    using Rules = Avanco;
    static constexpr int words = 2;
    static constexpr bool prunes = true;

    static void write(const Avanco::Position& position, Word* bits) {
        bits[position.turn != 1] = position.own;
        bits[position.turn == 1] = position.enemy;
    }
};

struct AbaloneInputs {
    using Rules = Abalone;
    static constexpr int words = 3;
    static constexpr bool prunes = true;

    static void write(const Abalone::Position& position, Word* bits) {
        bits[0] = position.marbles[0][0];
        bits[1] = position.marbles[1][0];
        bits[2] = first_cells(position.lost[0]) | first_cells(position.lost[1]) << 8;
    }
};

struct GuerreirosInputs {
    using Rules = Guerreiros;
    static constexpr int words = 9;
    static constexpr bool prunes = false;

    static void write(const Guerreiros::Position& position, Word* bits) {
        std::fill_n(bits, words, 0);
        for (int side = 0; side < 2; ++side) {
            bits[2 * side] = position.pieces[side].field[0];
            bits[2 * side + 1] = position.pieces[side].field[1];
            if (const int king = position.king[side]; king < cells) {
                const int field = king >= field_cells;
                const Word here = bit(king - field * field_cells);
                bits[2 * side + field] &= ~here;
                bits[4 + 2 * side + field] = here;
            }
            bits[8] |= Word{position.unmoved[side]} << 16 * side | first_cells(position.right[side]) << (32 + 4 * side);
        }
    }

   private:
    static constexpr int cells = 90, field_cells = cells / 2;
};

struct OuriInputs {
    using Rules = Ouri;
    static constexpr int words = 5;
    static constexpr bool prunes = false;

    static void write(const Ouri::Position& position, Word* bits) {
        std::fill_n(bits, words, 0);
        for (int house = 0; house < Ouri::houses; ++house)
            if (const int seeds = position.house[house])
                bits[house / together] |= bit(most * (house % together) + std::min(seeds, most) - 1);
        for (int side = 0; side < 2; ++side)
            bits[4] |= first_cells(std::min<int>(position.store[side], full)) << full * side;
    }

   private:
    /// Seeds of a house are told apart up to here; three houses share a word. A store has 24 at most.
    static constexpr int most = 21, together = 3, full = 24;
};

}  // namespace tabuleiro
