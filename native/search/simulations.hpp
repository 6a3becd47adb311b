// The simulations of one thread of a tree search: down the tree to a leaf, its value, and back up again.
//
// Threads share the tree: a simulation under way counts as a loss for the player who chose it, so that the next one
// looks elsewhere.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "leaf_evaluator.hpp"
#include "report.hpp"
#include "selection.hpp"
#include "tree_proofs.hpp"

namespace tabuleiro {

/// What the threads of one search share besides the tree.
struct SharedSearch {
    std::atomic<bool>& stop;
    Clock::time_point begin;
    Limits limits;
    /// Values the leaves in the judge's place, unless it is null.
    const LeafEvaluator* evaluator;
    /// Whether several simulations are under way at once.
    bool several;
    std::atomic<bool> finished = false;
    /// Shared as the numbers of nodes are.
    std::uint64_t simulations = 0;

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
};

template <Judge J>
class Simulations {
   public:
    using G = typename J::Rules;
    using Position = typename G::Position;

    Simulations(const G& rules, Tree<G>& tree, const TreeSettings& settings, const J& judge, SharedSearch& shared,
                const Played<G>& played, int thread)
        : tree_(tree),
          rules_(rules),
          settings_(settings),
          judge_(judge),
          shared_(shared),
          root_(played.root),
          path_(rules_, played),
          random_(settings_.seed, thread),
          marks_(G::move_codes),
          selection_(settings_, J::has_priors || shared.evaluator),
          proofs_(tree_) {}

    TreeProofs<G>& proofs() { return proofs_; }

    /// There must be moves to choose from, however soon the search is stopped.
    void prepare() {
        TreeNode& root = tree_[0];
        if (root.children == 0) {
            if (shared_.evaluator && !judge_knows_opening()) {
                LeafBatch batch;
                batch.put(rules_, root_);
                evaluate(*shared_.evaluator, batch);
                ++root.visits;
                root.sum += in_units(rules_.turn(root_) == 1 ? batch.values[0] : -batch.values[0]);
                tree_.grow(root, batch.moves.data(), static_cast<int>(batch.moves.size()), batch.priors.data());
            } else {
                expand(root, root_);
            }
        }
        proofs_.look_anew_at_root(rules_.turn(root_));
        root.studied = 0;
        if (!decided(root)) study(root, root_);
    }

    bool finished() {
        if (shared_.finished || decided(tree_[0])) return true;
        return shared_.limits.nodes && read(shared_.simulations) >= shared_.limits.nodes;
    }

    /// Makes one simulation, or as many as fill a batch, and returns how many.
    int work() {
        if (shared_.evaluator) return simulate_batch();
        simulate();
        return 1;
    }

   private:
    static constexpr std::int64_t virtual_loss = static_cast<std::int64_t>(TreeNode::unit);

    template <class T>
    void add(T& number, T more) {
        if (shared_.several)
            std::atomic_ref<T>(number).fetch_add(more, std::memory_order_relaxed);
        else
            number += more;
    }

    // ------------------------------------------------------------------------------------------------ one simulation

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
    bool walk(Trail<G>& trail, double& value) {
        trail.position = root_;
        trail.depth = 0;
        NodeIndex at = 0;
        while (true) {
            TreeNode& here = tree_[at];
            const int mover = rules_.turn(trail.position);
            trail.nodes[trail.depth] = at;
            trail.movers[trail.depth] = static_cast<std::uint8_t>(mover);
            arrive(here, trail.chooser(trail.depth));
            if (decided(here)) {
                value = read(here.floor);
                return true;
            }
            NodeIndex first = first_child(here);
            if (first == 0) {
                if (ends(here, trail, value)) return true;
                if (trail.depth == Trail<G>::max_depth) {
                    value = 0;
                    return true;
                }
                if (shared_.evaluator || read(here.visits) <= settings_.expand_after) return false;
                if (!expand(here, trail.position)) return false;
                first = here.children;
            }
            if (ProvingJudge<J> && read(here.visits) >= settings_.study_after && !read(here.studied)) {
                study(here, trail.position);
                if (decided(here)) {
                    pass_up(trail);
                    value = read(here.floor);
                    return true;
                }
            }
            std::optional<std::int64_t> loan;
            if (shared_.evaluator) loan = shared_.several ? loss_of(trail.chooser(trail.depth)) : 0;
            const NodeIndex next = selection_.choose(tree_, here, first, mover, loan);
            if (next == 0) {
                // Threads that proved the last children at the same time may each have missed the other's news.
                proofs_.deduce(here, mover);
                pass_up(trail);
                value = read(here.floor);
                return true;
            }
            const Position before = trail.position;
            rules_.play(trail.position, tree_[next].move);
            path_.enter(before, tree_[next].move, trail.position);
            at = next;
            ++trail.depth;
        }
    }

    /// Counts a visit before its value is known: as a loss for the player who chose to come, if others are under way.
    void arrive(TreeNode& here, int chooser) {
        add(here.visits, std::uint32_t{1});
        if (shared_.several) add(here.sum, loss_of(chooser));
    }

    static std::int64_t loss_of(int player) { return player == 1 ? -virtual_loss : virtual_loss; }
    static std::int64_t in_units(double value) {
        return static_cast<std::int64_t>(std::floor(value * TreeNode::unit + 0.5));
    }

    bool judge_knows_opening() const {
        if constexpr (OpeningJudge<J>)
            return judge_.knows_opening(root_);
        else
            return false;
    }

