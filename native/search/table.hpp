// The transposition table: what is known of positions, shared by all threads without locks.
#pragma once

#include <atomic>
#include <cassert>
#include "../zeroed.hpp"
#include "score.hpp"

namespace tabuleiro {

enum class Bound : std::uint8_t { none, upper, lower, exact };

/// What the table knows of a position. Scores of wins count from the position itself, not from a root.
struct Known {
    Move move = no_move;
    std::int16_t score = 0;
    std::int8_t depth = 0;
    Bound bound = Bound::none;
    Worth floor = lost, ceiling = won;
    /// Whether it was found since the table last grew older.
    bool fresh = true;

    /// Stands where there is no move: sixteen bits are what the table has for one.
    static constexpr Move no_move = 0xffff;
};

/// Two words a position: what is known, and the key xor that. A reader who meets a half-written entry sees a wrong key,
/// so threads need no locks. Four entries share a cache line, and the least useful of them gives way.
class Table {
   public:
    explicit Table(std::size_t mebibytes) : buckets_(buckets_in(mebibytes)) {}

    /// Nobody else uses the table meanwhile.
    void clear() {
        buckets_.clear();
        age_ = 0;
    }

    /// A new depth is about to be searched: what earlier ones left gives way first.
    void grow_older() { age_ = (age() + 1) & age_mask; }

    bool probe(Word key, Known& known) const {
        for (const Entry& entry : bucket(key).entries) {
            const Word data = entry.data.load(std::memory_order_relaxed);
            if (data && (entry.check.load(std::memory_order_relaxed) ^ data) == key) {
                known = unpack(data);
                return true;
            }
        }
        return false;
    }

    void store(Word key, Known known) {
        Entry* chosen = nullptr;
        int least = std::numeric_limits<int>::max();
        for (Entry& entry : bucket(key).entries) {
            const Word data = entry.data.load(std::memory_order_relaxed);
            const bool same = data && (entry.check.load(std::memory_order_relaxed) ^ data) == key;
            if (same) {
                const Known before = unpack(data);
                if (known.move == Known::no_move) known.move = before.move;
                // What is proven stays true; a proven win or loss also keeps its score. A score without a bound says
                // nothing.
                const bool proven = before.floor == won || before.ceiling == lost;
                const bool proves = known.floor == won || known.ceiling == lost;
                if ((known.bound == Bound::none && before.fresh) || (proven && !proves)) {
                    const Move move = known.move;
                    known = before;
                    known.move = move;
                }
                known.floor = std::max(known.floor, before.floor);
                known.ceiling = std::min(known.ceiling, before.ceiling);
                chosen = &entry;
                break;
            }
            const int worth = data ? usefulness(data) : -1;
            if (worth < least) {
                least = worth;
                chosen = &entry;
            }
        }
        assert(known.move <= Known::no_move);
        const Word data = pack(known);
        chosen->data.store(data, std::memory_order_relaxed);
        chosen->check.store(key ^ data, std::memory_order_relaxed);
    }

   private:
    struct Entry {
        std::atomic<Word> check, data;
    };
    struct alignas(64) Bucket {
        Entry entries[4];
    };
    static_assert(sizeof(Bucket) == 64);

    static constexpr int age_mask = 255;

    static std::size_t buckets_in(std::size_t mebibytes) {
        require(mebibytes >= 1 && mebibytes <= 1 << 20, "the table has from 1 to 1048576 MiB");
        return mebibytes * (1 << 20) / sizeof(Bucket);
    }

    int age() const { return age_.load(std::memory_order_relaxed); }

    Bucket& bucket(Word key) const {
        return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key) * buckets_.size()) >> 64)];
    }

    // From the lowest bit: move 16, score 16, depth 8, bound 2, floor 2, ceiling 2, age 8; the top bit marks an entry.
    Word pack(const Known& known) const {
        return Word{known.move & Known::no_move} | Word{static_cast<std::uint16_t>(known.score)} << 16 |
               Word{static_cast<std::uint8_t>(known.depth)} << 32 | static_cast<Word>(known.bound) << 40 |
               static_cast<Word>(known.floor + 1) << 42 | static_cast<Word>(known.ceiling + 1) << 44 |
               static_cast<Word>(age()) << 46 | Word{1} << 63;
    }

    Known unpack(Word data) const {
        return {static_cast<Move>(data & Known::no_move),
                static_cast<std::int16_t>(data >> 16 & 0xffff),
                static_cast<std::int8_t>(data >> 32 & 0xff),
                static_cast<Bound>(data >> 40 & 3),
                static_cast<Worth>(static_cast<int>(data >> 42 & 3) - 1),
                static_cast<Worth>(static_cast<int>(data >> 44 & 3) - 1),
                static_cast<int>(data >> 46 & age_mask) == age()};
    }

    int usefulness(Word data) const {
        const int years = (age() - static_cast<int>(data >> 46 & age_mask)) & age_mask;
        return 512 + static_cast<std::int8_t>(data >> 32 & 0xff) - years;
    }

    Zeroed<Bucket> buckets_;
    std::atomic<int> age_ = 0;
};

}  // namespace tabuleiro
