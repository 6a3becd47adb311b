// Semáforo: shared lights; the player who makes three of a colour in a line wins. The twin of games/semaforo.py.
#pragma once

#include "../game.hpp"
#include "../square.hpp"

namespace tabuleiro {

struct Semaforo {
    static constexpr const char* id = "semaforo";
    static constexpr int max_words = 4;
    static constexpr int max_moves = 16;
    static constexpr int move_codes = max_moves;

    struct Position {
        Word green, yellow, red;
        std::uint8_t turn;
    };

    explicit Semaforo(OptionReader& options) : board(board_of(options.word(4))) {
        for (int cell = 0; cell < board.cells; ++cell) {
            const int column = cell % board.width, row = cell / board.width;
            const bool room_east = column + 2 < board.width, room_north = row + 2 < board.height;
            if (room_east) starts[east] |= bit(cell);
            if (room_north) starts[north] |= bit(cell);
            if (room_north && room_east) starts[north_east] |= bit(cell);
            if (room_north && column >= 2) starts[north_west] |= bit(cell);
        }
    }

    int words() const { return max_words; }
    int cells() const { return board.cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = position.green;
        words[1] = position.yellow;
        words[2] = position.red;
        words[3] = position.turn;
    }

    Position decode(const Word* words) const {
        require(((words[0] | words[1] | words[2]) & ~board.all) == 0, "a light stands off the board");
        require(((words[0] & words[1]) | (words[0] & words[2]) | (words[1] & words[2])) == 0,
                "two lights stand on one cell");
        return {words[0], words[1], words[2], read_turn(words[3])};
    }

    Result outcome(const Position& position) const {
        // The lights are shared: a line belongs to the player who completed it, and has just moved.
        if (has_line(position.green) || has_line(position.yellow) || has_line(position.red))
            return win_of(other(position.turn));
        return Result::ongoing;
    }

    int moves(const Position& position, Move* list) const {
        int n = 0;
        if (outcome(position) == Result::ongoing)
            for (Word left = changeable(position); left;) list[n++] = pop(left);
        return n;
    }

    int count(const Position& position) const {
        return outcome(position) == Result::ongoing ? tabuleiro::count(changeable(position)) : 0;
    }

    Move random_move(const Position& position, Random& random) const {
        const Word cells = changeable(position);
        return select(cells, random.below(tabuleiro::count(cells)));
    }

    /// Empty becomes green, green yellow, yellow red.
    void play(Position& position, Move move) const {
        const Word cell = bit(move);
        const Word was_green = position.green & cell, was_yellow = position.yellow & cell;
        position.red |= was_yellow;
        position.yellow ^= was_yellow | was_green;
        if (!was_yellow) position.green ^= cell;
        position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        return {permuted(position.green, cells), permuted(position.yellow, cells), permuted(position.red, cells),
                exchange ? other(position.turn) : position.turn};
    }

    // One set: the cells that can change.
    static constexpr int number_of_move_sets = 1, max_set_words = 1;
    int set_members() const { return board.cells; }
    void move_sets(const Position& position, Word* sets) const { *sets = changeable(position); }
    Move set_move(int, int, int member) const { return member; }

   private:
    enum Direction { east, north, north_east, north_west, directions };

    static SquareBoard board_of(int word) {
        constexpr int rows[] = {3, 3, 3, 4}, columns[] = {4, 3, 5, 4};
        return SquareBoard(columns[word], rows[word]);
    }

    bool has_line(Word lights) const {
        const int steps[directions] = {1, board.width, board.width + 1, board.width - 1};
        Word lines = 0;
        for (int way = 0; way < directions; ++way)
            lines |= starts[way] & lights & lights >> steps[way] & lights >> 2 * steps[way];
        return lines != 0;
    }

    /// Red is final. A board of nothing but red has lines, so some cell can always change.
    Word changeable(const Position& position) const { return board.all & ~position.red; }

    SquareBoard board;
    /// The cells from which two more lie each way.
    Word starts[directions] = {};
};

}  // namespace tabuleiro