    bool ends(TreeNode& here, const Trail<G>& trail, double& value) {
        const Position& position = trail.position;
        if (const Result result = rules_.outcome(position); result != Result::ongoing) {
            value = result == Result::draw ? 0 : result == Result::one ? 1 : -1;
            proofs_.prove(here, static_cast<int>(value), static_cast<int>(value));
            pass_up(trail);
            return true;
        }
        Found found;
        if (trail.depth == 0 || !path_.ends(position, trail.depth, found)) return false;
        if (rules_.turn(position) == 2) found = -found;
        value = found.decided() ? found.floor : 0;
        if (found.taint >= 0 && found.taint != Found::free_of_path)
            for (int depth = found.taint + 1; depth <= trail.depth; ++depth)
                tree_.note_return(tree_[trail.nodes[depth]], found.taint);
        if (found.decided()) {
            proofs_.prove(here, found.floor, found.floor);
            pass_up(trail);
        }
        return true;
    }

    bool expand(TreeNode& here, const Position& position) {
        if (!claim(here.growing)) return false;
        Move moves[G::max_moves];
        float priors[G::max_moves];
        const int n = judge_.open(position, moves, rules_.moves(position, moves), priors, random_);
        // When there is no memory the node stays claimed, and nobody tries again.
        return tree_.grow(here, moves, n, priors);
    }

    /// Lets a judge who can prove something look at a node, once.
    void study([[maybe_unused]] TreeNode& here, [[maybe_unused]] const Position& position) {
        if constexpr (ProvingJudge<J>)
            if (settings_.proofs && claim(here.studied))
                proofs_.enter(here, judge_.study(position), rules_.turn(position));
    }

    void pass_up(const Trail<G>& trail) {
        if (settings_.proofs) proofs_.pass_up(trail);
    }

    void back_up(const Trail<G>& trail, double value) {
        const std::int64_t amount = in_units(value);
        const int sign = value > 0 ? 1 : value < 0 ? -1 : 0;
        for (int depth = trail.depth; depth >= 0; --depth) {
            TreeNode& here = tree_[trail.nodes[depth]];
            std::int64_t more = amount;
            if (shared_.several) more -= loss_of(trail.chooser(depth));
            add(here.sum, more);
            if (settings_.rave > 0) {
                if (depth < trail.depth) marks_.set(trail.movers[depth], tree_[trail.nodes[depth + 1]].move);
                learn(here, trail.movers[depth], sign);
            }
        }
    }

    /// All moves as first: a move made later by the same player says something of the move made now.
    void learn(TreeNode& parent, int mover, int sign) {
        const NodeIndex first = first_child(parent);
        if (first == 0) return;
        for (NodeIndex i = first; i < first + parent.n_children; ++i) {
            TreeNode& child = tree_[i];
            if (!marks_.has(mover, child.move)) continue;
            add(child.amaf_visits, std::uint32_t{1});
            add(child.amaf_sum, std::int32_t{sign});
        }
    }

    // ----------------------------------------------------------------------------- many, valued from outside at once

    int simulate_batch() {
        LeafBatch batch;
        std::vector<std::unique_ptr<Trail<G>>> waiting, repeated;
        int done = 0;
        // Simulations that end where the value is known cost nothing, but must not keep us from asking for ever.
        for (int tries = 0; tries < 4 * settings_.batch && batch.size() < settings_.batch; ++tries) {
            if (finished()) break;
            add(shared_.simulations, std::uint64_t{1});
            ++done;
            auto trail = std::make_unique<Trail<G>>();
            double value;
            const bool known = walk(*trail, value);
            for (int i = 0; i < trail->depth; ++i) path_.leave();
            marks_.clear();
            if (known) {
                back_up(*trail, value);
            } else if (!claim(tree_[trail->nodes[trail->depth]].growing)) {
                // This leaf is being asked about already. The visit is taken back, but until the others are answered it
                // counts, so that the next one looks elsewhere.
                add(shared_.simulations, ~std::uint64_t{0});
                --done;
                repeated.push_back(std::move(trail));
                if (static_cast<int>(repeated.size()) >= settings_.batch) break;
            } else {
                batch.put(rules_, trail->position);
                waiting.push_back(std::move(trail));
            }
        }
        if (batch.size() == 0)
            std::this_thread::yield();
        else
            evaluate(*shared_.evaluator, batch);
        for (const auto& trail : repeated) withdraw(*trail);
        std::size_t first = 0;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            const Trail<G>& trail = *waiting[i];
            const int n = static_cast<int>(batch.counts[i]);
            TreeNode& leaf = tree_[trail.nodes[trail.depth]];
            // Without memory the leaf stays a leaf, and is asked about again when it is reached again.
            if (!tree_.grow(leaf, batch.moves.data() + first, n, batch.priors.data() + first))
                std::atomic_ref<std::uint8_t>(leaf.growing) = 0;
            first += n;
            marks_.clear();
            back_up(trail, rules_.turn(trail.position) == 1 ? batch.values[i] : -batch.values[i]);
        }
        return done;
    }

    void withdraw(const Trail<G>& trail) {
        for (int depth = trail.depth; depth >= 0; --depth) {
            TreeNode& here = tree_[trail.nodes[depth]];
            add(here.visits, ~std::uint32_t{0});
            if (shared_.several) add(here.sum, -loss_of(trail.chooser(depth)));
        }
    }

    Tree<G>& tree_;
    const G& rules_;
    const TreeSettings& settings_;
    J judge_;
    SharedSearch& shared_;
    const Position root_;
    Path<G> path_;
    Random random_;
    Marks marks_;
    const Selection selection_;
    TreeProofs<G> proofs_;
    Trail<G> trail_;
};

}  // namespace tabuleiro
