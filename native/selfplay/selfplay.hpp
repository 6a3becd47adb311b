// Games that a program plays against itself, many at once, so that a net learns from them.
//
// Every game always waits for the net's opinion of exactly one position, so a batch is as large as a group of games,
// and its shape never changes. While the net judges one group, the threads here carry the other groups on.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../search/path.hpp"
#include "crew.hpp"
#include "gumbel.hpp"
#include "view.hpp"

namespace tabuleiro {

struct SelfPlaySettings {
    /// Positions looked at for a move, and how many moves are candidates at the root.
    int simulations = 32, candidates = 16;
    TrustInValues trust;
    /// The share of games that begin with random moves, and the most of them.
    double opening_share = 0.5;
    int opening_plies = 1;
    /// Plies after which a game is given up as a draw.
    int longest = 1000;
};

/// The upper half of a 32-bit float: what nets answer with and learn from.
using Bfloat = std::uint16_t;
inline float float_of(Bfloat value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16); }
inline Bfloat bfloat_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<Bfloat>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Where questions and answers lie: memory of the caller, one row a game.
struct Desk {
    Word* planes;
    const Bfloat* logits;  // of every index of the policy
    const float* values;   // for the player to move, from -1 to 1
};

/// What a net learns from: rows of planes, of wanted policies (an index that is no legal move has -1), and of two
/// values for the player to move: how the game ended, and what the search thought.
struct Lessons {
    std::vector<Word> planes;
    std::vector<Bfloat> policies;
    std::vector<float> values;
};

struct GameRecord {
    std::vector<Move> moves;
    Result result;
};

struct Tally {
    std::uint64_t games = 0, moves = 0, questions = 0;
};

/// One game and the tree of its next move.
template <Game G>
class OwnGame {
   public:
    using Position = typename G::Position;

    OwnGame(const G& rules, const View<G>& view, const Position& start, std::uint64_t seed, std::uint64_t number)
        : rules_(rules), view_(view), start_(start), random_(seed, number), so_far_(rules) {}

    /// Takes in the answer to the last question, if there was one, and goes on to the next.
    void advance(const SelfPlaySettings& settings, Word* planes, const Bfloat* logits, float value) {
        if (asked_ < 0)
            begin(settings);
        else
            learn(logits, value);
        while (!ask(settings, planes)) {
        }
        ++tally_.questions;
    }

    /// Adds what was learnt since, and forgets it.
    void give(Lessons& lessons) {
        const int size = view_.tables().policy_size;
        for (const Finished& game : finished_) {
            lessons.planes.insert(lessons.planes.end(), game.planes.begin(), game.planes.end());
            std::size_t at = 0;
            for (const Ply& ply : game.plies) {
                const std::size_t row = lessons.policies.size();
                lessons.policies.resize(row + size, bfloat_of(-1));
                for (; at < ply.policy_end; ++at) lessons.policies[row + game.policy[at].index] = game.policy[at].share;
                lessons.values.push_back(worth(game.result, ply.player));
                lessons.values.push_back(ply.value);
            }
        }
        finished_.clear();
    }

    void give(std::vector<GameRecord>& records) {
        for (GameRecord& record : records_) records.push_back(std::move(record));
        records_.clear();
    }

    Tally tally() const { return tally_; }
    bool keep_records = false;

   private:
    using Index = std::int32_t;
    static constexpr Index none = -1;

    struct Node {
        Position position;
        Move move;
        /// The share that its parent's net gives to the move, of all its moves.
        float prior;
        /// For player one, from -1 to 1: the net's opinion or the result; the sum over all visits.
        float value = 0, total = 0;
        int visits = 0;
        Index parent, sibling, child = none;
        /// Its moves in `moves_`, and in `priors_` what the net thinks of those not tried yet; those tried have -1.
        Index first_move = 0;
        int moves = 0;
        std::uint8_t player;
        bool second = false, ended = false;
    };

    struct Candidate {
        int move;
        /// The logarithm of the prior and the Gumbel number.
        float score;
        Index node = none;
    };

    struct Share {
        std::int32_t index;
        Bfloat share;
    };
    struct Ply {
        std::size_t policy_end;
        float value;
        std::uint8_t player;
    };
    /// The positions of a game from which a net can learn.
    struct Finished {
        std::vector<Word> planes;
        std::vector<Ply> plies;
        std::vector<Share> policy;
        Result result = Result::ongoing;
    };

    static float worth(Result result, int player) {
        return result == Result::draw ? 0.0F : result == win_of(player) ? 1.0F : -1.0F;
    }
    /// A value for player one as a player's chance to win.
    static float chance(float value, int player) { return (player == 1 ? 1 + value : 1 - value) / 2; }
    static float chance(const Node& node, int player) {
        return chance(node.total / static_cast<float>(node.visits), player);
    }

