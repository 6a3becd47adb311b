// Abalone: push the enemy's marbles off the hexagon. The twin of games/abalone.py, where moves and encoding are explained.
#pragma once

#include <array>

#include "../game.hpp"

namespace tabuleiro {

/// The hexagon of 61 cells wound on a ring: row r (A = 0), number c (1 = 0) lies at place (13 r + c) mod 61.
///
/// Each cell has a place of its own, because copies of this hexagon tile the plane and all copies of a cell share one
/// place. So a step is the same rotation wherever it begins, and one word holds the board; in the order of the cells, a
/// step up would be another shift in every row. What steps over the rim comes in again elsewhere: `inside` keeps it out.
struct HexagonRing {
    static constexpr int size = 61, rows = 9, directions = 6, axes = 3;
    static constexpr Word all = first_cells(size);
    /// e, ne, nw, w, sw, se; the first three are also the axes.
    static constexpr int rotation[directions] = {1, 14, 13, size - 1, size - 14, size - 13};

    /// A set one step on; none of it may leave the board.
    static constexpr Word moved(Word set, int direction) {
        return (set << rotation[direction] | set >> (size - rotation[direction])) & all;
    }

    /// The places before a set: those from which a step leads into it. True only `inside`: the caller drops the rest.
    static constexpr Word before(Word set, int direction) {
        return set >> rotation[direction] | set << (size - rotation[direction]);
    }

    constexpr HexagonRing() {
        constexpr int up[directions] = {0, 1, 1, 0, -1, -1}, along[directions] = {1, 1, 0, -1, -1, 0};
        int cell = 0;
        for (int r = 0; r < rows; ++r) {
            row[r] = {cell, place(r, first_number(r)), first_cells(row_length(r))};
            for (int c = first_number(r); c < first_number(r) + row_length(r); ++c, ++cell) {
                place_of[cell] = static_cast<std::uint8_t>(place(r, c));
                cell_of[place(r, c)] = static_cast<std::uint8_t>(cell);
                for (int d = 0; d < directions; ++d)
                    if (on_board(r + up[d], c + along[d])) inside[d] |= bit(place(r, c));
            }
        }
    }

    constexpr Word from_cells(Word cells) const {
        Word places = 0;
        for (const Row& here : row) places |= (cells >> here.cell & here.mask) << here.place;
        return places;
    }

    constexpr Word to_cells(Word places) const {
        Word cells = 0;
        for (const Row& here : row) cells |= (places >> here.place & here.mask) << here.cell;
        return cells;
    }

    /// The places from which a step in each direction stays on the board.
    Word inside[directions] = {};
    std::uint8_t place_of[size] = {}, cell_of[size] = {};

   private:
    static constexpr int first_number(int r) { return r < 5 ? 0 : r - 4; }
    static constexpr int row_length(int r) { return r < 5 ? 5 + r : 13 - r; }
    static constexpr int place(int r, int c) { return (13 * r + c) % size; }
    static constexpr bool on_board(int r, int c) {
        return r >= 0 && r < rows && c >= first_number(r) && c < first_number(r) + row_length(r);
    }

    /// A row lies in one piece on the ring as it does among the cells.
    struct Row {
        int cell, place;  // of its first cell
        Word mask;
    };
    Row row[rows] = {};
};

struct Abalone {
    static constexpr const char* id = "abalone";
    static constexpr int max_words = 5;
    static constexpr int marbles_each = 14;
    // In line in six directions; broadside in pairs and threes, in four directions along each of three axes.
    static constexpr int shapes = 6 + 2 * 3 * 4;
    static constexpr int max_moves = marbles_each * shapes;

    struct Position {
        Word marbles[2];  // Black's (player one's), White's: on the ring, see below
        std::uint8_t turn;
        std::uint8_t lost[2];
    };

