// What matters in Abalone: marbles ejected, to stand together near the centre, and not to be pushed off next.
#pragma once

#include "../games/abalone.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct AbaloneFeatures {
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

    explicit AbaloneFeatures(OptionReader& options) {
        options.word(5);
        options.number(0, 3);
        options.number(0, 10'000);
        ejections = options.number(1, 6);
        // The board without its rim, without the rim of what is left, and so on.
        Word set = HexagonRing::all;
        for (Word& smaller : within) {
            Word rim = 0;
            for (int d = 0; d < HexagonRing::directions; ++d) rim |= set & ~(ring.inside[d] & ring.before(set, d));
            smaller = set &= ~rim;
        }
    }

    int extract(const Abalone&, const Abalone::Position& position, int* features) const {
        const int mover = position.turn - 1;
        const Word own = position.marbles[mover][0], enemy = position.marbles[1 - mover][0];
        const Side mine = side(own, enemy), theirs = side(enemy, own);
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
        int place = ring.place_of[move >> 6];
        for (Word row : {own, enemy}) {
            if (!(row >> place & 1)) return 0;
            while (row >> place & 1) {
                if (!(ring.inside[direction] >> place & 1)) return row == enemy;
                place = ring.next(place, direction);
            }
        }
        return 0;
    }

   private:
    static constexpr HexagonRing ring{};

    struct Side {
        int centre = 0, rim, pairs = 0, threes = 0, ejectable = 0, pressed = 0;
    };

    Side side(Word own, Word enemy) const {
        Side side;
        for (Word set : within) side.centre += count(own & set);
        side.rim = count(own & ~within[0]);
        for (int d = 0; d < HexagonRing::directions; ++d) {
            const Word inside = ring.inside[d];
            if (d < HexagonRing::axes) {
                const Word pairs = own & inside & ring.before(own, d);
                side.pairs += count(pairs);
                side.threes += count(pairs & ring.before(pairs, d));
            }
            // On the rim with nothing beyond, a marble is pushed off by two in line behind it, or with another marble
            // by three.
            const Word edge = own & ~inside;
            const Word behind_one = enemy & inside & ring.before(edge, d);
            const Word behind_two = enemy & inside & ring.before(own & inside & ring.before(edge, d), d);
            const Word second = enemy & inside & ring.before(behind_two, d);
            side.pressed += count(behind_one);
            side.ejectable += count(enemy & inside & ring.before(behind_one, d));
            side.ejectable += count(enemy & inside & ring.before(second, d));
        }
        return side;
    }

    int ejections;
    Word within[4];
};

}  // namespace tabuleiro
