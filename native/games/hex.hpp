// Hex: join your two sides of the board. The twin of games/hex.py.
#pragma once

#include "../game.hpp"

namespace tabuleiro {

struct Hex {
    static constexpr const char* id = "hex";
    static constexpr int max_size = 19, max_cells = max_size * max_size;
    static constexpr int max_stone_words = (max_cells + 63) / 64;
    static constexpr int max_words = 2 * max_stone_words + 2;
    // Every cell, and the swap.
    static constexpr int max_moves = max_cells + 1, move_codes = max_moves, max_plies = max_cells + 1;

    using Cells = Bits<max_stone_words>;
    enum Colour : std::uint8_t { white, black, nobody };
    enum Swap : std::uint8_t { no_swap, may_swap, swapped };

    /// Besides the stones, those of each colour that are joined to its near side, and to its far side: a colour wins
    /// when the first reach its far side, and nobody has to search the whole board for a path.
    struct Position {
        Cells stones[2], joined[2], joined_far[2];
        Colour to_move, winner;
        Swap swap;
    };

    explicit Hex(OptionReader& options)
        : size(options.number(3, max_size)),
          may_ever_swap(options.truth()),
          first(static_cast<Colour>(options.word(2))),
          all(size * size),
          stone_words((all + 63) / 64) {
        for (int cell = 0; cell < all; ++cell) {
            const int letter = cell % size, number = cell / size;
            const auto add = [&](int l, int n) {
                if (0 <= l && l < size && 0 <= n && n < size) neighbours[cell].set(n * size + l);
            };
            add(letter + 1, number), add(letter - 1, number), add(letter, number + 1);
            add(letter, number - 1), add(letter + 1, number - 1), add(letter - 1, number + 1);
            // White's sides are letter a and the last letter; Black's are number 1 and the last number.
            if (letter == 0) near_side[white].set(cell);
            if (letter == size - 1) far_side[white].set(cell);
            if (number == 0) near_side[black].set(cell);
            if (number == size - 1) far_side[black].set(cell);
            place_of[cell] = static_cast<std::uint16_t>((number + 1) * width() + letter + 1);
            cell_at[place_of[cell]] = static_cast<std::uint16_t>(cell);
        }
        const int beyond = size + 1;
        for (int i = 0; i <= beyond; ++i) {
            rim[white][i * width()] = joined_stone, rim[white][i * width() + beyond] = goal;
            rim[black][i] = joined_stone, rim[black][beyond * width() + i] = goal;
        }
    }

    int words() const { return 2 * stone_words + 2; }
    int cells() const { return all; }

    int turn(const Position& position) const { return player(position, position.to_move); }
    int colour(const Position& position) const { return position.to_move; }

    void encode(const Position& position, Word* words) const {
        for (Colour colour : {white, black})
            words = std::copy_n(position.stones[colour].words.begin(), stone_words, words);
        words[0] = position.to_move;
        words[1] = position.swap;
    }

    Position decode(const Word* words) const {
        Cells stones[2];
        for (Colour colour : {white, black}) {
            std::copy_n(words + colour * stone_words, stone_words, stones[colour].words.begin());
            require((stones[colour].words[stone_words - 1] & ~first_cells(all - 64 * (stone_words - 1))) == 0,
                    "a stone stands off the board");
        }
        require(!(stones[white] & stones[black]).any(), "two stones stand on one cell");
        const Word to_move = words[2 * stone_words], swap = words[2 * stone_words + 1];
        require(to_move <= black, "the colour to move is 0 or 1");
        require(swap <= swapped && (swap == no_swap || may_ever_swap), "there is no such state of the swap");
        return with_stones(stones, static_cast<Colour>(to_move), static_cast<Swap>(swap));
    }

    Result outcome(const Position& position) const {
        return position.winner == nobody ? Result::ongoing : win_of(player(position, position.winner));
    }

    int moves(const Position& position, Move* list) const {
        if (position.winner != nobody) return 0;
        int n = 0;
        for_each_empty(position, [&](int cell) { list[n++] = cell; });
        if (position.swap == may_swap) list[n++] = all;
        return n;
    }

