// The contract of what judges positions for a search: an estimator.
//
// An estimator may keep a state that follows the line being searched: it is made once at the root and then updated move
// by move, as the first layer of a neural net wants it. One without a state derives from `WithoutState`, which costs
// nothing. Estimators are never changed while searches run, so threads share them; states belong to a thread.
//
// To add one: write a struct that satisfies `Estimator`, and one line in bind/<id>.cpp that enters it as a kind of
// search
// (`bind_search_of`). tests/search/test_toy_estimator.py does so.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../game.hpp"
#include "../search/score.hpp"

namespace tabuleiro {

/// What an estimator looks positions up in: patterns, endings. Each game that has some derives its own.
struct Tables {
    virtual ~Tables() = default;
};

/// What an estimator is made of.
struct EstimatorSettings {
    /// The options of the game, as Python's `Options.encode()` gives them.
    std::vector<std::int64_t> options;
    /// One weight a feature early in the game, and one late.
    std::vector<int> early, late;
    /// The tables to look positions up in, or null. The maker of the estimator keeps them alive.
    const Tables* tables = nullptr;
    /// The net to judge by, or null, likewise.
    const Tables* net = nullptr;
};

template <class E>
concept Estimator =
    Game<typename E::Rules> && std::copy_constructible<E> && std::default_initializable<typename E::State> &&
    requires(const E estimator, const typename E::Rules rules, const typename E::Rules::Position position, Move move,
             const typename E::State before, typename E::State made) {
        /// Makes the state of a position afresh.
        { estimator.start(rules, position, made) } -> std::same_as<void>;

        /// Makes the state after a move from the one before it: (rules, state before, position before, move, position
        /// after, state after). Equal to what `start` makes of the position after.
        { estimator.update(rules, before, position, move, position, made) } -> std::same_as<void>;

        /// Points for the player to move in a game that goes on; beyond `largest_estimate` they are cut.
        { estimator.evaluate(rules, position, before) } -> std::same_as<int>;
    };

// What an estimator may have besides.

/// `noise(rules, position, move)`: 0 for a quiet move; for one that changes much (a capture, a push off the board) the
/// more, the more it should be looked at first. Noisy moves are played out before evaluating.
template <class E>
concept SeesNoise =
    requires(const E estimator, const typename E::Rules rules, const typename E::Rules::Position position, Move move) {
        { estimator.noise(rules, position, move) } -> std::same_as<int>;
    };

/// `bounds(position, returns)`: the least and the most that the player to move can still get, where a look at the
/// position proves it, though positions of the past that come back may end the game.
template <class E>
concept SeesBounds = requires(const E estimator, const typename E::Rules::Position position) {
    { estimator.bounds(position, Returns{}) } -> std::same_as<std::pair<Worth, Worth>>;
};

/// `foresee(position)`: in how many plies the player to move wins by what cannot fail; less than 0 if he loses so; 0 if
/// neither is seen.
template <class E>
concept Foresees = requires(const E estimator, const typename E::Rules::Position position) {
    { estimator.foresee(position) } -> std::same_as<int>;
};

/// `prunes`: whether a search may leave moves out by its estimates: they must be good ones, their points as many for
/// odds as those of Avanço (137 make odds e times as good), and matches must say so.
template <class E>
concept Prunes = SeesNoise<E> && E::prunes;

/// `names` and `extract(rules, position, values)`: the features that the estimate is made of, for tuning (see
/// linear.hpp).
template <class E>
concept NamesFeatures = requires(const E estimator, const typename E::Rules rules,
                                 const typename E::Rules::Position position, int* values) {
    { E::names[0] } -> std::convertible_to<const char*>;
    { estimator.extract(rules, position, values) } -> std::same_as<int>;
};

/// `Tables`: the type of the tables that it is made with, or without: `E(settings, tables)`, where they may be null.
template <class E>
concept LooksUpTables = std::derived_from<typename E::Tables, Tables> &&
                        std::constructible_from<E, const EstimatorSettings&, const typename E::Tables*>;

/// For estimators that keep nothing from move to move.
struct WithoutState {
    struct State {};
    void start(const auto&, const auto&, State&) const {}
    void update(const auto&, const State&, const auto&, Move, const auto&, State&) const {}
};

/// What is proven of a position at a glance: nothing, where the estimator sees no bounds.
template <Estimator E>
std::pair<Worth, Worth> bounds_of(const E& estimator, const typename E::Rules::Position& position,
                                  const Returns& returns) {
    if constexpr (SeesBounds<E>)
        return estimator.bounds(position, returns);
    else
        return {lost, won};
}

template <Estimator E>
int noise_of(const E& estimator, const typename E::Rules& rules, const typename E::Rules::Position& position,
             Move move) {
    if constexpr (SeesNoise<E>)
        return estimator.noise(rules, position, move);
    else
        return 0;
}

/// The estimate of a position on its own, its state made afresh.
template <Estimator E>
int estimate(const E& estimator, const typename E::Rules& rules, const typename E::Rules::Position& position) {
    typename E::State state;
    estimator.start(rules, position, state);
    return std::clamp(estimator.evaluate(rules, position, state), -largest_estimate, largest_estimate);
}

/// Those that judge by a net say so: `Net`, the type of its weights.
template <class E>
concept JudgesByNet = std::derived_from<typename E::Net, Tables>;

template <Estimator E>
E new_estimator(const EstimatorSettings& settings) {
    require(JudgesByNet<E> || !settings.net, "this estimate is made without a net");
    if constexpr (LooksUpTables<E>) {
        const auto* tables = dynamic_cast<const typename E::Tables*>(settings.tables);
        require(tables || !settings.tables, "these tables are of another game");
        return E(settings, tables);
    } else {
        require(!settings.tables, "this game is judged without tables");
        return E(settings);
    }
}

}  // namespace tabuleiro
