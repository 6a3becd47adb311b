// Rastros, solved. (A player without a move loses, and cutting the marker off is allowed; other rules are refused.)
//
// What makes it small:
//  - Only the free cells that the marker can still reach matter. A half turn exchanges the players, so the player to
//  move
//    always has his goal on a1; a reflection keeps the goals. What is left is a state, and the table knows it by all
//    its bits, never by a hash alone.
//  - Who stands beside his own goal wins. So nobody may go beside the goal of the other (his "doorstep"), and the game
//  is
//    vertex geography in which each player avoids the other's doorstep: who has nowhere to go loses.
//  - When the marker can reach neither goal, this is plain geography, decided by a matching.
//  - When it can reach one goal only, the owner of that goal wins if he wins plain geography without his doorstep: the
//    other may not enter it, and he himself need not.
//  - The rest is searched by df-pn.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../games/rastros.hpp"
#include "../pulse.hpp"
#include "../random.hpp"
#include "../search/played.hpp"
#include "geography.hpp"

namespace tabuleiro {

enum class RastrosValue : std::uint8_t { unknown, win, loss };

class RastrosSolver {
   public:
    using Value = RastrosValue;

    /// A position with all that does not matter left out; the goal of the player to move is cell 0.
    struct State {
        Word region;  // free cells that the marker can reach, goals among them
        int marker;

        bool operator==(const State&) const = default;
        auto operator<=>(const State&) const = default;
    };

    /// What the table holds of a state: 16 bytes, all bits of the state among them.
    struct Entry {
        Word region = 0;
        Word data = 0;
    };

    RastrosSolver(const std::vector<std::int64_t>& options, std::size_t mebibytes)
        : rules_(read_rules<Rastros>(options)), board_(static_cast<int>(options[0])) {
        require(options[1] == 0 && options[2] == 0, "only the championship rules are solved");
        require(mebibytes >= 1 && mebibytes <= 1 << 20, "the table has from 1 to 1048576 MiB");
        for (int cell = 0; cell < board_.cells; ++cell) neighbours_[cell] = board_.grown(bit(cell)) & ~bit(cell);
        for (int d = 1; d < board_.width; ++d)
            for (int row = 0; row + d < board_.width; ++row) diagonals_[d] |= bit(row * board_.width + row + d);
        own_goal_ = bit(0);
        other_goal_ = bit(board_.cells - 1);
        own_doorstep_ = neighbours_[0];
        other_doorstep_ = neighbours_[board_.cells - 1];
        buckets_ = mebibytes * (1 << 20) / (bucket_size * sizeof(Entry));
        // Memory from calloc is taken from the system only where it is used.
        table_.reset(static_cast<Entry*>(std::calloc(buckets_ * bucket_size, sizeof(Entry))));
        if (!table_) throw std::bad_alloc();
        touched_.resize(buckets_ * bucket_size / page + 1);
    }

    RastrosSolver(const RastrosSolver&) = delete;

    std::uint64_t nodes() const { return nodes_; }

    State state_of(const Words& words) const { return state_of(read_position(rules_, words)); }

    State state_of(const Rastros::Position& position) const {
        require(rules_.outcome(position) == Result::ongoing, "the game is over");
        State state = trimmed({board_.all & ~position.blocked, position.marker});
        return canonical(position.turn == 1 ? state : turned(state));
    }

    /// A position of that state, player 1 to move.
    Words position_of(const State& state) const {
        return {board_.all & ~state.region & ~bit(state.marker), static_cast<Word>(state.marker), 1};
    }

    /// The value for the player to move, as far as it is known without search.
    Value known_value(const State& state) {
        if (const Value value = known_at_sight(state); value != Value::unknown) return value;
        const Entry* entry = find(state);
        if (!entry) return Value::unknown;
        const Numbers numbers = numbers_of(*entry);
        return numbers.to_win == 0 ? Value::win : numbers.to_lose == 0 ? Value::loss : Value::unknown;
    }

    /// The value for the player to move, or unknown when a limit (0: none) or the flag comes first.
    Value value(const State& state, std::uint64_t most_nodes, double seconds, const std::atomic<bool>& stop,
                Pulse& pulse) {
        if (const Value known = known_value(state); known != Value::unknown) return known;
        last_node_ = most_nodes ? nodes_ + most_nodes : 0;
        seconds_ = seconds;
        begin_ = Clock::now();
        stop_ = &stop;
        pulse_ = &pulse;
        stopped_ = false;
        const Numbers numbers = search(state, infinite, infinite);
        return numbers.to_win == 0 ? Value::win : numbers.to_lose == 0 ? Value::loss : Value::unknown;
    }

