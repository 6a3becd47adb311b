// The memory of a tree search: nodes, and what is kept of them when the game goes on.
//
// Nodes lie in one block of memory, the children of a node side by side, and are never freed one by one. When the block
// is full the tree grows no more, but its numbers still do. Threads share it without locks: they reach the numbers of a
// node through `read`, `write` and atomic additions, and its children once they have been published.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "path.hpp"

namespace tabuleiro {

using NodeIndex = std::uint32_t;

/// A move, and what is known of the position after it. Plain, so that trees can be moved. Values and proofs are kept
/// for player one: the same player may move twice running, so signs say nothing about plies.
struct TreeNode {
    std::int64_t sum;  // of values, in units of 1 / `unit`
    std::uint32_t visits;  // simulations under way included
    NodeIndex children;  // the first of them, 0 when there are none yet
    Move move;
    float prior;
    std::int32_t amaf_sum;  // in units of 1: draws count for nothing here
    std::uint32_t amaf_visits;
    std::uint16_t n_children;
    std::int8_t floor, ceiling;  // what is proven
    std::uint8_t growing;  // a thread is making the children, or an evaluator is being asked
    std::uint8_t studied;  // a judge has looked for proofs here
    /// The smallest ply above this node to which a line below it came back (see `Found::taint`). What is known here was
    /// found as if the game ended there.
    std::uint8_t returns_to;

    static constexpr double unit = 1 << 16;
    static constexpr std::uint8_t nowhere = 255;
    static_assert(max_ply <= nowhere);

    static TreeNode fresh(Move move, float prior) {
        const auto floor = static_cast<std::int8_t>(lost), ceiling = static_cast<std::int8_t>(won);
        return {0, 0, 0, move, prior, 0, 0, 0, floor, ceiling, 0, 0, nowhere};
    }
};

template <class T>
T read(T& number) {
    return std::atomic_ref<T>(number).load(std::memory_order_relaxed);
}
template <class T>
void write(T& number, T value) {
    std::atomic_ref<T>(number).store(value, std::memory_order_relaxed);
}
/// Sets a mark of a node; whether this thread was the first to do so.
inline bool claim(std::uint8_t& mark) { return std::atomic_ref<std::uint8_t>(mark).exchange(1) == 0; }

/// The first of the children that all threads may see, or 0.
inline NodeIndex first_child(TreeNode& node) {
    return std::atomic_ref<NodeIndex>(node.children).load(std::memory_order_acquire);
}

inline bool decided(TreeNode& node) { return read(node.floor) == read(node.ceiling); }

/// What a player is sure of.
inline int floor_for(TreeNode& node, int player) { return player == 1 ? read(node.floor) : -read(node.ceiling); }

template <Game G>
class Tree {
   public:
    using Position = typename G::Position;

    Tree(const G& rules, std::size_t mebibytes)
        : rules_(rules),
          capacity_(mebibytes * 1024 * 1024 / sizeof(TreeNode)),
          nodes_(std::make_unique_for_overwrite<TreeNode[]>(capacity_)) {
        require(capacity_ > 2 * G::max_moves, "there is too little memory");
    }

    /// The root is node 0.
    TreeNode& operator[](NodeIndex index) { return nodes_[index]; }

    void forget() { kept_.positions.clear(); }

    /// Keeps of the tree what lies below the position now searched, if the game has gone on from the one before.
    void plant(const Played<G>& played) {
        NodeIndex root = 0;
        const bool grown = continues(played) && descend(played, root);
        const auto further = static_cast<int>(played.moves.size()) - static_cast<int>(kept_.moves.size());
        kept_ = played;
        if (grown) {
            if (root != 0) keep_below(root, further);
            // Leaves that found no memory may try again.
            for (NodeIndex i = 0; i < used_; ++i)
                if (nodes_[i].children == 0) nodes_[i].growing = 0;
            return;
        }
        nodes_[0] = TreeNode::fresh(0, 1);
        used_ = 1;
    }

    /// Gives a node children; false when there is no memory left for them.
    bool grow(TreeNode& here, const Move* moves, int n, const float* priors) {
        const NodeIndex first = take(n);
        if (first == 0) return false;
        for (int i = 0; i < n; ++i) nodes_[first + i] = TreeNode::fresh(moves[i], priors[i]);
        here.n_children = static_cast<std::uint16_t>(n);
        std::atomic_ref<NodeIndex>(here.children).store(first, std::memory_order_release);
        return true;
    }

