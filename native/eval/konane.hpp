// What matters in Konane: to have more moves left than the opponent, above all moves that nobody can take away.
#pragma once

#include "../games/konane.hpp"
#include "konane_patterns.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct KonaneFeatures {
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

    explicit KonaneFeatures(OptionReader& options) : board(options.number(4, 8)), black_begins(options.word(3) == 2) {
        const int last = board.width - 1;
        room[0] = board.all & ~(board.row(0) | board.row(1));
        room[1] = board.all & ~(board.column(0) | board.column(1));
        room[2] = board.all & ~(board.column(last) | board.column(last - 1));
        room[3] = board.all & ~(board.row(last) | board.row(last - 1));
        inside = board.all & ~(board.row(0) | board.row(last) | board.column(0) | board.column(last));
    }

    int width() const { return board.width; }
    /// 0 is White, 1 Black.
    int colour_to_move(const Konane::Position& position) const { return (position.turn == 1) == black_begins; }

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

   private:
    static constexpr int ways = 4;

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
    Word room[ways], inside;
};

/// The features; on 8x8, where patterns are given, those instead: they say all that the features do, and more.
class KonaneEstimator : public Linear<KonaneFeatures> {
   public:
    using Tables = KonanePatterns;

    KonaneEstimator(const EstimatorSettings& settings, const KonanePatterns* patterns)
        : Linear(settings), patterns_(features().width() == 8 ? patterns : nullptr) {}

    int evaluate(const Konane& rules, const Konane::Position& position, const State& state) const {
        if (patterns_) {
            const int mover = features().colour_to_move(position);
            const Word stones = position.stones[0] | position.stones[1];
            // The colour that stands on White's cells is White to them. They know games: a position set up so that a
            // colour stands on cells of both kinds is none of one.
            if (stands_on(position, white_cells)) return patterns_->evaluate(stones, mover);
            if (stands_on(position, ~white_cells)) return patterns_->evaluate(stones, 1 - mover);
        }
        return Linear::evaluate(rules, position, state);
    }

   private:
    static constexpr Word white_cells = 0xaa55aa55aa55aa55;  // of the 8x8 board at the start of a game

    /// Whether White stands on these cells, and Black on the others.
    static bool stands_on(const Konane::Position& position, Word cells) {
        return ((position.stones[0] & ~cells) | (position.stones[1] & cells)) == 0;
    }

    const KonanePatterns* patterns_;
};

}  // namespace tabuleiro
