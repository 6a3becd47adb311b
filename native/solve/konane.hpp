// Konane solved: who wins, without estimates.
//
// Two searches, one above the other. Below, depth-first search for a winning move: children are looked up before any is
// entered, and those that leave the opponent few jumps come first. It is quick, but a bad first choice can cost it
// dear. So it is given a budget, and positions that exceed it are taken apart by df-pn above, which always expands
// where a proof looks nearest and whose leaves are such budgeted searches. There are no draws and nothing comes back,
// so what is known of a position holds for ever and for its mirror images.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../games/konane.hpp"
#include "../search/played.hpp"
#include "progress.hpp"

namespace tabuleiro::konane {

// ------------------------------------------------------------------------------------------------------------ the
// field

/// A position as the player to move sees it, on the cells of an 8x8 board; outside of the three sets there are walls.
struct Field {
    Word own, enemy, empty;

    bool operator==(const Field&) const = default;
    Field turned_over() const { return {enemy, own, empty}; }
};

constexpr Word column_a = 0x0101010101010101;
constexpr Word no_wrap_east = ~(column_a << 6 | column_a << 7), no_wrap_west = ~(column_a | column_a << 1);
/// The most jumps of a field, each stop of a long one counted.
constexpr int most_jumps = Konane::max_moves;

/// From where a stone could jump each way, if it stood there.
struct Ways {
    Word east, west, north, south;

    explicit Ways(const Field& field)
        : east(field.enemy >> 1 & field.empty >> 2 & no_wrap_east),
          west(field.enemy << 1 & field.empty << 2 & no_wrap_west),
          north(field.enemy >> 8 & field.empty >> 16),
          south(field.enemy << 8 & field.empty << 16) {}
};

/// Calls `visit(field)` with what the opponent faces after each jump.
template <class Visit>
void each_jump(const Field& field, Visit visit) {
    const Ways ways(field);
    const auto go = [&](Word from, auto ahead) {
        for (Word left = field.own & from; left;) {
            const Word origin = bit(pop(left));
            Field next{field.own ^ origin, field.enemy, field.empty ^ origin};
            // Jump after jump the same way; stopping after any of them is a move of its own.
            for (Word at = origin; at & from;) {
                const Word over = ahead(at);
                at = ahead(over);
                next.enemy ^= over;
                next.empty ^= over;
                visit(Field{next.enemy, next.own ^ at, next.empty ^ at});
            }
        }
    };
    go(ways.east, [](Word set) { return set << 1; });
    go(ways.west, [](Word set) { return set >> 1; });
    go(ways.north, [](Word set) { return set << 8; });
    go(ways.south, [](Word set) { return set >> 8; });
}

/// How free a player is: jumps, stones that can jump, and stones that stand before an enemy.
struct Freedom {
    int jumps, movable, facing;

    explicit Freedom(const Field& field) {
        Ways ways(field);
        Word east = field.own & ways.east, west = field.own & ways.west;
        Word north = field.own & ways.north, south = field.own & ways.south;
        movable = count(east | west | north | south);
        jumps = 0;
        // Most stones that can jump cannot jump twice.
        while (east | west | north | south) {
            jumps += count(east) + count(west) + count(north) + count(south);
            ways.east >>= 2, ways.west <<= 2, ways.north >>= 16, ways.south <<= 16;
            east &= ways.east, west &= ways.west, north &= ways.north, south &= ways.south;
        }
        facing =
            count(field.own & field.enemy >> 1 & no_wrap_east) + count(field.own & field.enemy << 1 & no_wrap_west) +
            count(field.own & field.enemy >> 8 & ~Word{0} >> 16) + count(field.own & field.enemy << 8 & ~Word{0} << 16);
    }
};

/// The least of the eight images of a field.
inline Field turned_best(const Field& field) {
    Field best = field;
    const auto with = [](const Field& image, auto turn) {
        return Field{turn(image.own), turn(image.enemy), turn(image.empty)};
    };
    const auto offer = [&](const Field& image) {
        if (std::tie(image.own, image.enemy, image.empty) < std::tie(best.own, best.enemy, best.empty)) best = image;
    };
    for (const Field& image : {field, with(field, transposed)}) {
        const Field over = with(image, upended);
        offer(image);
        offer(over);
        offer(with(image, mirrored));
        offer(with(over, mirrored));
    }
    return best;
}

/// Two independent words, so that positions are told apart by 128 bits.
struct Key {
    Word low = 0, high = 0;