    // -- the game -----------------------------------------------------------------------------------------------------

    void begin(const SelfPlaySettings& settings) {
        do {
            played_.positions.assign(1, start_);
            played_.moves.clear();
            result_ = Result::ongoing;
            current_ = {};
            so_far_.start(rules_, start_);
            int plies = 0;
            if (settings.opening_plies > 0 && random_.below(1 << 20) < settings.opening_share * (1 << 20))
                plies = 1 + random_.below(settings.opening_plies);
            while (plies-- > 0) {
                Move moves[G::max_moves];
                const int n = rules_.moves(played_.positions.back(), moves);
                if (go(moves[random_.below(n)]) != Result::ongoing) break;
            }
            // An opening that is a whole game teaches nothing: another one.
        } while (result_ != Result::ongoing);
        plant();
    }

    /// Plays a move, and tells how the game stands by all its rules.
    Result go(Move move) {
        const Position before = played_.positions.back();
        Position after = before;
        rules_.play(after, move);
        played_.positions.push_back(after);
        played_.moves.push_back(move);
        result_ = rules_.outcome(after);
        if (result_ == Result::ongoing) result_ = so_far_.ends(rules_, before, move, after);
        return result_;
    }

    /// The search is over: keep what it found, and play its move.
    void move_on(const SelfPlaySettings& settings) {
        const Node& root = nodes_[0];
        int most = 0;
        MixedValue mixed;
        for (const Candidate& candidate : candidates_)
            if (candidate.node != none) {
                const Node& node = nodes_[candidate.node];
                most = std::max(most, node.visits);
                mixed.add(node.prior, chance(node, root.player), node.visits);
            }
        const float trust = settings.trust.of(most), untried = mixed.of(chance(root.value, root.player));

        // The improved policy: the priors, and what values say against them.
        std::vector<double> shares(root.moves);
        double total = 0;
        for (int i = 0; i < root.moves; ++i) total += shares[i] = std::max(0.0F, priors_[i]);
        double value = total * untried;
        const Candidate* best = nullptr;
        float best_score = 0;
        for (const Candidate& candidate : candidates_) {
            if (candidate.node == none) continue;
            const Node& node = nodes_[candidate.node];
            const float here = chance(node, root.player);
            shares[candidate.move] = node.prior * std::exp(static_cast<double>(trust * (here - untried)));
            total += shares[candidate.move];
            value += shares[candidate.move] * here;
            const float score = candidate.score + trust * here;
            if (node.visits == most && (!best || score > best_score)) best = &candidate, best_score = score;
        }
        current_.planes.insert(current_.planes.end(), root_planes_.begin(), root_planes_.end());
        for (int i = 0; i < root.moves; ++i)
            current_.policy.push_back(
                {view_.index(root.second, moves_[i]), bfloat_of(static_cast<float>(shares[i] / total))});
        current_.plies.push_back({current_.policy.size(), static_cast<float>(2 * value / total - 1), root.player});

        ++tally_.moves;
        go(moves_[best->move]);
        if (result_ == Result::ongoing && static_cast<int>(played_.moves.size()) >= settings.longest)
            result_ = Result::draw;
        if (result_ == Result::ongoing) {
            plant();
            return;
        }
        ++tally_.games;
        current_.result = result_;
        finished_.push_back(std::move(current_));
        if (keep_records) records_.push_back({played_.moves, result_});
        begin(settings);
    }

    // -- the tree -----------------------------------------------------------------------------------------------------

    /// A new tree, of which nothing is known but its root.
    void plant() {
        played_.root = played_.positions.back();
        path_.emplace(rules_, played_);
        nodes_.clear();
        moves_.clear();
        priors_.clear();
        candidates_.clear();
        simulation_ = 0;
        asked_ = none;
        add(played_.root, 0, 1, none);
    }

    Index add(const Position& position, Move move, float prior, Index parent) {
        const auto index = static_cast<Index>(nodes_.size());
        const Index sibling = parent == none ? none : nodes_[parent].child;
        nodes_.push_back({.position = position,
                          .move = move,
                          .prior = prior,
                          .parent = parent,
                          .sibling = sibling,
                          .player = static_cast<std::uint8_t>(rules_.turn(position))});
        if (parent != none) nodes_[parent].child = index;
        return index;
    }

