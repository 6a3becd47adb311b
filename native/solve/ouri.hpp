// Endings of Ouri, all of them up to some number of seeds: how many seeds more than the opponent will the player to
// move still collect?
//
// Seeds in the stores do not matter for that, and only the difference matters for the result: a player with 25 has won
// whatever follows. A cycle leaves the seeds on the board to nobody, so going round is worth 0 from there on. The value
// of a position is therefore that of a game on a graph in which play without end is worth 0. A player who is to gain
// can do so without coming to any position twice, and one who cannot be made to lose need not fear a cycle; so the
// value is that under the rule of the third occurrence, as under that of the second, as long as no position of the past
// stands in the way (src/tabuleiro/solve/ouri.py tells when it does).
//
// Positions of n seeds make up a level. Captures lead to lower levels, which are known; the other moves stay within the
// level and pass the turn. A level is solved backwards, from the greatest gain to the smallest: who can gain t at once,
// who can only let the other gain t, who can bring about that, and so on. What is left over is worth 0.
//
// Where the owners collect after a cycle, the tables have ranges instead (ouri_owners.hpp).
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "../eval/estimator.hpp"
#include "../games/ouri.hpp"
#include "ouri_owners.hpp"
#include "progress.hpp"

namespace tabuleiro {

/// The value of a position for the player to move, and in how many plies play leaves the level (by a capture, or the
/// end) when the player who gains hurries and the other delays; 0 for a value of 0. Stored as it is, a pair of bytes a
/// position. Where the tables have ranges, the two bytes are the least and the most (both with their signs).
struct alignas(2) OuriEnding {
    std::int8_t gain;
    std::uint8_t distance;
};

/// How many seeds more than the opponent the player to move will still collect, at least and at most.
struct OuriRange {
    int least, most;
};

class OuriEndings : public Tables {
   public:
    static constexpr int max_seeds = 24;  // a capture of more would be a majority at once
    /// Longer distances are not told apart.
    static constexpr int max_distance = 240;

    explicit OuriEndings(const Ouri& rules) : rules_(rules) {}

    static std::size_t size(int seeds) { return choose[Ouri::houses - 1][seeds + Ouri::houses - 1]; }

    /// Whether the tables have ranges.
    bool ranges() const { return rules_.owners_collect; }

    /// Whether what was read can be the next level: nobody gains more seeds than there are.
    bool are_endings(const OuriEnding* level) const {
        const int seeds = levels();
        return std::all_of(level, level + size(seeds), [this, seeds](OuriEnding ending) {
            const auto [least, most] = range_of(ending);
            return least >= -seeds && least <= most && most <= seeds && (ranges() || ending.distance <= max_distance);
        });
    }

    /// How many levels there are: the positions of fewer seeds are known.
    int levels() const { return static_cast<int>(levels_.size()); }
    void add(const OuriEnding* level) { levels_.push_back(level); }
    const OuriEnding* level(int seeds) const { return levels_[seeds]; }

    bool knows(const Ouri::Rows& rows) const { return Ouri::total(rows.own) + Ouri::total(rows.enemy) < levels(); }
    OuriEnding probe(const Ouri::Rows& rows) const {
        return levels_[Ouri::total(rows.own) + Ouri::total(rows.enemy)][rank(rows)];
    }
    OuriRange range(const Ouri::Rows& rows) const { return range_of(probe(rows)); }

    /// Solves the next level.
    void solve(OuriEnding* endings, int threads, Progress& progress) const {
        require(levels() <= max_seeds, "there are no endings of this number of seeds");
        if (ranges())
            OuriOwnersLevel<OuriEndings, OuriEnding>(*this, rules_, progress).solve(endings);
        else
            Level(*this, endings, threads, progress).solve();
    }

