// The rules that look back, along one game: what has occurred, and whether that ends it.
#pragma once

#include <vector>

#include "game.hpp"

namespace tabuleiro {

/// How often each position has occurred since the last move that cannot be undone.
class Occurrences {
   public:
    /// Room for half as many positions as `entries`, a power of two, before it has to grow.
    explicit Occurrences(std::size_t entries = 256) : entries_(entries) {}

    /// Forgets everything, in no time: entries of an earlier age count as empty.
    void clear() {
        ++age_;
        used_ = 0;
    }

    /// Counts one more occurrence of a key, and returns how many that makes.
    int add(Word key) {
        if (2 * ++used_ > entries_.size()) [[unlikely]]
            grow();
        Entry& entry = find(key);
        if (entry.age != age_) entry = {key, age_, 0};
        return ++entry.times;
    }

   private:
    struct Entry {
        Word key;
        std::uint32_t age;
        int times;
    };

    Entry& find(Word key) {
        const std::size_t mask = entries_.size() - 1;
        std::size_t at = key & mask;
        while (entries_[at].age == age_ && entries_[at].key != key) at = (at + 1) & mask;
        return entries_[at];
    }

    void grow() {
        std::vector<Entry> old(2 * entries_.size(), Entry{0, age_ - 1, 0});
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.age == age_) find(entry.key) = entry;
    }

    std::vector<Entry> entries_;
    std::uint32_t age_ = 1;
    std::size_t used_ = 0;
};

/// How far a game has come, as the rules that look back count it.
struct History {
    int stale = 0, plies = 0;
};

/// One game so far; for a game without rules that look back, nothing.
template <Game G>
class Lookback {
   public:
    explicit Lookback(const G&, std::size_t = 0) {}
    void start(const G&, const typename G::Position&, History = {}) {}
    Result ends(const G&, const typename G::Position&, Move, const typename G::Position&) { return Result::ongoing; }
};

template <LooksBack G>
class Lookback<G> {
   public:
    using Position = typename G::Position;

    explicit Lookback(const G& rules, std::size_t entries = 256)
        : occurrences_(rules.history.repetition ? entries : 2) {}

    /// A game begins. Of what was played before it only the numbers of plies count.
    void start(const G& rules, const Position& position, History so_far = {}) {
        so_far_ = so_far;
        occurrences_.clear();
        if (rules.history.repetition) occurrences_.add(rules.repetition_key(position));
    }

    /// How a game stands after a move that did not end it by the rules of the position.
    Result ends(const G& rules, const Position& before, Move move, const Position& after) {
        const HistoryRules& limits = rules.history;
        const bool progress = rules.is_progress(before, move, after);
        so_far_.stale = progress ? 0 : so_far_.stale + 1;
        ++so_far_.plies;
        if (limits.repetition) {
            if (progress) occurrences_.clear();
            if (occurrences_.add(rules.repetition_key(after)) >= limits.repetition)
                return rules.settle(after, Ending::repetition);
        }
        if (limits.stale_plies && so_far_.stale >= limits.stale_plies) return rules.settle(after, Ending::stale_plies);
        if (limits.total_plies && so_far_.plies >= limits.total_plies) return rules.settle(after, Ending::total_plies);
        return Result::ongoing;
    }

   private:
    Occurrences occurrences_;
    History so_far_;
};

/// A random legal move of a position that has some.
template <Game G>
Move draw_move(const G& rules, const typename G::Position& position, Random& random) {
    if constexpr (DrawsMoves<G>) {
        return rules.random_move(position, random);
    } else {
        Move moves[G::max_moves];
        return moves[random.below(rules.moves(position, moves))];
    }
}

}  // namespace tabuleiro
