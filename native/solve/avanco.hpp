// Who wins a position of Avanço 5x5: df-pn with exact keys.
//
// Every position is seen by the player to move, who goes up the board, and by the smaller of itself and its mirror
// image; its fifty bits are the key. Ends are seen early, by what cannot fail:
// - A piece on the last row but one steps in. If the opponent has one there, it must be captured now.
// - A runner is a piece that no enemy can ever meet: none stands in the cone of cells before it. It decides the race
//   unless some enemy piece, runner or not, is nearer to its goal.
#pragma once

#include <algorithm>

#include "../games/avanco.hpp"
#include "../zeroed.hpp"

namespace tabuleiro {

class AvancoSolver {
   public:
    static constexpr int size = 5, cells = size * size;

    struct Position {
        std::uint32_t own, enemy;
        bool operator==(const Position&) const = default;
    };

    /// For the rules of a board of that size.
    AvancoSolver(const Avanco& rules, std::size_t mebibytes) : buckets_(buckets_in(mebibytes)) {
        require(rules.cells() == cells, "only the board of 5x5 is solved");
    }

    std::uint64_t nodes() const { return nodes_; }

    /// Whether the player to move wins. `keep_on` is asked at the first position, every millisecond or so and when
    /// there have been `last_node` positions in all (0: there is no such number); it throws to give up.
    template <class KeepOn>
    bool wins(const Position& position, std::uint64_t last_node, const KeepOn& keep_on) {
        last_node_ = last_node;
        keep_on();
        const Numbers root = solve(canonical(position), infinite, infinite, keep_on);
        return root.win == 0;
    }

    /// The position as the solver sees it.
    static Position seen(const Avanco::Position& position) {
        const auto own = static_cast<std::uint32_t>(position.own), enemy = static_cast<std::uint32_t>(position.enemy);
        return position.turn == 1 ? Position{own, enemy} : Position{upside_down(own), upside_down(enemy)};
    }

   private:
    static constexpr std::uint32_t infinite = 1u << 30;
    static constexpr std::uint64_t nodes_between_looks = 1 << 11;
    static constexpr int most_moves = 3 * 2 * size;
    static constexpr std::uint32_t left_column = 0b0000100001000010000100001, right_column = left_column << (size - 1);
    static constexpr std::uint32_t row(int n) { return 0b11111u << n * size; }

    /// How far a proof seems that the player to move wins, and that he loses: 0 is done, `infinite` impossible.
    struct Numbers {
        std::uint32_t win = 1, loss = 1;
    };
    static constexpr Numbers won{0, infinite}, lost{infinite, 0};

    struct Entry {
        Word key = 0;  // own and enemy; no position has neither
        Numbers numbers{};
    };
    struct alignas(64) Bucket {
        Entry entries[4];
    };

    static std::size_t buckets_in(std::size_t mebibytes) {
        require(mebibytes >= 1 && mebibytes <= 1 << 20, "the table has from 1 to 1048576 MiB");
        return mebibytes * (1 << 20) / sizeof(Bucket);
    }

    static std::uint32_t upside_down(std::uint32_t set) {
        std::uint32_t result = 0;
        for (int n = 0; n < size; ++n) result |= (set >> n * size & row(0)) << (size - 1 - n) * size;
        return result;
    }
    static std::uint32_t mirrored(std::uint32_t set) {
        return (set & left_column) << 4 | (set & left_column << 1) << 2 | (set & left_column << 2) |
               (set & left_column << 3) >> 2 | (set & right_column) >> 4;
    }
    static Word key(const Position& position) { return static_cast<Word>(position.own) << cells | position.enemy; }
    static Position canonical(const Position& position) {
        const Position image{mirrored(position.own), mirrored(position.enemy)};
        return key(image) < key(position) ? image : position;
    }

    static std::uint32_t up(std::uint32_t set) {
        return ((set & ~left_column) << (size - 1) | (set & ~right_column) << (size + 1)) & ((1u << cells) - 1);
    }
    static std::uint32_t down(std::uint32_t set) {
        return (set & ~left_column) >> (size + 1) | (set & ~right_column) >> (size - 1);
    }