    /// A move that wins as far as is known without search, or no cell of the board. One that ends the game or is
    /// decided at sight comes first, then a step of the proof: a player who keeps to the proof never has to search.
    int winning_move(const Words& words) {
        const Rastros::Position position = read_position(rules_, words);
        int best = board_.cells, best_rank = -1;
        Move moves[Rastros::max_moves];
        for (int i = 0, n = rules_.moves(position, moves); i < n; ++i) {
            Rastros::Position next = position;
            rules_.play(next, moves[i]);
            const Result over = rules_.outcome(next);
            int rank = in_the_proof + 1;
            if (over == Result::ongoing) {
                const State state = state_of(next);
                if (known_value(state) != Value::loss) continue;
                const Entry* entry = find(state);
                if (entry && known_at_sight(state) == Value::unknown) rank = work_of(*entry);
            } else if (over != win_of(position.turn)) {
                continue;
            }
            if (rank > best_rank) best_rank = rank, best = static_cast<int>(moves[i]);
        }
        return best;
    }

    // ---------------------------------------------------------------------------------------------- what is remembered

    /// The states that took most work, at most `most`.
    std::vector<Entry> costly(std::size_t most) const {
        int least = 63;
        for (std::size_t sum = counts_[63]; least > 0 && (sum += counts_[least - 1]) <= most;) --least;
        std::vector<Entry> kept;
        const std::size_t all = buckets_ * bucket_size;
        for (std::size_t begin = 0; begin < all; begin += page)
            if (touched_[begin / page])
                for (std::size_t i = begin; i < std::min(begin + page, all); ++i)
                    if (used(table_[i]) && work_of(table_[i]) >= least) kept.push_back(table_[i]);
        return kept;
    }

    void remember(const std::vector<Entry>& entries) {
        for (const Entry& entry : entries) {
            require((entry.region & ~board_.all) == 0 && marker_of(entry) < board_.cells, "this is of another board");
            const State state{entry.region, marker_of(entry)};
            require(used(entry) && work_of(entry) <= in_the_proof && canonical(trimmed(state)) == state,
                    "this is no state");
            store({entry.region, marker_of(entry)}, numbers_of(entry), work_of(entry));
        }
    }

    // -------------------------------------------------------------------------------------------------------- openings

    /// The states `plies` moves after another, in ascending order, whatever the moves.
    std::vector<State> states_after(const State& start, int plies) const { return layers(start, plies).back(); }

    /// Takes the values of `states_after` for true (bit i: the player to move wins in state i), and those before them.
    void learn_opening(const State& start, int plies, const std::vector<std::uint8_t>& wins) {
        const auto states = layers(start, plies);
        require(wins.size() == (states.back().size() + 7) / 8, "the values are of another opening");
        for (std::size_t i = 0; i < states.back().size(); ++i)
            learn(states.back()[i], wins[i / 8] >> (i % 8) & 1 ? Value::win : Value::loss, in_the_book);
        for (int ply = plies; ply-- > 0;)
            for (const State& state : states[ply]) {
                if (known_at_sight(state) != Value::unknown) continue;
                Value value = Value::loss;
                for (Word left = safe_steps(state); left;)
                    if (known_value(after(state, pop(left))) == Value::loss) value = Value::win;
                learn(state, value, in_the_book);
            }
    }

    // ---------------------------------------------------------------------------------------------------------- proofs
    // A proof is a way to win: what the winner does in each state that can arise when he follows it. A state takes two
    // bytes: the place of his step among the legal ones (with `settled`: geography decides what he reaches), and as a
    // set of bits the places of those answers after which he has to choose again and whose states the proof has not
    // come to yet. These states follow, the last first.

    /// A proof of a state that is won, chosen to be small.
    std::vector<std::uint8_t> proof(const State& start, const std::atomic<bool>& stop, Pulse& pulse) {
        Plans plans;
        plan(start, plans, stop, pulse);
        std::vector<std::uint8_t> proof;
        std::unordered_set<State, Hash> seen{start};
        std::vector<State> waiting{start};
        while (!waiting.empty()) {
            const State state = waiting.back();
            waiting.pop_back();
            const int step = plans.at(state).step;
            const State reached = trimmed({state.region, step});
            const State theirs = turned(reached);
            const bool decided = safe_steps(theirs) && known_at_sight(theirs) != Value::unknown;
            int place = 0, going_on = 0;
            for (Word left = decided ? 0 : steps(reached); left; ++place) {
                const int cell = pop(left);
                if (bit(cell) & own_goal_) continue;
                const State answer = canonical(trimmed({reached.region, cell}));
                if (known_at_sight(answer) != Value::unknown || !seen.insert(answer).second) continue;
                going_on |= 1 << place;
                waiting.push_back(answer);
            }
            proof.push_back(static_cast<std::uint8_t>(count(steps(state) & (bit(step) - 1)) | (decided ? settled : 0)));
            proof.push_back(static_cast<std::uint8_t>(going_on));
        }
        return proof;
    }

