// What is proven of the positions in a tree, and how one proof leads to another.
//
// A tree knows no transpositions, so it cannot prove what is decided by going round; where that counts, and near the
// end of a game anyway, df-pn proves the root sooner (`RootProver`). It is asked now and then, for a small part of the
// time.
#pragma once

#include "dfpn.hpp"
#include "judge.hpp"
#include "tree.hpp"

namespace tabuleiro {

template <Game G>
class TreeProofs {
   public:
    explicit TreeProofs(Tree<G>& tree) : tree_(tree) {}

    static void prove(TreeNode& here, int floor, int ceiling) {
        write(here.floor, static_cast<std::int8_t>(std::max<int>(floor, read(here.floor))));
        write(here.ceiling, static_cast<std::int8_t>(std::min<int>(ceiling, read(here.ceiling))));
    }

    std::pair<int, int> bounds_by_children(const TreeNode& parent, int mover) {
        const NodeIndex first = parent.children;
        int floor = mover == 1 ? lost : won, ceiling = floor;
        for (NodeIndex i = first; i < first + parent.n_children; ++i) {
            const int low = read(tree_[i].floor), high = read(tree_[i].ceiling);
            floor = mover == 1 ? std::max(floor, low) : std::min(floor, low);
            ceiling = mover == 1 ? std::max(ceiling, high) : std::min(ceiling, high);
        }
        return {floor, ceiling};
    }

    /// What the children prove of their parent; returns whether that is news.
    bool deduce(TreeNode& parent, int mover) {
        const auto [floor, ceiling] = bounds_by_children(parent, mover);
        if (floor <= read(parent.floor) && ceiling >= read(parent.ceiling)) return false;
        prove(parent, floor, ceiling);
        return true;
    }

    /// Brings what has just been proven of the last node to those above it.
    void pass_up(const Trail<G>& trail) {
        for (int depth = trail.depth - 1; depth >= 0; --depth)
            if (!deduce(tree_[trail.nodes[depth]], trail.movers[depth])) return;
    }

    /// Enters what a judge has found of a node. The children get their share, so that there is a winning move to be
    /// seen.
    void enter(TreeNode& here, const Bounds& found, int mover) {
        const Worth win = mover == 1 ? won : lost, loss = mover == 1 ? lost : won;
        for (NodeIndex i = here.children; i < here.children + here.n_children; ++i) {
            TreeNode& child = tree_[i];
            if (found.floor == win && found.ceiling == win) {
                if (!found.winner || child.move == *found.winner) prove(child, win, win);
            } else if ((found.floor == loss && found.ceiling == loss) || (found.loses && found.loses(child.move))) {
                prove(child, loss, loss);
            }
        }
        prove(here, found.floor, found.ceiling);
        deduce(here, mover);
    }

    /// A proof that came from above shows no move: what is known of the root is what its children show.
    void look_anew_at_root(int mover) {
        const auto [floor, ceiling] = bounds_by_children(tree_[0], mover);
        tree_[0].floor = static_cast<std::int8_t>(floor);
        tree_[0].ceiling = static_cast<std::int8_t>(ceiling);
    }

    /// The value of the root. No move is better, and one is as good, unless all lose.
    void prove_root(int mover, Worth value, Move as_good) {
        TreeNode& root = tree_[0];
        for (NodeIndex i = root.children; i < root.children + root.n_children; ++i) {
            if (tree_[i].move == as_good) {
                // Below, a return to the root was settled at once, which may have kept the move below its own value.
                write(tree_[i].floor, static_cast<std::int8_t>(value));
                write(tree_[i].ceiling, static_cast<std::int8_t>(value));
            } else {
                prove(tree_[i], mover == 2 ? value : lost, mover == 1 ? value : won);
            }
        }
        prove(root, value, value);
    }

   private:
    Tree<G>& tree_;
};

/// Asks df-pn about the root of a tree.
template <Game G>
class RootProver {
   public:
    explicit RootProver(const G& rules) : rules_(rules) {}

    void forget() { search_.reset(); }

    /// Does the player to move win, and if not, at least draw?
    void look(const Played<G>& played, const Limits& limits, std::atomic<bool>& stop, Pulse& pulse,
              TreeProofs<G>& proofs) {
        const int mover = rules_.turn(played.root);
        const Worth win = mover == 1 ? won : lost, loss = mover == 1 ? lost : won;
        if (!search_) search_ = std::make_unique<Dfpn<G>>(rules_, mebibytes);
        const auto begin = Clock::now();
        for (Worth goal : {won, drawn}) {
            Limits left = limits;
            if (limits.seconds > 0)
                left.seconds =
                    std::max(limits.seconds - std::chrono::duration<double>(Clock::now() - begin).count(), 1e-3);
            const Proof proof = search_->prove(played, mover, goal, left, stop, pulse);
            if (proof.verdict == Verdict::unknown) return;
            if (proof.verdict == Verdict::disproven) continue;
            proofs.prove_root(mover, goal == won ? win : drawn, proof.move);
            return;
        }
        proofs.prove_root(mover, loss, Known::no_move);
    }

   private:
    static constexpr std::size_t mebibytes = 16;

    const G& rules_;
    std::unique_ptr<Dfpn<G>> search_;
};

}  // namespace tabuleiro
