// Many games of one kind at once, side by side in one block of memory: what people train agents with.
//
// A game depends on the seed, its number and the actions given alone, so the whole does not depend on the number of
// threads. An action is an index of the policy (selfplay/view.hpp), as the player to move sees the board.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "../history.hpp"
#include "../selfplay/view.hpp"
#include "marks.hpp"
#include "spread.hpp"

namespace tabuleiro {

using Action = std::int64_t;

/// No action: of a game that is over.
inline constexpr Action no_action = -1;
/// The result of a game that was given up when it had the most plies allowed; besides those of `Result`.
inline constexpr std::uint8_t given_up = 4;
inline constexpr int result_kinds = 5;

/// Some of the games, from `first` to before `last`.
struct Run {
    std::size_t first, last;
};

/// What is told of every game after a step: the player to move, how the game stands, and what both players win by that.
/// A game begun anew at once still tells how the one before it ended.
struct Told {
    std::uint8_t* turns;
    std::uint8_t* results;
    float* rewards;
};

struct BatchSettings {
    std::size_t size;
    std::uint64_t seed;
    /// Whether a game that ends is followed at once by another; else it stays as it is.
    bool auto_reset;
    /// Games of so many plies are given up; 0: never.
    std::uint32_t max_plies;
};

using ResultCounts = std::array<std::uint64_t, result_kinds>;

/// Calls about different games may run in different threads. Rows that are written lie one after another, the first
/// game's first, whatever the run.
class GameBatch {
   public:
    virtual ~GameBatch() = default;
    virtual const ViewTables& tables() const = 0;
    virtual int words() const = 0;

    /// Begins games anew, all or those marked.
    virtual void reset(Run run, const bool* which) = 0;
    /// Their chance begins anew.
    virtual void sow(Run run, std::uint64_t seed) = 0;

    virtual void mask(Run run, bool* rows) const = 0;
    virtual void count_moves(Run run, std::int64_t* counts) const = 0;
    /// Lists the legal moves of game i from `starts[i]` to before `starts[i + 1]`; false where their number is another.
    virtual bool list_moves(Run run, const std::int64_t* starts, std::int64_t* moves, Action* actions) const = 0;
    /// A random legal action of each game.
    virtual void draw(Run run, Action* actions) = 0;
    /// The first game whose action is not legal, or else the end of the run. What `step` then plays.
    virtual std::size_t check(Run run, const Action* actions) = 0;
    virtual void step(Run run) = 0;
    /// Mask, random action and step in one.
    virtual void random_step(Run run, bool* rows, Action* actions) = 0;
    /// Random steps of which only the ends of games are counted.
    virtual ResultCounts rollout(Run run, std::uint32_t steps) = 0;

    /// The planes as a player may know them, or the player to move (0): a byte each, or packed as bits.
    virtual void observe(Run run, int player, bool* rows) const = 0;
    virtual void pack(Run run, int player, Word* rows) const = 0;
    virtual void encode(Run run, Word* rows) const = 0;
    virtual void plies(Run run, std::uint32_t* numbers) const = 0;
};

template <Game G>
class GameBatchOf final : public GameBatch {
   public:
    using Position = typename G::Position;

    GameBatchOf(G rules, ViewTables tables, const Word* start, const BatchSettings& settings, const Told& told)
        : rules_(std::move(rules)),
          view_(rules_, std::move(tables)),
          marks_(rules_, view_.tables()),
          start_(rules_.decode(start)),
          auto_reset_(settings.auto_reset),
          max_plies_(settings.max_plies ? settings.max_plies : std::numeric_limits<std::uint32_t>::max()),
          told_(told) {
        require(rules_.outcome(start_) == Result::ongoing, "the game is over at the start");
        const ViewTables& seen = view_.tables();
        require(!GivesMoveSets<G> || seen.policy_size <= 64 * most_policy_words, "there are too many actions");
        for (int eyes : {0, 1}) {
            moves_[eyes].resize(seen.policy_size, no_move);
            for (Move move = 0; move < seen.indices[eyes].size(); ++move)
                if (const int index = seen.indices[eyes][move]; index >= 0) moves_[eyes][index] = move;
        }
        games_.reserve(settings.size);
        for (std::size_t i = 0; i < settings.size; ++i)
            games_.push_back({start_, Random(settings.seed, i), Lookback<G>(rules_, few_entries), 0, 0, no_move});
        reset({0, settings.size}, nullptr);
    }

