// Virtual connections: which stones and sides of a colour are joined whatever the enemy does.
//
// A *full* connection between two points holds even if the enemy moves first; a *half* connection holds if its own
// colour moves first, on its key. Each has a carrier: the empty cells it needs. Two rules build them from neighbouring
// cells (Anshelevich, "A hierarchical approach to computer Hex"):
//   - and: two full connections with separate carriers meet in a point. If that is a stone, the ends are fully
//     connected; if it is an empty cell, half, with that cell as the key;
//   - or: half connections between the same points of whose carriers no cell is common to all make a full one: the
//     enemy cannot spoil them all with one stone.
// Bridges and the templates that join stones to a side follow from these. What is left out to save time (connections
// between two empty cells other than neighbours and bridges, large carriers, more than a few for each pair) loses
// proofs, but never makes a false one.
#pragma once

#include <vector>

#include "board.hpp"

namespace tabuleiro::hex {

/// For boards of up to 64 * N cells.
template <int N>
class Connections {
   public:
    using Set = Bits<N>;

    struct Crossing {
        Set carrier;
        int key;
    };

    explicit Connections(const Shape& shape) : shape_(shape), waiting_(max_carrier + 1) {}

    /// Finds what it can for a colour on a board, within a number of steps, or until `give_up()` says so: the steps of
    /// a large board take up to 50 ms.
    template <class Ask>
    void find(const Board& board, Stone colour, int steps, const Ask& give_up) {
        board_ = &board;
        colour_ = colour;
        reset();
        if (joined_) return;
        begin();
        // The smallest carriers first: what they lead to makes many larger ones needless.
        while (steps > 0 && !joined_) {
            const auto bucket =
                std::find_if(waiting_.begin(), waiting_.end(), [](auto& some) { return !some.empty(); });
            if (bucket == waiting_.end()) break;
            const Item item = bucket->back();
            bucket->pop_back();
            if (!still_known(item)) continue;
            if (--steps % steps_between_looks == 0 && give_up()) break;
            if (is_cell(item.point))
                extend_to_cell(item);
            else
                extend_to_solid(item.solid, item.point - shape_.cells, item.carrier);
        }
    }

    /// Whether the sides are joined even if the enemy moves first.
    bool joined() const { return joined_; }
    /// The ways to join the sides when the colour moves first, those that need least first.
    const std::vector<Crossing>& crossings() const { return crossings_; }
    /// What joining the sides needs, where they are joined.
    Set joined_by() const {
        if (joined_by_.any() || crossings_.empty()) return joined_by_;
        return carrier_of_all(crossings_);
    }
    /// A cell that wins for the colour if it is to move and wins at all by what was found; -1 when the stones that are
    /// there do it, and any cell will do.
    int winning_cell() const {
        if (!crossings_.empty()) return crossings_.front().key;
        for (int cell = 0; cell < shape_.cells; ++cell)
            if (joined_by_.has(cell)) return cell;
        return -1;
    }

    /// What is needed to hold crossings of which no cell is common to all: as few of them as will do, or nearly.
    static Set carrier_of_all(const std::vector<Crossing>& crossings) {
        Set common = crossings.front().carrier, all = common;
        while (common.any()) {
            const auto left = [&](const Crossing& crossing) { return count(common & crossing.carrier); };
            const Crossing& best = *std::min_element(crossings.begin(), crossings.end(),
                                                     [&](auto& a, auto& b) { return left(a) < left(b); });
            common &= best.carrier;
            all |= best.carrier;
        }
        return all;
    }

   private:
    static constexpr int steps_between_looks = 64;
    static constexpr int max_carrier = 64, max_full = 3, max_half = 8, max_crossings = 24;
    /// Larger carriers are worth their time only between solids.
    static constexpr int max_side_to_cell = 16, max_group_to_cell = 8;
    static constexpr int near = 0, far = 1;  // the numbers of the sides among the solids

    struct Pair {
        std::uint8_t n_full, n_half;
        Set full[max_full], half[max_half];
    };

    /// A full connection between a solid (a side or a group of stones) and a point: an empty cell, or a solid numbered
    /// after the cells.
    struct Item {
        int solid, point;
        Set carrier;
    };

    // ------------------------------------------------------------------------------------------------------ the points

