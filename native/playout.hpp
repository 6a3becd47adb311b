// Random games, ended as a game between people would be: by the rules of the position, or by those that look back.
#pragma once

#include <vector>

#include "game.hpp"
#include "pulse.hpp"

namespace tabuleiro {

/// How often each position has occurred since the last move that cannot be undone.
class Occurrences {
   public:
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

    std::vector<Entry> entries_ = std::vector<Entry>(256, Entry{});
    std::uint32_t age_ = 1;
    std::size_t used_ = 0;
};

/// Plays random games. Holds what they reuse, so one player serves one thread.
template <Game G>
class Playouts {
   public:
    Playouts(const G& rules, Pulse& pulse) : rules_(rules), pulse_(pulse) {}

    /// Plays to the end and returns the result; `position` becomes the last position. `length` is set to the number
    /// of plies, and the moves are added to `record` unless it is null.
    Result play(typename G::Position& position, Random& random, std::uint32_t& length, std::vector<Move>* record) {
        if constexpr (DrawsGames<G>) {
            Move moves[G::max_plies];
            length = rules_.random_game(position, random, record ? moves : nullptr);
            if (record) record->insert(record->end(), moves, moves + length);
            pulse_.beat(length);
            return rules_.outcome(position);
        } else {
            return play_by_moves(position, random, length, record);
        }
    }

   private:
    Result play_by_moves(typename G::Position& position, Random& random, std::uint32_t& length,
                         std::vector<Move>* record) {
        length = 0;
        start_history(position);
        Result result = rules_.outcome(position);
        while (result == Result::ongoing) {
            const Move move = draw(position, random);
            if (record) record->push_back(move);
            ++length;
            pulse_.beat();
            const bool progress = is_progress(position, move);
            rules_.play(position, move);
            result = rules_.outcome(position);
            if (result == Result::ongoing) result = look_back(position, progress, length);
        }
        return result;
    }

    Move draw(const typename G::Position& position, Random& random) const {
        if constexpr (DrawsMoves<G>) {
            return rules_.random_move(position, random);
        } else {
            Move moves[G::max_moves];
            return moves[random.below(rules_.moves(position, moves))];
        }
    }

    bool is_progress(const typename G::Position& position, Move move) const {
        if constexpr (LooksBack<G>)
            return rules_.is_progress(position, move);
        else
            return false;
    }

    void start_history(const typename G::Position& position) {
        if constexpr (LooksBack<G>) {
            stale_ = 0;
            occurrences_.clear();
            if (rules_.history.repetition) occurrences_.add(rules_.repetition_key(position));
        }
    }

    Result look_back(const typename G::Position& position, bool progress, int length) {
        if constexpr (LooksBack<G>) {
            const HistoryRules& limits = rules_.history;
            stale_ = progress ? 0 : stale_ + 1;
            if (limits.repetition) {
                if (progress) occurrences_.clear();
                if (occurrences_.add(rules_.repetition_key(position)) >= limits.repetition)
                    return rules_.settle(position, Ending::repetition);
            }
            if (limits.stale_plies && stale_ >= limits.stale_plies)
                return rules_.settle(position, Ending::stale_plies);
            if (limits.total_plies && length >= limits.total_plies)
                return rules_.settle(position, Ending::total_plies);
        }
        return Result::ongoing;
    }

    const G& rules_;
    Pulse& pulse_;
    Occurrences occurrences_;
    int stale_ = 0;
};

}  // namespace tabuleiro
