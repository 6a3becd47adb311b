// The contract: what a kernel is.
//
// A kernel is the native twin of one Python game. It states the same rules over the same integers, so that loops which
// visit many millions of positions need no Python, and so that each set of rules can check the other. It knows nothing
// of notation, pictures or records: those belong to Python.
//
// A kernel is a *rules object*: built once from the options of a game, holding whatever masks and tables they imply,
// and never changed afterwards, so any number of threads may share it. Its positions are plain values without
// pointers, copied freely and kept on the stack. Nothing here is virtual and nothing on the way of a move allocates:
// perft, playouts and search are templates over `Game`, and the compiler sees the rules of the game inside their loops.
//
// To add one: write games/<id>.hpp with a struct that satisfies `Game`, and bind/<id>.cpp, which enters it in the
// Python module by itself (bind/register.hpp); no other file changes. Then tests/test_native.py walks random games in
// both sets of rules and compares them ply by ply. For a search add what judges its positions, eval/<id>.hpp (see
// eval/estimator.hpp), its weights, and a line for each kind of search in bind/<id>.cpp.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bits.hpp"
#include "random.hpp"

namespace tabuleiro {

/// A move is the integer that the Python game documents at the top of its file.
using Move = std::uint32_t;

/// How a game stands. One and two are *players*, as in Python, whatever colours they have.
enum class Result : std::uint8_t { ongoing = 0, one = 1, two = 2, draw = 3 };

constexpr Result win_of(int player) { return player == 1 ? Result::one : Result::two; }
constexpr std::uint8_t other(int player) { return static_cast<std::uint8_t>(3 - player); }

constexpr Result by_points(int one, int two) {
    return one == two ? Result::draw : one > two ? Result::one : Result::two;
}

/// Refuses what a caller gave; Python sees a ValueError.
inline void require(bool condition, const char* complaint) {
    if (!condition) throw std::invalid_argument(complaint);
}

/// The player to move, where a position's word gives it.
inline std::uint8_t read_turn(Word word) {
    require(word == 1 || word == 2, "the player to move is 1 or 2");
    return static_cast<std::uint8_t>(word);
}

/// The options of a game as the integers of Python's `Options.encode()`, read in their order of declaration:
/// numbers as they are, words by their place, truth as 0 or 1, off as 0.
class OptionReader {
   public:
    explicit OptionReader(std::span<const std::int64_t> values) : values_(values) {}

    int number(std::int64_t low, std::int64_t high) {
        require(at_ < values_.size(), "too few options");
        const std::int64_t value = values_[at_++];
        require(low <= value && value <= high, "an option is out of range");
        return static_cast<int>(value);
    }
    /// One of `n` words, by its place.
    int word(int n) { return number(0, n - 1); }
    bool truth() { return number(0, 1) != 0; }
    void end() const { require(at_ == values_.size(), "too many options"); }

