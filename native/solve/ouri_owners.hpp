// Endings of Ouri where after a cycle the seeds on the board are those of whoever has them in their houses: how many
// seeds more than the opponent can the player to move be sure to collect, and how many at most?
//
// There a position has no value of its own: what going round is worth depends on where the circle was entered. But a
// range can be had. Take one player, and a number t. Call a position good if that player, were the game to end there by
// going round, would get t or more from here on. The player is sure of t where play can be steered so that it leaves
// the level with t or more, or so that from some move on all positions are good. For then the steps depend on the
// position alone, and a circle of such steps is good all round; whichever of its positions comes back as often as ends
// the game, the end is worth t. So this holds whether the second or the third occurrence ends it, as long as no
// position of the past stands in the way (`Returns` in search/score.hpp).
//
// For all t at once: the sure gain is the least X with X = Y, where Y is the greatest with
// Y = max(one step on by X, min(worth of going round here, one step on by Y)). Two values a position: what the player
// to move is sure of, and what the other is.
#pragma once

#include <vector>

#include "../games/ouri.hpp"
#include "progress.hpp"

namespace tabuleiro {

/// Solves the next level of the endings that `Endings` holds.
template <class Endings, class Ending>
class OuriOwnersLevel {
   public:
    OuriOwnersLevel(const Endings& below, const Ouri& rules, Progress& progress)
        : below_(below), rules_(rules), seeds_(below.levels()), size_(Endings::size(seeds_)), progress_(progress) {}

    void solve(Ending* endings) {
        look_ahead();
        find_those_before();
        std::vector<std::int8_t> sure(2 * size_, static_cast<std::int8_t>(-seeds_)), stay;
        do {
            stay = stay_good(sure);
            reach(stay);
            sure.swap(stay);
            progress_.at(0.9);
        } while (sure != stay);
        for (std::size_t place = 0; place < size_; ++place)
            endings[place] = {sure[node(place, mover)],
                              static_cast<std::uint8_t>(static_cast<std::int8_t>(-sure[node(place, other_player)]))};
    }

   private:
    /// Whose sure gain a node is about: that of the player to move, or of the other.
    enum Whose { mover, other_player };
    static constexpr int nothing = 100;  // more than any gain

    static std::size_t node(std::size_t place, Whose whose) { return 2 * place + whose; }
    static Whose other_of(Whose whose) { return whose == mover ? other_player : mover; }

    /// Plays every move: where moves lead that stay in the level, and what is known of those that leave it.
    void look_ahead() {
        after_begin_.reserve(size_ + 1);
        leaving_.resize(2 * size_);
        round_.resize(size_);
        for (std::size_t place = 0; place < size_; ++place) {
            if (place % (1 << 14) == 0) progress_.at(0.4 * static_cast<double>(place) / static_cast<double>(size_));
            after_begin_.push_back(static_cast<std::uint32_t>(after_.size()));
            const Ouri::Position position = Endings::unrank(place, seeds_);
            const Ouri::Rows rows = Ouri::rows(position);
            round_[place] = static_cast<std::int8_t>(Ouri::total(rows.own) - Ouri::total(rows.enemy));
            Move moves[Ouri::max_moves];
            const int n = rules_.moves(position, moves);
            int best = n ? -nothing : round_[place], of_other = n ? nothing : -round_[place];
            for (int i = 0; i < n; ++i) {
                Ouri::Position after = position;
                rules_.play(after, moves[i]);
                const Ouri::Rows then = Ouri::rows(after);
                const int taken = after.store[0];
                if (taken == 0) {
                    after_.push_back(static_cast<std::uint32_t>(Endings::rank(then)));
                    continue;
                }
                const auto [least, most] = below_.range(then);
                const bool turns = after.turn != position.turn;
                best = std::max(best, taken + (turns ? -most : least));
                of_other = std::min(of_other, -taken + (turns ? least : -most));
            }
            leaving_[node(place, mover)] = static_cast<std::int8_t>(best);
            leaving_[node(place, other_player)] = static_cast<std::int8_t>(of_other);
        }
        after_begin_.push_back(static_cast<std::uint32_t>(after_.size()));
    }