    /// The first half of that, for some places of the next level, in whatever order and by whomever: what their moves
    /// lead to below the level. `solve_the_rest` goes on once all its places have been looked at.
    void look_ahead(OuriEnding* endings, std::size_t begin, std::size_t end) const {
        Ouri::Position position = unrank(begin, levels());
        for (std::size_t place = begin; place < end; ++place) {
            *endings++ = first_look(position);
            next(position);
        }
    }
    void solve_the_rest(OuriEnding* endings, int threads, Progress& progress) const {
        Level(*this, endings, threads, progress).solve_the_rest();
    }

    /// The place of a position in its level. Its houses are the gaps between eleven bars in a row of seeds and bars;
    /// the sets of places for the bars are numbered in the combinatorial number system.
    static std::size_t rank(const Ouri::Rows& rows) {
        const Word own = rows.own * Ouri::ones, enemy = rows.enemy * Ouri::ones;  // each byte: the seeds up to a house
        const int before = Ouri::total(rows.own);
        std::size_t sum = 0;
        for (int i = 0; i < Ouri::row; ++i) sum += bars[i][own >> 8 * i & 0xff];
        for (int i = 0; i < Ouri::row - 1; ++i) sum += bars[Ouri::row + i][before + (enemy >> 8 * i & 0xff)];
        return sum;
    }

    /// The position at a place: the player to move has the first six houses.
    static Ouri::Position unrank(std::size_t place, int seeds) {
        Ouri::Position position{.house = {}, .store = {0, 0}, .turn = 1};
        int above = seeds;
        for (int i = Ouri::houses - 2; i >= 0; --i) {
            int here = above;
            while (bars[i][here] > place) --here;
            place -= bars[i][here];
            position.house[i + 1] = static_cast<std::uint8_t>(above - here);
            above = here;
        }
        position.house[0] = static_cast<std::uint8_t>(above);
        return position;
    }

   private:
    OuriRange range_of(OuriEnding ending) const {
        return {ending.gain, ranges() ? static_cast<std::int8_t>(ending.distance) : ending.gain};
    }

    static constexpr auto choose = [] {
        std::array<std::array<std::uint32_t, max_seeds + Ouri::houses>, Ouri::houses> table{};
        for (int n = 0; n < max_seeds + Ouri::houses; ++n)
            for (int k = 0; k <= std::min(n, Ouri::houses - 1); ++k)
                table[k][n] = k == 0 || k == n ? 1 : table[k - 1][n - 1] + table[k][n - 1];
        return table;
    }();
    /// bars[i][s]: what the bar after house i adds to a rank when s seeds lie before it.
    static constexpr auto bars = [] {
        std::array<std::array<std::uint32_t, max_seeds + 1>, Ouri::houses - 1> table{};
        for (int i = 0; i < Ouri::houses - 1; ++i)
            for (int s = 0; s <= max_seeds; ++s) table[i][s] = choose[i + 1][s + i];
        return table;
    }();

    // Until a position is solved, its ending holds the best that moves with known values give, and instead of the
    // distance how many moves have unknown values.
    static constexpr int first_mark = max_distance + 1, finished = Ouri::max_moves + 1;
    static constexpr std::int8_t nothing = -100;

    static bool open(OuriEnding ending) { return ending.distance >= first_mark; }
    static OuriEnding marked(int best, int left) {
        return {static_cast<std::int8_t>(best), static_cast<std::uint8_t>(first_mark + left)};
    }

    /// Plays every move of a position: captures and ends of the game have known values.
    OuriEnding first_look(const Ouri::Position& position) const {
        Move moves[Ouri::max_moves];
        const int n = rules_.moves(position, moves);
        if (n == 0) {
            const auto [own, enemy] = Ouri::rows(position);
            return marked(Ouri::total(own) - Ouri::total(enemy), finished);
        }
        int best = nothing, left = 0;
        for (int i = 0; i < n; ++i) {
            Ouri::Position after = position;
            rules_.play(after, moves[i]);
            if (after.store[0] == 0) {
                ++left;
            } else {
                const int later = probe(Ouri::rows(after)).gain;
                best = std::max(best, after.store[0] + (after.turn == 1 ? later : -later));
            }
        }
        return marked(best, left);
    }