    Key() = default;
    explicit Key(const Field& field) {
        const Word words[3] = {field.own, field.enemy, field.empty};
        low = key_of_words(words, 3, 1);
        high = key_of_words(words, 3, 1'000);
    }
    bool operator==(const Key&) const = default;
};

// ----------------------------------------------------------------------------------------------------------- the
// tables

enum class Verdict : std::int8_t { lost = -1, open = 0, won = 1 };

/// The buckets of a table, as many as its memory holds, all zeros at first.
template <class Bucket>
class Buckets {
   public:
    explicit Buckets(std::uint64_t bytes) : size_(std::max<std::uint64_t>(bytes / sizeof(Bucket), 1)) {
        require(bytes < std::uint64_t{1} << 48, "there is no such memory");
        // From the system as zeros, and not touched before it is needed; in large pages, since it is read at random.
        memory_.reset(std::calloc(size_ * sizeof(Bucket) + large_page, 1));
        if (!memory_) throw std::bad_alloc();
        const auto start = (reinterpret_cast<std::uintptr_t>(memory_.get()) + large_page - 1) & ~(large_page - 1);
        first_ = reinterpret_cast<Bucket*>(start);
#ifdef MADV_HUGEPAGE
        madvise(first_, size_ * sizeof(Bucket), MADV_HUGEPAGE);
#endif
    }

    std::uint64_t size() const { return size_; }
    Bucket& at(std::uint64_t place) const { return first_[place]; }
    Bucket& of(const Key& key) const {
        return first_[static_cast<std::size_t>((static_cast<unsigned __int128>(key.low) * size_) >> 64)];
    }

   private:
    static constexpr std::uintptr_t large_page = 1 << 21;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::uint64_t size_;
    std::unique_ptr<void, Free> memory_;
    Bucket* first_;
};

/// What depth-first search found, one word a position, shared by threads without locks. What took more work stays.
class VerdictTable {
   public:
    explicit VerdictTable(std::uint64_t bytes) : buckets_(bytes) {}

    void prefetch(const Key& key) const { __builtin_prefetch(&buckets_.of(key)); }

    Verdict look_up(const Key& key) const {
        for (const Entry& each : buckets_.of(key).entries) {
            const Word entry = each.load(std::memory_order_relaxed);
            if ((entry ^ key.high) >> work_bits == 0 && entry) return entry & 1 ? Verdict::won : Verdict::lost;
        }
        return Verdict::open;
    }

    void store(const Key& key, Verdict verdict, std::uint64_t work) {
        Entry* chosen = nullptr;
        Word least = ~Word{0};
        for (Entry& each : buckets_.of(key).entries) {
            const Word entry = each.load(std::memory_order_relaxed);
            const Word worth = entry & work_mask;
            if (worth < least) {
                least = worth;
                chosen = &each;
            }
        }
        const Word magnitude = static_cast<Word>(std::bit_width(work)) & 31;
        chosen->store((key.high & ~work_mask) | magnitude << 1 | (verdict == Verdict::won), std::memory_order_relaxed);
    }

   private:
    using Entry = std::atomic<Word>;
    struct alignas(64) Bucket {
        Entry entries[8];
    };

    // From the lowest bit: won 1, magnitude of the work 5, key 58.
    static constexpr int work_bits = 6;
    static constexpr Word work_mask = (Word{1} << work_bits) - 1;

    Buckets<Bucket> buckets_;
};

constexpr std::uint32_t infinite = 1 << 30;

/// How far a win and a loss of the player to move seem to be: 0 is proven, `infinite` impossible.
struct Numbers {
    std::uint32_t win = 1, loss = 1;

    Verdict verdict() const { return win == 0 ? Verdict::won : loss == 0 ? Verdict::lost : Verdict::open; }
    static Numbers of(Verdict verdict) { return verdict == Verdict::won ? Numbers{0, infinite} : Numbers{infinite, 0}; }
};

/// What df-pn knows: few positions, each of which cost much work. With this a run can go on where it was left.
/// Where there is no room for more, what took least work is forgotten.
class ProofTable {
   public:
    struct Entry {
        Key key;
        Numbers numbers;
        std::uint64_t work;  // positions looked at below this one; 0 where there is no entry
    };