    /// The same arrows, backwards.
    void find_those_before() {
        before_begin_.assign(size_ + 1, 0);
        for (const std::uint32_t to : after_) ++before_begin_[to + 1];
        for (std::size_t place = 0; place < size_; ++place) before_begin_[place + 1] += before_begin_[place];
        before_.resize(after_.size());
        std::vector<std::uint32_t> next(before_begin_.begin(), before_begin_.end() - 1);
        for (std::size_t place = 0; place < size_; ++place)
            for (std::uint32_t i = after_begin_[place]; i < after_begin_[place + 1]; ++i)
                before_[next[after_[i]]++] = static_cast<std::uint32_t>(place);
    }

    /// One step on: the player to move chooses.
    int step(const std::vector<std::int8_t>& values, std::size_t place, Whose whose) const {
        int best = leaving_[node(place, whose)];
        for (std::uint32_t i = after_begin_[place]; i < after_begin_[place + 1]; ++i) {
            const int value = values[node(after_[i], other_of(whose))];
            best = whose == mover ? std::max(best, value) : std::min(best, value);
        }
        return best;
    }

    int round(std::size_t place, Whose whose) const { return whose == mover ? round_[place] : -round_[place]; }

    /// The greatest values of which each is that of one step on by `sure`, or, where going round is worth as much, of
    /// one step on by themselves.
    std::vector<std::int8_t> stay_good(const std::vector<std::int8_t>& sure) {
        std::vector<std::int8_t> least(2 * size_), values(2 * size_);
        for (std::size_t place = 0; place < size_; ++place)
            for (const Whose whose : {mover, other_player}) {
                least[node(place, whose)] = static_cast<std::int8_t>(step(sure, place, whose));
                values[node(place, whose)] =
                    static_cast<std::int8_t>(std::max<int>(least[node(place, whose)], round(place, whose)));
            }
        settle(values, [&](std::size_t place, Whose whose) {
            return std::max<int>(least[node(place, whose)], std::min(round(place, whose), step(values, place, whose)));
        });
        return values;
    }

    /// Raises values as far as steps towards others raise them.
    void reach(std::vector<std::int8_t>& values) {
        settle(values, [&](std::size_t place, Whose whose) {
            return std::max<int>(values[node(place, whose)], step(values, place, whose));
        });
    }

    /// Makes every value what `wanted` says, until nothing changes any more.
    template <class Wanted>
    void settle(std::vector<std::int8_t>& values, const Wanted& wanted) {
        std::vector<std::uint32_t> waiting, next;
        std::vector<bool> waits(2 * size_, true);
        for (std::size_t each = 0; each < 2 * size_; ++each) waiting.push_back(static_cast<std::uint32_t>(each));
        while (!waiting.empty()) {
            next.clear();
            for (const std::uint32_t each : waiting) {
                waits[each] = false;
                const std::size_t place = each / 2;
                const Whose whose = each % 2 ? other_player : mover;
                const int value = wanted(place, whose);
                if (value == values[each]) continue;
                values[each] = static_cast<std::int8_t>(value);
                for (std::uint32_t i = before_begin_[place]; i < before_begin_[place + 1]; ++i) {
                    const std::size_t told = node(before_[i], other_of(whose));
                    if (!waits[told]) {
                        waits[told] = true;
                        next.push_back(static_cast<std::uint32_t>(told));
                    }
                }
            }
            waiting.swap(next);
            progress_.at(0.5);
        }
    }

    const Endings& below_;
    const Ouri& rules_;
    const int seeds_;
    const std::size_t size_;
    Progress& progress_;
    std::vector<std::uint32_t> after_begin_, after_, before_begin_, before_;
    /// By node, the best of the moves that leave the level; by place, what going round is worth to the player to move.
    std::vector<std::int8_t> leaving_, round_;
};

}  // namespace tabuleiro
