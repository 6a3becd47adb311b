// What matters in Konane: to have more moves left than the opponent, above all moves that nobody can take away.
#pragma once

#include "../games/konane.hpp"
#include "konane_patterns.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct KonaneEvaluator {
    using Rules = Konane;
    static constexpr std::array names = {
        "turn",           // the right to move
        "own_jumps",      // single jumps
        "enemy_jumps",
        "own_movable",    // stones that can jump
        "enemy_movable",
        "own_safe",       // jumps whose stone, victim and target the opponent cannot touch
        "enemy_safe",
        "own_later",      // pairs of an own stone and a victim with an own or enemy stone behind it: jumps to come
        "enemy_later",
        "stones",         // own minus enemy
        "edge",           // stones on the rim, which cannot be jumped across it
    };
    static constexpr bool has_noise = false;

    explicit KonaneEvaluator(OptionReader& options, const KonanePatterns* known = nullptr)
        : board(options.number(4, 8)), black_begins(options.word(3) == 2), patterns(board.width == 8 ? known : nullptr) {
        const int last = board.width - 1;
        room[0] = board.all & ~(board.row(0) | board.row(1));
        room[1] = board.all & ~(board.column(0) | board.column(1));
        room[2] = board.all & ~(board.column(last) | board.column(last - 1));
        room[3] = board.all & ~(board.row(last) | board.row(last - 1));
        inside = board.all & ~(board.row(0) | board.row(last) | board.column(0) | board.column(last));
    }

    /// Where there are patterns, they say all that the features do, and more. They know games: a position set up so that
    /// a colour stands on cells of both kinds is none of one.
    bool sees_patterns(const Konane::Position& position) const {
        return patterns && (stands_on(position, white_cells) || stands_on(position, ~white_cells));
    }
    int by_patterns(const Konane::Position& position) const {
        // Whoever stands on White's cells is White to them.
        const int mover = colour_to_move(position);
        return patterns->evaluate(position.stones[0] | position.stones[1],
                                  stands_on(position, white_cells) ? mover : 1 - mover);
    }

    int extract(const Konane&, const Konane::Position& position, int* features) const {
        const int mover = colour_to_move(position);
        const Word own = position.stones[mover], enemy = position.stones[1 - mover];
        const Jumps mine = jumps(own, enemy), theirs = jumps(enemy, own);
        int n = 0;
        features[n++] = 1;
        features[n++] = mine.count;
        features[n++] = theirs.count;
        features[n++] = count(mine.movable);
        features[n++] = count(theirs.movable);
        features[n++] = safe(mine, theirs);
        features[n++] = safe(theirs, mine);
        features[n++] = mine.later;
        features[n++] = theirs.later;
        features[n++] = count(own) - count(enemy);
        features[n++] = count(own & ~inside) - count(enemy & ~inside);
        return early_phase * count(own | enemy) / board.cells;
    }

    int noise(const Konane&, const Konane::Position&, Move) const { return 0; }

   private:
    static constexpr int ways = 4;

    static constexpr Word white_cells = 0xaa55aa55aa55aa55;  // of the 8x8 board at the start of a game

    int colour_to_move(const Konane::Position& position) const { return (position.turn == 1) == black_begins; }
    /// Whether White stands on these cells, and Black on the others.
    static bool stands_on(const Konane::Position& position, Word cells) {
        return ((position.stones[0] & ~cells) | (position.stones[1] & cells)) == 0;
    }

    struct Jumps {
        Word from[ways];  // the stones that can jump each way
        Word movable = 0, victims = 0, targets = 0;
        int count = 0, later = 0;
    };

    /// One step south, west, east, north, and back.
    Word moved(Word set, int way) const {
        switch (way) {
            case 0: return set >> board.width;
            case 1: return set >> 1;
            case 2: return set << 1;
            default: return set << board.width & board.all;
        }
    }
    Word back(Word set, int way) const { return moved(set, ways - 1 - way); }

    Jumps jumps(Word own, Word enemy) const {
        const Word empty = board.all & ~(own | enemy);
        Jumps jumps;
        for (int way = 0; way < ways; ++way) {
            const Word facing = own & room[way] & back(enemy, way);
            const Word able = facing & back(back(empty, way), way);
            jumps.from[way] = able;
            jumps.movable |= able;
            jumps.victims |= moved(able, way);
            jumps.targets |= moved(moved(able, way), way);
            jumps.count += tabuleiro::count(able);
            jumps.later += tabuleiro::count(facing & ~able);
        }
        return jumps;
    }

    int safe(const Jumps& mine, const Jumps& theirs) const {
        int total = 0;
        for (int way = 0; way < ways; ++way)
            total += tabuleiro::count(mine.from[way] & ~theirs.victims & ~back(theirs.movable, way) &
                                      ~back(back(theirs.targets, way), way));
        return total;
    }

    SquareBoard board;
    bool black_begins;
    const KonanePatterns* patterns;
    Word room[ways], inside;
};

}  // namespace tabuleiro