    explicit ProofTable(std::uint64_t bytes) : buckets_(bytes) {}

    /// The number of threads that are at work below a position comes with its numbers, which stay where it is unknown.
    bool look_up(const Key& key, Numbers& numbers, int& busy) const {
        const std::lock_guard guard(mutex_);
        const auto at_work = busy_.find(key);
        busy = at_work == busy_.end() ? 0 : at_work->second;
        const Entry* entry = find(key);
        if (entry) numbers = entry->numbers;
        return entry;
    }

    /// What more work has found.
    void store(const Key& key, const Numbers& numbers, std::uint64_t work) {
        const std::lock_guard guard(mutex_);
        if (Entry* entry = find(key)) {
            // Another thread may have settled it.
            if (entry->numbers.verdict() == Verdict::open) entry->numbers = numbers;
            entry->work += work;
        } else {
            least(key) = {key, numbers, std::max<std::uint64_t>(work, 1)};
        }
    }

    /// Takes an entry of another table, unless all that is in its place took more work.
    void restore(const Entry& entry) {
        const std::lock_guard guard(mutex_);
        if (Entry& place = least(entry.key); place.work < entry.work && !find(entry.key)) place = entry;
    }

    void enter(const Key& key, int threads) {
        const std::lock_guard guard(mutex_);
        if ((busy_[key] += threads) == 0) busy_.erase(key);
    }

    std::uint64_t places() const { return buckets_.size(); }

    /// The entries in some of the places.
    std::vector<Entry> entries(std::uint64_t first, std::uint64_t last) const {
        const std::lock_guard guard(mutex_);
        std::vector<Entry> found;
        for (std::uint64_t place = first; place < std::min(last, places()); ++place)
            for (const Entry& entry : buckets_.at(place).entries)
                if (entry.work) found.push_back(entry);
        return found;
    }

   private:
    struct Bucket {
        Entry entries[8];
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.low; }
    };

    Entry* find(const Key& key) const {
        for (Entry& entry : buckets_.of(key).entries)
            if (entry.work && entry.key == key) return &entry;
        return nullptr;
    }

    Entry& least(const Key& key) const {
        auto& entries = buckets_.of(key).entries;
        return *std::min_element(std::begin(entries), std::end(entries),
                                 [](const Entry& one, const Entry& other) { return one.work < other.work; });
    }

    mutable std::mutex mutex_;
    Buckets<Bucket> buckets_;
    /// As many as threads are deep, at most.
    std::unordered_map<Key, int, Hash> busy_;
};

// ----------------------------------------------------------------------------------------------------------- the
// search

/// When the threads of a search end: when one has the answer, the caller's flag is set, or its time is up. Each thread
/// looks by itself: the one that waits for them may not be given a processor in time.
class Halt {
   public:
    /// Without a limit where `seconds` is 0.
    Halt(const std::atomic<bool>& asked, double seconds)
        : asked_(asked),
          limited_(seconds > 0),
          deadline_(Clock::now() +
                    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

    void set() { set_ = true; }
    bool is_set() const { return set_.load(std::memory_order_relaxed) || asked_.load(std::memory_order_relaxed); }
    void look_at_the_clock() {
        if (limited_ && Clock::now() >= deadline_) set();
    }

   private:
    const std::atomic<bool>& asked_;
    const bool limited_;
    const Clock::time_point deadline_;
    std::atomic<bool> set_ = false;
};

/// One thread's search.
class Search {
   public:
    /// Counts the positions it looks at in `seen`, now and then.
    Search(VerdictTable& verdicts, ProofTable& proofs, Halt& halt, std::atomic<std::uint64_t>& seen)
        : verdicts_(verdicts), proofs_(proofs), halt_(halt), seen_(seen), pool_(most_depth * most_jumps) {}

    std::uint64_t nodes() const { return nodes_; }

    /// Whether the player to move wins, as far as a number of positions tells.
    Verdict look(const Field& field, std::uint64_t positions) {
        limit_ = nodes_ + positions;
        try {
            return wins(field, pool_.data()) ? Verdict::won : Verdict::lost;
        } catch (const OutOfBudget&) {
            return Verdict::open;
        }
    }