    /// The position at the next place.
    static void next(Ouri::Position& position) {
        int k = 1;
        while (k < Ouri::houses && position.house[k] == 0) ++k;
        if (k == Ouri::houses) return;
        const auto moved = static_cast<std::uint8_t>(position.house[0] + 1);
        position.house[0] = 0;
        --position.house[k];
        position.house[k - 1] = moved;
    }

    class Level {
       public:
        Level(const OuriEndings& owner, OuriEnding* endings, int threads, Progress& progress)
            : below_(owner),
              rules_(owner.rules_),
              endings_(endings),
              seeds_(owner.levels()),
              size_(OuriEndings::size(seeds_)),
              threads_(threads),
              progress_(progress),
              next_(threads) {}

        void solve() {
            in_parallel(size_, [this](std::size_t begin, std::size_t end, int) {
                below_.look_ahead(endings_ + begin, begin, end);
                looked_ += end - begin;
            });
            solve_the_rest();
        }

        void solve_the_rest() {
            looked_ = size_;
            std::vector<std::uint32_t> here, ends;
            for (gain_ = seeds_; gain_ >= 1; --gain_) {
                distance_ = 0;
                if (gain_ == seeds_) {
                    // Finished games: all the seeds are on one side.
                    in_parallel(size_, [this](std::size_t begin, std::size_t end, int thread) {
                        gather(begin, end, thread, [](int, int left) { return left == finished; });
                    });
                    collect(here);
                }
                distance_ = 1;
                in_parallel(size_, [this](std::size_t begin, std::size_t end, int thread) {
                    gather(begin, end, thread,
                           [this](int best, int left) { return best >= gain_ || (left == 0 && best == -gain_); });
                });
                collect(ends);
                // What is found from finished games is one ply from them, as is what was gathered just now.
                spread(here);
                here.insert(here.end(), ends.begin(), ends.end());
                while (!here.empty()) {
                    distance_ = std::min(distance_ + 1, max_distance);
                    spread(here);
                }
            }
            in_parallel(size_, [this](std::size_t begin, std::size_t end, int) {
                for (std::size_t place = begin; place < end; ++place)
                    if (open(endings_[place])) endings_[place] = {0, 0};
            });
        }

       private:
        /// Solves the open positions that `known` picks by their best value and unknown moves.
        template <class Known>
        void gather(std::size_t begin, std::size_t end, int thread, const Known& known) {
            for (std::size_t place = begin; place < end; ++place) {
                const OuriEnding ending = endings_[place];
                if (open(ending) && known(ending.gain, ending.distance - first_mark)) {
                    endings_[place].distance = static_cast<std::uint8_t>(distance_);
                    next_[thread].push_back(static_cast<std::uint32_t>(place));
                }
            }
        }

        /// Tells positions that were just solved to those before them; leaves in `here` what that solves.
        void spread(std::vector<std::uint32_t>& here) {
            in_parallel(here.size(), [this, &here](std::size_t begin, std::size_t end, int thread) {
                for (std::size_t i = begin; i < end; ++i) tell_those_before(here[i], next_[thread]);
            });
            collect(here);
        }

        void collect(std::vector<std::uint32_t>& here) {
            here.clear();
            for (auto& found : next_) {
                solved_ += found.size();
                here.insert(here.end(), found.begin(), found.end());
                found.clear();
            }
        }

