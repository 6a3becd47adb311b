// Who wins a position of Hex: df-pn that learns from every refutation.
//
// A won position has a carrier: empty cells within which the winner holds it, whichever colour owns the others. If a
// move loses, the carrier of the refutation is a threat: every other move outside it loses to the same answer. So the
// moves that must be looked at are those in every threat found so far (the must-play region; Hayward and van Rijswijck,
// "Hex and combinatorics"), beginning with the threats that connections show. When no move is left, all threats
// together carry the win of the enemy.
//
// Cells that do not matter are filled in before a position is looked at. A win on the filled board needs, besides its
// carrier there, the cells that were filled in for the winner: if the enemy takes one, the answer restores it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "../pulse.hpp"
#include "../search/report.hpp"
#include "connections.hpp"
#include "currents.hpp"
#include "inferior.hpp"

namespace tabuleiro::hex {

/// For boards of up to 64 * N cells.
template <int N>
class Solver {
   public:
    using Set = Bits<N>;

    struct Verdict {
        Stone winner;  // empty: not known
        int cell;  // where the player to move wins; -1: not known, or on any cell, or nowhere
        std::uint64_t nodes;
    };

    Solver(int size, std::size_t mebibytes)
        : shape_(size),
          currents_(shape_),
          connections_(shape_),
          buckets_(mebibytes * (1 << 20) / sizeof(Bucket)),
          known_(static_cast<Bucket*>(std::calloc(buckets_, sizeof(Bucket)))),
          board_cells_(whole_board()) {
        if (!known_) throw std::bad_alloc();
    }

    Verdict solve(const Set& whites, const Set& blacks, Stone mover, const Limits& limits, std::atomic<bool>& stop,
                  Pulse& pulse) {
        begin_ = Clock::now();
        limits_ = limits;
        stop_ = &stop;
        pulse_ = &pulse;
        nodes_ = 0;
        stopped_ = false;
        Set filled[3];
        Node root = at_first_sight(filled_in({whites, blacks}, filled), mover);
        if (!root.decided()) search(root, infinite, infinite);
        return {root.winner, root.winner == mover ? root.cell : -1, nodes_};
    }

   private:
    using Clock = std::chrono::steady_clock;
    static constexpr int steps = 20'000;
    static constexpr std::uint32_t infinite = 1u << 30;

    struct Stones {
        Set whites, blacks;
        bool operator==(const Stones&) const = default;
    };

    /// What is known of a position with everything filled in.
    struct Node {
        Stones stones;
        /// The moves that no threat found so far refutes, and all cells of those threats; once the position is decided
        /// only the latter counts, and is the carrier of the win.
        Set must, carrier;
        /// How far it seems to a win and to a loss of the player to move.
        std::uint32_t proof, disproof;
        std::uint32_t work;
        std::int16_t cell;  // where the win begins, if that is known
        Stone mover, winner;  // nobody in a vacant place of the table; empty while undecided

        bool decided() const { return winner != empty; }

        void win(Stone by, const Set& with, int first = -1) {
            winner = by;
            carrier = with;
            cell = static_cast<std::int16_t>(first);
            proof = by == mover ? 0 : infinite;
            disproof = by == mover ? infinite : 0;
        }

        /// A way of the enemy to win with his next move.
        void meet(const Set& threat) {
            if (!(must - threat).any()) return;
            must &= threat;
            carrier |= threat;
            if (!must.any()) win(enemy_of(mover), carrier);
        }
    };

    struct Child {
        int cell;
        Set filled[3];
        Node node;
    };

    // ------------------------------------------------------------------------------------------------------ the search

    void search(Node& here, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        const std::uint64_t nodes_before = nodes_;
        std::vector<Child> children = children_of(here);
        while (!here.decided() && !stopped_) {
            std::erase_if(children, [&](const Child& child) { return !here.must.has(child.cell); });
            Child* best = nullptr;
            std::uint32_t second = infinite, sum = 0;
            for (Child& child : children) {
                sum = std::min(sum + child.node.proof, infinite - 1);
                if (!best || child.node.disproof < best->node.disproof) {
                    if (best) second = best->node.disproof;
                    best = &child;
                } else {
                    second = std::min(second, child.node.disproof);
                }
            }
            here.proof = best->node.disproof;
            here.disproof = sum;
            if (here.proof >= proof_limit || here.disproof >= disproof_limit) break;
            // The child may go on while it stays the best one, with some slack against going to and fro.
            const std::uint32_t slack = second + second / 4 + 1;
            search(best->node, disproof_limit - (sum - best->node.proof), std::min(proof_limit, slack));
            learn(here, *best);
        }
        here.work += static_cast<std::uint32_t>(nodes_ - nodes_before);
        store(here);
    }

    std::vector<Child> children_of(Node& here) {
        std::vector<Child> children;
        for (int cell : ranked(here)) {
            if (here.decided() || stopped_) break;
            if (!here.must.has(cell)) continue;
            Stones stones = here.stones;
            (here.mover == white ? stones.whites : stones.blacks).set(cell);
            Child& child = children.emplace_back(Child{cell, {}, {}});
            child.node = at_first_sight(filled_in(stones, child.filled), enemy_of(here.mover));
            learn(here, child);
        }
        return children;
    }

