// Guerreiros: a king and eight warriors a side, who capture by steps or along lines. The twin of games/guerreiros.py,
// where moves and encoding are explained.
#pragma once

#include "../game.hpp"
#include "../square.hpp"

namespace tabuleiro {

struct Guerreiros {
    static constexpr const char* id = "guerreiros";
    static constexpr int max_words = 13;
    // Warriors: eight steps, three double steps, nine enemies in line. The king: eleven steps, nine teleports.
    static constexpr int max_moves = 8 * (8 + 3 + 9) + 11 + 9;
    // Origins are the cells 0 to 89 and three that stand for what a king may do besides.
    static constexpr int move_codes = 93 << 7;

    /// A set of cells: South's field (rows 1-5) and North's (rows 6-10), 45 cells in a word each.
    struct Cells {
        Word field[2];
    };

    struct Position {
        Cells pieces[2];           // South's, North's; kings too
        std::uint16_t unmoved[2];  // the columns of each home row where a piece stands that has not moved yet
        std::uint8_t king[2];  // the cells of the kings, `nowhere` for one that was captured or is not yet placed
        std::uint8_t right[2];  // to teleport
        std::uint8_t arrivals[2];  // counted only with `cumulative_arrivals`
        std::uint8_t turn;
    };

    explicit Guerreiros(OptionReader& options) {
        first_side = options.word(2);
        strict_first_move = options.truth();
        first_move_leap = options.truth();
        const bool line_up_to = options.word(2) == 1;
        line_step_over_occupied = options.truth();
        line_field_of_capture_only = options.word(2) == 1;
        frozen_immune = options.truth();
        cumulative_arrivals = options.truth();
        teleport = static_cast<Teleport>(options.word(3));
        teleport_each_arrival = options.truth();
        // Where the kings start is for Python to say.
        options.word(1 + width);
        options.word(1 + width);
        hidden_kings = options.truth();
        history.repetition = options.number(0, 3);
        history.stale_plies = options.number(0, 10'000);

        for (int place = 0; place < window.cells; ++place) {
            const Word here = bit(place);
            around[place] = window.grown(here) & ~here;
            forward[south][place] = around[place] & rows_from(place / width + 1);
            forward[north][place] = around[place] & ~rows_from(place / width);
            for (int half : {south, north}) reach[half][place] = reach_of(half, place, line_up_to);
        }
    }

    int words() const { return max_words; }
    int cells() const { return board_cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        for (int side : {south, north}) {
            Cells warriors = position.pieces[side];
            if (position.king[side] != nowhere) toggle(warriors, position.king[side]);
            write(warriors, words + 2 * side);
            words[4 + side] = position.king[side];
            words[9 + side] = position.right[side];
            words[11 + side] = position.arrivals[side];
        }
        write({{position.unmoved[south], Word{position.unmoved[north]} << home_shift[north]}}, words + 6);
        words[8] = position.turn;
    }

    Position decode(const Word* words) const {
        Position position{};
        const Cells unmoved = read(words + 6);
        position.turn = read_turn(words[8]);
        for (int side : {south, north}) {
            Cells& pieces = position.pieces[side] = read(words + 2 * side);
            require(number_of(pieces) <= 8, "too many warriors");
            // Without the option the board alone counts arrivals; with it, no more can stand there than arrived.
            const Word standing = tabuleiro::count(arrived(pieces, side)), arrivals = words[11 + side];
            require(cumulative_arrivals ? standing <= arrivals && arrivals <= 8 : arrivals == 0,
                    "that many warriors cannot have arrived");
            const Word king = words[4 + side], right = words[9 + side];
            require(king <= nowhere, "a king stands off the board");
            require(right <= placing, "the right to teleport is 0, 1, 2 or 3");
            if (king != nowhere) {
                require(!has(pieces, king), "two pieces stand on one cell");
                toggle(pieces, king);
            }
            const Word home = pieces.field[side] >> home_shift[side] & row;
            const Word columns = unmoved.field[side] >> home_shift[side];
            require((columns & ~home) == 0 && unmoved.field[side] == columns << home_shift[side],
                    "a piece that is not on its home row has moved");
            position.unmoved[side] = static_cast<std::uint16_t>(columns);
            position.king[side] = static_cast<std::uint8_t>(king);
            position.right[side] = static_cast<std::uint8_t>(right);
            position.arrivals[side] = static_cast<std::uint8_t>(arrivals);
        }
        for (int field : {south, north})
            require(!(position.pieces[south].field[field] & position.pieces[north].field[field]),
                    "two pieces stand on one cell");
        if (position.right[south] == placing || position.right[north] == placing)
            require_setup(position);
        else
            require(position.king[south] != nowhere || position.king[north] != nowhere, "both kings are missing");
        return position;
    }

    Result outcome(const Position& position) const {
        if (is_placing(position)) return Result::ongoing;
        for (int side : {south, north})
            if (has_won(position, side)) return win_of(player_of(side));
        // Nobody is ever blocked. Of the pieces that can still move, look at the foremost: no own piece stands before
        // it but at most two that have arrived, and those leave a way round.
        return Result::ongoing;
    }

    int moves(const Position& position, Move* list) const {
        if (outcome(position) != Result::ongoing) return 0;
        const int side = side_of(position.turn);
        int n = 0;
        if (is_placing(position)) {
            for (int column = 0; column < width; ++column) list[n++] = setting_up << 7 | (home_cell[side] + column);
            return n;
        }
        const bool must_answer = must_answer_arrival(position);
        if (!must_answer) {
            const View view(*this, position);
            for (int half : {south, north})
                for (Word left = view.movers[half]; left;) {
                    const int origin = pop(left);
                    for (Word targets = view.targets(half, origin); targets;)
                        list[n++] = cell_of(half, origin) << 7 | cell_of(half, pop(targets));
                }
        }
        for (Word left = teleports(position); left;) list[n++] = teleporting << 7 | (teleport_cell[side] + pop(left));
        if (must_answer) list[n++] = declining << 7;
        return n;
    }

    int count(const Position& position) const {
        if (outcome(position) != Result::ongoing) return 0;
        if (is_placing(position)) return width;
        const int teleporting_moves = tabuleiro::count(teleports(position));
        if (must_answer_arrival(position)) return teleporting_moves + 1;
        const View view(*this, position);
        int total = teleporting_moves;
        for (Word origins : view.steps()) total += tabuleiro::count(origins);
        for (Word columns : view.doubles) total += tabuleiro::count(columns);
        view.each_line([&](int, int, Word targets) { total += tabuleiro::count(targets); });
        return total;
    }

    Move random_move(const Position& position, Random& random) const {
        const int side = side_of(position.turn);
        if (is_placing(position)) return setting_up << 7 | (home_cell[side] + random.below(width));
        const Word teleport_columns = teleports(position);
        const int teleporting_moves = tabuleiro::count(teleport_columns);
        const auto teleport_move = [&](int k) -> Move {
            return teleporting << 7 | (teleport_cell[side] + select(teleport_columns, k));
        };
        if (must_answer_arrival(position)) {
            const int k = random.below(teleporting_moves + 1);
            return k < teleporting_moves ? teleport_move(k) : Move{declining << 7};
        }
        const View view(*this, position);
        const auto steps = view.steps();
        int step_counts[directions * 2], total = teleporting_moves;
        for (int way = 0; way < directions * 2; ++way) total += step_counts[way] = tabuleiro::count(steps[way]);
        for (Word columns : view.doubles) total += tabuleiro::count(columns);
        Move lines[8 * 9];
        int line_moves = 0;
        view.each_line([&](int half, int origin, Word targets) {
            while (targets) lines[line_moves++] = cell_of(half, origin) << 7 | cell_of(half, pop(targets));
        });
        int k = random.below(total + line_moves);
        if (k < line_moves) return lines[k];
        k -= line_moves;
        if (k < teleporting_moves) return teleport_move(k);
        k -= teleporting_moves;
        for (int way = 0; way < 3; ++way) {
            const int here = tabuleiro::count(view.doubles[way]);
            if (k < here) {
                const int origin = home_cell[side] + select(view.doubles[way], k);
                return origin << 7 | (origin + double_step(side, way));
            }
            k -= here;
        }
        int way = 0;
        while (k >= step_counts[way]) k -= step_counts[way++];
        const int origin = cell_of(way / directions, select(steps[way], k));
        return origin << 7 | (origin + step_of[way % directions]);
    }

    void play(Position& position, Move move) const {
        const int side = side_of(position.turn), enemy = 1 - side;
        int origin = move >> 7;
        const int target = move & 127;
        if (origin == setting_up) {
            position.pieces[side].field[side] = row << home_shift[side];
            position.unmoved[side] = row;
            position.king[side] = static_cast<std::uint8_t>(target);
            position.turn = other(position.turn);
            if (position.king[enemy] != nowhere) {
                position.right[south] = position.right[north] = no_right;
                position.turn = 1;
            }
            return;
        }
        position.turn = other(position.turn);
        std::uint8_t& right = position.right[side];
        if (origin == teleporting) {
            origin = position.king[side];
            right = used;
        } else if (right == usable && teleport != Teleport::persistent) {
            right = no_right;  // playing anything else gives it up
        }
        if (origin == declining) return;
        toggle(position.pieces[side], origin);
        toggle(position.pieces[side], target);
        position.unmoved[side] &= ~home_column(side, origin);
        position.unmoved[enemy] &= ~home_column(enemy, target);
        remove(position.pieces[enemy], target);
        if (position.king[enemy] == target) position.king[enemy] = nowhere;
        if (position.king[side] == origin) {
            position.king[side] = static_cast<std::uint8_t>(target);
        } else if (home_column(enemy, target)) {
            position.arrivals[side] += cumulative_arrivals;
            if (right != used || teleport_each_arrival) {
                right = usable;
                if (teleport == Teleport::immediate) position.turn = other(position.turn);
            }
        }
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        Word words[max_words];
        encode(position, words);
        for (int first : {0, 2, 6}) {
            const Cells before = read(words + first);
            Cells after{};
            for (int cell = 0; cell < board_cells; ++cell)
                if (has(before, cell)) toggle(after, cells[cell]);
            write(after, words + first);
        }
        for (int king : {4, 5})
            if (words[king] != nowhere) words[king] = cells[words[king]];
        if (exchange) {
            for (int first : {0, 1}) std::swap(words[first], words[first + 2]);
            for (int first : {4, 9, 11}) std::swap(words[first], words[first + 1]);
            words[8] = other(position.turn);
        }
        return decode(words);
    }

    /// While kings are placed in secret, a player does not know where the other's stands.
    Position seen_by(Position position, int player) const {
        if (hidden_kings && is_placing(position))
            for (int side : {south, north})
                if (player_of(side) != player) {
                    position.pieces[side] = {};
                    position.unmoved[side] = 0;
                    position.king[side] = nowhere;
                }
        return position;
    }

    int side_to_move(const Position& position) const { return side_of(position.turn); }

    /// The cell onto which a warrior steps that captures in line, the lowest where there are several.
    int line_step(const Position& position, Move move) const {
        const int half = field_of(move >> 7), first = cell_of(half, 0);
        return cell_of(half, View(*this, position).line_step(half, (move >> 7) - first, (move & 127) - first));
    }

    HistoryRules history;

    Word repetition_key(const Position& position) const {
        const auto pair = [](const auto& two, int bits) { return Word{two[0]} | Word{two[1]} << bits; };
        Word key = pair(position.unmoved, width) << 36 | pair(position.king, 8) << 20 | pair(position.right, 4) << 12 |
                   pair(position.arrivals, 4) << 4 | position.turn;
        for (int side : {south, north})
            for (int field : {south, north}) key = mix(key) ^ position.pieces[side].field[field];
        return mix(key);
    }

    /// A capture, an arrival, the placing of a king. (A king that arrives has won: nobody looks back then.)
    bool is_progress(const Position& before, Move move, const Position&) const {
        const int origin = move >> 7, target = move & 127, enemy = 1 - side_of(before.turn);
        if (origin == teleporting || origin == declining) return false;
        return origin == setting_up || has(before.pieces[enemy], target) || home_column(enemy, target);
    }

    Result settle(const Position&, Ending) const { return Result::draw; }

   private:
    enum { south, north };
    enum Right { no_right, usable, used, placing };
    enum class Teleport { next_turn, immediate, persistent };

    static constexpr int width = 9, height = 10, board_cells = width * height, field_cells = board_cells / 2;
    static constexpr int nowhere = board_cells;
    /// What stands in place of an origin in the moves that have none.
    static constexpr int teleporting = board_cells, setting_up = board_cells + 1, declining = board_cells + 2;
    static_assert(move_codes == (declining + 1) << 7);
    static constexpr Word row = first_cells(width), whole_field = first_cells(field_cells);
    /// Where a side's home row begins, on the board and in the side's own field.
    static constexpr int home_cell[2] = {0, board_cells - width}, home_shift[2] = {0, field_cells - width};
    /// Where the enemy's row 4 begins, to which a king may teleport.
    static constexpr int teleport_cell[2] = {field_cells, field_cells - width};

    // -- sets of cells ----------------------------------------------------------------------------------------------

    static Cells read(const Word* words) {
        require(words[1] >> (board_cells - 64) == 0, "a piece stands off the board");
        return {{words[0] & whole_field, words[0] >> field_cells | words[1] << (64 - field_cells)}};
    }
    static void write(const Cells& set, Word* words) {
        words[0] = set.field[0] | set.field[1] << field_cells;
        words[1] = set.field[1] >> (64 - field_cells);
    }
    static int field_of(int cell) { return cell >= field_cells; }
    static Word bit_of(int cell) { return bit(cell - field_cells * field_of(cell)); }
    static bool has(const Cells& set, int cell) { return set.field[field_of(cell)] & bit_of(cell); }
    static void toggle(Cells& set, int cell) { set.field[field_of(cell)] ^= bit_of(cell); }
    static void remove(Cells& set, int cell) { set.field[field_of(cell)] &= ~bit_of(cell); }
    static int number_of(const Cells& set) { return tabuleiro::count(set.field[0]) + tabuleiro::count(set.field[1]); }

    /// The column of a cell as a set of one, if it lies on a side's home row; otherwise nothing.
    static unsigned home_column(int side, int cell) {
        const unsigned column = cell - home_cell[side];
        return column < width ? 1u << column : 0;
    }
    /// The columns of the enemy's home row where pieces of a side stand.
    static Word arrived(const Cells& pieces, int side) { return pieces.field[1 - side] >> home_shift[1 - side] & row; }

    // -- the rules --------------------------------------------------------------------------------------------------

    int side_of(int player) const { return (player - 1) ^ first_side; }
    int player_of(int side) const { return (side ^ first_side) + 1; }
    static bool is_placing(const Position& position) { return position.right[south] == placing; }

    /// While kings are placed a side has its full home row, unmoved, or nothing; the first player with nothing is next,
    /// unless kings are hidden: then the second may not see that the first has placed.
    void require_setup(const Position& position) const {
        require(position.right[south] == position.right[north], "only one side is placing its king");
        for (int side : {south, north}) {
            const bool placed = position.king[side] != nowhere;
            require(position.unmoved[side] == (placed ? row : 0) && number_of(position.pieces[side]) == placed * width,
                    "while kings are placed, each side has its full home row or nothing");
        }
        const int next = position.king[side_of(1)] == nowhere ? 1 : 2;
        require((hidden_kings || position.turn == next) && position.king[side_of(position.turn)] == nowhere,
                "the wrong player places a king");
    }

    bool has_won(const Position& position, int side) const {
        const int warriors =
            cumulative_arrivals ? position.arrivals[side] : tabuleiro::count(arrived(position.pieces[side], side));
        return position.king[1 - side] == nowhere || home_column(1 - side, position.king[side]) || warriors >= 3;
    }

    /// With the immediate teleport, a player who has just arrived either teleports the king or declines.
    bool must_answer_arrival(const Position& position) const {
        return teleport == Teleport::immediate && position.right[side_of(position.turn)] == usable;
    }

    /// The columns of the enemy's row 4 to which the king can teleport.
    Word teleports(const Position& position) const {
        const int side = side_of(position.turn), field = 1 - side;
        if (position.right[side] != usable) return 0;
        const Word pieces = position.pieces[south].field[field] | position.pieces[north].field[field];
        return ~(pieces >> (teleport_cell[side] - field * field_cells)) & row;
    }

    // -- windows ----------------------------------------------------------------------------------------------------
    // A field with the nearest row of the other field, 54 places in a word. Every move from a field ends in its window,
    // so nothing crosses from word to word. South's window begins on the board's first row, North's on its fifth.

    static constexpr SquareBoard window{width, 6};
    static constexpr int window_shift = 4 * width;

    static Word window_of(const Cells& set, int half) {
        return half == south ? set.field[0] | (set.field[1] & row) << field_cells
                             : set.field[0] >> window_shift | set.field[1] << width;
    }
    static constexpr int cell_of(int half, int place) { return half * window_shift + place; }
    static constexpr Word rows_from(int number) { return window.all & ~first_cells(number * width); }

    static constexpr int directions = 8;
    static constexpr int step_of[directions] = {8, 9, 10, -10, -9, -8, -1, 1};
    /// From its home row to its own row 2: to the west, straight on, to the east.
    static constexpr int double_step(int side, int way) { return 2 * step_of[3 * side + way]; }

    /// Where a line capture can end that runs along the row of a place: as far as the number painted on that row.
    static Word reach_of(int half, int place, bool up_to) {
        const int rank = cell_of(half, place) / width, distance = std::min(rank, height - 1 - rank);
        const Word start = bit(place), line = row << place / width * width;
        Word cells = 0;
        for (int run = up_to ? 1 : distance; distance && run <= distance; ++run) cells |= start << run | start >> run;
        return cells & line;
    }

    /// What the side to move sees, in windows.
    struct View {
        Word movers[2] = {};
        /// The cells to step on: empty, or with an enemy that may be captured.
        Word enterable[2];
        /// The columns of the home row whose pieces can double-step west, straight on and east.
        Word doubles[3];
        /// Line captures: the enemies within reach, and the cells to step on from where some are.
        Word prey[2] = {}, turns[2] = {};

        View(const Guerreiros& rules_, const Position& position)
            : rules(rules_), side(rules.side_of(position.turn)), king(position.king[side]) {
            const Cells& own = position.pieces[side];
            const Cells& enemies = position.pieces[1 - side];
            Cells empty, capturable = enemies;
            for (int field : {south, north})
                empty.field[field] = whole_field & ~(own.field[field] | enemies.field[field]);
            // A warrior that has arrived can be captured like any other, unless an option protects it.
            if (rules.frozen_immune) capturable.field[side] &= ~(row << home_shift[side]);
            Cells movable = own;
            movable.field[1 - side] &= ~(row << home_shift[1 - side]);  // what has arrived never moves again
            for (int half : {south, north}) {
                movers[half] = movable.field[half] << half * width;
                enterable[half] = window_of(empty, half) | window_of(capturable, half);
            }

            // A first move may be a double step forward to an empty cell, over an empty cell.
            const Word new_pieces = position.unmoved[side];
            unmoved = new_pieces << (home_shift[side] + side * width);
            const int ahead = side == south ? width : -width;
            const Word far = empty.field[side] >> (home_shift[side] + 2 * ahead) & row;
            const Word middle = rules.first_move_leap ? row : empty.field[side] >> (home_shift[side] + ahead) & row;
            doubles[0] = new_pieces & middle << 1 & far << 2;
            doubles[1] = new_pieces & middle & far;
            doubles[2] = new_pieces & middle >> 1 & far >> 2;

            // The right of line capture is where the own king is, unless the enemy king has invaded his field.
            const int field = field_of(king), enemy_field = field_of(position.king[1 - side]);
            if ((field == side && enemy_field == side) || !capturable.field[field]) return;
            const Word within = capturable.field[field] << field * width;
            const Word steps = rules.line_step_over_occupied ? whole_field : empty.field[field];
            Word turning = 0;
            for (Word left = within; left;) turning |= rules.reach[field][pop(left)];
            turning &= steps << field * width;
            prey[field] = within;
            turns[field] = turning;
            if (rules.line_field_of_capture_only) {
                // Then a warrior may step into that field from the other one.
                const auto seen_from_other = [&](Word set) {
                    return field == south ? set >> window_shift : set << window_shift & window.all;
                };
                prey[1 - field] = seen_from_other(within);
                turns[1 - field] = seen_from_other(turning);
            }
        }

        /// Where the piece on a place can go.
        Word targets(int half, int origin) const {
            const Word near = steps_from(half, origin);
            Word result = (near & enterable[half]) | lines(half, origin, near);
            if (half == side && unmoved >> origin & 1)
                for (int way = 0; way < 3; ++way)
                    if (doubles[way] >> origin % width & 1) result |= bit(origin + double_step(side, way));
            return result;
        }

        /// For each half of the board and direction, the pieces that can step that way.
        std::array<Word, 2 * directions> steps() const {
            std::array<Word, 2 * directions> origins;
            for (int half : {south, north}) {
                const Word not_west = movers[half] & ~window.left_column;
                const Word not_east = movers[half] & ~window.right_column;
                const Word fresh = rules.strict_first_move && half == side ? unmoved : 0;
                const Word backwards_too = ~fresh, into = enterable[half];
                const Word northwards = side == south ? ~Word{0} : backwards_too;
                const Word southwards = side == north ? ~Word{0} : backwards_too;
                Word* const from = &origins[half * directions];
                from[0] = not_west & northwards & into >> 8;
                from[1] = movers[half] & northwards & into >> 9;
                from[2] = not_east & northwards & into >> 10;
                from[3] = not_west & southwards & into << 10;
                from[4] = movers[half] & southwards & into << 9;
                from[5] = not_east & southwards & into << 8;
                from[6] = not_west & backwards_too & into << 1;
                from[7] = not_east & backwards_too & into >> 1;
            }
            return origins;
        }

        /// Calls `visit(half, origin, targets)` for every warrior with line captures that no plain step makes.
        template <class Visit>
        void each_line(Visit visit) const {
            for (int half : {south, north}) {
                if (!turns[half]) continue;
                for (Word left = movers[half] & window.grown(turns[half]); left;) {
                    const int origin = pop(left);
                    const Word near = steps_from(half, origin);
                    if (const Word captures = lines(half, origin, near) & ~near) visit(half, origin, captures);
                }
            }
        }

        /// The lowest place onto which the piece on a place can step to capture in line what stands on another.
        int line_step(int half, int origin, int target) const {
            for (Word left = steps_from(half, origin) & turns[half]; left;) {
                const int step = pop(left);
                if (rules.reach[half][step] >> target & 1) return step;
            }
            return 0;
        }

       private:
        Word steps_from(int half, int origin) const {
            const bool strict = rules.strict_first_move && half == side && unmoved >> origin & 1;
            return strict ? rules.forward[side][origin] : rules.around[origin];
        }

        /// What a warrior can capture in line: it steps, then runs along the row over whatever stands there.
        Word lines(int half, int origin, Word near) const {
            if (cell_of(half, origin) == king) return 0;
            Word reached = 0;
            for (Word left = near & turns[half]; left;) reached |= rules.reach[half][pop(left)];
            return reached & prey[half];
        }

        const Guerreiros& rules;
        int side, king;
        Word unmoved;
    };

    int first_side;
    bool strict_first_move, first_move_leap, line_step_over_occupied, line_field_of_capture_only, frozen_immune;
    bool hidden_kings;
    bool cumulative_arrivals, teleport_each_arrival;
    Teleport teleport;
    Word around[54], forward[2][54], reach[2][54];
};

}  // namespace tabuleiro