   private:
    std::span<const std::int64_t> values_;
    std::size_t at_ = 0;
};

/// The rules of a game that look back, as in Python's `HistoryRules`; 0 means that there is no such rule.
struct HistoryRules {
    /// The nth occurrence of the same `repetition_key` ends the game.
    int repetition = 0;
    /// This number of plies running without progress ends the game.
    int stale_plies = 0;
    /// This number of plies in all ends the game.
    int total_plies = 0;
};

/// Which of them ended a game.
enum class Ending { repetition, stale_plies, total_plies };

/// What every kernel must have.
template <class G>
concept Game = std::is_trivially_copyable_v<typename G::Position> && std::constructible_from<G, OptionReader&> &&
               requires(const G rules, const typename G::Position here, typename G::Position changed, Move move,
                        Move* list, Word* written, const Word* given) {
                   /// The name of the game, the same everywhere.
                   { G::id } -> std::convertible_to<const char*>;

                   /// No position of any board of this game has more moves than this.
                   { G::max_moves } -> std::convertible_to<int>;

                   /// Every move of every board of this game, under any options, is a smaller integer than this.
                   { G::move_codes } -> std::convertible_to<int>;

                   /// How many words Python's `encode()` gives under these options, and at most under any.
                   { rules.words() } -> std::same_as<int>;
                   { G::max_words } -> std::convertible_to<int>;

                   /// Writes the words of Python's `encode()`.
                   { rules.encode(here, written) } -> std::same_as<void>;

                   /// Reads them back. Must refuse (see `require`) whatever would lead the other functions astray:
                   /// cells off the board, two pieces on one cell, a player who is neither 1 nor 2. Need not refuse the
                   /// merely unreachable.
                   { rules.decode(given) } -> std::same_as<typename G::Position>;

                   /// The player to move, 1 or 2.
                   { rules.turn(here) } -> std::same_as<int>;

                   /// How the game stands, without looking back.
                   { rules.outcome(here) } -> std::same_as<Result>;

                   /// Lists the legal moves in ascending order and returns how many there are: 0 exactly when the game
                   /// is over.
                   { rules.moves(here, list) } -> std::same_as<int>;

                   /// Plays a move that is known to be legal.
                   { rules.play(changed, move) } -> std::same_as<void>;
               };

// What a kernel may have besides. The loops ask with these concepts and do without where the answer is no.

/// `count(position)`: how many legal moves there are, without listing them. Makes bulk perft fast.
template <class G>
concept CountsMoves = Game<G> && requires(const G rules, const typename G::Position here) {
    { rules.count(here) } -> std::same_as<int>;
};

/// `random_move(position, random)`: a legal move of a position that has some, each equally likely, without listing
/// them. Makes playouts fast.
template <class G>
concept DrawsMoves = Game<G> && requires(const G rules, const typename G::Position here, Random random) {
    { rules.random_move(here, random) } -> std::same_as<Move>;
};

struct RandomGame {
    Result result;
    int length;
};

/// `random_game(position, random, record)`: plays random moves to the end and writes them to `record` unless it is
/// null. For a game where whole games can be drawn faster than single moves; must draw every game with the probability
/// that drawing move by move gives it.
template <class G>
concept DrawsGames = Game<G> && requires(const G rules, const typename G::Position here, Random random, Move* record) {
    { G::max_plies } -> std::convertible_to<int>;
    { rules.random_game(here, random, record) } -> std::same_as<RandomGame>;
};

/// History rules, as the Python game declares them: `repetition_key(position)` is equal for two positions exactly when
/// Python's keys are (it is a hash: a chance of 2^-64 of error is accepted), `is_progress(before, move, after)` tells
/// moves after which no earlier position can come back, `settle(position, ending)` is the result when such a rule ends
/// the game.
template <class G>
concept LooksBack = Game<G> && requires(const G rules, const typename G::Position here, Move move, Ending ending) {
    { rules.history } -> std::convertible_to<HistoryRules>;
    { rules.repetition_key(here) } -> std::same_as<Word>;
    { rules.is_progress(here, move, here) } -> std::same_as<bool>;
    { rules.settle(here, ending) } -> std::same_as<Result>;
};

/// `transform(position, cells, exchange)`: the position after everything on cell c went to cells[c], with the players
/// exchanged if asked. Which permutations are symmetries of the game is Python's to say.
template <class G>
concept HasSymmetries =
    Game<G> && requires(const G rules, const typename G::Position here, std::span<const std::uint16_t> cells) {
        { rules.cells() } -> std::same_as<int>;
        { rules.transform(here, cells, true) } -> std::same_as<typename G::Position>;
    };

/// `seen_by(position, player)`: what a player may know of it, as Python's. Where a kernel has none, nothing is hidden.
template <class G>
concept HidesPieces = Game<G> && requires(const G rules, const typename G::Position here) {
    { rules.seen_by(here, 1) } -> std::same_as<typename G::Position>;
};

/// The hash of Python's `Position.hash64()`.
template <Game G>
Word hash64(const G& rules, const typename G::Position& position) {
    Word words[G::max_words];
    rules.encode(position, words);
    Word value = 0;
    for (int i = 0; i < rules.words(); ++i) value = mix(value ^ words[i]);
    return value;
}

/// A set of cells after a permutation.
inline Word permuted(Word set, std::span<const std::uint16_t> cells) {
    Word result = 0;
    while (set) result |= bit(cells[pop(set)]);
    return result;
}

}  // namespace tabuleiro