    void reset() {
        std::fill_n(solid_of_, shape_.places, -1);
        solids_ = 2;
        joined_ = false;
        joined_by_ = {};
        crossings_.clear();
        for (auto& bucket : waiting_) bucket.clear();
        const int last = shape_.width - 1;
        for (int i = 1; i < last; ++i) {
            solid_of_[colour_ == white ? i * shape_.width : i] = near;
            solid_of_[colour_ == white ? i * shape_.width + last : last * shape_.width + i] = far;
        }
        for (int i = 0; i < shape_.size; ++i) flood(shape_.place_of[colour_ == white ? i * shape_.size : i], near);
        for (int i = 0; i < shape_.size; ++i) {
            const int place =
                shape_.place_of[colour_ == white ? (i + 1) * shape_.size - 1 : shape_.cells - shape_.size + i];
            if (solid_of_[place] == near) joined_ = true;
            flood(place, far);
        }
        for (int cell = 0; cell < shape_.cells; ++cell) {
            const int place = shape_.place_of[cell];
            if (board_->at[place] == colour_ && solid_of_[place] < 0) flood(place, solids_++);
        }
        points_ = shape_.cells + solids_;
        const std::size_t wanted = static_cast<std::size_t>(solids_) * points_;
        if (pairs_.size() < wanted) pairs_.resize(wanted);
        for (std::size_t i = 0; i < wanted; ++i) pairs_[i].n_full = pairs_[i].n_half = 0;
    }

    void flood(int place, int solid) {
        if (board_->at[place] != colour_ || solid_of_[place] >= 0) return;
        std::uint16_t waiting[Shape::max_places];
        int n = 0;
        solid_of_[place] = static_cast<std::int16_t>(solid);
        waiting[n++] = static_cast<std::uint16_t>(place);
        while (n > 0) {
            const int from = waiting[--n];
            for (int step : shape_.around) {
                const int next = from + step;
                if (solid_of_[next] >= 0 || board_->at[next] != colour_ || is_rim(next)) continue;
                solid_of_[next] = static_cast<std::int16_t>(solid);
                waiting[n++] = static_cast<std::uint16_t>(next);
            }
        }
    }

    bool is_rim(int place) const {
        const int row = place / shape_.width, column = place % shape_.width;
        return row == 0 || column == 0 || row > shape_.size || column > shape_.size;
    }

    bool is_cell(int point) const { return point < shape_.cells; }
    Pair& pair(int solid, int point) { return pairs_[static_cast<std::size_t>(solid) * points_ + point]; }
    Pair& pair_of_solids(int a, int b) { return pair(std::min(a, b), shape_.cells + std::max(a, b)); }
    Pair& pair_of(int solid, int point) {
        return is_cell(point) ? pair(solid, point) : pair_of_solids(solid, point - shape_.cells);
    }
    static bool is_side(int solid) { return solid <= far; }
    int limit(int solid, int point) const {
        return !is_cell(point) ? max_carrier : is_side(solid) ? max_side_to_cell : max_group_to_cell;
    }

    // ------------------------------------------------------------------------------------------------------- the rules

    /// Neighbours are connected, and need nothing.
    void begin() {
        for (int cell = 0; cell < shape_.cells; ++cell) {
            const int place = shape_.place_of[cell];
            if (board_->at[place] != empty) continue;
            for (int step : shape_.around)
                if (const int solid = solid_of_[place + step]; solid >= 0) add_full(solid, cell, Set{});
        }
    }

    void extend_to_cell(const Item& item) {
        const int cell = item.point, place = shape_.place_of[cell];
        Set used = item.carrier;
        used.set(cell);
        // By way of the cell to its neighbours, and over bridges.
        for (int way = 0; way < ways; ++way) {
            const int left = place + shape_.around[way], right = place + shape_.around[(way + 1) % ways];
            const bool left_free = board_->at[left] == empty, right_free = board_->at[right] == empty;
            const int left_cell = shape_.cell_of[left], right_cell = shape_.cell_of[right];
            if (left_free && !used.has(left_cell)) add_half(item.solid, left_cell, used, cell);
            if (!left_free || !right_free || used.has(left_cell) || used.has(right_cell)) continue;
            const int beyond = place + shape_.bridge[way];
            if (is_rim(beyond) || board_->at[beyond] != empty || used.has(shape_.cell_of[beyond])) continue;
            Set carrier = used;
            carrier.set(left_cell);
            carrier.set(right_cell);
            add_half(item.solid, shape_.cell_of[beyond], carrier, cell);
        }
        for (int other = 0; other < solids_ && !joined_; ++other) {
            if (other == item.solid) continue;
            // By way of the cell to another solid.
            const Pair& to_other = pair(other, cell);
            for (int i = 0; i < to_other.n_full; ++i)
                if (!(to_other.full[i] & item.carrier).any())
                    add_half(item.solid, shape_.cells + other, used | to_other.full[i], cell);
            // By way of the solid from another one.
            if (is_side(item.solid)) continue;
            const Pair through = pair_of_solids(item.solid, other);
            for (int i = 0; i < through.n_full; ++i)
                if (!(through.full[i] & used).any()) add_full(other, cell, through.full[i] | item.carrier);
        }
    }

