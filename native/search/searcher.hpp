// The face that every search shows to Python, whatever the game.
#pragma once

#include "../kernel.hpp"
#include "alphabeta.hpp"
#include "dfpn.hpp"

namespace tabuleiro {

/// Set from any thread to end a search that runs in another.
struct StopFlag {
    std::atomic<bool> set = false;
};

/// A game so far, as Python gives it.
struct PlayedWords {
    Words start;
    std::vector<std::uint64_t> moves;
};

class Searcher {
   public:
    virtual ~Searcher() = default;
    virtual std::vector<const char*> feature_names() const = 0;
    /// The features of a position of a game that goes on, and after them its phase.
    virtual std::vector<int> features(const Words& position) const = 0;
    virtual int evaluate(const Words& position) const = 0;
    virtual void forget() = 0;
    virtual Report search(const PlayedWords& played, const Limits& limits, int lines, int threads, StopFlag& stop,
                          const Listener& listener, Pulse& pulse) = 0;
};

class Prover {
   public:
    virtual ~Prover() = default;
    virtual void forget() = 0;
    virtual Proof prove(const PlayedWords& played, int player, bool draw_is_enough, const Limits& limits,
                        StopFlag& stop, Pulse& pulse) = 0;
};

template <Game G>
G read_rules(const std::vector<std::int64_t>& options) {
    OptionReader reader(options);
    G rules(reader);
    reader.end();
    return rules;
}

template <Game G>
typename G::Position read_position(const G& rules, const Words& words) {
    require(static_cast<int>(words.size()) == rules.words(), "a position has another number of words");
    return rules.decode(words.data());
}

template <Game G>
Played<G> replayed(const G& rules, const PlayedWords& words) {
    Played<G> played{.root = read_position(rules, words.start), .positions = {}, .moves = {}};
    played.positions.push_back(played.root);
    Move legal[G::max_moves];
    for (std::uint64_t move : words.moves) {
        Move* const end = legal + rules.moves(played.root, legal);
        require(std::binary_search(legal, end, move), "a move of the game is not legal");
        rules.play(played.root, static_cast<Move>(move));
        played.positions.push_back(played.root);
        played.moves.push_back(static_cast<Move>(move));
    }
    require(rules.outcome(played.root) == Result::ongoing, "the game is over");
    return played;
}

inline void check(const Limits& limits) {
    require(limits.depth >= 0 && limits.seconds >= 0, "a limit is negative");
}

template <Evaluator E>
class SearcherOf final : public Searcher {
   public:
    SearcherOf(const std::vector<std::int64_t>& options, const Linear<E>& evaluator, std::size_t mebibytes,
               bool full_width)
        : rules_(read_rules<G>(options)), search_(rules_, evaluator, mebibytes, full_width) {}

    std::vector<const char*> feature_names() const override { return {E::names.begin(), E::names.end()}; }

    std::vector<int> features(const Words& position) const override {
        std::vector<int> values(E::names.size() + 1);
        values.back() = search_.evaluator().extract(rules_, ongoing(position), values.data());
        return values;
    }

    int evaluate(const Words& position) const override {
        return search_.evaluator().evaluate(rules_, ongoing(position), largest_estimate);
    }

    void forget() override { search_.forget(); }

    Report search(const PlayedWords& played, const Limits& limits, int lines, int threads, StopFlag& stop,
                  const Listener& listener, Pulse& pulse) override {
        check(limits);
        require(lines >= 1, "at least one line is wanted");
        require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
        return search_.run(replayed(rules_, played), limits, lines, threads, stop.set, listener, pulse);
    }

   private:
    using G = typename E::Rules;

    typename G::Position ongoing(const Words& words) const {
        const typename G::Position position = read_position(rules_, words);
        require(rules_.outcome(position) == Result::ongoing, "the game is over");
        return position;
    }

    const G rules_;
    AlphaBeta<E> search_;
};

template <Game G>
class ProverOf final : public Prover {
   public:
    ProverOf(const std::vector<std::int64_t>& options, std::size_t mebibytes)
        : rules_(read_rules<G>(options)), search_(rules_, mebibytes) {}

    void forget() override { search_.forget(); }

    Proof prove(const PlayedWords& played, int player, bool draw_is_enough, const Limits& limits, StopFlag& stop,
                Pulse& pulse) override {
        check(limits);
        require(player == 1 || player == 2, "a player is 1 or 2");
        const Played<G> game = replayed(rules_, played);
        return search_.prove(game, player, draw_is_enough ? drawn : won, limits, stop.set, pulse);
    }

   private:
    const G rules_;
    Dfpn<G> search_;
};

}  // namespace tabuleiro