    int count(const Position& position) const {
        if (position.winner != nobody) return 0;
        return all - tabuleiro::count(position.stones[white] | position.stones[black]) + (position.swap == may_swap);
    }

    Move random_move(const Position& position, Random& random) const {
        int k = random.below(count(position));
        for (int i = 0; i < stone_words; ++i) {
            const Word empty = empty_of(position, i);
            const int here = tabuleiro::count(empty);
            if (k < here) return 64 * i + select(empty, k);
            k -= here;
        }
        return all;
    }

    void play(Position& position, Move move) const {
        if (static_cast<int>(move) == all) {
            // The stone stays and the players exchange colours, so the second colour is to move still.
            position.swap = swapped;
            return;
        }
        if (position.swap == may_swap)
            position.swap = no_swap;
        else if (may_ever_swap && position.to_move == first && is_empty(position))
            position.swap = may_swap;
        place(position, position.to_move, static_cast<int>(move));
        position.to_move = opposite(position.to_move);
    }

    /// The swap.
    bool exchanges_sides(const Position&, Move move) const { return static_cast<int>(move) == all; }

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        Cells stones[2];
        for (Colour colour : {white, black}) {
            Cells& turned = stones[exchange ? opposite(colour) : colour];
            position.stones[colour].each([&](int cell) { turned.set(cells[cell]); });
        }
        return with_stones(stones, exchange ? opposite(position.to_move) : position.to_move, position.swap);
    }

    static constexpr int max_derived_words = 4 * max_stone_words;
    int derived_words() const { return 4 * stone_words; }

    /// The stones joined to their near side, White's and Black's, then those joined to their far side.
    void derived_cells(const Position& position, Word* words) const {
        for (Colour colour : {white, black})
            words = std::copy_n(position.joined[colour].words.begin(), stone_words, words);
        for (Colour colour : {white, black})
            words = std::copy_n(position.joined_far[colour].words.begin(), stone_words, words);
    }

    // One set: the empty cells, and behind them the swap.
    static constexpr int number_of_move_sets = 1, max_set_words = max_stone_words;
    int set_members() const { return all + 1; }

    void move_sets(const Position& position, Word* sets) const {
        sets[all >> 6] = 0;
        for (int i = 0; i < stone_words; ++i) sets[i] = empty_of(position, i);
        if (position.swap == may_swap) sets[all >> 6] |= bit(all & 63);
    }

    Move set_move(int, int, int member) const { return member; }

    /// Random moves fill the board in a random order, so one shuffle draws them all; the game ends at the first stone
    /// that joins two sides.
    RandomGame random_game(const Position& position, Random& random, Move* record) const {
        if (position.winner != nobody) return {outcome(position), 0};
        Place seen[2][places];
        for (Colour colour : {white, black}) {
            std::copy_n(rim[colour].begin(), width() * width(), seen[colour]);
            position.stones[colour].each([&](int cell) {
                seen[colour][place_of[cell]] = position.joined[colour].has(cell) ? joined_stone : loose_stone;
            });
        }
        std::uint16_t empty[max_cells];
        int left = 0;
        for_each_empty(position, [&](int cell) { empty[left++] = place_of[cell]; });

        Colour to_move = position.to_move;
        Swap swap = position.swap;
        bool first_stone = may_ever_swap && to_move == first && left == all;
        for (int length = 0;;) {
            const int drawn = random.below(left + (swap == may_swap));
            if (drawn == left) {
                swap = swapped;
                if (record) record[length] = all;
                ++length;
                continue;
            }
            swap = first_stone ? may_swap : swap == may_swap ? no_swap : swap;
            first_stone = false;
            const int place = empty[drawn];
            empty[drawn] = empty[--left];
            if (record) record[length] = cell_at[place];
            ++length;
            if (wins(seen[to_move], place)) return {win_of((to_move == first) != (swap == swapped) ? 1 : 2), length};
            to_move = opposite(to_move);
        }
    }

