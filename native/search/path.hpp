// The way from the start of a game to the position being searched: what the rules that look back need to know.
#pragma once

#include <algorithm>
#include <vector>

#include "../playout.hpp"
#include "score.hpp"

namespace tabuleiro {

/// A game so far, from which a search begins.
template <Game G>
struct Played {
    typename G::Position root;
    /// The positions from the start to the root, and the moves between them.
    std::vector<typename G::Position> positions;
    std::vector<Move> moves;
};

/// The history rules along one line of a search, for games without any: nothing.
template <Game G>
class Path {
   public:
    explicit Path(const G&, const Played<G>&) {}
    void enter(const typename G::Position&, Move, const typename G::Position&) {}
    void leave() {}
    bool ends(const typename G::Position&, int, Found&) const { return false; }
    Returns returns(const typename G::Position&) const { return {}; }
    Word salt() const { return 0; }
    History so_far() const { return {}; }
};

/// For games with such rules. docs/solvers.md proves that what follows from this may be kept in tables.
///
/// A position that comes back within the line being searched is settled at once, though the rule may want it more
/// often: a player who can go round once can do so again, and one who need not go round to win need not do so at all.
/// Such a verdict depends on the path; it taints what is deduced from it, and nothing tainted enters a table. Above the
/// position that came back the taint ends: what was found there counts a cycle as what a cycle is worth, and all
/// positions of a cycle are settled alike.
///
/// Positions of the game so far that lack one more occurrence are ends for every line. They belong to the root and not
/// to the path, so they go into the keys of the tables (`salt`), as the counts do where a game limits its plies.
///
/// With a limit of plies going round costs something, and the argument above fails: then only the rule itself counts.
/// It fails too where the positions of a cycle are settled differently: which of them will be the one to end the game
/// depends on the past. There coming back within the line is an estimate and proves nothing, unless the second
/// occurrence ends the game. What follows from the rule itself is true on this path alone (`Found::this_path`).
template <LooksBack G>
class Path<G> {
   public:
    using Position = typename G::Position;

    Path(const G& rules, const Played<G>& played)
        : rules_(rules), limited_(rules.history.stale_plies || rules.history.total_plies) {
        steps_.push_back({rules_.repetition_key(played.positions.front()), 0, 0, 0});
        for (std::size_t i = 0; i < played.moves.size(); ++i)
            enter(played.positions[i], played.moves[i], played.positions[i + 1]);
        root_ = static_cast<int>(steps_.size()) - 1;
        if (rules_.history.repetition)
            for (int i = steps_.back().settled; i <= root_; ++i) {
                const Word key = steps_[i].key;
                const bool counted = std::find(closed_.begin(), closed_.end(), key) != closed_.end();
                if (!counted && occurrences(key, steps_.back().settled) >= rules_.history.repetition - 1) {
                    closed_.push_back(key);
                    const Result result = rules_.settle(played.positions[i], Ending::repetition);
                    const Worth worth = ended(result, 1, 0).floor;
                    returns_ = {std::min(returns_.least, worth), std::max(returns_.most, worth)};
                }
            }
        std::sort(closed_.begin(), closed_.end());
        for (Word key : closed_) closed_salt_ = mix(closed_salt_ ^ key);
    }

    void enter(const Position& before, Move move, const Position& after) {
        const bool progress = rules_.is_progress(before, move, after);
        const Step& last = steps_.back();
        const int here = static_cast<int>(steps_.size());
        steps_.push_back({rules_.repetition_key(after), progress ? here : last.settled, progress ? 0 : last.stale + 1,
                          last.plies + 1});
    }

    void leave() { steps_.pop_back(); }

    /// Whether the line ends here by a rule that looks back, `ply` plies from the root.
    bool ends(const Position& position, int ply, Found& found) const {
        const HistoryRules& rules = rules_.history;
        const Step& here = steps_.back();
        if (comes_back(position, ply, found)) return true;
        if (rules.stale_plies && here.stale >= rules.stale_plies) {
            found = at_limit(position, Ending::stale_plies, ply);
            return true;
        }
        if (rules.total_plies && here.plies >= rules.total_plies) {
            found = at_limit(position, Ending::total_plies, ply);
            return true;
        }
        return false;
    }

    /// What the positions that would end the game by coming back, and might, would end it with.
    Returns returns(const Position& position) const {
        if (steps_.back().settled > root_) return {};
        return rules_.turn(position) == 1 ? returns_ : -returns_;
    }

    Word salt() const {
        Word salt = closed_salt_;
        if (rules_.history.stale_plies) salt = mix(salt + steps_.back().stale);
        if (rules_.history.total_plies) salt = mix(salt + steps_.back().plies);
        return salt;
    }

    History so_far() const { return {steps_.back().stale, steps_.back().plies}; }

   private:
    struct Step {
        Word key;
        int settled;  // the first step to which no later play can go back
        int stale, plies;
    };

    bool comes_back(const Position& position, int ply, Found& found) const {
        const Step& here = steps_.back();
        const int wanted = rules_.history.repetition;
        if (std::find(closed_.begin(), closed_.end(), here.key) != closed_.end()) {
            found = settled(position, ply);
            return true;
        }
        if (limited_) {
            if (!wanted || occurrences(here.key, here.settled) < wanted) return false;
            found = settled(position, ply);
            found.taint = Found::this_path;
            return true;
        }
        for (int i = static_cast<int>(steps_.size()) - 2; i >= std::max(here.settled, root_); --i)
            if (steps_[i].key == here.key) {
                // Where no rule ends it, going round is no end and proves nothing.
                found = wanted ? settled(position, ply) : Found{.score = 0};
                found.taint = static_cast<std::int16_t>(i - root_);
                if (wanted == 2 && settles_by_position()) found.taint = Found::this_path;
                if (wanted > 2 && settles_by_position()) found = {.score = estimate_of(found), .taint = found.taint};
                return true;
            }
        return false;
    }

    /// The end by a limit of plies. A proof that rests on it is true of this path alone where a repetition may end the
    /// game sooner with another result: whether one does depends on the path.
    Found at_limit(const Position& position, Ending ending, int ply) const {
        const Result result = rules_.settle(position, ending);
        Found found = ended(result, rules_.turn(position), ply);
        if (rules_.history.repetition &&
            (settles_by_position() || rules_.settle(position, Ending::repetition) != result))
            found.taint = Found::this_path;
        return found;
    }

    bool settles_by_position() const {
        if constexpr (requires { rules_.settles_by_position(); })
            return rules_.settles_by_position();
        else
            return false;
    }

    /// What is likely, as far from a proven result as from an even game. Never 0, which is a draw.
    static int estimate_of(const Found& found) {
        return found.floor == won ? largest_estimate / 2 : found.floor == lost ? -largest_estimate / 2 : 1;
    }

    Found settled(const Position& position, int ply) const {
        return ended(rules_.settle(position, Ending::repetition), rules_.turn(position), ply);
    }

    int occurrences(Word key, int from) const {
        return static_cast<int>(
            std::count_if(steps_.begin() + from, steps_.end(), [key](const Step& step) { return step.key == key; }));
    }

    const G& rules_;
    std::vector<Step> steps_;
    bool limited_;
    int root_ = 0;
    std::vector<Word> closed_;
    Word closed_salt_ = 0;
    /// Of the closed positions, for the first player.
    Returns returns_;
};

}  // namespace tabuleiro