    const ViewTables& tables() const override { return view_.tables(); }
    int words() const override { return rules_.words(); }

    void reset(Run run, const bool* which) override {
        for (std::size_t i = run.first; i < run.last; ++i)
            if (!which || which[i]) {
                begin(games_[i]);
                tell(i, 0);
            }
    }

    void sow(Run run, std::uint64_t seed) override {
        for (std::size_t i = run.first; i < run.last; ++i) games_[i].random = Random(seed, i);
    }

    void mask(Run run, bool* rows) const override {
        for (std::size_t i = run.first; i < run.last; ++i) write_mask(games_[i], row(rows, i, policy_size()));
    }

    void count_moves(Run run, std::int64_t* counts) const override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            Move moves[G::max_moves];
            counts[i] = list(games_[i], moves);
        }
    }

    bool list_moves(Run run, const std::int64_t* starts, std::int64_t* moves, Action* actions) const override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            Move here[G::max_moves];
            const int n = list(games_[i], here);
            if (starts[i + 1] - starts[i] != n) return false;
            const bool second = view_.is_second(games_[i].position);
            for (int k = 0; k < n; ++k) {
                moves[starts[i] + k] = here[k];
                actions[starts[i] + k] = view_.index(second, here[k]);
            }
        }
        return true;
    }

    void draw(Run run, Action* actions) override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            const Move move = choose(games_[i]);
            actions[i] = move == no_move ? no_action : view_.index(view_.is_second(games_[i].position), move);
        }
    }

    std::size_t check(Run run, const Action* actions) override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            SingleGame& game = games_[i];
            game.next = no_move;
            if (game.result) continue;
            if (actions[i] < 0 || actions[i] >= policy_size()) return i;
            const Move move = moves_[view_.is_second(game.position)][actions[i]];
            Move moves[G::max_moves];
            if (!std::binary_search(moves, moves + list(game, moves), move)) return i;
            game.next = move;
        }
        return run.last;
    }

    void step(Run run) override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            expect(i, run);
            go(i, games_[i].next);
        }
    }

    void random_step(Run run, bool* rows, Action* actions) override {
        for (std::size_t i = run.first; i < run.last; ++i) {
            expect(i, run);
            write_mask(games_[i], row(rows, i, policy_size()));
            const Move move = choose(games_[i]);
            actions[i] = move == no_move ? no_action : view_.index(view_.is_second(games_[i].position), move);
            go(i, move);
        }
    }

    ResultCounts rollout(Run run, std::uint32_t steps) override {
        ResultCounts tally{};
        for (std::size_t i = run.first; i < run.last; ++i) {
            SingleGame& game = games_[i];
            std::uint8_t result = game.result;
            for (std::uint32_t k = 0; k < steps && !game.result; ++k) {
                result = play(game, draw_move(rules_, game.position, game.random));
                if (!result) continue;
                ++tally[result];
                if (auto_reset_) begin(game);
            }
            tell(i, result);
        }
        return tally;
    }

    void observe(Run run, int player, bool* rows) const override {
        const std::size_t length = static_cast<std::size_t>(tables().planes) * tables().area;
        std::vector<Word> packed(tables().packed_words());
        for (std::size_t i = run.first; i < run.last; ++i) {
            view_.pack(seen(games_[i].position, player), packed.data());
            spread(packed.data(), length, rows + i * length);
        }
    }

    void pack(Run run, int player, Word* rows) const override {
        for (std::size_t i = run.first; i < run.last; ++i)
            view_.pack(seen(games_[i].position, player), row(rows, i, tables().packed_words()));
    }

    void encode(Run run, Word* rows) const override {
        for (std::size_t i = run.first; i < run.last; ++i) rules_.encode(games_[i].position, row(rows, i, words()));
    }

    void plies(Run run, std::uint32_t* numbers) const override {
        for (std::size_t i = run.first; i < run.last; ++i) numbers[i] = games_[i].plies;
    }

   private:
    static constexpr Move no_move = ~Move{0};
    /// Most games repeat little; those that look back further grow.
    static constexpr std::size_t few_entries = 16;
    /// Of games whose moves come as sets: Avanço 8x8 has the most actions, 384.
    static constexpr int most_policy_words = 6;

    struct SingleGame {
        Position position;
        Random random;
        [[no_unique_address]] Lookback<G> so_far;
        std::uint32_t plies;
        /// A `Result` or `given_up`.
        std::uint8_t result;
        /// What was checked, and is to be played.
        Move next;
    };

    int policy_size() const { return tables().policy_size; }

    template <class Value>
    static Value* row(Value* rows, std::size_t i, int length) {
        return rows + i * length;
    }

    /// What the games behind this one look back at lies elsewhere, and comes in the meantime.
    void expect(std::size_t i, Run run) const {
        constexpr std::size_t ahead = 3;
        if (i + ahead < run.last) games_[i + ahead].so_far.prefetch();
    }

    void begin(SingleGame& game) const {
        game.position = start_;
        game.so_far.start(rules_, start_);
        game.plies = 0;
        game.result = 0;
    }

    void tell(std::size_t i, std::uint8_t result) const {
        told_.turns[i] = static_cast<std::uint8_t>(rules_.turn(games_[i].position));
        told_.results[i] = result;
        const float one = result == 1 ? 1.0F : result == 2 ? -1.0F : 0.0F;
        told_.rewards[2 * i] = one;
        told_.rewards[2 * i + 1] = -one;
    }

    // Each game's rules are large where they are inlined: once is enough of what is called from several places.

    [[gnu::noinline]] int list(const SingleGame& game, Move* moves) const {
        return game.result ? 0 : rules_.moves(game.position, moves);
    }

    void write_mask(const SingleGame& game, bool* to) const {
        if constexpr (GivesMoveSets<G>) {
            if (!game.result) {
                Word bits[most_policy_words] = {};
                Word* const end = bits + (policy_size() + 63) / 64;
                marks_.add(rules_, game.position, view_.is_second(game.position), bits, end);
                return spread(bits, policy_size(), to);
            }
        }
        std::memset(to, 0, policy_size());
        Move moves[G::max_moves];
        const int n = list(game, moves);
        const std::int32_t* const indices = tables().indices[view_.is_second(game.position)].data();
        for (int k = 0; k < n; ++k) to[indices[moves[k]]] = true;
    }

    [[gnu::noinline]] Move choose(SingleGame& game) const {
        return game.result ? no_move : draw_move(rules_, game.position, game.random);
    }

    /// Plays a legal move and says how the game stands, by all its rules.
    std::uint8_t play(SingleGame& game, Move move) const {
        const Position before = game.position;
        rules_.play(game.position, move);
        Result result = rules_.outcome(game.position);
        if (result == Result::ongoing) result = game.so_far.ends(rules_, before, move, game.position);
        game.result = static_cast<std::uint8_t>(result);
        if (++game.plies >= max_plies_ && !game.result) game.result = given_up;
        return game.result;
    }

    [[gnu::noinline]] void go(std::size_t i, Move move) {
        SingleGame& game = games_[i];
        if (move == no_move) {
            // Over since an earlier step: nothing more is won by it.
            told_.rewards[2 * i] = told_.rewards[2 * i + 1] = 0;
            return;
        }
        const std::uint8_t result = play(game, move);
        if (result && auto_reset_) begin(game);
        tell(i, result);
    }

    /// What a player may know, or the player to move (0).
    decltype(auto) seen(const Position& position, [[maybe_unused]] int player) const {
        if constexpr (HidesPieces<G>)
            return rules_.seen_by(position, player ? player : rules_.turn(position));
        else
            return (position);
    }

    const G rules_;
    const View<G> view_;
    [[no_unique_address]] const typename MarksOf<G>::type marks_;
    const Position start_;
    const bool auto_reset_;
    const std::uint32_t max_plies_;
    const Told told_;
    /// The move of each action, for the eyes of both players.
    std::vector<Move> moves_[2];
    std::vector<SingleGame> games_;
};

}  // namespace tabuleiro
