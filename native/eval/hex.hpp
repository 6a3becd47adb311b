// What matters in Hex: how many stones each colour lacks to join its sides, counting bridges as joined.
#pragma once

#include "../games/hex.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct HexFeatures {
    using Rules = Hex;
    static constexpr std::array names = {
        "turn",      // the right to move
        "distance",  // stones that the opponent lacks minus stones that the player to move lacks
        "paths",     // cells on shortest paths, own minus enemy: the more, the harder to cut
        "swap",      // the swap may be taken: steps by which the stone on the board is ahead
    };

    explicit HexFeatures(OptionReader& options) : size(options.number(3, Hex::max_size)), width(size + 4) {
        // Neighbours in turn around a cell; a bridge lies between each two of them that follow one another.
        const int around[ways] = {1, 1 - width, -width, -1, width - 1, width};
        for (int way = 0; way < ways; ++way) {
            step[way] = around[way];
            bridge[way] = around[way] + around[(way + 1) % ways];
        }
    }

    int extract(const Hex&, const Hex::Position& position, int* features) const {
        const Hex::Colour own = position.to_move, enemy = own == Hex::white ? Hex::black : Hex::white;
        const Reach mine = reach(position, own), theirs = reach(position, enemy);
        const bool swap = position.swap == Hex::may_swap;
        features[0] = swap ? 0 : 1;
        features[1] = swap ? 0 : theirs.distance - mine.distance;
        features[2] = swap ? 0 : mine.paths - theirs.paths;
        // A player who may take the stone on the board is no worse off than with it, nor than without it.
        features[3] = swap ? std::abs(theirs.distance - mine.distance) : 0;
        const int stones = count(position.stones[0]) + count(position.stones[1]);
        return early_phase * (size * size - stones) / (size * size);
    }

   private:
    static constexpr int ways = 6, max_places = (Hex::max_size + 4) * (Hex::max_size + 4), far = 1'000;

    struct Reach {
        int distance, paths;
    };

    int place_of(int letter, int number) const { return (number + 2) * width + letter + 2; }

    Reach reach(const Hex::Position& position, Hex::Colour colour) const {
        std::int8_t cost[max_places];  // stones to add: 0 on an own stone, 1 on an empty cell, -1 where nobody can go
        std::fill_n(cost, width * width, std::int8_t{-1});
        for (int number = 0, cell = 0; number < size; ++number)
            for (int letter = 0; letter < size; ++letter, ++cell)
                cost[place_of(letter, number)] = position.stones[colour].has(cell)       ? 0
                                                 : position.stones[1 - colour].has(cell) ? -1
                                                                                         : 1;
        std::int16_t from_near[max_places], from_far[max_places];
        spread(cost, colour, 0, from_near);
        spread(cost, colour, size - 1, from_far);
        Reach reach{far, 0};
        for (int number = 0; number < size; ++number)
            for (int letter = 0; letter < size; ++letter) {
                const int place = place_of(letter, number);
                if (cost[place] < 0) continue;
                const int through = from_near[place] + from_far[place] - cost[place];
                if (through < reach.distance) reach = {through, 0};
                reach.paths += through == reach.distance && cost[place] == 1;
            }
        reach.distance = std::min(reach.distance, 2 * size);
        return reach;
    }

    /// The stones needed to join each cell, its own included, to one side of a colour.
    void spread(const std::int8_t* cost, Hex::Colour colour, int side, std::int16_t* distance) const {
        std::fill_n(distance, width * width, std::int16_t{far});
        // Cells whose distance has become d, level by level; cells of cost 0 join the level being worked on.
        std::uint16_t now[max_places], next[max_places];
        int n = 0, m = 0;
        const auto improve = [&](int place, int level) {
            if (cost[place] < 0 || level + cost[place] >= distance[place]) return;
            distance[place] = static_cast<std::int16_t>(level + cost[place]);
            if (cost[place] == 0)
                now[n++] = static_cast<std::uint16_t>(place);
            else
                next[m++] = static_cast<std::uint16_t>(place);
        };
        const int inwards = side == 0 ? 1 : -1;
        for (int i = 0; i < size; ++i) {
            improve(colour == Hex::white ? place_of(side, i) : place_of(i, side), 0);
            // From the second line a bridge leads to the side.
            const int letter = colour == Hex::white ? side + inwards : i,
                      number = colour == Hex::white ? i : side + inwards;
            const int place = place_of(letter, number);
            const int to_side[2][2] = {{-inwards, colour == Hex::white ? -inwards * (1 - width) : 0},
                                       {-inwards * width, -inwards * (width - 1)}};
            const int* exits = to_side[colour == Hex::white ? 0 : 1];
            if (cost[place + exits[0]] == 1 && cost[place + exits[1]] == 1) improve(place, 0);
        }
        for (int level = 0; n + m > 0; ++level) {
            for (int i = 0; i < n; ++i) {
                const int place = now[i];
                if (distance[place] != level) continue;
                for (int way = 0; way < ways; ++way) {
                    const int left = place + step[way], right = place + step[(way + 1) % ways];
                    improve(left, level);
                    if (cost[left] == 1 && cost[right] == 1) improve(place + bridge[way], level);
                }
            }
            std::copy_n(next, m, now);
            n = m;
            m = 0;
        }
    }

    int size, width;
    int step[ways], bridge[ways];
};

}  // namespace tabuleiro