        void tell_those_before(std::uint32_t place, std::vector<std::uint32_t>& found) {
            const bool gains = endings_[place].gain > 0;
            const Ouri::Position after = unrank(place, seeds_);
            // Seen by the player who moved: the houses of the player to move now come last.
            std::uint8_t turned[Ouri::houses];
            std::copy_n(after.house, Ouri::row, turned + Ouri::row);
            std::copy_n(after.house + Ouri::row, Ouri::row, turned);
            for (int house = 0; house < Ouri::row; ++house) {
                if (turned[house]) continue;
                Ouri::Position before{.house = {}, .store = {0, 0}, .turn = 1};
                std::copy_n(turned, Ouri::houses, before.house);
                int at = house;
                // Take the seeds back one by one, from the first house sown on.
                while (true) {
                    do at = (at + 1) % Ouri::houses;
                    while (at == house);
                    if (before.house[at] == 0) break;
                    --before.house[at];
                    ++before.house[house];
                    if (leads(before, house, at, turned)) tell(rank(Ouri::rows(before)), gains, found);
                }
            }
        }

        /// Whether sowing a house, the last seed falling `at`, is legal, captures nothing and leaves these houses.
        bool leads(const Ouri::Position& before, int house, int at, const std::uint8_t* turned) const {
            Move moves[Ouri::max_moves];
            Move* const end = moves + rules_.moves(before, moves);
            if (std::find(moves, end, static_cast<Move>(house)) == end) return false;
            if (at < Ouri::row || (turned[at] != 2 && turned[at] != 3)) return true;
            Ouri::Position after = before;
            rules_.play(after, static_cast<Move>(house));
            return after.store[0] == 0;
        }

        /// A move of this position leads to one where the opponent gains as much as is looked at now, or loses it.
        void tell(std::size_t place, bool opponent_gains, std::vector<std::uint32_t>& found) {
            std::atomic_ref<OuriEnding> ending(endings_[place]);
            OuriEnding old = ending.load(std::memory_order_relaxed), changed;
            bool solved;
            do {
                if (!open(old)) return;
                const int left = old.distance - first_mark - 1;
                const int best = opponent_gains ? std::max<int>(old.gain, -gain_) : gain_;
                solved = best == gain_ || (best == -gain_ && left == 0);
                changed = marked(best, left);
                if (solved) changed.distance = static_cast<std::uint8_t>(distance_);
            } while (!ending.compare_exchange_weak(old, changed, std::memory_order_relaxed));
            if (solved) found.push_back(static_cast<std::uint32_t>(place));
        }

        /// Does `work(begin, end, thread)` for the parts of a range. This thread takes part and tells of progress.
        template <class Work>
        void in_parallel(std::size_t size, const Work& work) {
            constexpr std::size_t part = 1 << 13;
            std::atomic<std::size_t> taken = 0;
            std::atomic<bool> given_up = false;
            const auto run = [&](int thread) {
                for (std::size_t begin; !given_up && (begin = taken.fetch_add(part)) < size;) {
                    if (thread == 0) progress_.at(part_done());
                    work(begin, std::min(begin + part, size), thread);
                }
            };
            std::vector<std::thread> helpers;
            const auto finish = [&] {
                for (std::thread& helper : helpers) helper.join();
            };
            try {
                for (int i = 1; i < threads_ && static_cast<std::size_t>(i) * part < size; ++i)
                    helpers.emplace_back(run, i);
                run(0);
            } catch (...) {
                given_up = true;
                finish();
                throw;
            }
            finish();
        }

        /// Looking ahead takes about as long as what follows.
        double part_done() const { return static_cast<double>(looked_ + solved_) / (2 * static_cast<double>(size_)); }

        const OuriEndings& below_;
        const Ouri& rules_;
        OuriEnding* const endings_;
        const int seeds_;
        const std::size_t size_;
        const int threads_;
        Progress& progress_;
        /// What each thread has solved last.
        std::vector<std::vector<std::uint32_t>> next_;
        int gain_ = 0, distance_ = 0;
        std::atomic<std::size_t> looked_ = 0;
        std::size_t solved_ = 0;
    };

    const Ouri& rules_;
    std::vector<const OuriEnding*> levels_;
};

}  // namespace tabuleiro
