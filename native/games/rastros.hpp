// Rastros: one marker, moved by both, leaves a trail. The twin of games/rastros.py.
#pragma once

#include "../game.hpp"
#include "../square.hpp"

namespace tabuleiro {

struct Rastros {
    static constexpr const char* id = "rastros";
    static constexpr int max_words = 3;
    static constexpr int max_moves = 8;
    static constexpr int move_codes = 64;

    struct Position {
        Word blocked;
        std::uint8_t marker, turn;
    };

    explicit Rastros(OptionReader& options)
        : board(options.number(4, 8)),
          stalemate_draws(options.word(2) == 1),
          must_keep_goal_reachable(options.truth()) {
        for (int cell = 0; cell < board.cells; ++cell) neighbours[cell] = board.grown(bit(cell)) & ~bit(cell);
    }

    int words() const { return max_words; }
    int cells() const { return board.cells; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words[0] = position.blocked;
        words[1] = position.marker;
        words[2] = position.turn;
    }

    Position decode(const Word* words) const {
        require((words[0] & ~board.all) == 0, "a blocked cell lies off the board");
        require(words[1] < static_cast<Word>(board.cells), "the marker stands off the board");
        require((words[0] & bit(static_cast<int>(words[1]))) == 0, "the marker stands on a blocked cell");
        return {words[0], static_cast<std::uint8_t>(words[1]), read_turn(words[2])};
    }

    Result outcome(const Position& position) const {
        // The goal decides, whichever player moved there, and before anything else.
        if (position.marker == 0) return Result::one;
        if (position.marker == board.cells - 1) return Result::two;
        if (steps(position)) return Result::ongoing;
        return stalemate_draws ? Result::draw : win_of(other(position.turn));
    }

    int moves(const Position& position, Move* list) const {
        int n = 0;
        if (!at_goal(position))
            for (Word left = steps(position); left;) list[n++] = pop(left);
        return n;
    }

    int count(const Position& position) const { return at_goal(position) ? 0 : tabuleiro::count(steps(position)); }

    Move random_move(const Position& position, Random& random) const {
        const Word targets = steps(position);
        return select(targets, random.below(tabuleiro::count(targets)));
    }

    void play(Position& position, Move move) const {
        position.blocked |= bit(position.marker);
        position.marker = static_cast<std::uint8_t>(move);
        position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        return {permuted(position.blocked, cells), static_cast<std::uint8_t>(cells[position.marker]),
                exchange ? other(position.turn) : position.turn};
    }

    // One set: the cells to go to.
    static constexpr int number_of_move_sets = 1, max_set_words = 1;
    int set_members() const { return board.cells; }
    void move_sets(const Position& position, Word* sets) const { *sets = steps(position); }
    Move set_move(int, int, int member) const { return member; }

   private:
    bool at_goal(const Position& position) const { return position.marker == 0 || position.marker == board.cells - 1; }

    /// Where the marker may go, unless it stands on a goal.
    Word steps(const Position& position) const {
        const Word empty = board.all & ~position.blocked & ~bit(position.marker);
        const Word targets = neighbours[position.marker] & empty;
        if (!must_keep_goal_reachable) return targets;
        // What can still walk to some goal is what can be reached from one.
        Word reached = empty & (bit(0) | bit(board.cells - 1));
        for (Word before = 0; reached != before;) {
            before = reached;
            reached = board.grown(reached) & empty;
        }
        return targets & reached;
    }

    SquareBoard board;
    bool stalemate_draws, must_keep_goal_reachable;
    std::array<Word, 64> neighbours{};
};

}  // namespace tabuleiro
