// Monte Carlo tree search: a tree that grows where it pays, with proofs passed up as they are found.
//
// What a leaf is worth and which moves deserve trust is for a judge to say (see `Judge`): random games, an evaluation,
// the knowledge of one game, or somebody outside who is asked about many leaves at once, as a neural net wants.
//
// Nodes lie in one block of memory, the children of a node side by side, and are never freed one by one. Threads share
// the tree without locks: numbers are added atomically, and a simulation under way counts as a loss for whoever chose
// it, so that the next one looks elsewhere. When the block is full the tree grows no more, but its numbers still do.
//
// A tree knows no transpositions, so it cannot prove what is decided by going round; where that counts, and near the end
// of a game anyway, df-pn proves the root sooner. It is asked now and then, for a small part of the time.
//
// Values and proofs are kept for player one: the same player may move twice running, so signs say nothing about plies.
#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "../playout.hpp"
#include "alphabeta.hpp"
#include "dfpn.hpp"
#include "path.hpp"

namespace tabuleiro {

/// The moves that were made in a simulation, whenever that was: what all-moves-as-first learns from.
class Marks {
   public:
    void clear() { ++age_; }
    void set(int player, Move move) { ages_[index(player, move)] = age_; }
    bool has(int player, Move move) const { return ages_[index(player, move)] == age_; }

   private:
    static constexpr std::size_t codes = 1 << 14;
    static std::size_t index(int player, Move move) { return 2 * (move % codes) + player - 1; }

