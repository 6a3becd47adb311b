// Konane: jump over enemy stones in a straight line; a player who cannot jump loses. The twin of games/konane.py.
#pragma once

#include "../game.hpp"
#include "../square.hpp"

namespace tabuleiro {

struct Konane {
    static constexpr const char* id = "konane";
    static constexpr int max_words = 3;
    // From any cell at most three jumps fit into its row and three into its column.
    static constexpr int max_moves = 64 * 6;
    static constexpr int move_codes = 64 * 64;

    struct Position {
        Word stones[2];  // White's, Black's
        std::uint8_t turn;
    };

    explicit Konane(OptionReader& options)
        : board(options.number(4, 8)), opening(static_cast<Opening>(options.word(3))) {
        const int last = board.width - 1, low = last / 2, high = board.width / 2;
        const Word centre = (board.row(low) | board.row(high)) & (board.column(low) | board.column(high));
        first_removable = centre | board.row(0) | board.row(last) | board.column(0) | board.column(last);
        room_east = board.all & ~(board.column(last) | board.column(last - 1));
        room_west = board.all & ~(board.column(0) | board.column(1));
    }

    int words() const { return max_words; }
    int cells() const { return board.cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = position.stones[0];
        words[1] = position.stones[1];
        words[2] = position.turn;
    }

    Position decode(const Word* words) const {
        require(((words[0] | words[1]) & ~board.all) == 0, "a stone stands off the board");
        require((words[0] & words[1]) == 0, "two stones stand on one cell");
        return {{words[0], words[1]}, read_turn(words[2])};
    }

    Result outcome(const Position& position) const {
        const bool can_move = removing(position) ? removable(position) != 0 : jumps(position).any();
        return can_move ? Result::ongoing : win_of(other(position.turn));
    }

    int moves(const Position& position, Move* list) const {
        int n = 0;
        if (removing(position)) {
            for (Word left = removable(position); left;) {
                const int cell = pop(left);
                list[n++] = cell << 6 | cell;
            }
            return n;
        }
        const Jumps from = jumps(position);
        for (Word left = from.stones_that_can(); left;) {
            const int origin = pop(left);
            // By ascending target: the ways down the board with the longest jump first, then the ways up.
            for (int way = 0; way < ways; ++way)
                for (int i = 0; i < longest; ++i) {
                    const int k = way < east ? longest - 1 - i : i;
                    if (from.able[way][k] >> origin & 1) list[n++] = move_of(origin, way, k);
                }
        }
        return n;
    }

    int count(const Position& position) const {
        return removing(position) ? tabuleiro::count(removable(position)) : jumps(position).count();
    }

    Move random_move(const Position& position, Random& random) const {
        if (removing(position)) {
            const Word cells = removable(position);
            const int cell = select(cells, random.below(tabuleiro::count(cells)));
            return cell << 6 | cell;
        }
        const Jumps from = jumps(position);
        int number = random.below(from.count());
        for (int k = 0;; ++k)
            for (int way = 0; way < ways; ++way) {
                const int here = tabuleiro::count(from.able[way][k]);
                if (number < here) return move_of(select(from.able[way][k], number), way, k);
                number -= here;
            }
    }

    void play(Position& position, Move move) const {
        const int origin = move >> 6, target = move & 63;
        const int step = origin / board.width == target / board.width ? 1 : board.width;
        // The origin and everything between it and the target end up empty; a stone removed has no target.
        Word emptied = bit(origin);
        for (int cell = std::min(origin, target) + step; cell < std::max(origin, target); cell += step)
            emptied |= bit(cell);
        position.stones[0] &= ~emptied;
        position.stones[1] &= ~emptied;
        if (target != origin) position.stones[colour_to_move(position)] |= bit(target);
        position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        const Word white = permuted(position.stones[0], cells), black = permuted(position.stones[1], cells);
        if (!exchange) return {{white, black}, position.turn};
        return {{black, white}, other(position.turn)};
    }

    /// Whether the next move takes an own stone off, as the opening may ask.
    bool removing(const Position& position) const {
        return opening != Opening::fixed && tabuleiro::count(gaps(position)) < 2;
    }

   private:
    enum class Opening { fixed, removal, traditional };
    enum Way { south, west, east, north, ways };
    /// Eight cells in a row hold three jumps.
    static constexpr int longest = 3;

    /// able[way][k]: the stones that can jump at least k + 1 times one way.
    struct Jumps {
        Word able[ways][longest];

        Word stones_that_can() const { return able[south][0] | able[west][0] | able[east][0] | able[north][0]; }
        bool any() const { return stones_that_can() != 0; }
        int count() const {
            int total = 0;
            for (const auto& way : able)
                for (Word stones : way) total += tabuleiro::count(stones);
            return total;
        }
    };

    /// White is 0. Player one begins: with Black in the traditional opening, with White otherwise.
    int colour_to_move(const Position& position) const {
        return (position.turn == 1) == (opening == Opening::traditional);
    }

    Move move_of(int origin, int way, int k) const {
        const int steps[ways] = {-2 * board.width, -2, 2, 2 * board.width};
        return origin << 6 | (origin + steps[way] * (k + 1));
    }

    Word gaps(const Position& position) const { return board.all & ~(position.stones[0] | position.stones[1]); }

    /// First an own stone in the centre or on the rim, then an own stone beside the gap.
    Word removable(const Position& position) const {
        const Word own = position.stones[colour_to_move(position)], gap = gaps(position);
        if (!gap) return own & first_removable;
        return own & (gap << board.width | gap >> board.width | (gap & ~board.right_column) << 1 |
                      (gap & ~board.left_column) >> 1);
    }

    Jumps jumps(const Position& position) const {
        const int mover = colour_to_move(position), width = board.width;
        const Word own = position.stones[mover], enemy = position.stones[1 - mover], empty = gaps(position);
        // Where a stone could jump one way, if it stood there. Jump after jump goes the same way, and stopping after
        // any of them is a move of its own.
        Word from[ways] = {
            enemy << width & empty << 2 * width,
            enemy << 1 & empty << 2 & room_west,
            enemy >> 1 & empty >> 2 & room_east,
            enemy >> width & empty >> 2 * width,
        };
        Jumps jumps;
        for (int way = 0; way < ways; ++way) jumps.able[way][0] = own & from[way];
        for (int k = 1; k < longest; ++k) {
            from[south] <<= 2 * width;
            from[west] <<= 2;
            from[east] >>= 2;
            from[north] >>= 2 * width;
            for (int way = 0; way < ways; ++way) jumps.able[way][k] = jumps.able[way][k - 1] & from[way];
        }
        return jumps;
    }

    SquareBoard board;
    Opening opening;
    Word first_removable, room_east, room_west;
};

}  // namespace tabuleiro