   private:
    /// What one colour sees on the board of `random_game`, which has a rim all around: its own stones, its near side as
    /// if it were made of stones, and its far side as the goal.
    enum Place : std::uint8_t { nothing = 0, loose_stone = 1, joined_stone = 2, goal = 4 };
    static constexpr int places = (max_size + 2) * (max_size + 2);
    int width() const { return size + 2; }

    static constexpr Colour opposite(Colour colour) { return colour == white ? black : white; }

    /// Player one has the first colour, unless the players have exchanged them.
    int player(const Position& position, Colour colour) const {
        return (colour == first) != (position.swap == swapped) ? 1 : 2;
    }

    template <class Visit>
    void for_each_empty(const Position& position, Visit visit) const {
        for (int i = 0; i < stone_words; ++i)
            for (Word left = empty_of(position, i); left;) visit(64 * i + pop(left));
    }

    /// The empty ones of the cells 64 i to 64 i + 63.
    Word empty_of(const Position& position, int i) const {
        return ~(position.stones[white].words[i] | position.stones[black].words[i]) &
               first_cells(std::min(64, all - 64 * i));
    }

    bool is_empty(const Position& position) const { return !(position.stones[white] | position.stones[black]).any(); }

    Position with_stones(const Cells (&stones)[2], Colour to_move, Swap swap) const {
        Position position{};
        position.winner = nobody;
        for (Colour colour : {white, black}) stones[colour].each([&](int cell) { place(position, colour, cell); });
        position.to_move = to_move;
        position.swap = swap;
        return position;
    }

    void place(Position& position, Colour colour, int cell) const {
        position.stones[colour].set(cell);
        if (join_if_touching(position.joined[colour], position.stones[colour], near_side[colour], cell) &&
            (position.joined[colour] & far_side[colour]).any())
            position.winner = colour;
        join_if_touching(position.joined_far[colour], position.stones[colour], far_side[colour], cell);
    }

    /// Whether a new stone is joined to a side, with what it then joins.
    bool join_if_touching(Cells& joined, const Cells& stones, const Cells& side, int cell) const {
        if (!side.has(cell) && !(neighbours[cell] & joined).any()) return false;
        join(joined, stones, cell);
        return true;
    }

    /// Adds a stone to those joined to a side, and whatever is connected to it.
    void join(Cells& joined, const Cells& stones, int cell) const {
        std::uint16_t waiting[max_cells];
        int n = 0;
        joined.set(cell);
        waiting[n++] = static_cast<std::uint16_t>(cell);
        while (n > 0) {
            const Cells& around = neighbours[waiting[--n]];
            for (int i = 0; i < stone_words; ++i) {
                Word fresh = around.words[i] & stones.words[i] & ~joined.words[i];
                joined.words[i] |= fresh;
                while (fresh) waiting[n++] = static_cast<std::uint16_t>(64 * i + pop(fresh));
            }
        }
    }

    /// Puts a stone on the board of `random_game`, and tells whether its colour has won.
    bool wins(Place* seen, int place) const {
        const int around[] = {1, -1, width(), -width(), 1 - width(), width() - 1};
        int touched = 0;
        for (int step : around) touched |= seen[place + step];
        if (!(touched & joined_stone)) {
            seen[place] = loose_stone;
            return false;
        }
        seen[place] = joined_stone;
        if (!(touched & loose_stone)) return touched & goal;
        std::uint16_t waiting[places];
        int n = 1;
        waiting[0] = static_cast<std::uint16_t>(place);
        while (n > 0) {
            const int from = waiting[--n];
            for (int step : around) {
                // Chance laid these stones, so a branch here would be guessed wrong half the time.
                Place& next = seen[from + step];
                const bool loose = next == loose_stone;
                touched |= next;
                waiting[n] = static_cast<std::uint16_t>(from + step);
                n += loose;
                next = static_cast<Place>(next + loose);
            }
        }
        return touched & goal;
    }

    int size;
    bool may_ever_swap;
    Colour first;
    int all, stone_words;
    Cells near_side[2], far_side[2];
    std::array<Cells, max_cells> neighbours{};
    std::array<std::uint16_t, max_cells> place_of{};
    std::array<std::uint16_t, places> cell_at{};
    std::array<Place, places> rim[2]{};
};

}  // namespace tabuleiro