    /// Takes a proof for true.
    void learn_proof(const State& start, const std::vector<std::uint8_t>& proof) {
        std::vector<State> waiting{start};
        std::size_t at = 0;
        for (; !waiting.empty(); at += 2) {
            const State state = waiting.back();
            waiting.pop_back();
            require(at + 2 <= proof.size() && (proof[at] & ~settled) < count(steps(state)), "the proof has a gap");
            const State reached = trimmed({state.region, select(steps(state), proof[at] & ~settled)});
            learn(state, Value::win, in_the_proof);
            learn(canonical(turned(reached)), Value::loss, in_the_proof);
            require(proof[at + 1] >> count(steps(reached)) == 0, "the proof has a gap");
            for (Word left = proof[at + 1]; left;)
                waiting.push_back(canonical(trimmed({reached.region, select(steps(reached), pop(left))})));
        }
        require(at == proof.size(), "the proof is of something else");
    }

   private:
    using Clock = std::chrono::steady_clock;

    /// How much proving each value seems to take; 0 where it is proven.
    struct Numbers {
        std::uint32_t to_win, to_lose;
    };
    static constexpr std::uint32_t infinite = (1 << 24) - 1;
    static constexpr int bucket_size = 4;
    static constexpr std::size_t page = 4096 / sizeof(Entry);
    /// Work that no search has done: what was learnt stays in the table.
    static constexpr int in_the_proof = 63, in_the_book = 62;

    struct Child {
        State state;
        Numbers first;
    };

    struct Freed {
        void operator()(Entry* entries) const { std::free(entries); }
    };

    struct Hash {
        std::size_t operator()(const State& state) const { return mix(state.region ^ mix(state.marker)); }
    };

    /// The step of a winner, and the size of the tree behind it.
    struct Plan {
        int step = -1;
        double size = 0;
    };
    using Plans = std::unordered_map<State, Plan, Hash>;
    static constexpr int settled = 8;

    // -------------------------------------------------------------------------------------------------------- the
    // board

    /// Leaves the cells out that the marker cannot reach. (The way through a goal is never the only one: its three
    /// neighbours touch each other.)
    State trimmed(State state) const {
        const Word free = state.region & ~bit(state.marker);
        Word reached = neighbours_[state.marker] & free;
        for (Word before = 0; reached != before;) {
            before = reached;
            reached = board_.grown(reached) & free;
        }
        return {reached, state.marker};
    }

