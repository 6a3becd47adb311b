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
    static constexpr int max_moves = max_cells + 1, max_plies = max_cells + 1;

    using Cells = Bits<max_stone_words>;
    enum Colour : std::uint8_t { white, black, nobody };
    enum Swap : std::uint8_t { no_swap, may_swap, swapped };

    /// Besides the stones, those of each colour that are joined to its near side and to its far side: then a stone
    /// wins exactly when it touches both, and nobody has to search the board for a path.
    struct Position {
        Cells stones[2], joined[2][2];
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
            if (letter == 0) side[white][near].set(cell);
            if (letter == size - 1) side[white][far].set(cell);
            if (number == 0) side[black][near].set(cell);
            if (number == size - 1) side[black][far].set(cell);
        }
    }

    int words() const { return 2 * stone_words + 2; }
    int cells() const { return all; }

    int turn(const Position& position) const { return player(position, position.to_move); }

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
        const Cells taken = position.stones[white] | position.stones[black];
        for (int i = 0; i < stone_words; ++i)
            for (Word left = ~taken.words[i] & first_cells(std::min(64, all - 64 * i)); left;)
                list[n++] = 64 * i + pop(left);
        if (position.swap == may_swap) list[n++] = all;
        return n;
    }

    int count(const Position& position) const {
        if (position.winner != nobody) return 0;
        return all - tabuleiro::count(position.stones[white] | position.stones[black]) + (position.swap == may_swap);
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

    Position transform(const Position& position, std::span<const std::uint16_t> cells, bool exchange) const {
        Cells stones[2];
        for (Colour colour : {white, black}) {
            Cells& turned = stones[exchange ? opposite(colour) : colour];
            position.stones[colour].each([&](int cell) { turned.set(cells[cell]); });
        }
        return with_stones(stones, exchange ? opposite(position.to_move) : position.to_move, position.swap);
    }

    /// Random moves fill the board in a random order, so one shuffle draws them all; the game ends at the first stone
    /// that joins two sides.
    RandomGame random_game(const Position& position, Random& random, Move* record) const {
        if (position.winner != nobody) return {outcome(position), 0};
        // A board with a rim all around. Each colour sees its own stones there, marked with the sides they are joined
        // to, and its own sides on the rim.
        const int width = size + 2;
        std::uint8_t seen[2][(max_size + 2) * (max_size + 2)] = {};
        std::uint16_t empty[max_cells];
        int left = 0;
        const auto place_of = [&](int letter, int number) { return (number + 1) * width + letter + 1; };
        for (int i = -1; i <= size; ++i) {
            seen[white][place_of(-1, i)] = joins_near, seen[white][place_of(size, i)] = joins_far;
            seen[black][place_of(i, -1)] = joins_near, seen[black][place_of(i, size)] = joins_far;
        }
        for (int number = 0, cell = 0; number < size; ++number)
            for (int letter = 0; letter < size; ++letter, ++cell) {
                const int place = place_of(letter, number);
                if (position.stones[white].has(cell))
                    seen[white][place] = marks(position, white, cell);
                else if (position.stones[black].has(cell))
                    seen[black][place] = marks(position, black, cell);
                else
                    empty[left++] = static_cast<std::uint16_t>(place);
            }

        Colour to_move = position.to_move;
        Swap swap = position.swap;
        bool first_stone = may_ever_swap && to_move == first && left == all;
        int length = 0;
        while (true) {
            const int drawn = random.below(left + (swap == may_swap));
            if (drawn == left) {
                swap = swapped;
                if (record) record[length] = all;
                ++length;
                continue;
            }
            if (first_stone)
                swap = may_swap, first_stone = false;
            else if (swap == may_swap)
                swap = no_swap;
            const int place = empty[drawn];
            empty[drawn] = empty[--left];
            if (record) record[length] = (place / width - 1) * size + place % width - 1;
            ++length;
            if (joins_both(seen[to_move], place, width))
                return {win_of((to_move == first) != (swap == swapped) ? 1 : 2), length};
            to_move = opposite(to_move);
        }
    }

   private:
    enum Side { near, far };
    enum Mark : std::uint8_t { joins_near = 1, joins_far = 2, stone = 4 };

    static constexpr Colour opposite(Colour colour) { return colour == white ? black : white; }

    /// Player one has the first colour, unless the players have exchanged them.
    int player(const Position& position, Colour colour) const {
        return (colour == first) != (position.swap == swapped) ? 1 : 2;
    }

    bool is_empty(const Position& position) const {
        return !(position.stones[white] | position.stones[black]).any();
    }

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
        bool joins[2];
        for (Side which : {near, far}) {
            Cells& joined = position.joined[colour][which];
            joins[which] = side[colour][which].has(cell) || (neighbours[cell] & joined).any();
            if (joins[which]) join(joined, position.stones[colour], cell);
        }
        if (joins[near] && joins[far]) position.winner = colour;
    }

    /// Adds a stone to those joined to a side, and whatever is connected to it.
    void join(Cells& joined, const Cells& stones, int cell) const {
        std::uint16_t waiting[max_cells];
        int n = 0;
        joined.set(cell);
        waiting[n++] = static_cast<std::uint16_t>(cell);
        while (n > 0) {
            const Cells fresh = (neighbours[waiting[--n]] & stones) - joined;
            joined |= fresh;
            fresh.each([&](int next) { waiting[n++] = static_cast<std::uint16_t>(next); });
        }
    }

    static std::uint8_t marks(const Position& position, Colour colour, int cell) {
        return stone | (position.joined[colour][near].has(cell) ? joins_near : 0) |
               (position.joined[colour][far].has(cell) ? joins_far : 0);
    }

    /// Puts a stone on the board of `random_game`, and tells whether it joins both sides.
    static bool joins_both(std::uint8_t* seen, int place, int width) {
        const int around[] = {1, -1, width, -width, 1 - width, width - 1};
        std::uint8_t touched = 0;
        for (int step : around) touched |= seen[place + step];
        const std::uint8_t sides = touched & (joins_near | joins_far);
        seen[place] = stone | sides;
        if (sides == (joins_near | joins_far)) return true;
        if (sides == 0 || !(touched & stone)) return false;
        std::uint16_t waiting[max_cells];
        int n = 0;
        waiting[n++] = static_cast<std::uint16_t>(place);
        while (n > 0) {
            const int from = waiting[--n];
            for (int step : around) {
                std::uint8_t& next = seen[from + step];
                if ((next & (stone | sides)) == stone) {
                    next |= sides;
                    waiting[n++] = static_cast<std::uint16_t>(from + step);
                }
            }
        }
        return false;
    }

    int size;
    bool may_ever_swap;
    Colour first;
    int all, stone_words;
    Cells side[2][2];
    std::array<Cells, max_cells> neighbours{};
};

}  // namespace tabuleiro
