// The states of an estimator along the line being searched (see eval/estimator.hpp).
#pragma once

#include <type_traits>
#include <vector>

#include "../eval/estimator.hpp"

namespace tabuleiro {

/// A stack of states, one a ply. A state is made when it is asked for and not before, from the last one on the
/// line that is there: a position that is cut off before it is evaluated costs nothing.
template <Estimator E>
class States {
   public:
    using Rules = typename E::Rules;
    using Position = typename Rules::Position;

    /// The root and all positions entered later must stay where they are while lines go through them.
    States(const E& estimator, const Rules& rules, const Position& root)
        : estimator_(estimator), rules_(rules), steps_(max_ply + 1) {
        steps_[0].position = &root;
        steps_[0].made = true;
        estimator_.start(rules_, root, steps_[0].state);
    }

    /// The line goes on, at this ply, by a move to a position.
    void enter(int ply, Move move, const Position& position) {
        steps_[ply].position = &position;
        steps_[ply].move = move;
        steps_[ply].made = false;
    }

    const typename E::State& at(int ply) {
        int from = ply;
        while (!steps_[from].made) --from;
        for (; from < ply; ++from) {
            const Step& last = steps_[from];
            Step& next = steps_[from + 1];
            estimator_.update(rules_, last.state, *last.position, next.move, *next.position, next.state);
            next.made = true;
        }
        return steps_[ply].state;
    }

   private:
    struct Step {
        const Position* position = nullptr;
        Move move = 0;
        bool made = false;
        typename E::State state;
    };

    const E& estimator_;
    const Rules& rules_;
    std::vector<Step> steps_;
};

/// Of an estimator that keeps nothing: nothing.
template <Estimator E>
    requires std::is_empty_v<typename E::State>
class States<E> {
   public:
    States(const E&, const typename E::Rules&, const typename E::Rules::Position&) {}
    void enter(int, Move, const typename E::Rules::Position&) {}
    typename E::State at(int) const { return {}; }
};

}  // namespace tabuleiro