    /// A line that goes through a node came back to the position of this ply, above the node.
    static void note_return(TreeNode& node, int ply) {
        std::atomic_ref<std::uint8_t> oldest(node.returns_to);
        std::uint8_t before = oldest.load(std::memory_order_relaxed);
        while (ply < before && !oldest.compare_exchange_weak(before, static_cast<std::uint8_t>(ply))) {
        }
    }

   private:
    bool continues(const Played<G>& played) const {
        if (kept_.positions.empty() || kept_.moves.size() > played.moves.size()) return false;
        if (!std::equal(kept_.moves.begin(), kept_.moves.end(), played.moves.begin())) return false;
        Word before[G::max_words], now[G::max_words];
        rules_.encode(kept_.positions.front(), before);
        rules_.encode(played.positions.front(), now);
        return std::equal(before, before + rules_.words(), now);
    }

    bool descend(const Played<G>& played, NodeIndex& at) {
        for (std::size_t ply = kept_.moves.size(); ply < played.moves.size(); ++ply) {
            const TreeNode& node = nodes_[at];
            NodeIndex next = 0;
            for (NodeIndex i = node.children; i < node.children + node.n_children; ++i)
                if (nodes_[i].move == played.moves[ply]) next = i;
            if (next == 0) return false;
            at = next;
        }
        // A line was given up because it came back to a position that now lies before the root: that was too early.
        return nodes_[at].returns_to >= played.moves.size() - kept_.moves.size();
    }

    /// Makes a node so many plies further the root, and moves what lies below it to the front of the memory. Children
    /// always lie behind their parents, so going through their blocks in order overwrites nothing that is still wanted.
    void keep_below(NodeIndex root, int further) {
        struct Block {
            NodeIndex owner, from;
            std::uint16_t size;
        };
        std::vector<Block> blocks;
        std::vector<NodeIndex> waiting{root};
        while (!waiting.empty()) {
            const NodeIndex owner = waiting.back();
            const TreeNode& node = nodes_[owner];
            waiting.pop_back();
            if (node.children == 0) continue;
            blocks.push_back({owner, node.children, node.n_children});
            for (NodeIndex i = node.children; i < node.children + node.n_children; ++i)
                if (nodes_[i].children) waiting.push_back(i);
        }
        std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.from < b.from; });
        used_ = 1;
        for (const Block& block : blocks) {
            nodes_[block.owner].children = used_;
            used_ += block.size;
        }
        nodes_[0] = nodes_[root];
        NodeIndex to = 1;
        for (const Block& block : blocks) {
            std::copy_n(&nodes_[block.from], block.size, &nodes_[to]);
            to += block.size;
        }
        for (NodeIndex i = 0; i < used_; ++i)
            if (nodes_[i].returns_to != TreeNode::nowhere)
                nodes_[i].returns_to = static_cast<std::uint8_t>(nodes_[i].returns_to - further);
    }

    /// Takes memory for some nodes; 0 when there is none left.
    NodeIndex take(int n) {
        std::atomic_ref<NodeIndex> used(used_);
        NodeIndex first = used.load(std::memory_order_relaxed);
        do {
            if (first + static_cast<std::size_t>(n) > capacity_) return 0;
        } while (!used.compare_exchange_weak(first, first + n, std::memory_order_relaxed));
        return first;
    }

    const G& rules_;
    const std::size_t capacity_;
    std::unique_ptr<TreeNode[]> nodes_;
    NodeIndex used_ = 0;
    /// The game whose last position is the root of the tree; empty when there is no tree.
    Played<G> kept_{};
};

/// The way of one simulation from the root to a leaf.
template <Game G>
struct Trail {
    static constexpr int max_depth = max_ply - 1;

    typename G::Position position;  // at the end
    int depth = 0;  // plies
    std::array<NodeIndex, max_depth + 1> nodes;
    std::array<std::uint8_t, max_depth + 1> movers;  // the player to move at each node

    /// The player who chose to come to a node.
    int chooser(int at) const { return movers[at ? at - 1 : 0]; }
};

}  // namespace tabuleiro