    /// Whether the player to move wins, by df-pn whose leaves are searches of at most `budget` positions; open only
    /// when the search was stopped.
    Verdict prove(const Field& field, std::uint64_t budget) {
        budget_ = budget;
        const Field image = turned_best(field);
        return deepen(image, first_sight(image, Key(image)), infinite, infinite).verdict();
    }

   private:
    static constexpr int most_depth = 64;
    struct OutOfBudget {};

    struct Child {
        Field field;
        Key key;
        int order;
    };

    bool wins(const Field& field, Child* children) {
        if (++nodes_ >= limit_) throw OutOfBudget();
        if (nodes_ % 1024 == 0) {
            seen_.fetch_add(1024, std::memory_order_relaxed);
            halt_.look_at_the_clock();
        }
        // Always: while a large table is new, each position may wait for the system to clear megabytes of it.
        if (halt_.is_set()) throw OutOfBudget();
        int n = 0;
        each_jump(field, [&](const Field& next) {
            children[n].field = next;
            children[n].key = Key(next);
            verdicts_.prefetch(children[n++].key);
        });
        int open = 0;
        for (int i = 0; i < n; ++i) {
            Child& child = children[i];
            const Freedom theirs(child.field);
            if (theirs.jumps == 0) return true;
            switch (verdicts_.look_up(child.key)) {
                case Verdict::lost: return true;
                case Verdict::won: break;
                case Verdict::open:
                    // What leaves the opponent little comes first: it is likely to win, and soon searched if it does
                    // not.
                    const Freedom ours(child.field.turned_over());
                    child.order =
                        10 * (theirs.jumps + theirs.movable) - 5 * (ours.jumps + ours.movable) + 4 * theirs.facing;
                    children[open++] = child;
            }
        }
        for (int i = 0; i < open; ++i) {
            int best = i;
            for (int k = i + 1; k < open; ++k)
                if (children[k].order < children[best].order) best = k;
            std::swap(children[i], children[best]);
            const std::uint64_t before = nodes_;
            const bool win = wins(children[i].field, children + open);
            verdicts_.store(children[i].key, win ? Verdict::won : Verdict::lost, nodes_ - before);
            if (!win) return true;
        }
        return false;
    }

    Numbers first_sight(const Field& field, const Key& key) {
        Numbers numbers;
        if (int busy; proofs_.look_up(key, numbers, busy)) return numbers;
        const std::uint64_t before = nodes_;
        const Verdict verdict = look(field, budget_);
        if (verdict != Verdict::open) {
            numbers = Numbers::of(verdict);
        } else {
            const Freedom own(field), enemy(field.turned_over());
            numbers = {static_cast<std::uint32_t>(1 + std::max(0, enemy.jumps - own.jumps)),
                       static_cast<std::uint32_t>(1 + std::max(0, own.jumps - enemy.jumps))};
        }
        if (!halt_.is_set()) proofs_.store(key, numbers, nodes_ - before);
        return numbers;
    }

    Numbers deepen(const Field& field, Numbers numbers, std::uint32_t win_limit, std::uint32_t loss_limit) {
        if (numbers.verdict() != Verdict::open) return numbers;
        const std::uint64_t before = nodes_;
        // The numbers are those seen last: the table may forget them while they are needed here.
        struct Branch {
            Field field;
            Key key;
            Numbers numbers;
        };
        std::vector<Branch> branches;
        each_jump(field, [&](const Field& next) {
            const Field image = turned_best(next);
            const Key key(image);
            if (std::none_of(branches.begin(), branches.end(), [&](const Branch& each) { return each.key == key; }))
                branches.push_back({image, key, {}});
        });
        for (Branch& branch : branches) {
            if (halt_.is_set()) break;
            branch.numbers = first_sight(branch.field, branch.key);
            if (branch.numbers.verdict() == Verdict::lost) break;
        }
        while (!halt_.is_set()) {
            // The easiest child to prove lost, and what all of them add up to: the hardest and one for each other.
            std::uint32_t best = infinite, second = infinite, tie = infinite, most = 0, open = 0;
            numbers.win = infinite;
            Branch* chosen = nullptr;
            for (Branch& branch : branches) {
                int busy = 0;
                if (branch.numbers.verdict() == Verdict::open) proofs_.look_up(branch.key, branch.numbers, busy);
                const Numbers child = branch.numbers;
                numbers.win = std::min(numbers.win, child.loss);
                if (child.verdict() == Verdict::won) continue;
                ++open;
                most = std::max(most, child.win);
                // Other threads at work there make it look harder, so that threads part.
                const std::uint32_t loss = child.loss + busy * (1 + child.loss / 2);
                if (!chosen || loss < best || (loss == best && child.win < tie)) {
                    second = best;
                    best = loss;
                    tie = child.win;
                    chosen = &branch;
                } else {
                    second = std::min(second, loss);
                }
            }
            numbers.loss = open == 0 ? 0 : numbers.win == 0 ? infinite : std::min(most + open - 1, infinite - 1);
            if (numbers.verdict() != Verdict::open || numbers.win >= win_limit || numbers.loss >= loss_limit) break;
            // The child may go on while it stays the best one, with some slack against going to and fro.
            const std::uint32_t slack = std::min(second + second / 4 + 1, infinite);
            const std::uint32_t rest = open - 1;
            proofs_.enter(chosen->key, 1);
            chosen->numbers = deepen(chosen->field, chosen->numbers,
                                     loss_limit >= infinite ? infinite : loss_limit - rest, std::min(win_limit, slack));
            proofs_.enter(chosen->key, -1);
        }
        if (!halt_.is_set()) proofs_.store(Key(field), numbers, nodes_ - before);
        return numbers;
    }

