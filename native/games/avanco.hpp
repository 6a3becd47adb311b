// Avanço: reach the opponent's first row. The twin of games/avanco.py, where moves and encoding are explained.
#pragma once

#include "../game.hpp"
#include "../square.hpp"

namespace tabuleiro {

struct Avanco {
    static constexpr const char* id = "avanco";
    static constexpr int max_words = 3;
    // Sixteen pieces with three steps each.
    static constexpr int max_moves = 48;
    static constexpr int move_codes = 64 * 64;

    /// Seen from the player to move, so that playing a move needs no look at the turn.
    struct Position {
        Word own, enemy;
        std::uint8_t turn;  // 1 is White, who goes up the board
    };

    explicit Avanco(OptionReader& options)
        : board(options.number(5, 8)), size(board.width), first_row(board.row(0)), last_row(board.row(size - 1)) {}

    int words() const { return max_words; }
    int cells() const { return board.cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = white(position);
        words[1] = black(position);
        words[2] = position.turn;
    }

    Position decode(const Word* words) const {
        require(((words[0] | words[1]) & ~board.all) == 0, "a piece stands off the board");
        require((words[0] & words[1]) == 0, "two pieces stand on one cell");
        require(tabuleiro::count(words[0]) <= 2 * size && tabuleiro::count(words[1]) <= 2 * size, "too many pieces");
        return from(words[0], words[1], read_turn(words[2]));
    }

    Result outcome(const Position& position) const {
        if ((white(position) & last_row) || !black(position)) return Result::one;
        if ((black(position) & first_row) || !white(position)) return Result::two;
        return Result::ongoing;
    }

    int moves(const Position& position, Move* list) const {
        if (outcome(position) != Result::ongoing) return 0;
        const Origins origins = can_step(position);
        // The smaller of the two diagonal targets lies west: that is north-west for White, south-west for Black.
        const int ahead = position.turn == 1 ? size : -size;
        int n = 0;
        for (Word left = origins.west | origins.straight | origins.east; left;) {
            const int origin = pop(left);
            const Move straight = origin << 6 | (origin + ahead);
            list[n] = straight - 1;
            n += origins.west >> origin & 1;
            list[n] = straight;
            n += origins.straight >> origin & 1;
            list[n] = straight + 1;
            n += origins.east >> origin & 1;
        }
        return n;
    }

    int count(const Position& position) const {
        if (outcome(position) != Result::ongoing) return 0;
        const Origins origins = can_step(position);
        return tabuleiro::count(origins.west) + tabuleiro::count(origins.straight) + tabuleiro::count(origins.east);
    }

    Move random_move(const Position& position, Random& random) const {
        const Origins origins = can_step(position);
        const int west = tabuleiro::count(origins.west), straight = tabuleiro::count(origins.straight);
        int k = random.below(west + straight + tabuleiro::count(origins.east));
        // Chance decides which way, so no processor could foresee a branch here: choose without one.
        const bool not_west = k >= west, east = k >= west + straight;
        const Word from = east ? origins.east : not_west ? origins.straight : origins.west;
        k -= (not_west ? west : 0) + (east ? straight : 0);
        const int origin = select(from, k);
        return origin << 6 | (origin + (position.turn == 1 ? size : -size) - 1 + not_west + east);
    }

    void play(Position& position, Move move) const {
        const Word origin = bit(move >> 6), target = bit(move & 63);
        const Word moved = position.own ^ (origin | target);
        position.own = position.enemy & ~target;
        position.enemy = moved;
        position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        const Position turned{permuted(position.own, cells), permuted(position.enemy, cells), position.turn};
        // Exchanging players and colours leaves the player to move with the pieces he had.
        return exchange ? Position{turned.own, turned.enemy, other(turned.turn)} : turned;
    }

    // Three sets: the pieces that can step west, straight and east.
    static constexpr int number_of_move_sets = 3, max_set_words = 1;
    int set_members() const { return board.cells; }

    void move_sets(const Position& position, Word* sets) const {
        const Origins origins = can_step(position);
        sets[0] = origins.west, sets[1] = origins.straight, sets[2] = origins.east;
    }

    Move set_move(int turn, int set, int member) const {
        const int target = member + (turn == 1 ? size : -size) + set - 1;
        return 0 <= target && target < board.cells ? member << 6 | target : move_codes;
    }

   private:
    static Word white(const Position& position) { return position.turn == 1 ? position.own : position.enemy; }
    static Word black(const Position& position) { return position.turn == 1 ? position.enemy : position.own; }
    static Position from(Word white, Word black, std::uint8_t turn) {
        return turn == 1 ? Position{white, black, turn} : Position{black, white, turn};
    }

    /// The pieces that can step each way.
    struct Origins {
        Word west, straight, east;
    };

    /// Diagonally onto anything but an own piece, straight only onto an empty cell.
    Origins can_step(const Position& position) const {
        const Word own = position.own, occupied = position.own | position.enemy;
        const Word not_west = own & ~board.left_column, not_east = own & ~board.right_column;
        if (position.turn == 1)
            return {not_west & ~(own >> (size - 1)), own & ~(occupied >> size), not_east & ~(own >> (size + 1))};
        return {not_west & ~(own << (size + 1)), own & ~(occupied << size), not_east & ~(own << (size - 1))};
    }

    SquareBoard board;
    int size;
    Word first_row, last_row;
};

}  // namespace tabuleiro
