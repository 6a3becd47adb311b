// What matters in Guerreiros: warriors and how far they are, the safety of the kings, and who may capture in line.
#pragma once

#include "../games/guerreiros.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct GuerreirosFeatures {
    using Rules = Guerreiros;
    static constexpr std::array names = {
        "turn",           // the right to move
        "warriors",       // own minus enemy, as most features below
        "rows",           // rows advanced, summed over the warriors
        "near",           // warriors one or two rows from the enemy's home row
        "arrived",        // warriors on it
        "two_arrived",    // 1 for a side with two of them
        "king_row",       // rows that the king has advanced
        "king_near",      // 1 for a king one or two rows from the enemy's home row
        "own_check",      // enemies next to the king of the player to move, one more if he can be captured in line
        "enemy_check",    // the same for the enemy king: he can be captured at once
        "king_besieged",  // pieces of the other side two steps from the king
        "king_guard",     // own pieces next to the king
        "king_runs",      // 1 to 4 for a king whom nobody can meet before the enemy's home row, the more the nearer
        "runners",        // warriors whom nobody can meet
        "hanging",        // warriors next to an enemy and not next to an own piece
        "defended",       // warriors next to an own piece
        "line_right",     // 1 for a side that may capture in line
        "line_prey",      // enemies in the field where it may
        "own_in_line",    // warriors that the opponent could capture in line
        "enemy_in_line",  // warriors that the player to move can capture in line
        "teleport",       // 1 for a king that may teleport
        "home",           // pieces on the own home row
    };

    explicit GuerreirosFeatures(OptionReader& options) : first_side(options.word(2)) {
        for (int r = 0; r < height; ++r) left_column |= Set{1} << r * width;
        right_column = left_column << (width - 1);
    }

    int extract(const Guerreiros&, const Guerreiros::Position& position, int* features) const {
        std::fill_n(features, names.size(), 0);
        features[0] = 1;
        if (position.king[0] >= cells || position.king[1] >= cells) return early_phase;
        const int own = position.turn == 1 ? first_side : 1 - first_side;
        const Side mine = look(position, own), theirs = look(position, 1 - own);
        int n = 1;
        features[n++] = mine.warriors - theirs.warriors;
        features[n++] = mine.rows - theirs.rows;
        features[n++] = mine.near - theirs.near;
        features[n++] = mine.arrived - theirs.arrived;
        features[n++] = (mine.arrived >= 2) - (theirs.arrived >= 2);
        features[n++] = mine.king_row - theirs.king_row;
        features[n++] = (mine.king_row >= height - 3) - (theirs.king_row >= height - 3);
        features[n++] = mine.check;
        features[n++] = theirs.check;
        features[n++] = mine.besieged - theirs.besieged;
        features[n++] = mine.guard - theirs.guard;
        features[n++] = mine.king_runs - theirs.king_runs;
        features[n++] = mine.runners - theirs.runners;
        features[n++] = mine.hanging - theirs.hanging;
        features[n++] = mine.defended - theirs.defended;
        features[n++] = mine.line_right - theirs.line_right;
        features[n++] = mine.prey - theirs.prey;
        features[n++] = mine.in_line;
        features[n++] = theirs.in_line;
        features[n++] = (position.right[own] == usable) - (position.right[1 - own] == usable);
        features[n++] = mine.home - theirs.home;
        return early_phase * (mine.warriors + theirs.warriors) / 16;
    }

    /// Captures, the king's first, and arrivals.
    int noise(const Guerreiros&, const Guerreiros::Position& position, Move move) const {
        const int origin = move >> 7, target = move & 127;
        if (origin >= cells) return 0;
        const int own = position.turn == 1 ? first_side : 1 - first_side;
        if (position.king[1 - own] == target) return 20;
        const int rank = own == 0 ? target / width : height - 1 - target / width;
        if (rank == height - 1) return position.king[own] == origin ? 19 : 10;
        const Word field = position.pieces[1 - own].field[target >= field_cells];
        return field >> (target >= field_cells ? target - field_cells : target) & 1 ? 3 + (height - rank) / 2 : 0;
    }

   private:
    using Set = unsigned __int128;
    static constexpr int width = 9, height = 10, cells = width * height, field_cells = cells / 2;
    static constexpr int usable = 1;
    static constexpr Set all = (Set{1} << cells) - 1, row = (Set{1} << width) - 1;

    struct Side {
        int warriors, rows = 0, near, arrived, king_row, check, besieged, guard, king_runs = 0, runners = 0, hanging,
                      defended, line_right, prey = 0, in_line, home;
    };

    static Set joined(const Guerreiros::Cells& set) { return Set{set.field[0]} | Set{set.field[1]} << field_cells; }
    static int size(Set set) { return count(static_cast<Word>(set)) + count(static_cast<Word>(set >> 64)); }
    static Set row_of(int rank) { return row << rank * width; }

    Set grown(Set set) const {
        set |= (set & ~right_column) << 1 | (set & ~left_column) >> 1;
        return (set | set << width | set >> width) & all;
    }

    /// What is next to some piece of a set. Unlike `grown`, a piece alone is not next to itself.
    Set beside(Set set) const {
        const Set sides = (set & ~right_column) << 1 | (set & ~left_column) >> 1, columns = set | sides;
        return (sides | columns << width | columns >> width) & all;
    }

    /// Whether a side may capture in line: where its king is, unless he defends a field that the enemy king has
    /// invaded.
    static bool may_capture_in_line(const Guerreiros::Position& position, int side) {
        const int field = position.king[side] >= field_cells, enemy_field = position.king[1 - side] >= field_cells;
        return !(field == side && enemy_field == side);
    }

    /// The cells where a side would capture in line whatever stood there: a step to an empty cell of the king's field,
    /// and as many cells along the row as its number.
    Set in_line(const Guerreiros::Position& position, int side) const {
        if (!may_capture_in_line(position, side)) return 0;
        const int first_rank = position.king[side] >= field_cells ? height / 2 : 0;
        const Set field = ((Set{1} << field_cells) - 1) << first_rank * width;
        const Set pieces = joined(position.pieces[side]), others = joined(position.pieces[1 - side]);
        const Set turns = beside(pieces & field & ~(Set{1} << position.king[side])) & field & ~(pieces | others);
        Set cells = 0;
        for (int rank = first_rank; rank < first_rank + height / 2; ++rank)
            if (const int number = std::min(rank, height - 1 - rank)) {
                const Set line = turns & row_of(rank);
                cells |= (line << number | line >> number) & row_of(rank);
            }
        return cells;
    }

    Side look(const Guerreiros::Position& position, int own) const {
        const auto rank = [&](int advanced) { return own == 0 ? advanced : height - 1 - advanced; };
        const Set pieces = joined(position.pieces[own]), enemies = joined(position.pieces[1 - own]);
        const int king = position.king[own];
        const Set king_cell = Set{1} << king, warriors = pieces & ~king_cell;
        const Set supported = beside(pieces), attacked = beside(enemies);
        Side side;
        side.warriors = size(warriors);
        for (int advanced = 1; advanced < height; ++advanced)
            side.rows += advanced * size(warriors & row_of(rank(advanced)));
        side.near = size(warriors & (row_of(rank(height - 2)) | row_of(rank(height - 3))));
        side.arrived = size(warriors & row_of(rank(height - 1)));
        side.king_row = rank(king / width);
        const Set zone = grown(king_cell);
        const Set taken_in_line = in_line(position, 1 - own);
        side.check = size(zone & enemies) + (taken_in_line >> king & 1);
        side.in_line = size(taken_in_line & warriors);
        side.besieged = size(grown(zone) & ~zone & enemies);
        side.guard = size(zone & warriors);
        side.hanging = size(warriors & attacked & ~supported);
        side.defended = size(warriors & supported);
        side.line_right = may_capture_in_line(position, own);
        if (side.line_right) side.prey = count(position.pieces[1 - own].field[king >= field_cells]);
        // An enemy on the same row or farther on meets a piece that is not more columns away than there are rows to go.
        unsigned met = 0;
        for (int steps = 0; steps < 5; ++steps) {
            const int shift = rank(height - 1 - steps) * width;
            met |= static_cast<unsigned>(enemies >> shift & row);
            unsigned wide = met;
            for (int step = 0; step < steps; ++step) wide |= wide << 1 | wide >> 1;
            const unsigned free = static_cast<unsigned>(pieces >> shift & row) & ~wide;
            if (steps == 0 || !free) continue;
            const bool runs = side.king_row == height - 1 - steps && free >> king % width & 1;
            side.runners += count(free) - runs;
            if (runs) side.king_runs = 5 - steps;
        }
        side.home = size(pieces & row_of(rank(0)));
        return side;
    }

    int first_side;
    Set left_column = 0, right_column;
};

}  // namespace tabuleiro