    State turned(const State& state) const {
        Word set = __builtin_bswap64(state.region);
        set = (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
        set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
        set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
        return {set >> (64 - board_.cells), board_.cells - 1 - state.marker};
    }

    /// The smaller of a state and its reflection in the diagonal through the goals.
    State canonical(const State& state) const {
        Word set = state.region;
        for (int d = 1; d < board_.width; ++d) {
            const int distance = d * (board_.width - 1);
            const Word differing = (set ^ set >> distance) & diagonals_[d];
            set ^= differing | differing << distance;
        }
        const State reflection{set, state.marker % board_.width * board_.width + state.marker / board_.width};
        return std::min(state, reflection);
    }

    State after(const State& state, int step) const { return canonical(turned(trimmed({state.region, step}))); }

    Word steps(const State& state) const { return neighbours_[state.marker] & state.region; }

    /// Where the player to move may go without losing at once.
    Word safe_steps(const State& state) const {
        const Word forbidden = state.region & other_goal_ ? other_goal_ | other_doorstep_ : 0;
        return steps(state) & ~forbidden;
    }

    Value known_at_sight(const State& state) {
        if (steps(state) & own_goal_) return Value::win;
        if (!safe_steps(state)) return Value::loss;
        const bool own = state.region & own_goal_, others = state.region & other_goal_;
        if (own && others) return Value::unknown;
        const Word doorstep = own ? own_goal_ | own_doorstep_ : others ? other_goal_ | other_doorstep_ : 0;
        const bool wins = geography_.wins(state.region & ~doorstep, state.marker);
        if (wins && !others) return Value::win;
        if (!wins && !own) return Value::loss;
        return Value::unknown;
    }

    // ------------------------------------------------------------------------------------------------------- the
    // search

    /// The numbers of a state nobody has looked at: the fewer ways out the sooner it is lost, and the nearer goal
    /// draws.
    Numbers guess(const State& state) const {
        constexpr int far = 12, right_to_move = 3, weight = 4;
        int own = far, others = far;
        Word reached = steps(state);
        for (int distance = 1; distance < far; ++distance) {
            if (own == far && reached & own_goal_) own = distance;
            if (others == far && reached & other_goal_) others = distance;
            const Word before = reached;
            reached = board_.grown(reached) & state.region;
            if (reached == before) break;
        }
        const int behind = own - others - right_to_move;
        return {static_cast<std::uint32_t>(1 + weight * std::max(behind, 0)),
                static_cast<std::uint32_t>(count(safe_steps(state)) + weight * std::max(-behind, 0))};
    }

    /// Looks below a state, which is not known at sight, until one of its numbers reaches its bound.
    Numbers search(const State& state, std::uint32_t win_bound, std::uint32_t lose_bound) {
        const std::uint64_t begin = nodes_++;
        if (nodes_ % 256 == 0 || nodes_ == last_node_) look_around();
        std::array<Child, 8> children;
        int size = 0;
        for (Word left = safe_steps(state); left;) {
            const State next = after(state, pop(left));
            const Value value = known_at_sight(next);
            if (value == Value::loss) return conclude(state, {0, infinite}, begin);
            if (value == Value::unknown) children[size++] = {next, guess(next)};
        }
        for (;;) {
            // The player to move needs one child that the other loses; its easiest stands for all. To show that he
            // loses takes all children: the hardest, and one for each other, since a sum would count shared states
            // again.
            std::uint32_t easiest = infinite, second = infinite, hardest = 0, of_best = infinite;
            int open = 0, best = -1;
            for (int i = 0; i < size; ++i) {
                const Entry* entry = find(children[i].state);
                const Numbers numbers = entry ? numbers_of(*entry) : children[i].first;
                if (numbers.to_win) ++open;
                hardest = std::max(hardest, numbers.to_win);
                if (numbers.to_lose < easiest || (numbers.to_lose == easiest && numbers.to_win < of_best)) {
                    second = easiest;
                    easiest = numbers.to_lose;
                    of_best = numbers.to_win;
                    best = i;
                } else {
                    second = std::min(second, numbers.to_lose);
                }
            }
            if (easiest == 0) return conclude(state, {0, infinite}, begin);
            if (open == 0) return conclude(state, {infinite, 0}, begin);
            const std::uint32_t others = open - 1;
            const Numbers numbers{easiest, std::min(hardest + others, infinite - 1)};
            if (numbers.to_win >= win_bound || numbers.to_lose >= lose_bound || stopped_)
                return conclude(state, numbers, begin);
            // Half as much again as the second best before turning to that: turning too often costs more.
            const std::uint32_t patience = std::min(std::max(second + 1, second + second / 2), infinite);
            search(children[best].state, std::min(lose_bound - others, infinite), std::min(win_bound, patience));
        }
    }

    Numbers conclude(const State& state, Numbers numbers, std::uint64_t begin) {
        store(state, numbers, std::min<int>(std::bit_width(nodes_ - begin), in_the_book - 1));
        return numbers;
    }

    void look_around() {
        pulse_->beat(256);
        stopped_ = stopped_ || stop_->load(std::memory_order_relaxed) || (last_node_ && nodes_ >= last_node_) ||
                   (seconds_ > 0 && std::chrono::duration<double>(Clock::now() - begin_).count() >= seconds_);
    }

    // -------------------------------------------------------------------------------------------------------- the
    // table From the lowest bit of an entry's data: marker 6, to_win 24, to_lose 24, work 6 (the logarithm of the nodes
    // below the state in the longest search of it). Both numbers are never 0 at once, so an unused entry is one without
    // them.

    static bool used(const Entry& entry) { return entry.data >> 6 & (bit(48) - 1); }
    static int marker_of(const Entry& entry) { return static_cast<int>(entry.data & 63); }
    static int work_of(const Entry& entry) { return static_cast<int>(entry.data >> 54); }
    static Numbers numbers_of(const Entry& entry) {
        return {static_cast<std::uint32_t>(entry.data >> 6 & infinite),
                static_cast<std::uint32_t>(entry.data >> 30 & infinite)};
    }

    Entry* bucket(const State& state) const {
        const Word hash = Hash()(state);
        return &table_[static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * buckets_) >> 64) * bucket_size];
    }