    void extend_to_solid(int a, int b, const Set& carrier) {
        for (const auto& [middle, end] : {std::pair{a, b}, std::pair{b, a}}) {
            if (is_side(middle)) continue;
            for (int point = 0; point < points_ && !joined_; ++point) {
                if (point == shape_.cells + middle || point == shape_.cells + end) continue;
                if (is_cell(point) && carrier.has(point)) continue;
                const Pair known = pair_of(middle, point);
                for (int i = 0; i < known.n_full; ++i)
                    if (!(known.full[i] & carrier).any()) add_full(end, point, known.full[i] | carrier);
            }
        }
    }

    void add_half(int solid, int point, const Set& carrier, int key) {
        if (joined_ || count(carrier) > limit(solid, point)) return;
        if (!is_cell(point) && is_side(solid) && is_side(point - shape_.cells)) {
            add_crossing({carrier, key});
            return;
        }
        Pair& here = pair_of(solid, point);
        for (int i = 0; i < here.n_full; ++i)
            if (is_within(here.full[i], carrier)) return;
        if (!insert(here.half, here.n_half, max_half, carrier)) return;
        combine(here.half, here.n_half, limit(solid, point), carrier, carrier, 0, 1,
                [&](const Set& all) { add_full(solid, point, all); });
    }

    void add_crossing(const Crossing& crossing) {
        for (const Crossing& known : crossings_)
            if (is_within(known.carrier, crossing.carrier)) return;
        std::erase_if(crossings_, [&](const Crossing& known) { return is_within(crossing.carrier, known.carrier); });
        crossings_.push_back(crossing);
        std::stable_sort(crossings_.begin(), crossings_.end(),
                         [](const Crossing& a, const Crossing& b) { return count(a.carrier) < count(b.carrier); });
        if (crossings_.size() > max_crossings) crossings_.pop_back();
        Set common = crossings_.front().carrier;
        for (const Crossing& known : crossings_) common &= known.carrier;
        if (!common.any()) joined_ = true;
    }

    /// The or-rule: all ways to add some of the halves to those chosen until no cell is common to all.
    template <class Found>
    void combine(const Set* halves, int n, int limit, const Set& all, const Set& common, int from, int depth,
                 const Found& found) {
        for (int i = from; i < n; ++i) {
            const Set rest = common & halves[i];
            if (rest == common) continue;
            const Set together = all | halves[i];
            if (count(together) > limit) continue;
            if (!rest.any())
                found(together);
            else if (depth < 3)
                combine(halves, n, limit, together, rest, i + 1, depth + 1, found);
        }
    }

    void add_full(int solid, int point, const Set& carrier) {
        const int size = count(carrier);
        if (joined_ || size > limit(solid, point)) return;
        if (!is_cell(point) && is_side(solid) && is_side(point - shape_.cells)) {
            joined_ = true;
            joined_by_ = carrier;
            return;
        }
        Pair& here = pair_of(solid, point);
        if (insert(here.full, here.n_full, max_full, carrier)) waiting_[size].push_back({solid, point, carrier});
    }

    bool still_known(const Item& item) {
        const Pair& here = pair_of(item.solid, item.point);
        return std::find(here.full, here.full + here.n_full, item.carrier) != here.full + here.n_full;
    }

    static bool is_within(const Set& small, const Set& large) { return !(small - large).any(); }

    /// Adds a carrier to the smallest known, unless one of them lies within it.
    template <class Size>
    static bool insert(Set* sets, Size& n, int most, const Set& carrier) {
        for (int i = 0; i < n; ++i)
            if (is_within(sets[i], carrier)) return false;
        int kept = 0;
        for (int i = 0; i < n; ++i)
            if (!is_within(carrier, sets[i])) sets[kept++] = sets[i];
        n = static_cast<Size>(kept);
        if (n < most) {
            sets[n++] = carrier;
            return true;
        }
        Set* const largest =
            std::max_element(sets, sets + n, [](const Set& a, const Set& b) { return count(a) < count(b); });
        if (count(*largest) <= count(carrier)) return false;
        *largest = carrier;
        return true;
    }

    const Shape& shape_;
    const Board* board_ = nullptr;
    Stone colour_ = white;
    std::int16_t solid_of_[Shape::max_places];
    int solids_ = 2, points_ = 0;
    bool joined_ = false;
    Set joined_by_;
    std::vector<Pair> pairs_;
    std::vector<Crossing> crossings_;
    std::vector<std::vector<Item>> waiting_;
};

}  // namespace tabuleiro::hex