    std::vector<std::uint32_t> ages_ = std::vector<std::uint32_t>(2 * codes);
    std::uint32_t age_ = 1;
};

/// What is known of a position without searching, for player one.
template <Game G>
struct Study {
    Worth floor = lost, ceiling = won;
    /// Where the player to move wins, a move that does it; without one, every move does.
    std::optional<Move> winner = std::nullopt;
    /// Whether a move loses for certain, asked only while the position is undecided.
    std::function<bool(Move)> loses = nullptr;
};

/// Who judges leaves. A copy serves one thread.
template <class J>
concept Judge = Game<typename J::Rules> && std::copy_constructible<J> &&
                requires(J judge, const typename J::Rules::Position position, Move* moves, float* priors,
                         Random random, Marks* marks, History so_far) {
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
concept Scholar = Judge<J> && requires(J judge, const typename J::Rules::Position position) {
    { judge.study(position) } -> std::same_as<Study<typename J::Rules>>;
};

struct TreeSettings {
    std::uint64_t seed = 0;
    std::size_t mebibytes = 64;
    /// How much is risked on moves that had few visits.
    double exploration = 1;
    /// A leaf gets children when it has had so many visits.
    std::uint32_t expand_after = 1;
    /// The visits at which a move's own results weigh as much as those of games in which it came later; 0: they alone.
    double rave = 0;
    /// A node is studied when it has had so many visits.
    std::uint32_t study_after = 500;
    /// How many leaves somebody outside is asked about at once.
    int batch = 16;
    /// Whether what is proven of a position is proven of those that lead to it.
    bool proofs = true;
};

/// Positions that somebody outside is asked about, and the answers.
struct Questions {
    int size = 0;
    std::vector<Word> positions;        // the words of each, one after another
    std::vector<std::uint32_t> counts;  // how many legal moves each has
    std::vector<Move> moves;            // all of them, one after another
    std::vector<float> values;          // answer: for the player to move, from -1 to 1
    std::vector<float> priors;          // answer: how much each move is to be trusted, at least 0
};

using Outsider = std::function<void(Questions&)>;

template <Judge J>
class Mcts {
   public:
    using G = typename J::Rules;
    using Position = typename G::Position;

    Mcts(const G& rules, J judge, const TreeSettings& settings)
        : rules_(rules),
          judge_(std::move(judge)),
          settings_(settings),
          capacity_(settings.mebibytes * 1024 * 1024 / sizeof(Node)),
          nodes_(std::make_unique_for_overwrite<Node[]>(capacity_)) {
        require(capacity_ > 2 * G::max_moves, "there is too little memory");
    }

    void forget() {
        kept_.positions.clear();
        prover_.reset();
    }

    /// Searches from the end of a game that is not over until a limit is met, `stop` is set, or the value is proven.
    /// Asks `outsider` about the leaves, unless it is null.
    Report run(const Played<G>& played, const Limits& limits, int lines, int threads, std::atomic<bool>& stop,
               const Outsider* outsider, const Listener& listener, Pulse& pulse) {
        Shared shared{.stop = stop, .begin = Clock::now(), .limits = limits, .outsider = outsider};
        plant(played);
        shared.several = threads > 1 || (outsider && settings_.batch > 1);
        std::vector<std::unique_ptr<Worker>> workers;
        for (int i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(*this, shared, played, i));
        std::vector<std::thread> running;
        std::exception_ptr trouble;
        std::atomic<bool> troubled = false;
        const auto finish = [&] {
            shared.finished = true;
            for (std::thread& thread : running) thread.join();
        };
        try {
            workers[0]->prepare();
            for (int i = 1; i < threads; ++i)
                running.emplace_back([&, &worker = *workers[i]] {
                    try {
                        worker.help();
                    } catch (...) {
                        if (!troubled.exchange(true)) trouble = std::current_exception();
                        shared.finished = true;
                    }
                });
            workers[0]->lead([&] { listener(report(played, lines, shared)); }, played, pulse);
        } catch (...) {
            finish();
            forget();
            throw;
        }
        finish();
        if (trouble) {
            forget();
            std::rethrow_exception(trouble);
        }
        return report(played, lines, shared);
    }

   private:
    using Index = std::uint32_t;
    /// Sums of values are kept in units of which 1 has so many.
    static constexpr double unit = 1 << 16;
    static constexpr std::uint32_t stuck_after = 1024;

    /// A move, and what is known of the position after it. Plain, so that trees can be moved; threads that share it
    /// reach its numbers through `atomic_ref`.
    struct Node {
        std::int64_t sum;      // of values, for player one
        std::uint32_t visits;  // simulations under way included
        Index children;        // the first of them, 0 when there are none yet
        Move move;
        float prior;
        std::int32_t amaf_sum;  // in units of 1: draws count for nothing here
        std::uint32_t amaf_visits;
        std::uint16_t n_children;
        std::int8_t floor, ceiling;  // what is proven, for player one
        std::uint8_t growing;        // a thread is making the children, or an outsider is being asked
    };

    template <class T>
    static T read(T& number) {
        return std::atomic_ref<T>(number).load(std::memory_order_relaxed);
    }
    template <class T>
    static void write(T& number, T value) {
        std::atomic_ref<T>(number).store(value, std::memory_order_relaxed);
    }

    static bool decided(Node& node) { return read(node.floor) == read(node.ceiling); }

    struct Shared {
        std::atomic<bool>& stop;
        Clock::time_point begin;
        Limits limits;
        const Outsider* outsider;
        bool several = false;
        std::atomic<bool> finished = false;
        /// Shared as the numbers of nodes are.
        std::uint64_t simulations = 0;

        double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
    };

    // ------------------------------------------------------------------------------------------------- the whole tree

    /// Keeps of the tree what lies below the position now searched, if the game has gone on from the one before.
    void plant(const Played<G>& played) {
        Index root = 0;
        const bool grown = continues(played) && descend(played, root);
        kept_ = played;
        if (grown) {
            if (root != 0) keep_below(root);
            // Leaves that found no memory may try again.
            for (Index i = 0; i < used_; ++i)
                if (nodes_[i].children == 0) nodes_[i].growing = 0;
            return;
        }
        nodes_[0] = fresh(0, 1);
        used_ = 1;
        oldest_return_ = Found::free_of_path;
    }

    static Node fresh(Move move, float prior) {
        return {0, 0, 0, move, prior, 0, 0, 0, static_cast<std::int8_t>(lost), static_cast<std::int8_t>(won), 0};
    }

    bool continues(const Played<G>& played) const {
        if (kept_.positions.empty() || kept_.moves.size() > played.moves.size()) return false;
        if (!std::equal(kept_.moves.begin(), kept_.moves.end(), played.moves.begin())) return false;
        // A line was given up because it came back to a position that now lies before the root: that was too early.
        const auto further = static_cast<int>(played.moves.size() - kept_.moves.size());
        if (oldest_return_ < further) return false;
        Word before[G::max_words], now[G::max_words];
        rules_.encode(kept_.positions.front(), before);
        rules_.encode(played.positions.front(), now);
        return std::equal(before, before + rules_.words(), now);
    }

    bool descend(const Played<G>& played, Index& at) {
        for (std::size_t ply = kept_.moves.size(); ply < played.moves.size(); ++ply) {
            const Node& node = nodes_[at];
            Index next = 0;
            for (Index i = node.children; i < node.children + node.n_children; ++i)
                if (nodes_[i].move == played.moves[ply]) next = i;
            if (next == 0) return false;
            at = next;
        }
        return true;
    }

    /// Makes a node the root, and moves what lies below it to the front of the memory. Children always lie behind their
    /// parents, so going through their blocks in order overwrites nothing that is still wanted.
    void keep_below(Index root) {
        struct Block {
            Index owner, from;
            std::uint16_t size;
        };
        std::vector<Block> blocks;
        std::vector<Index> waiting{root};
        while (!waiting.empty()) {
            const Index owner = waiting.back();
            const Node& node = nodes_[owner];
            waiting.pop_back();
            if (node.children == 0) continue;
            blocks.push_back({owner, node.children, node.n_children});
            for (Index i = node.children; i < node.children + node.n_children; ++i)
                if (nodes_[i].children) waiting.push_back(i);
        }
        std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.from < b.from; });
        used_ = 1;
        for (const Block& block : blocks) {
            nodes_[block.owner].children = used_;
            used_ += block.size;
        }
        nodes_[0] = nodes_[root];
        Index to = 1;
        for (const Block& block : blocks) {
            std::copy_n(&nodes_[block.from], block.size, &nodes_[to]);
            to += block.size;
        }
        if (oldest_return_ != Found::free_of_path) oldest_return_ = 0;
    }

