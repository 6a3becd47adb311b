// What a tree says of its root: the best moves and the lines that follow them, and how often each move was tried.
#pragma once

#include <cmath>

#include "report.hpp"
#include "tree.hpp"

namespace tabuleiro {

template <Game G>
class TreeReporter {
   public:
    using Position = typename G::Position;

    /// A leaf that has had `stuck_visits` visits and has no children finds no memory, or comes back to an earlier
    /// position.
    TreeReporter(const G& rules, Tree<G>& tree, std::uint32_t stuck_visits)
        : rules_(rules), tree_(tree), stuck_visits_(stuck_visits) {}

    struct MainLine {
        int length;  // plies
        bool grows;  // whether there may be more of it later
    };

    /// The moves from the root that had most visits, each after the other.
    MainLine main_line() {
        NodeIndex at = 0;
        for (int length = 0;; ++length) {
            TreeNode& node = tree_[at];
            const NodeIndex first = first_child(node);
            if (length > 0 && decided(node)) return {length, false};
            if (first == 0) return {length, read(node.visits) < stuck_visits_};
            at = first;
            for (NodeIndex i = first; i < first + node.n_children; ++i)
                if (read(tree_[i].visits) > read(tree_[at].visits)) at = i;
            if (read(tree_[at].visits) == 0) return {length, true};
        }
    }

    Report report(const Position& root, int lines, std::uint64_t simulations, double seconds) {
        Report report{main_line().length, simulations, seconds, decided(tree_[0]), {}, {}};
        const int player = rules_.turn(root);
        const std::vector<NodeIndex> best = ranked(0, player);
        for (int i = 0; i < std::min(lines, static_cast<int>(best.size())); ++i) {
            // To settle a return to the root at once is right for the value of the root, not for that of a worse move:
            // there the player could choose again.
            const bool own = (i == 0 && report.decided) || read(tree_[best[i]].returns_to) > 0;
            report.lines.push_back(line_of(best[i], root, own));
        }
        for (NodeIndex i : best) {
            TreeNode& node = tree_[i];
            const double value = mean(node);
            report.root.push_back({node.move, read(node.visits), player == 1 ? value : -value, node.prior});
        }
        return report;
    }

   private:
    /// The best children first: those that do as well as is proven of the parent, then the others by their visits, then
    /// those proven to lose.
    std::vector<NodeIndex> ranked(NodeIndex parent, int player) {
        std::vector<NodeIndex> children;
        const NodeIndex first = first_child(tree_[parent]);
        if (first == 0) return children;
        for (NodeIndex i = first; i < first + tree_[parent].n_children; ++i) children.push_back(i);
        const bool settled = decided(tree_[parent]);
        const int best = floor_for(tree_[parent], player);
        const auto rank = [&](NodeIndex i) {
            const int floor = floor_for(tree_[i], player);
            const bool loses = floor == lost && decided(tree_[i]);
            return std::pair{floor == won || (settled && floor == best && !loses) ? 1
                             : loses                                              ? -1
                                                                                  : 0,
                             read(tree_[i].visits)};
        };
        std::stable_sort(children.begin(), children.end(), [&](NodeIndex a, NodeIndex b) { return rank(a) > rank(b); });
        return children;
    }

    /// The mean of the values of the simulations, for player one.
    static double mean(TreeNode& node) {
        const std::uint32_t visits = read(node.visits);
        const double value = visits ? static_cast<double>(read(node.sum)) / TreeNode::unit / visits : 0;
        return std::clamp(value, -1.0, 1.0);
    }

    /// The line that begins with a child of the root, with what is proven of it if that is true of the move itself.
    Line line_of(NodeIndex at, Position position, bool proven) {
        const int player = rules_.turn(position);
        TreeNode& node = tree_[at];
        Found found;
        found.score = static_cast<int>(std::lround(mean(node) * largest_estimate));
        if (proven) {
            found.floor = static_cast<Worth>(read(node.floor));
            found.ceiling = static_cast<Worth>(read(node.ceiling));
        }
        if (player == 2) found = -found;
        found.respect_proof();
        if (found.floor == won) found.score = smallest_win;
        if (found.ceiling == lost) found.score = -smallest_win;
        Line line{found, {}};
        while (true) {
            line.moves.push_back(tree_[at].move);
            rules_.play(position, tree_[at].move);
            if (rules_.outcome(position) != Result::ongoing) break;
            const std::vector<NodeIndex> next = ranked(at, rules_.turn(position));
            if (next.empty() || read(tree_[next[0]].visits) == 0) break;
            at = next[0];
        }
        return line;
    }

    const G& rules_;
    Tree<G>& tree_;
    const std::uint32_t stuck_visits_;
};

}  // namespace tabuleiro