    /// What a look at the position proves, or the numbers to begin with.
    static Numbers first_sight(const Position& position) {
        const auto [own, enemy] = position;
        if (own == 0 || (enemy & row(0))) return lost;
        if (own & row(size - 2)) return won;
        const std::uint32_t about_to_win = enemy & row(1);
        if (about_to_win && ((about_to_win & (about_to_win - 1)) || !(up(own & row(0)) & about_to_win))) return lost;
        std::uint32_t can_meet_own = enemy >> size | down(enemy), can_meet_enemy = (own << size) | up(own);
        for (int n = 0; n < size - 2; ++n) {
            can_meet_own |= can_meet_own >> size | down(can_meet_own);
            can_meet_enemy |= can_meet_enemy << size | up(can_meet_enemy);
        }
        const int own_way = size - 1 - (31 - std::countl_zero(own)) / size, enemy_way = std::countr_zero(enemy) / size;
        if (const std::uint32_t runners = own & ~can_meet_own)
            if (size - 1 - (31 - std::countl_zero(runners)) / size <= enemy_way) return won;
        if (const std::uint32_t runners = enemy & ~can_meet_enemy)
            if (std::countr_zero(runners) / size < own_way) return lost;
        if (about_to_win) return {1, 1};
        // To lose, every move must lose.
        const int moves = std::popcount(own & ~((own | enemy) >> size)) +
                          std::popcount(own & ~left_column & ~(own >> (size - 1))) +
                          std::popcount(own & ~right_column & ~(own >> (size + 1)));
        return {1, static_cast<std::uint32_t>(moves)};
    }

    /// The positions after each move, seen by the other player. Where the enemy is about to win, only captures of that
    /// piece are any use.
    static int after_moves(const Position& position, Position* list) {
        const auto [own, enemy] = position;
        const std::uint32_t must = enemy & row(1);
        int n = 0;
        const auto add = [&](std::uint32_t origin, std::uint32_t target) {
            list[n++] = canonical({upside_down(enemy & ~target), upside_down((own ^ origin) | target)});
        };
        for (std::uint32_t left = own; left; left &= left - 1) {
            const std::uint32_t origin = left & -left;
            for (std::uint32_t targets = up(origin) & ~own & (must ? must : ~0u); targets; targets &= targets - 1)
                add(origin, targets & -targets);
            if (!must && !(origin << size & (own | enemy))) add(origin, origin << size);
        }
        return n;
    }

    Bucket& bucket(Word key) const {
        return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(mix(key)) * buckets_.size()) >> 64)];
    }

    Numbers look_up(const Position& position) const {
        const Word wanted = key(position);
        for (const Entry& entry : bucket(wanted).entries)
            if (entry.key == wanted) return entry.numbers;
        return first_sight(position);
    }

    /// What is decided stays longest, then what took most proof numbers.
    void store(const Position& position, const Numbers& numbers) {
        const Word wanted = key(position);
        Entry* chosen = nullptr;
        const auto worth = [](const Entry& entry) {
            if (entry.key == 0) return std::uint32_t{0};
            return std::min(entry.numbers.win + entry.numbers.loss, infinite);
        };
        for (Entry& entry : bucket(wanted).entries) {
            if (entry.key == wanted) {
                entry.numbers = numbers;
                return;
            }
            if (!chosen || worth(entry) < worth(*chosen)) chosen = &entry;
        }
        *chosen = {wanted, numbers};
    }

    template <class KeepOn>
    Numbers solve(const Position& position, std::uint32_t win_limit, std::uint32_t loss_limit, const KeepOn& keep_on) {
        if (++nodes_ % nodes_between_looks == 0 || nodes_ == last_node_) keep_on();
        if (const Numbers known = first_sight(position); known.win == 0 || known.loss == 0) return known;
        Position after[most_moves];
        Numbers children[most_moves];
        int n = after_moves(position, after);
        for (int i = 0; i < n; ++i) children[i] = look_up(after[i]);
        Numbers numbers;
        while (true) {
            // One child lost for the other player wins; all of them won for him lose. Their numbers are not summed but
            // the greatest taken and one added for each other, because lines that transpose would count twice.
            std::uint32_t best = infinite, second = infinite, greatest = 0, open = 0;
            int chosen = 0;
            for (int i = 0; i < n; ++i) {
                const Numbers& child = children[i];
                if (child.win > 0) {
                    ++open;
                    greatest = std::max(greatest, child.win);
                }
                if (child.loss < best || (child.loss == best && child.win < children[chosen].win)) {
                    second = best;
                    best = child.loss;
                    chosen = i;
                } else {
                    second = std::min(second, child.loss);
                }
            }
            const std::uint32_t others = open ? open - 1 : 0;
            numbers = {best, greatest >= infinite ? infinite : greatest + others};
            if (best == 0) numbers = won;
            if (numbers.win == 0 || numbers.loss == 0 || numbers.win >= win_limit || numbers.loss >= loss_limit) break;
            const std::uint32_t stay = std::min(win_limit, second + second / 4 + 1);
            children[chosen] = solve(after[chosen], loss_limit - others, stay, keep_on);
        }
        store(position, numbers);
        return numbers;
    }

    Zeroed<Bucket> buckets_;
    std::uint64_t nodes_ = 0, last_node_ = 0;
};

}  // namespace tabuleiro