    /// Takes memory for some nodes; 0 when there is none left.
    Index take(int n) {
        std::atomic_ref<Index> used(used_);
        Index first = used.load(std::memory_order_relaxed);
        do {
            if (first + static_cast<std::size_t>(n) > capacity_) return 0;
        } while (!used.compare_exchange_weak(first, first + n, std::memory_order_relaxed));
        return first;
    }

    // ---------------------------------------------------------------------------------------------------- the report

    /// The best children first: those that do as well as is proven of the parent, then the others by their visits, then
    /// those proven to lose.
    std::vector<Index> ranked(Index parent, int player) {
        std::vector<Index> children;
        const Index first = std::atomic_ref<Index>(nodes_[parent].children).load(std::memory_order_acquire);
        if (first == 0) return children;
        for (Index i = first; i < first + nodes_[parent].n_children; ++i) children.push_back(i);
        const bool settled = decided(nodes_[parent]);
        const int best = floor_for(nodes_[parent], player);
        const auto rank = [&](Index i) {
            const int floor = floor_for(nodes_[i], player);
            const bool loses = floor == lost && decided(nodes_[i]);
            return std::pair{floor == won || (settled && floor == best && !loses) ? 1 : loses ? -1 : 0,
                             read(nodes_[i].visits)};
        };
        std::stable_sort(children.begin(), children.end(), [&](Index a, Index b) { return rank(a) > rank(b); });
        return children;
    }

    /// What a player is sure of.
    static int floor_for(Node& node, int player) { return player == 1 ? read(node.floor) : -read(node.ceiling); }

    Report report(const Played<G>& played, int lines, Shared& shared) {
        Report report{main_line().length, read(shared.simulations), shared.seconds(), decided(nodes_[0]), {}};
        const std::vector<Index> best = ranked(0, rules_.turn(played.root));
        for (int i = 0; i < std::min(lines, static_cast<int>(best.size())); ++i)
            report.lines.push_back(line_of(best[i], played.root));
        return report;
    }

    struct MainLine {
        int length;
        bool grows;  // whether there may be more of it later
    };