    explicit Abalone(OptionReader& options) {
        options.word(5);  // the layout: where games start is for Python to say
        history.repetition = options.number(0, 3);
        history.total_plies = options.number(0, 10'000);
        ejections = options.number(1, 6);
    }

    int words() const { return max_words; }
    int cells() const { return ring.size; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = ring.to_cells(position.marbles[0]);
        words[1] = ring.to_cells(position.marbles[1]);
        words[2] = position.turn;
        words[3] = position.lost[0];
        words[4] = position.lost[1];
    }

    Position decode(const Word* words) const {
        require(((words[0] | words[1]) & ~ring.all) == 0, "a marble lies off the board");
        require((words[0] & words[1]) == 0, "two marbles lie on one cell");
        for (int colour = 0; colour < 2; ++colour) {
            require(words[3 + colour] <= static_cast<Word>(ejections), "too many marbles are lost");
            require(tabuleiro::count(words[colour]) + words[3 + colour] <= marbles_each, "too many marbles");
        }
        return {{ring.from_cells(words[0]), ring.from_cells(words[1])},
                read_turn(words[2]),
                {static_cast<std::uint8_t>(words[3]), static_cast<std::uint8_t>(words[4])}};
    }

    Result outcome(const Position& position) const {
        if (position.lost[1] >= ejections) return Result::one;
        if (position.lost[0] >= ejections) return Result::two;
        return can_move(position) ? Result::ongoing : Result::draw;
    }

    int moves(const Position& position, Move* list) const {
        if (has_winner(position)) return 0;
        // Bit s of `shapes_at[cell]`: the move `cell << 6 | s` is legal.
        Word shapes_at[ring.size] = {};
        const Origins origins = generate(position);
        for (int shape = 0; shape < shapes; ++shape)
            for (Word left = origins[shape]; left;) shapes_at[ring.cell_of[pop(left)]] |= bit(code_of[shape]);
        int n = 0;
        for (Move cell = 0; cell < ring.size; ++cell)
            for (Word left = shapes_at[cell]; left;) list[n++] = cell << 6 | pop(left);
        return n;
    }

    int count(const Position& position) const {
        if (has_winner(position)) return 0;
        int total = 0;
        for (Word origins : generate(position)) total += tabuleiro::count(origins);
        return total;
    }

    Move random_move(const Position& position, Random& random) const {
        const Origins origins = generate(position);
        int counts[shapes], total = 0;
        for (int shape = 0; shape < shapes; ++shape) total += counts[shape] = tabuleiro::count(origins[shape]);
        int k = random.below(total), shape = 0;
        while (k >= counts[shape]) k -= counts[shape++];
        return ring.cell_of[select(origins[shape], k)] << 6 | code_of[shape];
    }

    void play(Position& position, Move move) const {
        const int mover = position.turn - 1;
        Word& own = position.marbles[mover];
        Word& enemy = position.marbles[1 - mover];
        const int origin = ring.place_of[move >> 6], kind = move >> 3 & 7, direction = move & 7;
        position.turn = other(position.turn);
        if (kind) {
            const int axis = (kind - 1) / 2, marbles = 2 + (kind - 1) % 2;
            Word row = bit(origin) | ring.moved(bit(origin), axis);
            if (marbles == 3) row |= ring.moved(row, axis);
            own ^= row | ring.moved(row, direction);
            return;
        }
        // Only the ends of the rows change: the last own marble goes to the front, the first enemy to the back.
        Word front = ring.moved(bit(origin), direction);
        while (own & front) front = ring.moved(front, direction);
        own ^= bit(origin) | front;
        if (!(enemy & front)) return;
        enemy ^= front;
        Word last = front;
        while (last & ring.inside[direction]) {
            last = ring.moved(last, direction);
            if (!(enemy & last)) {
                enemy |= last;
                return;
            }
        }
        ++position.lost[1 - mover];
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        const Word black = ring.from_cells(permuted(ring.to_cells(position.marbles[0]), cells));
        const Word white = ring.from_cells(permuted(ring.to_cells(position.marbles[1]), cells));
        if (!exchange) return {{black, white}, position.turn, {position.lost[0], position.lost[1]}};
        return {{white, black}, other(position.turn), {position.lost[1], position.lost[0]}};
    }

    HistoryRules history;

    /// Board and turn: marbles lost never come back, so equal boards have equal losses.
    Word repetition_key(const Position& position) const {
        return mix(mix(position.marbles[0]) ^ position.marbles[1]) ^ position.turn;
    }

    bool is_progress(const Position& before, Move, const Position& after) const {
        return before.lost[0] != after.lost[0] || before.lost[1] != after.lost[1];
    }

    /// A repetition is a draw; at the limit of moves whoever ejected more wins.
    Result settle(const Position& position, Ending ending) const {
        return ending == Ending::total_plies ? by_points(position.lost[1], position.lost[0]) : Result::draw;
    }

   private:
    static constexpr HexagonRing ring{};

    /// For each shape of move, where the marbles lie that a move of this shape can name.
    using Origins = std::array<Word, shapes>;

    /// The shapes as moves write them: `kind << 3 | direction`.
    static constexpr auto code_of = [] {
        std::array<std::uint8_t, shapes> table{};
        int n = 0;
        for (int d = 0; d < ring.directions; ++d) {
            table[n++] = d;
            for (int axis = 0; axis < ring.axes; ++axis)
                if (axis != d % ring.axes)
                    for (int marbles = 2; marbles <= 3; ++marbles)
                        table[n++] = (1 + 2 * axis + marbles - 2) << 3 | d;
        }
        return table;
    }();

    Origins generate(const Position& position) const {
        const Word own = position.marbles[position.turn - 1], enemy = position.marbles[2 - position.turn];
        const Word empty = ring.all & ~(own | enemy);
        Origins origins;
        int n = 0;
#pragma GCC unroll 6
        for (int d = 0; d < ring.directions; ++d) {
            const Word mine = own & ring.inside[d], theirs = enemy & ring.inside[d];
            const Word before_empty = ring.before(empty, d);
            const Word free = mine & before_empty;
            // Enemies that can be pushed: one before an empty cell or the rim, two when the second is such a one.
            const Word one = (theirs & before_empty) | (enemy & ~ring.inside[d]), before_one = ring.before(one, d);
            const Word two = theirs & before_one;
            // In line: one marble onto an empty cell, two also against one, three also against two. Whether more own
            // marbles stand behind the one named does not matter; those before it all move.
            const Word front_of_two = free | (mine & before_one), front_of_three = front_of_two | (mine & ring.before(two, d));
            const Word of_two = mine & ring.before(front_of_two, d);
            const Word of_three = mine & ring.before(mine & ring.before(front_of_three, d), d);
            origins[n++] = free | of_two | of_three;
            // Broadside: two or three in a row, each of them before an empty cell.
            for (int axis = 0; axis < ring.axes; ++axis)
                if (axis != d % ring.axes) {
                    const Word pairs = free & ring.inside[axis] & ring.before(free, axis);
                    origins[n++] = pairs;
                    origins[n++] = pairs & ring.before(pairs, axis);
                }
        }
        return origins;
    }

    bool has_winner(const Position& position) const {
        return position.lost[0] >= ejections || position.lost[1] >= ejections;
    }

    bool can_move(const Position& position) const {
        const Word own = position.marbles[position.turn - 1];
        const Word empty = ring.all & ~(position.marbles[0] | position.marbles[1]);
        for (int d = 0; d < ring.directions; ++d)
            if (own & ring.inside[d] & ring.before(empty, d)) return true;
        return count(position) > 0;
    }

    int ejections;
};

}  // namespace tabuleiro
