// Ouri and Oware: sow seeds, capture twos and threes. The twin of games/ouri.py.
#pragma once

#include <cstring>
#include <numeric>

#include "../game.hpp"

namespace tabuleiro {

struct Ouri {
    static constexpr const char* id = "ouri";
    static constexpr int max_words = 15;
    static constexpr int max_moves = 6;
    static constexpr int houses = 12, row = 6, seeds = 48, majority = 25;

    struct Position {
        std::uint8_t house[houses];  // South's six, then North's
        std::uint8_t store[2];
        std::uint8_t turn;
    };

    explicit Ouri(OptionReader& options)
        : oware(options.word(2) == 1),
          feed_overrides_singles(options.truth()),
          history{.repetition = options.number(0, 3)},
          owners_collect(options.word(2) == 1) {
        history.stale_plies = options.number(0, 10'000);
        for (int origin = 0; origin < houses; ++origin)
            for (int sown = 0; sown <= seeds; ++sown) sowings[origin][sown] = sowing_of(origin, sown);
    }

    int words() const { return max_words; }
    int cells() const { return houses + 2; }
    int turn(const Position& position) const { return position.turn; }

    void encode(const Position& position, Word* words) const {
        words = std::copy_n(position.house, houses, words);
        words = std::copy_n(position.store, 2, words);
        *words = position.turn;
    }

    Position decode(const Word* words) const {
        require(std::all_of(words, words + houses + 2, [](Word n) { return n <= seeds; }) &&
                    std::accumulate(words, words + houses + 2, Word{0}) == seeds,
                "there are 48 seeds");
        Position position;
        for (int i = 0; i < houses; ++i) position.house[i] = static_cast<std::uint8_t>(words[i]);
        for (int i = 0; i < 2; ++i) position.store[i] = static_cast<std::uint8_t>(words[houses + i]);
        position.turn = read_turn(words[houses + 2]);
        return position;
    }

    Result outcome(const Position& position) const {
        if (has_majority(position)) return by_points(position.store[0], position.store[1]);
        if (playable(position)) return Result::ongoing;
        // Whoever cannot give seeds to an opponent without any collects what is left: it all lies in his own houses.
        return by_stores_and_rows(position);
    }

    int moves(const Position& position, Move* list) const {
        int n = 0;
        if (!has_majority(position))
            for (Word left = playable(position); left;) list[n++] = pop(left);
        return n;
    }

    int count(const Position& position) const {
        return has_majority(position) ? 0 : tabuleiro::count(playable(position));
    }

    Move random_move(const Position& position, Random& random) const {
        const Word able = playable(position);
        return select(able, random.below(tabuleiro::count(able)));
    }

    void play(Position& position, Move move) const {
        const int last = sow(position, static_cast<int>(move));
        const int captured = capture(position, last);
        position.store[position.turn - 1] += captured;
        // Taking everything obliges to move again, to feed. (In oware a move never takes everything.)
        if (!(captured && in_row(position, other(position.turn)) == 0)) position.turn = other(position.turn);
    }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        std::uint8_t turned[houses + 2];
        for (int i = 0; i < houses; ++i) turned[cells[i]] = position.house[i];
        for (int i = 0; i < 2; ++i) turned[cells[houses + i]] = position.store[i];
        Position result = position;
        std::copy_n(turned, houses, result.house);
        std::copy_n(turned + houses, 2, result.store);
        if (exchange) result.turn = other(position.turn);
        return result;
    }

    /// The houses and the player to move, not the stores.
    Word repetition_key(const Position& position) const {
        Word low;
        std::uint32_t high;
        std::memcpy(&low, position.house, sizeof low);
        std::memcpy(&high, position.house + sizeof low, sizeof high);
        return mix(mix(low) ^ (static_cast<Word>(position.turn) << 32 | high));
    }

    bool is_progress(const Position& before, Move, const Position& after) const {
        return before.store[0] != after.store[0] || before.store[1] != after.store[1];
    }

    /// After a cycle the stores decide; the seeds on the board count for nobody, or by option for their owners.
    Result settle(const Position& position, Ending) const {
        return owners_collect ? by_stores_and_rows(position) : by_points(position.store[0], position.store[1]);
    }

   private:
    static int first_house(int player) { return player == 1 ? 0 : row; }

    static int in_row(const Position& position, int player) {
        const std::uint8_t* house = position.house + first_house(player);
        return house[0] + house[1] + house[2] + house[3] + house[4] + house[5];
    }

    static bool has_majority(const Position& position) {
        return std::max(position.store[0], position.store[1]) >= majority;
    }

    static Result by_stores_and_rows(const Position& position) {
        return by_points(position.store[0] + in_row(position, 1), position.store[1] + in_row(position, 2));
    }

    /// The houses that may be played, unless somebody has the majority.
    Word playable(const Position& position) const {
        const int start = first_house(position.turn);
        Word filled = 0, several = 0, feeding = 0;
        for (int i = 0; i < row; ++i) {
            const int here = position.house[start + i];
            filled |= static_cast<Word>(here > 0) << i;
            several |= static_cast<Word>(here > 1) << i;
            // Sowing from here drops a seed on the other side.
            feeding |= static_cast<Word>(here > 0 && here + i >= row) << i;
        }
        // A house with a single seed may not be played while one with more could be.
        Word allowed = !oware && several ? several : filled;
        if (in_row(position, other(position.turn)) == 0) {
            allowed &= feeding;
            if (!allowed && feed_overrides_singles) allowed = feeding;
        }
        return allowed << start;
    }

    /// What every house gains when some seeds are sown, and where the last one falls.
    struct Sowing {
        std::uint8_t gain[houses];
        std::uint8_t last;
    };

    /// One seed a house, skipping the house left on every lap.
    static Sowing sowing_of(int origin, int seeds_sown) {
        Sowing sowing{};
        int at = origin;
        for (int left = seeds_sown; left > 0;) {
            at = (at + 1) % houses;
            if (at == origin) continue;
            ++sowing.gain[at];
            --left;
        }
        sowing.gain[origin] = static_cast<std::uint8_t>(-seeds_sown);  // what makes it empty, modulo 256
        sowing.last = static_cast<std::uint8_t>(at);
        return sowing;
    }

    int sow(Position& position, int origin) const {
        const Sowing& sowing = sowings[origin][position.house[origin]];
        for (int i = 0; i < houses; ++i) position.house[i] += sowing.gain[i];
        return sowing.last;
    }

    /// Takes twos and threes from the last house sown backwards, within the opponent's row.
    int capture(Position& position, int last) const {
        const int first = first_house(other(position.turn));
        int captured = 0, house = last;
        if (house < first || house >= first + row) return 0;
        for (; house >= first && (position.house[house] == 2 || position.house[house] == 3); --house)
            captured += position.house[house];
        if (oware && captured == in_row(position, other(position.turn))) return 0;
        for (; last > house; --last) position.house[last] = 0;
        return captured;
    }

    bool oware, feed_overrides_singles;

   public:
    HistoryRules history;

   private:
    bool owners_collect;
    Sowing sowings[houses][seeds + 1];
};

}  // namespace tabuleiro