    /// What a child, once decided, says of its parent.
    static void learn(Node& here, const Child& child) {
        if (!child.node.decided()) return;
        Set carrier = child.node.carrier | child.filled[child.node.winner];
        if (child.node.winner != here.mover) {
            here.meet(carrier);
        } else {
            carrier.set(child.cell);
            here.win(here.mover, carrier, child.cell);
        }
    }

    Node at_first_sight(const Stones& stones, Stone mover) {
        const Node* const found = look_up(stones, mover);
        if (found) return *found;
        Node node{};
        node.stones = stones;
        node.mover = mover;
        node.must = board_cells_ - stones.whites - stones.blacks;
        node.proof = 1;
        node.disproof = count(node.must);
        node.work = 1;
        look_around();
        if (stopped_) return node;
        ++nodes_;
        const Board board = board_of(stones);
        const auto give_up = [this] { return stopped_ = must_stop(); };
        connections_.find(board, mover, steps, give_up);
        if (connections_.joined()) {
            node.win(mover, connections_.joined_by(), connections_.winning_cell());
        } else if (!connections_.crossings().empty()) {
            node.win(mover, connections_.crossings().front().carrier, connections_.winning_cell());
        } else {
            connections_.find(board, enemy_of(mover), steps, give_up);
            if (connections_.joined())
                node.win(enemy_of(mover), connections_.joined_by());
            else
                for (const auto& threat : connections_.crossings()) node.meet(threat.carrier);
        }
        if (!node.decided()) node.disproof = count(node.must);
        // What was given up early knows too little to be remembered.
        if (!stopped_ || node.decided()) store(node);
        return node;
    }

    /// The moves to be looked at, those through which most current flows first.
    std::vector<int> ranked(const Node& here) {
        const Board board = board_of(here.stones);
        currents_.find(board, white, flow_[0].data());
        currents_.find(board, black, flow_[1].data());
        std::vector<int> cells;
        here.must.each([&](int cell) { cells.push_back(cell); });
        const auto rank = [&](int cell) { return flow_[0][shape_.place_of[cell]] * flow_[1][shape_.place_of[cell]]; };
        std::stable_sort(cells.begin(), cells.end(), [&](int a, int b) { return rank(a) > rank(b); });
        return cells;
    }

    // ------------------------------------------------------------------------------------------------------ the boards

    Board board_of(const Stones& stones) const {
        Board board(shape_);
        stones.whites.each([&](int cell) { board.at[shape_.place_of[cell]] = white; });
        stones.blacks.each([&](int cell) { board.at[shape_.place_of[cell]] = black; });
        return board;
    }

    Stones filled_in(Stones stones, Set (&filled)[3]) const {
        Board board = board_of(stones);
        inferior_.fill_in(shape_, board);
        (board_cells_ - stones.whites - stones.blacks).each([&](int cell) {
            const Stone stone = board.at[shape_.place_of[cell]];
            if (stone != empty) filled[stone].set(cell);
        });
        stones.whites |= filled[white];
        stones.blacks |= filled[black];
        return stones;
    }

    Set whole_board() const {
        Set all;
        for (int cell = 0; cell < shape_.cells; ++cell) all.set(cell);
        return all;
    }

    // ------------------------------------------------------------------------------------------------------- the table

    /// What shares a place in the table.
    using Bucket = std::array<Node, 4>;

    Bucket& bucket(const Stones& stones, Stone mover) {
        Word key = mover;
        for (int i = 0; i < N; ++i) key = mix(mix(key ^ stones.whites.words[i]) ^ stones.blacks.words[i]);
        return known_.get()[key % buckets_];
    }

    Node* look_up(const Stones& stones, Stone mover) {
        for (Node& node : bucket(stones, mover))
            if (node.mover == mover && node.stones == stones) return &node;
        return nullptr;
    }

    /// What took least work gives way.
    void store(const Node& node) {
        Node* known = look_up(node.stones, node.mover);
        if (!known) {
            Bucket& place = bucket(node.stones, node.mover);
            known = std::min_element(place.begin(), place.end(), [](auto& a, auto& b) { return a.work < b.work; });
        }
        *known = node;
    }

    void look_around() {
        pulse_->beat(1000);
        stopped_ = (limits_.nodes && nodes_ >= limits_.nodes) || must_stop();
    }

    bool must_stop() const {
        return *stop_ ||
               (limits_.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin_).count() >= limits_.seconds);
    }

    const Shape shape_;
    const Inferior inferior_;
    Currents currents_;
    Connections<N> connections_;
    const std::size_t buckets_;
    std::unique_ptr<Bucket, decltype([](Bucket* block) { std::free(block); })> known_;
    const Set board_cells_;
    std::array<float, Shape::max_places> flow_[2];
    Clock::time_point begin_;
    Limits limits_;
    std::atomic<bool>* stop_ = nullptr;
    Pulse* pulse_ = nullptr;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
};

}  // namespace tabuleiro::hex
