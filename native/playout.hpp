// Random games, ended as a game between people would be: by the rules of the position, or by those that look back.
#pragma once

#include <vector>

#include "history.hpp"
#include "pulse.hpp"

namespace tabuleiro {

/// Plays random games. Holds what they reuse, so one player serves one thread.
template <Game G>
class Playouts {
   public:
    /// Where no rule looks back, some games would never end: one of `max_plies` plies is left unfinished.
    Playouts(const G& rules, int max_plies, Pulse& pulse)
        : rules_(rules), max_plies_(max_plies), pulse_(pulse), game_(rules) {}

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
        game_.start(rules_, position, so_far);
        RandomGame game{rules_.outcome(position), 0};
        while (game.result == Result::ongoing && game.length < max_plies_) {
            const Move move = draw_move(rules_, position, random);
            if (record) record->push_back(move);
            const typename G::Position before = position;
            rules_.play(position, move);
            ++game.length;
            pulse_.beat();
            game.result = rules_.outcome(position);
            if (game.result == Result::ongoing) game.result = game_.ends(rules_, before, move, position);
        }
        return game;
    }

    const G& rules_;
    const int max_plies_;
    Pulse& pulse_;
    Lookback<G> game_;
};

}  // namespace tabuleiro