    static bool holds(const Entry& entry, const State& state) {
        return entry.region == state.region && marker_of(entry) == state.marker && used(entry);
    }

    const Entry* find(const State& state) const {
        const Entry* entries = bucket(state);
        for (int i = 0; i < bucket_size; ++i)
            if (holds(entries[i], state)) return &entries[i];
        return nullptr;
    }

    /// The entry of the same state gives way, else one that took least work.
    void store(const State& state, Numbers numbers, int work) {
        Entry* entries = bucket(state);
        Entry* chosen = entries;
        for (int i = 0; i < bucket_size; ++i) {
            if (holds(entries[i], state)) {
                chosen = &entries[i];
                work = std::max(work, work_of(entries[i]));
                break;
            }
            if (work_of(entries[i]) < work_of(*chosen)) chosen = &entries[i];
        }
        if (used(*chosen)) --counts_[work_of(*chosen)];
        ++counts_[work];
        touched_[static_cast<std::size_t>(chosen - table_.get()) / page] = true;
        *chosen = {state.region, static_cast<Word>(state.marker) | Word{numbers.to_win} << 6 |
                                     Word{numbers.to_lose} << 30 | static_cast<Word>(work) << 54};
    }

    void learn(const State& state, Value value, int work) {
        store(state, value == Value::win ? Numbers{0, infinite} : Numbers{infinite, 0}, work);
    }

    // ------------------------------------------------------------------------------------------- openings and proofs

    /// All states of games that go on after 0 .. `plies` moves, each layer in ascending order.
    std::vector<std::vector<State>> layers(const State& start, int plies) const {
        std::vector<std::vector<State>> found{{start}};
        while (static_cast<int>(found.size()) <= plies) {
            std::vector<State> next;
            for (const State& state : found.back())
                for (Word left = steps(state) & ~own_goal_ & ~other_goal_; left;)
                    if (const State reached = after(state, pop(left)); reached.region) next.push_back(reached);
            std::sort(next.begin(), next.end());
            next.erase(std::unique(next.begin(), next.end()), next.end());
            found.push_back(std::move(next));
        }
        return found;
    }

    /// The way to win a state that is won and not at sight, with the least tree behind it among those the table knows.
    double plan(const State& state, Plans& plans, const std::atomic<bool>& stop, Pulse& pulse) {
        if (const auto found = plans.find(state); found != plans.end()) return found->second.size;
        require(value(state, 0, 0, stop, pulse) == Value::win, "there is nothing to prove, or the work was stopped");
        const auto loses = [&](int step) { return known_value(after(state, step)) == Value::loss; };
        // The table may have forgotten which step it was.
        bool known = false;
        for (Word left = safe_steps(state); left && !known;) known = loses(pop(left));
        for (Word left = safe_steps(state); left && !known;)
            known = value(after(state, pop(left)), 0, 0, stop, pulse) == Value::loss;
        Plan best{-1, std::numeric_limits<double>::infinity()};
        for (Word left = safe_steps(state); left;) {
            const int step = pop(left);
            if (!loses(step)) continue;
            const State reached = after(state, step);
            double size = 1;
            if (known_at_sight(reached) == Value::unknown)
                for (Word answers = safe_steps(reached); answers && size < best.size;) {
                    const State answer = after(reached, pop(answers));
                    if (known_at_sight(answer) == Value::unknown) size += plan(answer, plans, stop, pulse);
                }
            if (size < best.size) best = {step, size};
        }
        require(best.step >= 0, "what was learnt contradicts itself");
        plans[state] = best;
        return best.size;
    }

    Rastros rules_;
    SquareBoard board_;
    std::array<Word, 64> neighbours_{};
    /// diagonals_[d]: the cells d columns right of the diagonal through the goals.
    std::array<Word, 8> diagonals_{};
    Word own_goal_, other_goal_, own_doorstep_, other_doorstep_;
    Geography geography_{neighbours_};
    std::size_t buckets_ = 0;
    std::unique_ptr<Entry[], Freed> table_;
    /// Which parts of the table were ever written, each of some page of memory: looking at the others would take time
    /// and memory from the system.
    std::vector<bool> touched_;
    /// How many entries took how much work.
    std::array<std::size_t, 64> counts_{};

    std::uint64_t nodes_ = 0, last_node_ = 0;
    double seconds_ = 0;
    Clock::time_point begin_;
    const std::atomic<bool>* stop_ = nullptr;
    Pulse* pulse_ = nullptr;
    bool stopped_ = false;
};

}  // namespace tabuleiro
