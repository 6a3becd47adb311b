// Sets of cells laid out anew: cell c comes to lie at place places[c].
#pragma once

#include <algorithm>
#include <vector>

#include "../game.hpp"

namespace tabuleiro {

/// Adds `n` words of bits to others from bit `offset` on; nothing is written behind `end`.
inline void add_bits(const Word* from, int n, Word* bits, int offset, const Word* end) {
    const int shift = offset & 63;
    bits += offset >> 6;
    for (int k = 0; k < n; ++k, ++bits) {
        bits[0] |= from[k] << shift;
        if (bits + 1 < end) bits[1] |= from[k] >> 1 >> (63 - shift);
    }
}

/// Four cells at a time are looked up, in tables small enough for the nearest cache.
class Arrangement {
   public:
    /// For a cell that is in no set.
    static constexpr int nowhere = -1;

    Arrangement() = default;

    explicit Arrangement(const std::vector<int>& places) : cells_(static_cast<int>(places.size())) {
        for (int cell = 0; cell < cells_; ++cell) {
            same_ &= places[cell] == cell || places[cell] == nowhere;
            span_ = std::max(span_, places[cell] + 1);
        }
        require(words() <= most_words, "there are too many places");
        table_.resize(static_cast<std::size_t>(groups()) * 16 * words());
        for (int group = 0; group < groups(); ++group)
            for (int value = 0; value < 16; ++value) {
                Word* const entry = &table_[(16 * group + value) * words()];
                for (int i = 0; i < 4; ++i)
                    if (const int cell = 4 * group + i; value >> i & 1 && cell < cells_ && places[cell] != nowhere)
                        entry[places[cell] >> 6] |= bit(places[cell] & 63);
            }
    }

    /// How many words hold the places, and how many the cells.
    int words() const { return (span_ + 63) / 64; }
    int cell_words() const { return (cells_ + 63) / 64; }

    /// Adds the places of a set to `bits`, from bit `offset` on; nothing is written behind `end`.
    void add(const Word* set, Word* bits, int offset, const Word* end) const {
        switch (words()) {
            case 1: return add<1>(set, bits, offset, end);
            case 2: return add<2>(set, bits, offset, end);
            default: return add<most_words>(set, bits, offset, end);
        }
    }

   private:
    /// Places of the largest board: Hex 19x19 with its swap.
    static constexpr int most_words = 6;

    int groups() const { return (cells_ + 3) / 4; }

    template <int most>
    void add(const Word* set, Word* bits, int offset, const Word* end) const {
        const int n = most < most_words ? most : words();
        Word placed[most] = {};
        if (same_)
            std::copy_n(set, n, placed);
        else if constexpr (most == 2)
            look_up_pairs(set, placed);
        else
            look_up(set, n, placed);
        add_bits(placed, n, bits, offset, end);
    }

    void look_up(const Word* set, int n, Word* placed) const {
        const Word* entries = table_.data();
        for (int left = groups(); left > 0; left -= 16) {
            Word here = *set++;
            for (int i = std::min(left, 16); i > 0; --i, here >>= 4, entries += 16 * n)
                for (int k = 0; k < n; ++k) placed[k] |= entries[(here & 15) * n + k];
        }
    }

    /// The same where two words hold the places, which most processors take at once.
    void look_up_pairs(const Word* set, Word* placed) const {
        using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = Word;
        const Pair* entries = reinterpret_cast<const Pair*>(table_.data());
        Pair found = {};
        for (int left = groups(); left > 0; left -= 16) {
            Word here = *set++;
            for (int i = std::min(left, 16); i > 0; --i, here >>= 4, entries += 16) found |= entries[here & 15];
        }
        placed[0] = found[0], placed[1] = found[1];
    }

    int cells_ = 0, span_ = 0;
    /// Whether every cell stays where it is.
    bool same_ = true;
    /// The places of each group of four cells, for its sixteen sets.
    std::vector<Word> table_;
};

}  // namespace tabuleiro
