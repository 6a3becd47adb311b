// Vertex geography: a marker walks over a graph, two players move it in turn to a vertex not yet visited, and who
// cannot move loses. The player to move wins if and only if every maximum matching of the graph covers the marker's
// vertex: then he follows a matching, and the other can only leave it to vertices that it covers.
#pragma once

#include <array>
#include <cstdint>

#include "../bits.hpp"

namespace tabuleiro {

/// Graphs whose vertices are cells of a board, at most 64, joined where cells touch.
class Geography {
   public:
    explicit Geography(const std::array<Word, 64>& neighbours) : neighbours_(neighbours) {}

    /// Whether the player to move wins, the marker standing on `marker` and the cells of `free` not yet visited.
    bool wins(Word free, int marker) {
        free &= ~bit(marker);
        vertices_ = free;
        for (Word left = free; left;) mate_[pop(left)] = nobody;
        // A quick matching first: each cell with the neighbour that has the fewest others. Then it is made the
        // greatest.
        Word alone = 0;
        for (Word left = free; left;) {
            const int cell = pop(left);
            Word candidates = neighbours_[cell] & left;
            if (!candidates) {
                alone |= bit(cell);
                continue;
            }
            int best = nobody, fewest = 9;
            while (candidates) {
                const int candidate = pop(candidates);
                const int others = count(neighbours_[candidate] & left);
                if (others < fewest) fewest = others, best = candidate;
            }
            join(cell, best);
            left &= ~bit(best);
        }
        while (alone) {
            const int cell = pop(alone);
            const int end = free_end(cell);
            if (end == nobody) continue;
            augment(end);
            alone &= ~bit(end);
        }
        // The marker's vertex is in every maximum matching if and only if adding it lets the matching grow.
        vertices_ |= bit(marker);
        mate_[marker] = nobody;
        return free_end(marker) != nobody;
    }

   private:
    static constexpr int nobody = -1;

    void join(int a, int b) {
        mate_[a] = static_cast<std::int8_t>(b);
        mate_[b] = static_cast<std::int8_t>(a);
    }

    void augment(int end) {
        while (end != nobody) {
            const int before = parent_[end], next = mate_[before];
            join(end, before);
            end = next;
        }
    }

    /// The end of a path from `root` to another unmatched vertex along which the matching can grow, or nobody (Edmonds:
    /// a cycle of odd length is shrunk to its base).
    int free_end(int root) {
        for (Word left = vertices_; left;) {
            const int vertex = pop(left);
            parent_[vertex] = nobody;
            base_[vertex] = static_cast<std::int8_t>(vertex);
        }
        Word reached = bit(root);
        std::array<std::int8_t, 64> queue;
        int head = 0, tail = 0;
        const auto reach = [&](int vertex) {
            reached |= bit(vertex);
            queue[tail++] = static_cast<std::int8_t>(vertex);
        };
        reach(root);
        while (head < tail) {
            const int vertex = queue[head++];
            for (Word left = neighbours_[vertex] & vertices_; left;) {
                const int to = pop(left);
                if (base_[vertex] == base_[to] || mate_[vertex] == to) continue;
                if (to == root || (mate_[to] != nobody && parent_[mate_[to]] != nobody)) {
                    const int base = common_base(vertex, to);
                    const Word cycle = climb(vertex, base, to) | climb(to, base, vertex);
                    for (Word all = vertices_; all;) {
                        const int other = pop(all);
                        if (!(cycle >> base_[other] & 1)) continue;
                        base_[other] = static_cast<std::int8_t>(base);
                        if (!(reached >> other & 1)) reach(other);
                    }
                } else if (parent_[to] == nobody) {
                    parent_[to] = static_cast<std::int8_t>(vertex);
                    if (mate_[to] == nobody) return to;
                    reach(mate_[to]);
                }
            }
        }
        return nobody;
    }

    int common_base(int a, int b) const {
        Word bases = 0;
        for (;; a = parent_[mate_[a]]) {
            a = base_[a];
            bases |= bit(a);
            if (mate_[a] == nobody) break;
        }
        for (;; b = parent_[mate_[b]]) {
            b = base_[b];
            if (bases >> b & 1) return b;
        }
    }

    /// The bases met on the way from a vertex of a cycle to the cycle's base; gives the vertices on it their parents.
    Word climb(int vertex, int base, int child) {
        Word met = 0;
        while (base_[vertex] != base) {
            const int mate = mate_[vertex];
            met |= bit(base_[vertex]) | bit(base_[mate]);
            parent_[vertex] = static_cast<std::int8_t>(child);
            child = mate;
            vertex = parent_[mate];
        }
        return met;
    }

    const std::array<Word, 64>& neighbours_;
    Word vertices_ = 0;
    std::array<std::int8_t, 64> mate_{}, parent_{}, base_{};
};

}  // namespace tabuleiro
