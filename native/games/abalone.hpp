// Abalone: push the enemy's marbles off the hexagon. The twin of games/abalone.py, where moves and encoding are
// explained.
#pragma once

#include <array>
#include <cstring>

#include "../game.hpp"

namespace tabuleiro {

/// The hexagon of 61 cells wound on a ring: row r (A = 0), number c (1 = 0) lies at place (13 r + c) mod 61.
///
/// Each cell has a place of its own, because copies of this hexagon tile the plane and all copies of a cell share one
/// place. So a step is the same rotation wherever it begins, and one word holds the board; in the order of the cells, a
/// step up would be another shift in every row. What steps over the rim comes in again elsewhere: `inside` keeps it
/// out.
struct HexagonRing {
    static constexpr int size = 61, rows = 9, directions = 6, axes = 3;
    static constexpr Word all = first_cells(size);
    /// e, ne, nw, w, sw, se; the first three are also the axes.
    static constexpr int rotation[directions] = {1, 14, 13, size - 1, size - 14, size - 13};

    /// The place one step on, which must be on the board.
    static constexpr int next(int place, int direction) {
        const int after = place + rotation[direction];
        return after < size ? after : after - size;
    }

    /// The places before a set: those from which a step leads into it. True only `inside`: the caller drops the rest.
    template <class Set>
    static constexpr Set before(Set set, int direction) {
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

    /// Where half a turn of the board takes a place.
    static constexpr int half_turn_of(int place) { return (place <= 51 ? 51 : 51 + size) - place; }

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
    static constexpr int move_codes = HexagonRing::size << 6;

    /// A set of places twice: on the board, and on the board turned by half a turn. What steps in direction d on the
    /// second steps in direction d + 3 on the first, so three directions on both are all six, at the cost of three.
    typedef Word Twin __attribute__((vector_size(2 * sizeof(Word))));

    struct Position {
        Twin marbles[2];  // Black's (player one's), White's
        std::uint8_t lost[2];
        std::uint8_t turn;
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
        words[0] = cells_of(position.marbles[0]);
        words[1] = cells_of(position.marbles[1]);
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
        return {{twin_of(words[0]), twin_of(words[1])},
                {static_cast<std::uint8_t>(words[3]), static_cast<std::uint8_t>(words[4])},
                read_turn(words[2])};
    }

    Result outcome(const Position& position) const {
        if (position.lost[1] >= ejections) return Result::one;
        if (position.lost[0] >= ejections) return Result::two;
        return can_move(position) ? Result::ongoing : Result::draw;
    }

    int moves(const Position& position, Move* list) const {
        if (has_winner(position)) return 0;
        const Origins origins = generate(position);
        // Bit s of `shapes_at[cell]`: the move `cell << 6 | s` is legal.
        Word shapes_at[HexagonRing::size] = {};
        for (int shape = 0; shape < shapes; ++shape) {
            const auto& [code, cell_named] = shape_table[shape];
            for (Word left = origins[shape]; left;) shapes_at[cell_named[pop(left)]] |= bit(code);
        }
        int n = 0;
        for (Word left = cells_of(position.marbles[position.turn - 1]); left;) {
            const Move cell = pop(left);
            for (Word codes = shapes_at[cell]; codes;) list[n++] = cell << 6 | pop(codes);
        }
        return n;
    }

    int count(const Position& position) const {
        if (has_winner(position)) return 0;
        int total = 0;
#pragma GCC unroll 30
        for (Word origins : generate(position)) total += tabuleiro::count(origins);
        return total;
    }

    Move random_move(const Position& position, Random& random) const {
        const Origins origins = generate(position);
        int total = 0;
#pragma GCC unroll 30
        for (Word places : origins) total += tabuleiro::count(places);
        int k = random.below(total), shape = 0;
        for (int here; k >= (here = tabuleiro::count(origins[shape])); ++shape) k -= here;
        return shape_table[shape].cell_named[select(origins[shape], k)] << 6 | shape_table[shape].code;
    }

    void play(Position& position, Move move) const {
        const int mover = position.turn - 1, kind = move >> 3 & 7, direction = move & 7;
        const int origin = ring.place_of[move >> 6];
        Twin& own = position.marbles[mover];
        Twin& enemy = position.marbles[1 - mover];
        position.turn = other(position.turn);
        if (kind) {
            const int axis = (kind - 1) / 2;
            for (int place = origin, marbles = 2 + (kind - 1) % 2; marbles; --marbles, place = ring.next(place, axis))
                own ^= twins[place] ^ twins[ring.next(place, direction)];
            return;
        }
        // Only the ends of the rows change: the last own marble goes to the front, the first enemy to the back.
        int front = ring.next(origin, direction);
        while (own[0] >> front & 1) front = ring.next(front, direction);
        own ^= twins[origin] ^ twins[front];
        if (!(enemy[0] >> front & 1)) return;
        enemy ^= twins[front];
        for (int place = front; ring.inside[direction] >> place & 1;) {
            place = ring.next(place, direction);
            if (!(enemy[0] >> place & 1)) {
                enemy ^= twins[place];
                return;
            }
        }
        ++position.lost[1 - mover];
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        const Twin black = twin_of(permuted(cells_of(position.marbles[0]), cells));
        const Twin white = twin_of(permuted(cells_of(position.marbles[1]), cells));
        if (!exchange) return {{black, white}, {position.lost[0], position.lost[1]}, position.turn};
        return {{white, black}, {position.lost[1], position.lost[0]}, other(position.turn)};
    }

    /// The cell one step on; -1 where that is off the board.
    static int step(int cell, int direction) {
        const int place = ring.place_of[cell];
        return ring.inside[direction] >> place & 1 ? ring.cell_of[ring.next(place, direction)] : -1;
    }

    HistoryRules history;

    /// Board and turn: marbles lost never come back, so within a game equal boards have equal losses.
    Word repetition_key(const Position& position) const {
        return mix(mix(position.marbles[0][0]) ^ position.marbles[1][0]) ^ position.turn;
    }

    bool is_progress(const Position& before, Move, const Position& after) const {
        return before.lost[0] != after.lost[0] || before.lost[1] != after.lost[1];
    }

    /// A repetition is a draw; at the limit of moves the player who ejected more wins.
    Result settle(const Position& position, Ending ending) const {
        return ending == Ending::total_plies ? by_points(position.lost[1], position.lost[0]) : Result::draw;
    }

   private:
    static constexpr HexagonRing ring{};

    /// Each place as a set of one.
    static constexpr auto twins = [] {
        std::array<Twin, HexagonRing::size> table{};
        for (int place = 0; place < ring.size; ++place) table[place] = Twin{bit(place), bit(ring.half_turn_of(place))};
        return table;
    }();

    static Twin twin_of(Word cells) {
        Twin set{};
        for (Word left = ring.from_cells(cells); left;) set |= twins[pop(left)];
        return set;
    }
    static Word cells_of(Twin set) { return ring.to_cells(set[0]); }

    /// For each shape of move, the places from which a move of that shape can be made.
    using Origins = std::array<Word, shapes>;

    Origins generate(const Position& position) const {
        const Twin own = position.marbles[position.turn - 1], enemy = position.marbles[2 - position.turn];
        const Twin empty = ring.all & ~(own | enemy);
        Origins origins;
        int n = 0;
        const auto add = [&](Twin places) {
            std::memcpy(&origins[n], &places, sizeof places);
            n += 2;
        };
#pragma GCC unroll 3
        for (int d = 0; d < ring.axes; ++d) {
            const Twin mine = own & ring.inside[d], theirs = enemy & ring.inside[d];
            const Twin before_empty = ring.before(empty, d), free = mine & before_empty;
            // Enemies that can be pushed: one before an empty cell or the rim, two when the second is such a one.
            const Twin one = (theirs & before_empty) | (enemy & ~ring.inside[d]), before_one = ring.before(one, d);
            const Twin two = theirs & before_one;
            // In line: one marble onto an empty cell, two also against one enemy, three also against two.
            const Twin front_of_two = free | (mine & before_one);
            const Twin front_of_three = front_of_two | (mine & ring.before(two, d));
            const Twin middle_of_three = mine & ring.before(front_of_three, d);
            add(free | (mine & ring.before(front_of_two, d)) | (mine & ring.before(middle_of_three, d)));
            // Broadside: two or three in a row, each of them before an empty cell.
            for (int axis = 0; axis < ring.axes; ++axis)
                if (axis != d) {
                    const Twin pairs = free & ring.inside[axis] & ring.before(free, axis);
                    add(pairs);
                    add(pairs & ring.before(pairs, axis));
                }
        }
        return origins;
    }

    /// The shapes in the order of `generate`: how moves write them, and which cell they name for each place.
    struct Shape {
        std::uint8_t code, cell_named[HexagonRing::size];
    };
    static constexpr auto shape_table = [] {
        std::array<Shape, shapes> table{};
        int n = 0;
        const auto add = [&](int direction, int kind, int axis, int marbles) {
            for (bool turned : {false, true}) {
                Shape& shape = table[n++];
                shape.code = static_cast<std::uint8_t>(kind << 3 | (direction + turned * ring.axes));
                for (int place = 0; place < ring.size; ++place) {
                    // A row of marbles is named by its lower end: on the turned board, by the far one.
                    const int far = (place + (marbles - 1) * ring.rotation[axis]) % ring.size;
                    shape.cell_named[place] = ring.cell_of[turned ? ring.half_turn_of(far) : place];
                }
            }
        };
        for (int d = 0; d < ring.axes; ++d) {
            add(d, 0, d, 1);
            for (int axis = 0; axis < ring.axes; ++axis)
                if (axis != d)
                    for (int marbles : {2, 3}) add(d, 1 + 2 * axis + marbles - 2, axis, marbles);
        }
        return table;
    }();

    bool has_winner(const Position& position) const {
        return position.lost[0] >= ejections || position.lost[1] >= ejections;
    }

    /// Some marble beside an empty cell is nearly always found at once; only a push can be a move without one.
    bool can_move(const Position& position) const {
        const Twin own = position.marbles[position.turn - 1];
        const Twin empty = ring.all & ~(position.marbles[0] | position.marbles[1]);
        for (int axis = 0; axis < ring.axes; ++axis) {
            const Twin free = own & ring.inside[axis] & ring.before(empty, axis);
            if (free[0] | free[1]) return true;
        }
        return count(position) > 0;
    }

    int ejections;
};

}  // namespace tabuleiro