    /// Goes on until the net has to be asked. False when a move was made or a simulation ended without a question.
    bool ask(const SelfPlaySettings& settings, Word* planes) {
        if (nodes_[0].moves == 0) {
            nodes_[0].second = view_.pack(nodes_[0].position, planes);
            root_planes_.assign(planes, planes + view_.tables().packed_words());
            asked_ = 0;
            return true;
        }
        if (candidates_.empty()) choose_candidates(settings);
        if (simulation_ == static_cast<int>(schedule_.size())) {
            move_on(settings);
            return false;
        }
        int depth = 0;
        Index at = step_from_root(settings);
        ++depth;
        while (nodes_[at].visits > 0 && !nodes_[at].ended) {
            path_->enter(nodes_[nodes_[at].parent].position, nodes_[at].move, nodes_[at].position);
            at = step(at, settings.trust);
            ++depth;
        }
        ++simulation_;
        Node& leaf = nodes_[at];
        if (leaf.visits == 0) {
            path_->enter(nodes_[leaf.parent].position, leaf.move, leaf.position);
            leaf.ended = ends(leaf, depth);
            if (!leaf.ended) leaf.second = view_.pack(leaf.position, planes);
            path_->leave();
        }
        for (int i = 1; i < depth; ++i) path_->leave();
        if (!leaf.ended) {
            asked_ = at;
            return true;
        }
        back_up(at);
        return false;
    }

    /// Whether the game is over at a leaf; then its value is set.
    bool ends(Node& leaf, int depth) {
        const Result result = rules_.outcome(leaf.position);
        if (result != Result::ongoing) {
            leaf.value = worth(result, 1);
            return true;
        }
        Found found;
        if (!path_->ends(leaf.position, depth, found)) return false;
        const auto for_mover = static_cast<float>(found.decided() ? found.floor : 0);
        leaf.value = leaf.player == 1 ? for_mover : -for_mover;
        return true;
    }

    void learn(const Bfloat* logits, float value) {
        Node& node = nodes_[asked_];
        Move moves[G::max_moves];
        node.moves = rules_.moves(node.position, moves);
        node.first_move = static_cast<Index>(moves_.size());
        node.value = node.player == 1 ? value : -value;
        float largest = -std::numeric_limits<float>::infinity();
        for (int i = 0; i < node.moves; ++i) {
            moves_.push_back(moves[i]);
            priors_.push_back(float_of(logits[view_.index(node.second, moves[i])]));
            largest = std::max(largest, priors_.back());
        }
        float* const priors = priors_.data() + node.first_move;
        float total = 0;
        for (int i = 0; i < node.moves; ++i) total += priors[i] = std::exp(priors[i] - largest);
        for (int i = 0; i < node.moves; ++i) priors[i] /= total;
        back_up(asked_);
    }

    void back_up(Index at) {
        for (const float value = nodes_[at].value; at != none; at = nodes_[at].parent) {
            nodes_[at].total += value;
            ++nodes_[at].visits;
        }
    }