    VerdictTable& verdicts_;
    ProofTable& proofs_;
    Halt& halt_;
    std::atomic<std::uint64_t>& seen_;
    std::vector<Child> pool_;
    std::uint64_t nodes_ = 0, limit_ = 0, budget_ = 0;
};

// ----------------------------------------------------------------------------------------------------------- the
// solver

/// What is known of a position and of its moves, for the player to move.
struct Solved {
    Verdict verdict = Verdict::open;
    std::vector<std::pair<Move, Verdict>> moves;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

class Solver {
   public:
    /// The bytes of memory for what depth-first search finds, and for what df-pn does.
    Solver(const std::vector<std::int64_t>& options, std::uint64_t bytes, std::uint64_t proof_bytes)
        : rules_(read_rules<Konane>(options)),
          size_(static_cast<int>(options[0])),
          first_is_black_(options[1] == 2),
          verdicts_(bytes),
          proofs_(proof_bytes) {}

    /// By depth-first search: the value of every move, or only what it takes to know the value of the position.
    Solved solve(const Words& words, bool every_move, std::uint64_t nodes, double seconds, StopFlag& flag,
                 Progress& progress) {
        const std::uint64_t most = nodes ? nodes : no_limit;
        return run(words, 1, seconds, flag, progress, [&, every_move](Search& search, const Konane::Position& root) {
            const auto look = [&](const Konane::Position& position, std::uint64_t budget) {
                return verdict_of(position, [&](const Field& field) {
                    Verdict verdict = known(field);
                    if (verdict != Verdict::open || search.nodes() >= most) return verdict;
                    verdict = search.look(field, std::min(budget, most - search.nodes()));
                    if (verdict != Verdict::open) verdicts_.store(Key(turned_best(field)), verdict, no_limit);
                    return verdict;
                });
            };
            if (!every_move) return look(root, no_limit);
            // First what is easy, so that a hard move does not leave the others unknown.
            std::vector<Konane::Position> open = after_each_move(root);
            for (std::uint64_t budget : {std::uint64_t{20'000}, std::uint64_t{1'000'000}, no_limit})
                std::erase_if(open, [&](const auto& next) { return look(next, budget) != Verdict::open; });
            return Verdict::open;
        });
    }

    /// By df-pn on several threads, whose leaves are searches of at most `budget` positions: the value of the position.
    Solved prove(const Words& words, int threads, std::uint64_t budget, double seconds, StopFlag& flag,
                 Progress& progress) {
        require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
        require(budget >= 1, "a leaf has at least one position");
        return run(words, threads, seconds, flag, progress, [&](Search& search, const Konane::Position& root) {
            return verdict_of(root, [&](const Field& field) { return search.prove(field, budget); });
        });
    }

    /// Everything that `prove` needs to go on where it stopped.
    ProofTable& proofs() { return proofs_; }

   private:
    static constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;

    template <class Task>
    Solved run(const Words& words, int threads, double seconds, StopFlag& flag, Progress& progress, Task task) {
        const auto begin = Clock::now();
        const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
        const Konane::Position root = read_position(rules_, words);
        require(rules_.outcome(root) == Result::ongoing, "the game is over");
        Halt halt(flag.set, seconds);
        std::atomic<std::uint64_t> seen = 0;
        std::mutex mutex;
        std::condition_variable one_is_done;
        int running = threads;
        Solved solved;
        std::vector<std::thread> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back([&] {
                Search search(verdicts_, proofs_, halt, seen);
                const Verdict verdict = task(search, root);
                const std::lock_guard guard(mutex);
                if (verdict != Verdict::open) solved.verdict = verdict;
                solved.nodes += search.nodes();
                --running;
                // What one has found the others need not look for.
                halt.set();
                one_is_done.notify_one();
            });
        const auto finish = [&] {
            halt.set();
            for (std::thread& worker : workers) worker.join();
        };
        try {
            std::unique_lock lock(mutex);
            while (running == threads) {
                one_is_done.wait_for(lock, std::chrono::milliseconds(5));
                lock.unlock();
                progress.at(static_cast<double>(seen));
                halt.look_at_the_clock();
                lock.lock();
            }
        } catch (...) {
            finish();
            throw;
        }
        finish();
        tell_moves(root, solved);
        solved.seconds = elapsed();
        return solved;
    }

    void tell_moves(const Konane::Position& root, Solved& solved) {
        Move moves[Konane::max_moves];
        const int n = rules_.moves(root, moves);
        bool all_bad = true;
        for (int i = 0; i < n; ++i) {
            Konane::Position next = root;
            rules_.play(next, moves[i]);
            const Verdict answer = verdict_of(next, [&](const Field& field) { return known(field); });
            solved.moves.emplace_back(moves[i], opposite(answer));
            if (answer == Verdict::lost) solved.verdict = Verdict::won;
            all_bad = all_bad && answer == Verdict::won;
        }
        if (all_bad) solved.verdict = Verdict::lost;
        if (solved.verdict == Verdict::lost)
            for (auto& [move, verdict] : solved.moves) verdict = Verdict::lost;
    }

    static Verdict opposite(Verdict verdict) { return static_cast<Verdict>(-static_cast<int>(verdict)); }

    /// What is known without search.
    Verdict known(const Field& field) {
        if (Freedom(field).jumps == 0) return Verdict::lost;
        const Field image = turned_best(field);
        Numbers numbers;
        int busy;
        if (proofs_.look_up(Key(image), numbers, busy) && numbers.verdict() != Verdict::open) return numbers.verdict();
        for (const Field& each : {field, image})
            if (const Verdict verdict = verdicts_.look_up(Key(each)); verdict != Verdict::open) return verdict;
        return Verdict::open;
    }

    std::vector<Konane::Position> after_each_move(const Konane::Position& position) const {
        Move moves[Konane::max_moves];
        const int n = rules_.moves(position, moves);
        std::vector<Konane::Position> after(n, position);
        for (int i = 0; i < n; ++i) rules_.play(after[i], moves[i]);
        return after;
    }

    /// While stones are being removed every possibility is looked at; then `judge(field)` says who wins.
    template <class Judge>
    Verdict verdict_of(const Konane::Position& position, const Judge& judge) const {
        if (!rules_.removing(position)) return judge(field_of(position));
        Verdict best = Verdict::lost;
        for (const Konane::Position& next : after_each_move(position)) {
            best = std::max(best, opposite(verdict_of(next, judge)));
            if (best == Verdict::won) break;
        }
        return best;
    }

    Field field_of(const Konane::Position& position) const {
        const bool black = (position.turn == 1) == first_is_black_;
        const Word own = spread(position.stones[black]), enemy = spread(position.stones[!black]);
        return {own, enemy, spread(first_cells(size_ * size_)) & ~(own | enemy)};
    }

    /// A set of cells of a smaller board in the corner of an 8x8 one.
    Word spread(Word set) const {
        Word result = 0;
        for (int row = 0; row < size_; ++row) result |= (set >> row * size_ & first_cells(size_)) << 8 * row;
        return result;
    }

    const Konane rules_;
    const int size_;
    const bool first_is_black_;
    VerdictTable verdicts_;
    ProofTable proofs_;
};

}  // namespace tabuleiro::konane
