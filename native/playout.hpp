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

/// How far a game has come, as the rules that look back count it.
struct History {
    int stale = 0, plies = 0;
};

/// Plays random games. Holds what they reuse, so one player serves one thread.
template <Game G>
class Playouts {
   public:
    /// Where no rule looks back, some games would never end: one of `max_plies` plies is left unfinished.
    Playouts(const G& rules, int max_plies, Pulse& pulse) : rules_(rules), max_plies_(max_plies), pulse_(pulse) {}

    /// Plays from a position to the end, and adds the moves to `record` unless it is null. Of the game so far only the
    /// numbers of plies count: which positions have occurred is not asked.
    RandomGame play(const typename G::Position& start, Random& random, std::vector<Move>* record,
                    [[maybe_unused]] History so_far = {}) {
        if constexpr (DrawsGames<G>)
            if (max_plies_ >= G::max_plies) {
                Move moves[G::max_plies];
                const RandomGame game = rules_.random_game(start, random, record ? moves : nullptr);
                if (record) record->insert(record->end(), moves, moves + game.length);
                pulse_.beat(game.length);
                return game;
            }
        return play_by_moves(start, random, record, so_far);
    }

   private:
    RandomGame play_by_moves(typename G::Position position, Random& random, std::vector<Move>* record, History so_far) {
        start_history(position, so_far);
        RandomGame game{rules_.outcome(position), 0};
        while (game.result == Result::ongoing && game.length < max_plies_) {
            const Move move = draw(position, random);
            if (record) record->push_back(move);
            const typename G::Position before = position;
            rules_.play(position, move);
            ++game.length;
            pulse_.beat();
            game.result = rules_.outcome(position);
            if (game.result == Result::ongoing) game.result = look_back(before, move, position);
        }
        return game;
    }

    Move draw(const typename G::Position& position, Random& random) const {
        if constexpr (DrawsMoves<G>) {
            return rules_.random_move(position, random);
        } else {
            Move moves[G::max_moves];
            return moves[random.below(rules_.moves(position, moves))];
        }
    }

    void start_history([[maybe_unused]] const typename G::Position& position, [[maybe_unused]] History so_far) {
        if constexpr (LooksBack<G>) {
            so_far_ = so_far;
            occurrences_.clear();
            if (rules_.history.repetition) occurrences_.add(rules_.repetition_key(position));
        }
    }

    Result look_back([[maybe_unused]] const typename G::Position& before, [[maybe_unused]] Move move,
                     [[maybe_unused]] const typename G::Position& position) {
        if constexpr (LooksBack<G>) {
            const HistoryRules& limits = rules_.history;
            const bool progress = rules_.is_progress(before, move, position);
            so_far_.stale = progress ? 0 : so_far_.stale + 1;
            ++so_far_.plies;
            if (limits.repetition) {
                if (progress) occurrences_.clear();
                if (occurrences_.add(rules_.repetition_key(position)) >= limits.repetition)
                    return rules_.settle(position, Ending::repetition);
            }
            if (limits.stale_plies && so_far_.stale >= limits.stale_plies)
                return rules_.settle(position, Ending::stale_plies);
            if (limits.total_plies && so_far_.plies >= limits.total_plies)
                return rules_.settle(position, Ending::total_plies);
        }
        return Result::ongoing;
    }

    const G& rules_;
    const int max_plies_;
    Pulse& pulse_;
    Occurrences occurrences_;
    History so_far_;
};

}  // namespace tabuleiro
