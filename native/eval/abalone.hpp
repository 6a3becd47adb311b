// What matters in Abalone: marbles ejected, to stand together near the centre, and not to be pushed off next.
#pragma once

#include "../games/abalone.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct AbaloneEvaluator {
    using Rules = Abalone;
    static constexpr std::array names = {
        "turn",          // the right to move
        "ejected",       // marbles ejected minus marbles lost
        "centre",        // steps from the rim, summed over the marbles; own minus enemy, as the features below
        "rim",           // marbles on the rim
        "pairs",         // neighbours of the same colour
        "threes",        // three of the same colour in line
        "own_ejectable",    // marbles that the opponent could push off
        "enemy_ejectable",  // marbles that the player to move can push off
        "pressed",       // marbles on the rim with an enemy behind them
        "last",          // 1 when the player to move needs one more marble, -1 when the opponent does
    };
    static constexpr bool has_noise = true;

    explicit AbaloneEvaluator(OptionReader& options) {
        options.word(5);
        options.number(0, 3);
        options.number(0, 10'000);
        ejections = options.number(1, 6);
        constexpr int up[directions] = {0, 1, 1, 0, -1, -1}, along[directions] = {1, 1, 0, -1, -1, 0};
        const auto on_board = [](int row, int number) { return distance(row, number) <= radius; };
        for (int row = 0; row <= 2 * radius; ++row)
            for (int number = 0; number <= 2 * radius; ++number) {
                if (!on_board(row, number)) continue;
                const Word place = bit((13 * row + number) % cells);
                for (int ring = distance(row, number); ring < radius; ++ring) within[ring] |= place;
                for (int d = 0; d < directions; ++d)
                    if (on_board(row + up[d], number + along[d])) inside[d] |= place;
            }
    }

    int extract(const Abalone&, const Abalone::Position& position, int* features) const {
        const int mover = position.turn - 1;
        const Side mine = side(position.marbles[mover][0], position.marbles[1 - mover][0]);
        const Side theirs = side(position.marbles[1 - mover][0], position.marbles[mover][0]);
        const int ejected = position.lost[1 - mover], lost_marbles = position.lost[mover];
        int n = 0;
        features[n++] = 1;
        features[n++] = ejected - lost_marbles;
        features[n++] = mine.centre - theirs.centre;
        features[n++] = mine.rim - theirs.rim;
        features[n++] = mine.pairs - theirs.pairs;
        features[n++] = mine.threes - theirs.threes;
        features[n++] = mine.ejectable;
        features[n++] = theirs.ejectable;
        features[n++] = mine.pressed - theirs.pressed;
        features[n++] = (ejected == ejections - 1) - (lost_marbles == ejections - 1);
        return early_phase * (2 * ejections - ejected - lost_marbles) / (2 * ejections);
    }

    /// A push that ejects.
    int noise(const Abalone&, const Abalone::Position& position, Move move) const {
        if (move >> 3 & 7) return 0;
        const int direction = move & 7;
        const Word own = position.marbles[position.turn - 1][0], enemy = position.marbles[2 - position.turn][0];
        Word at = place_of(static_cast<int>(move >> 6));
        while (own & at) {
            if (!(at & inside[direction])) return 0;
            at = moved(at, direction);
        }
        if (!(enemy & at)) return 0;
        while (enemy & at) {
            if (!(at & inside[direction])) return 1;
            at = moved(at, direction);
        }
        return 0;
    }

   private:
    // Cells lie on the kernel's ring: row r, number c at place 13 r + c modulo 61, so that a step is a rotation.
    static constexpr int cells = 61, directions = 6, radius = 4;
    static constexpr Word all = first_cells(cells);
    static constexpr int rotation[directions] = {1, 14, 13, cells - 1, cells - 14, cells - 13};

    struct Side {
        int centre = 0, rim, pairs = 0, threes = 0, ejectable = 0, pressed = 0;
    };

    static constexpr int distance(int row, int number) {
        const int up = row - radius, along = number - radius;
        return std::max({std::abs(up), std::abs(along), std::abs(up - along)});
    }

    static Word place_of(int cell) {
        static const auto table = [] {
            std::array<Word, cells> made{};
            int next = 0;
            for (int row = 0; row <= 2 * radius; ++row)
                for (int number = 0; number <= 2 * radius; ++number)
                    if (distance(row, number) <= radius) made[next++] = bit((13 * row + number) % cells);
            return made;
        }();
        return table[cell];
    }

    static Word moved(Word set, int direction) {
        return (set << rotation[direction] | set >> (cells - rotation[direction])) & all;
    }

    Side side(Word own, Word enemy) const {
        Side side;
        for (Word ring : within) side.centre += count(own & ring);
        side.rim = count(own & ~within[radius - 1]);
        for (int d = 0; d < directions; ++d) {
            const Word next = moved(own & inside[d], d) & own;
            if (d < directions / 2) {
                side.pairs += count(next);
                side.threes += count(moved(next & inside[d], d) & own);
            }
            // A marble with nothing but the rim before it is pushed off by two in line behind it; two marbles by three.
            const Word edge = own & ~inside[d];
            const Word one = moved(enemy & inside[d], d), two = moved(one & enemy & inside[d], d);
            const Word three = moved(two & enemy & inside[d], d);
            side.pressed += count(edge & one);
            side.ejectable += count(edge & two & one);
            const Word behind = own & three & two & one;  // an own marble with three enemies behind it
            side.ejectable += count(edge & moved(behind & inside[d], d));
        }
        return side;
    }

    int ejections;
    Word within[radius] = {};  // the cells at most so far from the centre
    Word inside[directions] = {};
};

}  // namespace tabuleiro
