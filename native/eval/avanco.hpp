// What matters in Avanço: pieces, how far they are, who gets through first, and what keeps the others out.
#pragma once

#include "../games/avanco.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct AvancoFeatures {
    using Rules = Avanco;
    static constexpr std::array names = {
        "turn",       // the right to move
        "pieces",     // own minus enemy, as most features below
        "rows",       // rows advanced, summed over the pieces
        "one_away",   // pieces one, two, three steps from the last row
        "two_away",  "three_away",
        "defended",   // pieces that an own piece could avenge
        "hanging",    // pieces attacked and not defended
        "attacked",   // pieces attacked and defended
        "home_row",   // pieces still on the first row
        "home_gaps",  // columns where neither of the first two rows of this column and its neighbours holds a piece
        "columns",    // columns held by some piece
        "edge",       // pieces on the two outer columns
        "mobility",   // steps onto empty cells that no enemy attacks
        "race",       // 1 when the player to move gets an unstoppable piece through first, -1 when the opponent does
        "runner",     // steps saved by the nearest unstoppable piece
    };

    explicit AvancoFeatures(OptionReader& options) : board(options.number(5, 8)), size(board.width) {}

    int extract(const Avanco&, const Avanco::Position& position, int* features) const {
        const bool white = position.turn == 1;
        // Both sides are looked at as if they went up the board.
        const Word own = white ? position.own : flipped(position.own);
        const Word enemy = white ? position.enemy : flipped(position.enemy);
        const Side mine = side(own, enemy), theirs = side(flipped(enemy), flipped(own));
        int n = 0;
        features[n++] = 1;
        features[n++] = mine.pieces - theirs.pieces;
        features[n++] = mine.rows - theirs.rows;
        for (int steps = 0; steps < 3; ++steps) features[n++] = mine.near[steps] - theirs.near[steps];
        features[n++] = mine.defended - theirs.defended;
        features[n++] = mine.hanging - theirs.hanging;
        features[n++] = mine.attacked - theirs.attacked;
        features[n++] = mine.home_row - theirs.home_row;
        features[n++] = mine.home_gaps - theirs.home_gaps;
        features[n++] = mine.columns - theirs.columns;
        features[n++] = mine.edge - theirs.edge;
        features[n++] = mine.mobility - theirs.mobility;
        // The player with an unstoppable piece nearer wins; on equal terms the player to move.
        features[n++] = mine.runner == far && theirs.runner == far ? 0 : mine.runner <= theirs.runner ? 1 : -1;
        features[n++] = theirs.runner - mine.runner;
        return early_phase * std::min(mine.pieces + theirs.pieces, 4 * size) / (4 * size);
    }

    int noise(const Avanco&, const Avanco::Position& position, Move move) const {
        const int target = move & 63, row = target / size;
        const int advanced = position.turn == 1 ? row : size - 1 - row;
        if (advanced == size - 1) return 100;
        if (!(position.enemy >> target & 1)) return advanced == size - 2 ? 1 : 0;
        // The nearer a piece was to its goal, the better to take it.
        return 2 + (size - advanced);
    }

    /// In how many plies the player to move wins (or loses, then less than 0) by what cannot fail, or 0:
    /// - A piece on the last row but one steps in. If the opponent has one there, it must be captured now.
    /// - A runner is a piece that no enemy can ever meet: none stands in the cone of cells before it. It decides the
    /// race
    ///   unless some enemy piece, runner or not, is nearer to its goal.
    int foresee(const Avanco::Position& position) const {
        return position.turn == 1 ? foresee<true>(position.own, position.enemy)
                                  : foresee<false>(position.own, position.enemy);
    }

   private:
    static constexpr int far = 10;

    /// Steps from the goal of the most advanced of the pieces of a side that goes up, or down.
    template <bool upwards>
    int way(Word pieces) const {
        return upwards ? size - 1 - (63 - std::countl_zero(pieces)) / size : std::countr_zero(pieces) / size;
    }

    /// The cells one step before those of a side that goes up, or down.
    template <bool upwards>
    Word steps(Word set) const {
        return upwards ? up(set) | set << size : down(set) | set >> size;
    }

    /// Those pieces that none of the enemy's can meet.
    template <bool upwards>
    Word runners(Word own, Word enemy) const {
        Word met = steps<!upwards>(enemy);
        for (int row = 0; row < size - 2; ++row) met |= steps<!upwards>(met);
        return own & ~met;
    }

    template <bool upwards>
    int foresee(Word own, Word enemy) const {
        const int own_way = way<upwards>(own), enemy_way = way<!upwards>(enemy);
        if (own_way == 1) return 1;
        if (enemy_way == 1) {
            const Word about_to_win = enemy & board.row(upwards ? 1 : size - 2);
            if ((about_to_win & (about_to_win - 1)) || !((upwards ? up(own) : down(own)) & about_to_win)) return -2;
        }
        if (const Word free = runners<upwards>(own, enemy))
            if (const int steps = way<upwards>(free); steps <= enemy_way) return 2 * steps - 1;
        if (const Word free = runners<!upwards>(enemy, own))
            if (const int steps = way<!upwards>(free); steps < own_way) return -2 * steps;
        return 0;
    }

    struct Side {
        int pieces, rows, near[3], defended, hanging, attacked, home_row, home_gaps, columns, edge, mobility, runner;
    };

    /// The board upside down.
    Word flipped(Word set) const {
        Word result = 0;
        for (int row = 0; row < size; ++row)
            result |= (set >> (row * size) & first_cells(size)) << ((size - 1 - row) * size);
        return result;
    }

    /// The cells diagonally above a set, and below.
    Word up(Word set) const {
        return ((set & ~board.left_column) << (size - 1) | (set & ~board.right_column) << (size + 1)) & board.all;
    }
    Word down(Word set) const {
        return (set & ~board.left_column) >> (size + 1) | (set & ~board.right_column) >> (size - 1);
    }

    Side side(Word own, Word enemy) const {
        Side side;
        const Word guarded = up(own), threatened = down(enemy);
        side.pieces = count(own);
        side.rows = 0;
        for (int row = 1; row < size; ++row) side.rows += row * count(own & board.row(row));
        for (int steps = 0; steps < 3; ++steps) side.near[steps] = count(own & board.row(size - 2 - steps));
        side.defended = count(own & guarded);
        side.hanging = count(own & threatened & ~guarded);
        side.attacked = count(own & threatened & guarded);
        side.home_row = count(own & board.row(0));
        Word columns = own, home = own | own >> size;
        for (int row = 1; row < size; ++row) columns |= own >> (row * size);
        columns &= board.row(0);
        home &= board.row(0);
        side.columns = count(columns);
        side.home_gaps = count(board.row(0) & ~(home | home << 1 | home >> 1));
        side.edge = count(own & (board.left_column | board.right_column));
        const Word empty = board.all & ~(own | enemy);
        side.mobility = count((guarded | own << size) & empty & ~threatened);
        // Nothing can meet a piece that has no enemy in the cone above it.
        Word met = enemy >> size | threatened;
        for (int row = 0; row < size - 2; ++row) met |= met >> size | down(met);
        side.runner = far;
        if (const Word free = own & ~met) side.runner = size - 1 - (63 - std::countl_zero(free)) / size;
        return side;
    }

    SquareBoard board;
    int size;
};

}  // namespace tabuleiro
