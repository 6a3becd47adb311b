// Which child a simulation goes to: UCT where nothing is known of moves beforehand, PUCT where priors guide.
#pragma once

#include <cmath>
#include <optional>

#include "tree.hpp"
#include "tree_settings.hpp"

namespace tabuleiro {

class Selection {
   public:
    Selection(const TreeSettings& settings, bool guided) : settings_(settings), guided_(guided) {}

    /// The child to visit next; 0 when all are proven to lose. What the visit under way has added to the parent's sum
    /// is `loan`, where it counts as one that is still to come: it must not make untried moves look better or worse. A
    /// child proven to draw teaches nothing more, however good it is beside the others: every second visit goes to one
    /// that is still open.
    template <Game G>
    NodeIndex choose(Tree<G>& tree, TreeNode& parent, NodeIndex first, int mover,
                     std::optional<std::int64_t> loan) const {
        const double sign = mover == 1 ? 1 : -1;
        const double visits = std::max<double>(read(parent.visits), 1);
        const double mean = sign * static_cast<double>(read(parent.sum) - loan.value_or(0)) / TreeNode::unit /
                            (loan ? std::max(visits - 1, 1.0) : visits);
        const double spread =
            guided_ ? settings_.exploration * std::sqrt(visits) : settings_.exploration * std::sqrt(std::log(visits));
        NodeIndex best = 0, best_open = 0;
        double best_score = -1e30, best_open_score = -1e30;
        for (NodeIndex i = first; i < first + parent.n_children; ++i) {
            TreeNode& child = tree[i];
            const bool is_open = !decided(child);
            if (!is_open && floor_for(child, mover) == lost) continue;
            const double score = guided_ ? guided_score(child, sign, mean, spread) : plain_score(child, sign, spread);
            if (score > best_score) best_score = score, best = i;
            if (is_open && score > best_open_score) best_open_score = score, best_open = i;
        }
        return best_open != 0 && read(parent.visits) % 2 == 0 ? best_open : best;
    }

   private:
    /// UCT. What has not been tried comes first; what others say of it decides in which order.
    double plain_score(TreeNode& child, double sign, double spread) const {
        const double visits = read(child.visits);
        if (visits == 0) return 1e9 + (settings_.rave > 0 ? later(child, sign, 0) : 0);
        const double own = sign * static_cast<double>(read(child.sum)) / TreeNode::unit / visits;
        return blend(child, sign, own, visits) + spread / std::sqrt(visits);
    }

    /// PUCT. What has not been tried is taken to be a little worse than its siblings.
    double guided_score(TreeNode& child, double sign, double mean, double spread) const {
        const double visits = read(child.visits);
        const double own = visits == 0 ? mean - settings_.caution
                                       : sign * static_cast<double>(read(child.sum)) / TreeNode::unit / visits;
        return blend(child, sign, own, visits) + spread * child.prior / (1 + visits);
    }

    /// All moves as first: the results of games in which the move came later.
    static double later(TreeNode& child, double sign, double otherwise) {
        const double visits = read(child.amaf_visits);
        return visits == 0 ? otherwise : sign * read(child.amaf_sum) / visits;
    }

    double blend(TreeNode& child, double sign, double own, double visits) const {
        if (settings_.rave <= 0) return own;
        const double weight = std::sqrt(settings_.rave / (3 * visits + settings_.rave));
        return (1 - weight) * own + weight * later(child, sign, own);
    }

    const TreeSettings& settings_;
    const bool guided_;
};

}  // namespace tabuleiro
