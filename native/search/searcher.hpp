// The face that alpha-beta and df-pn show to Python, whatever the game.
#pragma once

#include "alphabeta.hpp"
#include "dfpn.hpp"
#include "played.hpp"

namespace tabuleiro {

struct SearchSettings {
    EstimatorSettings estimator;
    std::size_t mebibytes = 64;
    /// Whether no move is searched less deep than another.
    bool full_width = false;
};

struct ProverSettings {
    std::vector<std::int64_t> options;
    std::size_t mebibytes = 64;
};

class Searcher {
   public:
    virtual ~Searcher() = default;
    virtual std::vector<const char*> feature_names() const = 0;
    /// The features of a position of a game that goes on, and after them its phase.
    virtual std::vector<int> features(const Words& position) const = 0;
    virtual int evaluate(const Words& position) const = 0;
    virtual void forget() = 0;
    virtual Report search(const PlayedWords& played, const Wanted& wanted, StopFlag& stop, const Listener& listener,
                          Pulse& pulse) = 0;
};

class Prover {
   public:
    virtual ~Prover() = default;
    virtual void forget() = 0;
    virtual Proof prove(const PlayedWords& played, int player, bool draw_is_enough, const Limits& limits,
                        StopFlag& stop, Pulse& pulse) = 0;
};

template <Estimator E>
class SearcherOf final : public Searcher {
   public:
    explicit SearcherOf(const SearchSettings& settings)
        : rules_(read_rules<G>(settings.estimator.options)),
          search_(rules_, new_estimator<E>(settings.estimator), settings.mebibytes, settings.full_width) {}

    std::vector<const char*> feature_names() const override {
        if constexpr (NamesFeatures<E>)
            return {E::names.begin(), E::names.end()};
        else
            return {};
    }

    std::vector<int> features(const Words& position) const override {
        if constexpr (NamesFeatures<E>) {
            std::vector<int> values(E::names.size() + 1);
            values.back() = search_.estimator().extract(rules_, read_ongoing(rules_, position), values.data());
            return values;
        } else {
            throw std::invalid_argument("this estimate is not made of features");
        }
    }

    int evaluate(const Words& position) const override {
        return estimate(search_.estimator(), rules_, read_ongoing(rules_, position));
    }

    void forget() override { search_.forget(); }

    Report search(const PlayedWords& played, const Wanted& wanted, StopFlag& stop, const Listener& listener,
                  Pulse& pulse) override {
        wanted.check();
        return search_.run(replayed(rules_, played), wanted, stop.set, listener, pulse);
    }

   private:
    using G = typename E::Rules;

    const G rules_;
    AlphaBeta<E> search_;
};

template <Game G>
class ProverOf final : public Prover {
   public:
    explicit ProverOf(const ProverSettings& settings)
        : rules_(read_rules<G>(settings.options)), search_(rules_, settings.mebibytes) {}

    void forget() override { search_.forget(); }

    Proof prove(const PlayedWords& played, int player, bool draw_is_enough, const Limits& limits, StopFlag& stop,
                Pulse& pulse) override {
        limits.check();
        require(player == 1 || player == 2, "a player is 1 or 2");
        const Played<G> game = replayed(rules_, played);
        return search_.prove(game, player, draw_is_enough ? drawn : won, limits, stop.set, pulse);
    }

   private:
    const G rules_;
    Dfpn<G> search_;
};

}  // namespace tabuleiro