    void choose_candidates(const SelfPlaySettings& settings) {
        const int moves = nodes_[0].moves;
        candidates_.resize(moves);
        // A prior may be too small for a float; its logarithm must not be infinite.
        for (int i = 0; i < moves; ++i) candidates_[i] = {i, std::log(std::max(priors_[i], 1e-30F)) + gumbel(random_)};
        const int kept = std::min({settings.candidates, settings.simulations, moves});
        std::partial_sort(candidates_.begin(), candidates_.begin() + kept, candidates_.end(),
                          [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        candidates_.resize(kept);
        if (scheduled_ != std::pair{kept, settings.simulations}) {
            schedule_ = halving_schedule(kept, settings.simulations);
            scheduled_ = {kept, settings.simulations};
        }
    }

    /// The candidate whose turn it is by sequential halving: the best of those tried as often as planned.
    Index step_from_root(const SelfPlaySettings& settings) {
        const Node& root = nodes_[0];
        int most = 0;
        for (const Candidate& candidate : candidates_)
            if (candidate.node != none) most = std::max(most, nodes_[candidate.node].visits);
        const float trust = settings.trust.of(most);
        Candidate* best = nullptr;
        float best_score = 0;
        for (Candidate& candidate : candidates_) {
            const int visits = candidate.node == none ? 0 : nodes_[candidate.node].visits;
            if (visits != schedule_[simulation_]) continue;
            const float score = candidate.score + (visits ? trust * chance(nodes_[candidate.node], root.player) : 0.0F);
            if (!best || score > best_score) best = &candidate, best_score = score;
        }
        if (best->node == none) best->node = try_move(0, best->move);
        return best->node;
    }

    /// Below the root: the move whose share of the visits is furthest behind its share in the improved policy.
    Index step(Index from, const TrustInValues& trust_in_values) {
        const Node& node = nodes_[from];
        int most = 0;
        MixedValue mixed;
        for (Index child = node.child; child != none; child = nodes_[child].sibling) {
            most = std::max(most, nodes_[child].visits);
            mixed.add(nodes_[child].prior, chance(nodes_[child], node.player), nodes_[child].visits);
        }
        const float* const priors = priors_.data() + node.first_move;
        const int fresh = static_cast<int>(std::max_element(priors, priors + node.moves) - priors);
        if (node.child == none) return try_move(from, fresh);

        const float trust = trust_in_values.of(most), untried = mixed.of(chance(node.value, node.player));
        double total = std::max(0.0F, 1 - mixed.priors());
        for (Index child = node.child; child != none; child = nodes_[child].sibling)
            total += nodes_[child].prior *
                     std::exp(static_cast<double>(trust * (chance(nodes_[child], node.player) - untried)));
        double best_lag = priors[fresh] < 0 ? -std::numeric_limits<double>::infinity() : priors[fresh] / total;
        Index best = none;
        for (Index child = node.child; child != none; child = nodes_[child].sibling) {
            const double share = nodes_[child].prior *
                                 std::exp(static_cast<double>(trust * (chance(nodes_[child], node.player) - untried))) /
                                 total;
            const double lag = share - static_cast<double>(nodes_[child].visits) / (1 + mixed.visits());
            if (lag > best_lag) best = child, best_lag = lag;
        }
        return best == none ? try_move(from, fresh) : best;
    }

    Index try_move(Index from, int number) {
        const Index at = nodes_[from].first_move + number;
        Position position = nodes_[from].position;
        rules_.play(position, moves_[at]);
        return add(position, moves_[at], std::exchange(priors_[at], -1.0F), from);
    }

    const G& rules_;
    const View<G>& view_;
    const Position start_;
    Random random_;

    Played<G> played_{};
    Lookback<G> so_far_;
    Result result_ = Result::ongoing;
    std::optional<Path<G>> path_;

    std::vector<Node> nodes_;
    std::vector<Move> moves_;
    std::vector<float> priors_;
    std::vector<Candidate> candidates_;
    std::vector<int> schedule_;
    std::pair<int, int> scheduled_{0, 0};
    int simulation_ = 0;
    /// The node about which the net is asked; none before the first question.
    Index asked_ = none;
    std::vector<Word> root_planes_;

    Finished current_;
    std::vector<Finished> finished_;
    std::vector<GameRecord> records_;
    Tally tally_;
};

/// Games in groups, carried on by several threads. One game depends on the seed, its number and the net's answers
/// alone, so with one net the whole does not depend on the number of threads.
class SelfPlay {
   public:
    virtual ~SelfPlay() = default;
    virtual void change(const SelfPlaySettings& settings) = 0;
    virtual void advance(int group) = 0;
    virtual Lessons lessons() = 0;
    virtual std::vector<GameRecord> records() = 0;
    virtual Tally tally() const = 0;
};

template <Game G>
class SelfPlayOf final : public SelfPlay {
   public:
    SelfPlayOf(G rules, ViewTables tables, const Word* start, const SelfPlaySettings& settings, std::uint64_t seed,
               int games, int groups, int threads, bool keep_records, const Desk& desk)
        : rules_(std::move(rules)),
          view_(rules_, std::move(tables)),
          settings_(settings),
          groups_(groups),
          desk_(desk),
          crew_(threads) {
        const typename G::Position first = rules_.decode(start);
        require(rules_.outcome(first) == Result::ongoing, "the game is over at the start");
        games_.reserve(games);
        for (int i = 0; i < games; ++i) {
            games_.emplace_back(rules_, view_, first, seed, i);
            games_.back().keep_records = keep_records;
        }
    }

    void change(const SelfPlaySettings& settings) override { settings_ = settings; }

    void advance(int group) override {
        require(0 <= group && group < groups_, "there is no such group");
        const int games = static_cast<int>(games_.size());
        const int words = view_.tables().packed_words(), size = view_.tables().policy_size;
        crew_.share(games * group / groups_, games * (group + 1) / groups_, [&](int i) {
            games_[i].advance(settings_, desk_.planes + static_cast<std::size_t>(i) * words,
                              desk_.logits + static_cast<std::size_t>(i) * size, desk_.values[i]);
        });
    }

    Lessons lessons() override {
        Lessons lessons;
        for (auto& game : games_) game.give(lessons);
        return lessons;
    }

    std::vector<GameRecord> records() override {
        std::vector<GameRecord> records;
        for (auto& game : games_) game.give(records);
        return records;
    }

    Tally tally() const override {
        Tally sum;
        for (const auto& game : games_) {
            const Tally one = game.tally();
            sum.games += one.games, sum.moves += one.moves, sum.questions += one.questions;
        }
        return sum;
    }

   private:
    const G rules_;
    const View<G> view_;
    SelfPlaySettings settings_;
    const int groups_;
    const Desk desk_;
    std::vector<OwnGame<G>> games_;
    Crew crew_;
};

}  // namespace tabuleiro