    /// The moves from the root that had most visits, each after the other.
    MainLine main_line() {
        Index at = 0;
        for (int length = 0;; ++length) {
            Node& node = nodes_[at];
            const Index first = std::atomic_ref<Index>(node.children).load(std::memory_order_acquire);
            if (length > 0 && decided(node)) return {length, false};
            // A leaf that was visited so often and has no children finds no memory, or comes back to an earlier position.
            if (first == 0) return {length, read(node.visits) < settings_.expand_after + stuck_after};
            at = first;
            for (Index i = first; i < first + node.n_children; ++i)
                if (read(nodes_[i].visits) > read(nodes_[at].visits)) at = i;
            if (read(nodes_[at].visits) == 0) return {length, true};
        }
    }

    Line line_of(Index at, Position position) {
        const int player = rules_.turn(position);
        Node& node = nodes_[at];
        Found found;
        const std::uint32_t visits = read(node.visits);
        const double mean = visits ? static_cast<double>(read(node.sum)) / unit / visits : 0;
        found.score = static_cast<int>(std::lround(std::clamp(mean, -1.0, 1.0) * largest_estimate));
        found.floor = static_cast<Worth>(read(node.floor));
        found.ceiling = static_cast<Worth>(read(node.ceiling));
        if (player == 2) found = -found;
        found.respect_proof();
        if (found.floor == won) found.score = smallest_win;
        if (found.ceiling == lost) found.score = -smallest_win;
        Line line{found, {}};
        while (true) {
            line.moves.push_back(nodes_[at].move);
            rules_.play(position, nodes_[at].move);
            if (rules_.outcome(position) != Result::ongoing) break;
            const std::vector<Index> next = ranked(at, rules_.turn(position));
            if (next.empty() || read(nodes_[next[0]].visits) == 0) break;
            at = next[0];
        }
        return line;
    }

    // ---------------------------------------------------------------------------------------------------- the threads

    class Worker {
       public:
        Worker(Mcts& owner, Shared& shared, const Played<G>& played, int number)
            : tree_(owner),
              rules_(owner.rules_),
              settings_(owner.settings_),
              judge_(owner.judge_),
              shared_(shared),
              root_(played.root),
              path_(rules_, played),
              random_(settings_.seed, number) {}

        /// There must be moves to choose from, however soon the search is stopped.
        void prepare() {
            Node& root = node(0);
            if (root.children == 0) {
                if (shared_.outsider) {
                    Questions questions;
                    put(questions, root_);
                    answer(questions);
                    grow(root, questions.moves.data(), static_cast<int>(questions.moves.size()), questions.priors.data());
                } else {
                    expand(root, root_);
                }
            }
            // A proof that came from above shows no move: it is looked for anew.
            const auto [floor, ceiling] = bounds_by_children(root, rules_.turn(root_));
            root.floor = static_cast<std::int8_t>(floor);
            root.ceiling = static_cast<std::int8_t>(ceiling);
            if constexpr (Scholar<J>)
                if (!shared_.outsider && !decided(root)) study(root, root_);
        }

        template <class Tell>
        void lead(const Tell& tell, const Played<G>& played, Pulse& pulse) {
            double next_news = 0.1;
            std::uint64_t next_proof = first_proof;
            for (std::uint64_t done = 0; !finished();) {
                work();
                pulse.beat(64);
                if (++done % checks_every != 0 && !shared_.outsider) continue;
                if constexpr (!Scholar<J>)
                    if (settings_.proofs && done >= next_proof) {
                        try_to_prove_root(played, done, pulse);
                        next_proof *= 4;
                    }
                const double seconds = shared_.seconds();
                if (shared_.stop || (shared_.limits.seconds > 0 && seconds >= shared_.limits.seconds)) break;
                if (shared_.limits.depth > 0 && deep_enough()) break;
                if (seconds >= next_news) {
                    tell();
                    next_news = shared_.seconds() + 0.1;
                }
            }
        }

        void help() {
            while (!finished()) work();
        }

       private:
        static constexpr int checks_every = 16;
        static constexpr std::uint64_t first_proof = 4096;
        static constexpr std::size_t proof_mebibytes = 16;
        static constexpr int max_depth = max_ply - 1;

        struct Trail {
            Position position;  // at the end
            int depth = 0;
            std::array<Index, max_depth + 1> nodes;
            std::array<std::uint8_t, max_depth + 1> movers;
        };

        Node& node(Index index) { return tree_.nodes_[index]; }

