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

    struct Position {
        Word pieces[2];  // White's (player one's), Black's
        std::uint8_t turn;
    };

    explicit Avanco(OptionReader& options)
        : board(options.number(5, 8)), size(board.width), first_row(board.row(0)), last_row(board.row(size - 1)) {}

    int words() const { return max_words; }
    int cells() const { return board.cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = position.pieces[0];
        words[1] = position.pieces[1];
        words[2] = position.turn;
    }

    Position decode(const Word* words) const {
        require(((words[0] | words[1]) & ~board.all) == 0, "a piece stands off the board");
        require((words[0] & words[1]) == 0, "two pieces stand on one cell");
        require(tabuleiro::count(words[0]) <= 2 * size && tabuleiro::count(words[1]) <= 2 * size, "too many pieces");
        return {{words[0], words[1]}, read_turn(words[2])};
    }

    Result outcome(const Position& position) const {
        const auto [white, black] = position.pieces;
        if ((white & last_row) || !black) return Result::one;
        if ((black & first_row) || !white) return Result::two;
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
        const int k = random.below(west + straight + tabuleiro::count(origins.east));
        const int ahead = position.turn == 1 ? size : -size;
        const auto move = [&](Word from, int number, int step) -> Move {
            const int origin = select(from, number);
            return origin << 6 | (origin + step);
        };
        if (k < west) return move(origins.west, k, ahead - 1);
        if (k < west + straight) return move(origins.straight, k - west, ahead);
        return move(origins.east, k - west - straight, ahead + 1);
    }

    void play(Position& position, Move move) const {
        const Word origin = bit(move >> 6), target = bit(move & 63);
        const int mover = position.turn - 1;
        position.pieces[mover] ^= origin | target;
        position.pieces[1 - mover] &= ~target;
        position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        const Word white = permuted(position.pieces[0], cells), black = permuted(position.pieces[1], cells);
        if (!exchange) return {{white, black}, position.turn};
        return {{black, white}, other(position.turn)};
    }

   private:
    /// The pieces that can step each way.
    struct Origins {
        Word west, straight, east;
    };

    /// Diagonally onto anything but an own piece, straight only onto an empty cell.
    Origins can_step(const Position& position) const {
        const Word own = position.pieces[position.turn - 1];
        const Word occupied = position.pieces[0] | position.pieces[1];
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
