// What a net that is kept up to date move by move sees of a position: bits of words, the first player's first. Each bit
// is a row of its first layer. The twin of training/nnue/inputs.py.
#pragma once

#include "../games/abalone.hpp"
#include "../games/avanco.hpp"

namespace tabuleiro {

struct AvancoInputs {
    using Rules = Avanco;
    static constexpr int words = 2;

    static void write(const Avanco::Position& position, Word* bits) {
        bits[position.turn != 1] = position.own;
        bits[position.turn == 1] = position.enemy;
    }
};

struct AbaloneInputs {
    using Rules = Abalone;
    static constexpr int words = 3;

    static void write(const Abalone::Position& position, Word* bits) {
        bits[0] = position.marbles[0][0];
        bits[1] = position.marbles[1][0];
        bits[2] = first_cells(position.lost[0]) | first_cells(position.lost[1]) << 8;
    }
};

}  // namespace tabuleiro