        template <class T>
        void add(T& number, T more) {
            if (shared_.several)
                std::atomic_ref<T>(number).fetch_add(more, std::memory_order_relaxed);
            else
                number += more;
        }

        bool finished() {
            if (shared_.finished || decided(node(0))) return true;
            return shared_.limits.nodes && read(shared_.simulations) >= shared_.limits.nodes;
        }

        bool deep_enough() {
            const MainLine line = tree_.main_line();
            return !line.grows || line.length >= std::min(shared_.limits.depth, max_depth);
        }

        void work() {
            if (shared_.outsider)
                ask();
            else
                simulate();
        }

        // -------------------------------------------------------------------------------------------- one simulation

        void simulate() {
            add(shared_.simulations, std::uint64_t{1});
            if (settings_.rave > 0) marks_.clear();
            double value;
            if (!walk(trail_, value))
                value = judge_.value(trail_.position, path_.so_far(), random_, settings_.rave > 0 ? &marks_ : nullptr);
            back_up(trail_, value);
            for (int i = 0; i < trail_.depth; ++i) path_.leave();
        }

        /// Goes down the tree to a leaf. Returns whether its value is known there.
        bool walk(Trail& trail, double& value) {
            trail.position = root_;
            trail.depth = 0;
            Index at = 0;
            while (true) {
                Node& here = node(at);
                const int mover = rules_.turn(trail.position);
                trail.nodes[trail.depth] = at;
                trail.movers[trail.depth] = static_cast<std::uint8_t>(mover);
                arrive(here, trail.depth ? trail.movers[trail.depth - 1] : mover);
                if (decided(here)) {
                    value = read(here.floor);
                    return true;
                }
                Index first = std::atomic_ref<Index>(here.children).load(std::memory_order_acquire);
                if (first == 0) {
                    if (ends(here, trail, value)) return true;
                    if (trail.depth == max_depth) {
                        value = 0;
                        return true;
                    }
                    if (shared_.outsider || read(here.visits) <= settings_.expand_after) return false;
                    if (!expand(here, trail.position)) return false;
                    first = here.children;
                }
                if constexpr (Scholar<J>)
                    if (!shared_.outsider && read(here.visits) == settings_.study_after && at != 0) {
                        study(here, trail.position);
                        if (decided(here)) {
                            pass_up(trail);
                            value = read(here.floor);
                            return true;
                        }
                    }
                const Index next = choose(here, first, mover);
                if (next == 0) {
                    // Threads that proved the last children at the same time may each have missed the other's news.
                    deduce(here, mover);
                    pass_up(trail);
                    value = read(here.floor);
                    return true;
                }
                const Position before = trail.position;
                rules_.play(trail.position, node(next).move);
                path_.enter(before, node(next).move, trail.position);
                at = next;
                ++trail.depth;
            }
        }

        /// Counts a visit before its value is known: as a loss for whoever chose to come, if others are under way.
        void arrive(Node& here, int chooser) {
            add(here.visits, std::uint32_t{1});
            if (shared_.several) add(here.sum, chooser == 1 ? -virtual_loss : virtual_loss);
        }

        bool ends(Node& here, Trail& trail, double& value) {
            const Position& position = trail.position;
            if (const Result result = rules_.outcome(position); result != Result::ongoing) {
                value = result == Result::draw ? 0 : result == Result::one ? 1 : -1;
                prove(here, static_cast<int>(value), static_cast<int>(value));
                pass_up(trail);
                return true;
            }
            Found found;
            if (trail.depth == 0 || !path_.ends(position, trail.depth, found)) return false;
            if (rules_.turn(position) == 2) found = -found;
            value = found.decided() ? found.floor : 0;
            if (found.taint != Found::free_of_path) {
                std::atomic_ref<int> oldest(tree_.oldest_return_);
                if (found.taint < oldest) oldest = found.taint;
            }
            if (found.decided()) {
                prove(here, found.floor, found.floor);
                pass_up(trail);
            }
            return true;
        }

