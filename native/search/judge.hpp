// The contract of what values leaves, orders moves, and proves, in a tree search: a judge.
#pragma once

#include <cassert>
#include <functional>
#include <optional>
#include <vector>

#include "../playout.hpp"
#include "score.hpp"

namespace tabuleiro {

/// The moves that were made in a simulation, at whatever ply: what all-moves-as-first learns from.
class Marks {
   public:
    /// For a game whose moves are all smaller than `move_codes`.
    explicit Marks(int move_codes) : ages_(2 * move_codes) {}

    void clear() { ++age_; }
    void set(int player, Move move) { ages_[index(player, move)] = age_; }
    bool has(int player, Move move) const { return ages_[index(player, move)] == age_; }

   private:
    std::size_t index(int player, Move move) const {
        assert(2 * move < ages_.size());
        return 2 * std::size_t{move} + player - 1;
    }

    std::vector<std::uint32_t> ages_;
    std::uint32_t age_ = 1;
};

/// Asked within long work: whether to end it with what has been found so far.
using GiveUp = std::function<bool()>;

/// What is known of a position without searching, for player one.
struct Bounds {
    Worth floor = lost, ceiling = won;
    /// Where the player to move wins, a move that does it; without one, every move does.
    std::optional<Move> winner = std::nullopt;
    /// Whether a move loses for certain, asked only while the position is undecided.
    std::function<bool(Move)> loses = nullptr;
};

/// Judges leaves. A copy serves one thread.
template <class J>
concept Judge = Game<typename J::Rules> && std::copy_constructible<J> &&
                requires(J judge, const typename J::Rules::Position position, Move* moves, float* priors, Random random,
                         Marks* marks, History so_far) {
                    /// The value for player one, from -1 to 1, of a game that goes on and has come so far. Marks the
                    /// moves made on the way unless `marks` is null.
                    { judge.value(position, so_far, random, marks) } -> std::convertible_to<double>;

                    /// Puts the moves that deserve a node first, the most promising of them foremost, and returns how
                    /// many there are, at least one. A move left out must never be better than all that are left.
                    /// Priors are not negative and add up to 1.
                    { judge.open(position, moves, int{}, priors, random) } -> std::same_as<int>;

                    /// Whether the priors say anything: then they guide the choice; otherwise every move is tried.
                    { J::has_priors } -> std::convertible_to<bool>;
                };

/// A judge who can also prove something, at a cost that pays only where a node has had many visits.
template <class J>
concept ProvingJudge =
    Judge<J> && requires(J judge, const typename J::Rules::Position position, const GiveUp& give_up) {
        /// What it can prove of a position. It asks `give_up` now and then, and says what it has when told to.
        { judge.study(position, give_up) } -> std::same_as<Bounds>;
    };

/// A judge who knows where a game begins better than an evaluator from outside: `open` then says which moves to trust.
template <class J>
concept OpeningJudge = Judge<J> && requires(const J judge, const typename J::Rules::Position position) {
    { judge.knows_opening(position) } -> std::same_as<bool>;
};

}  // namespace tabuleiro
