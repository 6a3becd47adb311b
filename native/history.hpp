// The rules that look back, along one game: what has occurred, and whether that ends it.
#pragma once

#include <algorithm>
#include <vector>

#include "game.hpp"

namespace tabuleiro {

/// How often each position has occurred since the last move that cannot be undone.
class Occurrences {
   public:
    /// Room for half as many positions as `entries`, a power of two, before more is used.
    explicit Occurrences(std::size_t entries = 256) : few_(entries), entries_(entries), mask_(entries - 1) {}

    /// Forgets everything, in no time: entries of an earlier age count as empty. Those of the beginning are used first,
    /// so that many games side by side stay in the cache.
    void clear() {
        ++age_;
        used_ = 0;
        mask_ = few_ - 1;
    }

    /// Counts one more occurrence of a key, and returns how many that makes.
    int add(Word key) {
        if (2 * ++used_ > mask_ + 1) [[unlikely]]
            use_more();
        Entry& entry = find(key);
        if (entry.age != age_) entry = {key, age_, 0};
        return ++entry.times;
    }

    /// Asks for what the next call looks at, long before it.
    void prefetch() const {
        const char* const first = reinterpret_cast<const char*>(entries_.data());
        for (std::size_t line = 0; line < std::min<std::size_t>((mask_ + 1) * sizeof(Entry), 512); line += 64)
            __builtin_prefetch(first + line);
    }

   private:
    struct Entry {
        Word key;
        std::uint32_t age;
        int times;
    };

    Entry& find(Word key) {
        std::size_t at = key & mask_;
        while (entries_[at].age == age_ && entries_[at].key != key) at = (at + 1) & mask_;
        return entries_[at];
    }

    void use_more() {
        std::vector<Entry> kept;
        for (std::size_t at = 0; at <= mask_; ++at)
            if (entries_[at].age == age_) kept.push_back(entries_[at]);
        ++age_;
        mask_ = 2 * mask_ + 1;
        if (entries_.size() <= mask_) entries_.resize(mask_ + 1);
        for (Entry& entry : kept) {
            entry.age = age_;
            find(entry.key) = entry;
        }
    }

    std::size_t few_;
    std::vector<Entry> entries_;
    std::size_t mask_;
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
    void prefetch() const {}
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

    void prefetch() const { occurrences_.prefetch(); }

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