        void back_up(const Trail& trail, double value) {
            const auto amount = static_cast<std::int64_t>(std::floor(value * unit + 0.5));
            const int sign = value > 0 ? 1 : value < 0 ? -1 : 0;
            for (int depth = trail.depth; depth >= 0; --depth) {
                Node& here = node(trail.nodes[depth]);
                std::int64_t more = amount;
                if (shared_.several)
                    more += trail.movers[depth ? depth - 1 : 0] == 1 ? virtual_loss : -virtual_loss;
                add(here.sum, more);
                if (settings_.rave > 0) {
                    if (depth < trail.depth) marks_.set(trail.movers[depth], node(trail.nodes[depth + 1]).move);
                    learn(here, trail.movers[depth], sign);
                }
            }
        }

        /// All moves as first: a move made later by the same player says something of the move made now.
        void learn(Node& parent, int mover, int sign) {
            const Index first = std::atomic_ref<Index>(parent.children).load(std::memory_order_acquire);
            if (first == 0) return;
            for (Index i = first; i < first + parent.n_children; ++i) {
                Node& child = node(i);
                if (!marks_.has(mover, child.move)) continue;
                add(child.amaf_visits, std::uint32_t{1});
                add(child.amaf_sum, std::int32_t{sign});
            }
        }

        // ------------------------------------------------------------------------------------------------ the choice

        /// The child to visit next; 0 when all are proven to lose. A child proven to draw teaches nothing more, however
        /// good it is beside the others: every second visit goes to one that is still open.
        Index choose(Node& parent, Index first, int mover) {
            const double sign = mover == 1 ? 1 : -1;
            const double visits = std::max<double>(read(parent.visits), 1);
            const double mean = sign * static_cast<double>(read(parent.sum)) / unit / visits;
            const double spread = guided() ? settings_.exploration * std::sqrt(visits)
                                           : settings_.exploration * std::sqrt(std::log(visits));
            Index best = 0, best_open = 0;
            double best_score = -1e30, best_open_score = -1e30;
            for (Index i = first; i < first + parent.n_children; ++i) {
                Node& child = node(i);
                const bool is_open = !decided(child);
                if (!is_open && floor_for(child, mover) == lost) continue;
                const double score = guided() ? guided_score(child, sign, mean, spread)
                                              : plain_score(child, sign, spread);
                if (score > best_score) best_score = score, best = i;
                if (is_open && score > best_open_score) best_open_score = score, best_open = i;
            }
            return best_open != 0 && read(parent.visits) % 2 == 0 ? best_open : best;
        }

        bool guided() const { return J::has_priors || shared_.outsider; }

        /// UCT. What has not been tried comes first; what others say of it decides in which order.
        double plain_score(Node& child, double sign, double spread) {
            const double visits = read(child.visits);
            if (visits == 0) return 1e9 + (settings_.rave > 0 ? later(child, sign, 0) : 0);
            const double own = sign * static_cast<double>(read(child.sum)) / unit / visits;
            return blend(child, sign, own, visits) + spread / std::sqrt(visits);
        }

        /// PUCT. What has not been tried is taken to be a little worse than its siblings.
        double guided_score(Node& child, double sign, double mean, double spread) {
            const double visits = read(child.visits);
            const double own = visits == 0 ? mean - 0.2 : sign * static_cast<double>(read(child.sum)) / unit / visits;
            return blend(child, sign, own, visits) + spread * child.prior / (1 + visits);
        }

        double later(Node& child, double sign, double otherwise) {
            const double visits = read(child.amaf_visits);
            return visits == 0 ? otherwise : sign * read(child.amaf_sum) / visits;
        }

        double blend(Node& child, double sign, double own, double visits) {
            if (settings_.rave <= 0) return own;
            const double weight = std::sqrt(settings_.rave / (3 * visits + settings_.rave));
            return (1 - weight) * own + weight * later(child, sign, own);
        }

        // ------------------------------------------------------------------------------------------------ new nodes

        bool claim(Node& here) { return std::atomic_ref<std::uint8_t>(here.growing).exchange(1) == 0; }

        bool expand(Node& here, const Position& position) {
            if (!claim(here)) return false;
            Move moves[G::max_moves];
            float priors[G::max_moves];
            const int n = judge_.open(position, moves, rules_.moves(position, moves), priors, random_);
            // When there is no memory the node stays claimed, and nobody tries again.
            return grow(here, moves, n, priors);
        }

