// Ouri and Oware: sow seeds, capture twos and threes. The twin of games/ouri.py.
#pragma once

#include <bit>
#include <cstring>
#include <numeric>

#include "../game.hpp"

namespace tabuleiro {

struct Ouri {
    static constexpr const char* id = "ouri";
    static constexpr int max_words = 15;
    static constexpr int max_moves = 6;
    static constexpr int houses = 12, row = 6, seeds = 48, majority = 25;
    static constexpr int move_codes = houses;

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
        for (int house = 0; house < row; ++house)
            for (int seeds_there = 1; seeds_there <= seeds; ++seeds_there) {
                Sowing& sowing = sowings[house][seeds_there];
                int at = house;
                for (int left = seeds_there; left > 0; --left) {
                    // The house left is skipped on every lap.
                    do at = (at + 1) % houses;
                    while (at == house);
                    (at < row ? sowing.own : sowing.enemy) += Word{1} << 8 * (at % row);
                }
                sowing.last = at;
            }
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
        // A player who cannot give seeds to an opponent without any collects what is left: it all lies in his own
        // houses.
        return by_stores_and_rows(position);
    }

    int moves(const Position& position, Move* list) const {
        int n = 0;
        if (!has_majority(position))
            for (Word left = playable(position); left;) list[n++] = first_house(position.turn) + pop(left);
        return n;
    }

    int count(const Position& position) const {
        return has_majority(position) ? 0 : tabuleiro::count(playable(position));
    }

    Move random_move(const Position& position, Random& random) const {
        const Word able = playable(position);
        return first_house(position.turn) + nth_house[able][random.below(tabuleiro::count(able))];
    }

    void play(Position& position, Move move) const {
        auto [own, enemy] = rows(position);
        const int house = static_cast<int>(move) - first_house(position.turn);
        const Sowing& sowing = sowings[house][own >> 8 * house & 0xff];
        own = (own & ~(Word{0xff} << 8 * house)) + sowing.own;
        enemy += sowing.enemy;
        int captured = 0;
        if (sowing.last >= row) {
            const Word taken = capturable(enemy, sowing.last - row);
            captured = total(enemy & taken);
            if (oware && captured == total(enemy))
                captured = 0;
            else
                enemy &= ~taken;
        }
        position.store[position.turn - 1] += captured;
        write_rows(position, own, enemy);
        // Taking everything obliges to move again, to feed. (In oware a move never takes everything.)
        if (!(captured && enemy == 0)) position.turn = other(position.turn);
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
        const Word rest = static_cast<Word>(position.turn) << 32 | high;
        // Both halves of one product: cheaper than mixing, and every bit still matters.
        const auto product = static_cast<unsigned __int128>(low ^ 0x9e3779b97f4a7c15) * (rest ^ 0xd6e8feb86659fd93);
        return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
    }

    bool is_progress(const Position& before, Move, const Position& after) const {
        return before.store[0] != after.store[0] || before.store[1] != after.store[1];
    }

    /// After a cycle the stores decide; the seeds on the board count for nobody, or by option for their owners.
    Result settle(const Position& position, Ending) const {
        return owners_collect ? by_stores_and_rows(position) : by_points(position.store[0], position.store[1]);
    }

    /// Whether positions that lie on one cycle may be settled differently.
    bool settles_by_position() const { return owners_collect; }

    // A row is six bytes of a word, the first house lowest: all of its houses are looked at at once. No house ever
    // holds more than 48 seeds, so adding less than 80 to every byte never carries into the next one.
    static_assert(std::endian::native == std::endian::little);
    static constexpr Word ones = 0x010101010101;

    struct Rows {
        Word own, enemy;
    };

    /// The rows of the player to move and of the other.
    static Rows rows(const Position& position) {
        Word low;
        std::uint32_t high;
        std::memcpy(&low, position.house, sizeof low);
        std::memcpy(&high, position.house + sizeof low, sizeof high);
        const Word south = low & first_cells(48), north = low >> 48 | static_cast<Word>(high) << 16;
        return position.turn == 1 ? Rows{south, north} : Rows{north, south};
    }

    static int total(Word of_row) { return static_cast<int>(of_row * ones >> 40 & 0xff); }

   private:
    static constexpr Word highs = 0x80 * ones;
    static constexpr int first_house(int player) { return player == 1 ? 0 : row; }

    /// The k-th house of a set: choosing a random move is the heart of every playout.
    static constexpr std::array<std::array<std::uint8_t, row>, 1 << row> nth_house = [] {
        std::array<std::array<std::uint8_t, row>, 1 << row> table{};
        for (Word set = 0; set < table.size(); ++set) {
            int n = 0;
            for (Word left = set; left;) table[set][n++] = static_cast<std::uint8_t>(pop(left));
        }
        return table;
    }();

    /// What one sowing adds to the rows of the player who sows and of the enemy, and where its last seed falls, counted
    /// from the first house of that player.
    struct Sowing {
        Word own, enemy;
        int last;
    };

    static void write_rows(Position& position, Word own, Word enemy) {
        const Word south = position.turn == 1 ? own : enemy, north = position.turn == 1 ? enemy : own;
        const Word low = south | north << 48;
        const auto high = static_cast<std::uint32_t>(north >> 16);
        std::memcpy(position.house, &low, sizeof low);
        std::memcpy(position.house + sizeof low, &high, sizeof high);
    }

    /// The twos and threes of a row from a house backwards, as whole bytes.
    static Word capturable(Word of_row, int last) {
        const Word two_or_three = ~(((of_row & 0xfe * ones) ^ 2 * ones) + 0x7f * ones) & highs;
        const Word up_to_last = first_cells(8 * (last + 1));
        const Word others = ~two_or_three & highs & up_to_last;
        return others ? up_to_last & ~first_cells(64 - std::countl_zero(others)) : up_to_last;
    }

    /// The houses marked by the high bits of their bytes, as a set of bits. The products of the factor's bits with the
    /// marks fall on different places, those wanted side by side.
    static Word houses_of(Word marks) { return (marks >> 7) * 0x10204081020 >> 40 & first_cells(row); }

    static bool has_majority(const Position& position) {
        return std::max(position.store[0], position.store[1]) >= majority;
    }

    static Result by_stores_and_rows(const Position& position) {
        const auto [own, enemy] = rows(position);
        const int south = total(position.turn == 1 ? own : enemy), north = total(position.turn == 1 ? enemy : own);
        return by_points(position.store[0] + south, position.store[1] + north);
    }

    /// The houses that may be played, counted from the first of the player's, unless a player has the majority.
    Word playable(const Position& position) const {
        const auto [own, enemy] = rows(position);
        const Word filled = (own + 0x7f * ones) & highs, several = (own + 0x7e * ones) & highs;
        // A house with a single seed may not be played while one with more could be.
        Word allowed = !oware && several ? several : filled;
        if (enemy == 0) {
            // Sowing must drop a seed on the other side: the first house needs six for that, the last one.
            const Word feeding = (own + 0x7f7e7d7c7b7a) & highs;
            allowed &= feeding;
            if (!allowed && feed_overrides_singles) allowed = feeding;
        }
        return houses_of(allowed);
    }

    bool oware, feed_overrides_singles;

   public:
    HistoryRules history;
    bool owners_collect;

   private:
    std::array<std::array<Sowing, seeds + 1>, row> sowings{};
};

}  // namespace tabuleiro
