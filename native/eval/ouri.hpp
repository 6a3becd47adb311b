// What matters in Ouri: seeds in store, what can be taken next, and how much lies in which houses.
#pragma once

#include "../solve/ouri.hpp"
#include "linear.hpp"

namespace tabuleiro {

struct OuriFeatures {
    using Rules = Ouri;
    static constexpr std::array names = {
        "turn",         // the right to move
        "store",        // own minus enemy, as most features below
        "row",          // seeds in the houses
        "own_take",     // the most seeds that the player to move can capture now
        "enemy_take",   // the most that the opponent could capture, if it were the opponent's turn
        "own_takes",    // houses that capture something
        "enemy_takes",
        "ones",         // houses with one seed, with two seeds, with none
        "twos",        "empty",
        "big",          // houses with twelve seeds or more
        "front",        // seeds in the last two houses, about to go to the other side
        "choices",      // houses that could be played
    };

    explicit OuriFeatures(OptionReader&) {}

    int extract(const Ouri&, const Ouri::Position& position, int* features) const {
        const int own = position.turn - 1, enemy = 1 - own;
        const Row mine = look(position, own), theirs = look(position, enemy);
        int n = 0;
        features[n++] = 1;
        features[n++] = position.store[own] - position.store[enemy];
        features[n++] = mine.seeds - theirs.seeds;
        features[n++] = mine.take;
        features[n++] = theirs.take;
        features[n++] = mine.takes;
        features[n++] = theirs.takes;
        features[n++] = mine.ones - theirs.ones;
        features[n++] = mine.twos - theirs.twos;
        features[n++] = mine.empty - theirs.empty;
        features[n++] = mine.big - theirs.big;
        features[n++] = mine.front - theirs.front;
        features[n++] = mine.choices - theirs.choices;
        return early_phase * (mine.seeds + theirs.seeds) / Ouri::seeds;
    }

    /// The seeds that a move captures.
    int noise(const Ouri& rules, const Ouri::Position& position, Move move) const {
        const int house = static_cast<int>(move), seeds = position.house[house];
        // A sowing that ends in the own row captures nothing.
        if ((last_of(house, seeds) < Ouri::row) == (house < Ouri::row)) return 0;
        Ouri::Position next = position;
        rules.play(next, move);
        const int player = position.turn - 1;
        return next.store[player] - position.store[player];
    }

   private:
    struct Row {
        int seeds = 0, take = 0, takes = 0, ones = 0, twos = 0, empty = 0, big = 0, front = 0, choices = 0;
    };

    /// Where the last of some seeds falls: the house left is skipped on every lap.
    static int last_of(int house, int seeds) {
        return seeds == 0 ? house : (house + seeds + (seeds - 1) / (Ouri::houses - 1)) % Ouri::houses;
    }

    static Row look(const Ouri::Position& position, int side) {
        const int start = side * Ouri::row, across = Ouri::row - start;
        Row row;
        for (int house = start; house < start + Ouri::row; ++house) {
            const int seeds = position.house[house];
            row.seeds += seeds;
            row.ones += seeds == 1;
            row.twos += seeds == 2;
            row.empty += seeds == 0;
            row.big += seeds >= Ouri::houses;
            row.choices += seeds >= 2;
            if (house >= start + Ouri::row - 2) row.front += seeds;
            if (const int take = taken(position, house, seeds, across)) {
                row.take = std::max(row.take, take);
                ++row.takes;
            }
        }
        return row;
    }

    /// The seeds that a house would capture in the row that begins at `across`.
    static int taken(const Ouri::Position& position, int house, int seeds, int across) {
        if (seeds == 0) return 0;
        int total = 0;
        for (int at = last_of(house, seeds); at >= across && at < across + Ouri::row; --at) {
            // What falls into each house: one a lap.
            const int way = (at - house + Ouri::houses) % Ouri::houses;
            const int falls = way > seeds ? 0 : 1 + (seeds - way) / (Ouri::houses - 1);
            const int after = position.house[at] + falls;
            if (after != 2 && after != 3) break;
            total += after;
        }
        return total;
    }
};

/// An estimate, with what stores and tables of endings prove.
template <class Judge>
class OuriEstimate : public Judge {
   public:
    using Tables = OuriEndings;

    OuriEstimate(const EstimatorSettings& settings, const OuriEndings* endings) : Judge(settings), endings_(endings) {}

    std::pair<Worth, Worth> bounds(const Ouri::Position& position, const Returns& returns) const {
        const int own = position.turn - 1, lead = position.store[own] - position.store[1 - own];
        if (endings_)
            if (const Ouri::Rows rows = Ouri::rows(position); endings_->knows(rows)) {
                const auto [least, most] = endings_->range(rows);
                // Who plays for what the tables promise gets it, or comes to a position that ends the game by coming
                // back.
                return {std::min(sign(lead + least), returns.least), std::max(sign(lead + most), returns.most)};
            }
        // A player with half of the seeds cannot lose any more: seeds never leave a store.
        return {position.store[own] >= Ouri::seeds / 2 ? drawn : lost,
                position.store[1 - own] >= Ouri::seeds / 2 ? drawn : won};
    }

   private:
    static Worth sign(int number) { return static_cast<Worth>((number > 0) - (number < 0)); }

    const OuriEndings* endings_;
};

using OuriEstimator = OuriEstimate<Linear<OuriFeatures>>;

}  // namespace tabuleiro