        bool grow(Node& here, const Move* moves, int n, const float* priors) {
            const Index first = tree_.take(n);
            if (first == 0) return false;
            for (int i = 0; i < n; ++i) node(first + i) = fresh(moves[i], priors[i]);
            here.n_children = static_cast<std::uint16_t>(n);
            std::atomic_ref<Index>(here.children).store(first, std::memory_order_release);
            return true;
        }

        // --------------------------------------------------------------------------------------------------- proofs

        static void prove(Node& here, int floor, int ceiling) {
            write(here.floor, static_cast<std::int8_t>(std::max<int>(floor, read(here.floor))));
            write(here.ceiling, static_cast<std::int8_t>(std::min<int>(ceiling, read(here.ceiling))));
        }

        /// Brings what has just been proven of the last node to those above it.
        void pass_up(const Trail& trail) {
            if (!settings_.proofs) return;
            for (int depth = trail.depth - 1; depth >= 0; --depth)
                if (!deduce(node(trail.nodes[depth]), trail.movers[depth])) return;
        }

        /// What the children prove of their parent; returns whether that is news.
        bool deduce(Node& parent, int mover) {
            const auto [floor, ceiling] = bounds_by_children(parent, mover);
            if (floor <= read(parent.floor) && ceiling >= read(parent.ceiling)) return false;
            prove(parent, floor, ceiling);
            return true;
        }

        std::pair<int, int> bounds_by_children(const Node& parent, int mover) {
            const Index first = parent.children;
            int floor = mover == 1 ? lost : won, ceiling = floor;
            for (Index i = first; i < first + parent.n_children; ++i) {
                const int low = read(node(i).floor), high = read(node(i).ceiling);
                floor = mover == 1 ? std::max(floor, low) : std::min(floor, low);
                ceiling = mover == 1 ? std::max(ceiling, high) : std::min(ceiling, high);
            }
            return {floor, ceiling};
        }

        /// Asks df-pn about the root: does whoever is to move win, and if not, at least draw?
        void try_to_prove_root(const Played<G>& played, std::uint64_t nodes, Pulse& pulse) {
            const int mover = rules_.turn(root_);
            const Worth win = mover == 1 ? won : lost, loss = mover == 1 ? lost : won;
            if (!tree_.prover_) tree_.prover_ = std::make_unique<Dfpn<G>>(rules_, proof_mebibytes);
            for (Worth goal : {won, drawn}) {
                Limits limits{.nodes = nodes};
                if (shared_.limits.seconds > 0) limits.seconds = std::max(shared_.limits.seconds - shared_.seconds(), 1e-3);
                const Proof proof = tree_.prover_->prove(played, mover, goal, limits, shared_.stop, pulse);
                if (proof.verdict == Verdict::unknown) return;
                if (proof.verdict == Verdict::disproven) continue;
                prove_root(mover, goal == won ? win : drawn, proof.move);
                return;
            }
            prove_root(mover, loss, Known::no_move);
        }

        /// No move is better than the root, and one is as good, unless all lose.
        void prove_root(int mover, Worth value, Move as_good) {
            for (Index i = node(0).children; i < node(0).children + node(0).n_children; ++i) {
                const bool exact = node(i).move == as_good;
                prove(node(i), exact || mover == 2 ? value : lost, exact || mover == 1 ? value : won);
            }
            prove(node(0), value, value);
        }

        void study(Node& here, const Position& position)
            requires Scholar<J>
        {
            const Study<G> found = judge_.study(position);
            const int mover = rules_.turn(position);
            const Worth win = mover == 1 ? won : lost, loss = mover == 1 ? lost : won;
            // The children get their share, so that there is a winning move to be seen.
            for (Index i = here.children; i < here.children + here.n_children; ++i) {
                Node& child = node(i);
                if (found.floor == win && found.ceiling == win) {
                    if (!found.winner || child.move == *found.winner) prove(child, win, win);
                } else if ((found.floor == loss && found.ceiling == loss) || (found.loses && found.loses(child.move))) {
                    prove(child, loss, loss);
                }
            }
            prove(here, found.floor, found.ceiling);
            deduce(here, mover);
        }

        // ------------------------------------------------------------------------------------- asking somebody outside

        void ask() {
            Questions questions;
            std::vector<std::unique_ptr<Trail>> waiting;
            // Simulations that end where the value is known cost nothing, but must not keep us from asking for ever.
            for (int tries = 0; tries < 4 * settings_.batch && questions.size < settings_.batch; ++tries) {
                if (finished()) break;
                add(shared_.simulations, std::uint64_t{1});
                auto trail = std::make_unique<Trail>();
                double value;
                const bool known = walk(*trail, value);
                for (int i = 0; i < trail->depth; ++i) path_.leave();
                if (known) {
                    back_up(*trail, value);
                } else if (!claim(node(trail->nodes[trail->depth]))) {
                    // Somebody is asking about this leaf already: take the visit back, and let the others be answered.
                    add(shared_.simulations, ~std::uint64_t{0});
                    withdraw(*trail);
                    break;
                } else {
                    put(questions, trail->position);
                    waiting.push_back(std::move(trail));
                }
            }
            if (questions.size == 0) {
                std::this_thread::yield();
                return;
            }
            answer(questions);
            std::size_t first = 0;
            for (std::size_t i = 0; i < waiting.size(); ++i) {
                const Trail& trail = *waiting[i];
                const int n = static_cast<int>(questions.counts[i]);
                Node& leaf = node(trail.nodes[trail.depth]);
                // Without memory the leaf stays a leaf, and is asked about again when it is reached again.
                if (!grow(leaf, questions.moves.data() + first, n, questions.priors.data() + first))
                    std::atomic_ref<std::uint8_t>(leaf.growing) = 0;
                first += n;
                back_up(trail, rules_.turn(trail.position) == 1 ? questions.values[i] : -questions.values[i]);
            }
        }

        /// Has the questions answered, and makes the priors of each position add up to 1.
        void answer(Questions& questions) const {
            (*shared_.outsider)(questions);
            require(questions.values.size() == questions.counts.size(), "there must be one value for each position");
            require(questions.priors.size() == questions.moves.size(), "there must be one prior for each move");
            for (float value : questions.values) require(value >= -1 && value <= 1, "a value is from -1 to 1");
            float* priors = questions.priors.data();
            for (std::uint32_t n : questions.counts) {
                normalise(priors, static_cast<int>(n));
                priors += n;
            }
        }

        void withdraw(const Trail& trail) {
            for (int depth = trail.depth; depth >= 0; --depth) {
                Node& here = node(trail.nodes[depth]);
                add(here.visits, ~std::uint32_t{0});
                if (shared_.several)
                    add(here.sum, trail.movers[depth ? depth - 1 : 0] == 1 ? virtual_loss : -virtual_loss);
            }
        }

        void put(Questions& questions, const Position& position) const {
            Word words[G::max_words];
            rules_.encode(position, words);
            questions.positions.insert(questions.positions.end(), words, words + rules_.words());
            Move moves[G::max_moves];
            const int n = rules_.moves(position, moves);
            questions.counts.push_back(n);
            questions.moves.insert(questions.moves.end(), moves, moves + n);
            ++questions.size;
        }

        static void normalise(float* priors, int n) {
            double total = 0;
            for (int i = 0; i < n; ++i) {
                require(priors[i] >= 0 && priors[i] < 1e30F, "a prior is not negative, and not infinite");
                total += priors[i];
            }
            for (int i = 0; i < n; ++i)
                priors[i] = total > 0 ? static_cast<float>(priors[i] / total) : 1.0F / static_cast<float>(n);
        }

        static constexpr std::int64_t virtual_loss = static_cast<std::int64_t>(unit);

        Mcts& tree_;
        const G& rules_;
        const TreeSettings& settings_;
        J judge_;
        Shared& shared_;
        const Position root_;
        Path<G> path_;
        Random random_;
        Marks marks_;
        Trail trail_;
    };

    const G& rules_;
    const J judge_;
    const TreeSettings settings_;
    const std::size_t capacity_;
    std::unique_ptr<Node[]> nodes_;
    std::unique_ptr<Dfpn<G>> prover_;
    Index used_ = 0;
    /// The smallest ply to which a line in the tree came back (see `Found::taint`).
    int oldest_return_ = Found::free_of_path;
    /// The game whose last position is the root of the tree; empty when there is no tree.
    Played<G> kept_{};
};

}  // namespace tabuleiro
