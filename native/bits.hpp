// Sets of cells. Bit c of a set is cell c, numbered as in the Python geometry: rank by rank from the bottom of the
// board.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tabuleiro {

using Word = std::uint64_t;

constexpr Word bit(int cell) { return Word{1} << cell; }
constexpr int count(Word set) { return std::popcount(set); }
/// The smallest cell of a set that is not empty.
constexpr int lowest(Word set) { return std::countr_zero(set); }
/// Removes and returns the smallest cell of a set that is not empty.
constexpr int pop(Word& set) {
    const int cell = lowest(set);
    set &= set - 1;
    return cell;
}
/// The set of the cells 0 .. n-1, n <= 64.
constexpr Word first_cells(int n) { return n == 64 ? ~Word{0} : bit(n) - 1; }

// Images of a set of cells of an 8x8 board.
constexpr Word mirrored(Word set) {
    set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
    set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
    return (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
}
constexpr Word upended(Word set) { return __builtin_bswap64(set); }
constexpr Word transposed(Word set) {
    Word swap = 0x0f0f0f0f00000000 & (set ^ set << 28);
    set ^= swap ^ swap >> 28;
    swap = 0x3333000033330000 & (set ^ set << 14);
    set ^= swap ^ swap >> 14;
    swap = 0x5500550055005500 & (set ^ set << 7);
    return set ^ swap ^ swap >> 7;
}

/// select_in_byte[k][byte]: the k-th smallest bit of a byte, k counted from 0.
constexpr auto select_in_byte = [] {
    std::array<std::array<std::uint8_t, 256>, 8> table{};
    for (int byte = 0; byte < 256; ++byte)
        for (int bit = 0, k = 0; bit < 8; ++bit)
            if (byte >> bit & 1) table[k++][byte] = static_cast<std::uint8_t>(bit);
    return table;
}();

/// The k-th smallest cell of a set with more than k cells, k counted from 0.
/// Works on all bytes of the word at once, because choosing a random move is the heart of every playout and the
/// instruction that would do it (pdep) is missing from the processors we still serve.
constexpr int select(Word set, int k) {
    constexpr Word ones = 0x0101010101010101, highs = 0x8080808080808080;
    // Byte i of `sums` counts the cells in bytes 0 .. i.
    Word sums = set - ((set >> 1) & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + ((sums >> 2) & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
    // The wanted byte is the first whose sum exceeds k: count the bytes whose sum does not.
    const Word not_yet = ((static_cast<Word>(k) * ones | highs) - sums) & highs;
    const int start = count(not_yet) * 8;
    const int before = static_cast<int>((sums << 8 >> start) & 0xff);
    return start + select_in_byte[k - before][set >> start & 0xff];
}

/// A set of up to 64 * N cells, for the boards that do not fit into one word.
template <int N>
struct Bits {
    std::array<Word, N> words{};

    constexpr bool operator==(const Bits&) const = default;
    constexpr bool has(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }
    constexpr void set(int cell) { words[cell >> 6] |= bit(cell & 63); }
    constexpr bool any() const {
        Word all = 0;
        for (Word word : words) all |= word;
        return all != 0;
    }

    constexpr Bits& operator&=(const Bits& other) {
        return combine(other, [](Word a, Word b) { return a & b; });
    }
    constexpr Bits& operator|=(const Bits& other) {
        return combine(other, [](Word a, Word b) { return a | b; });
    }
    /// Removes the cells of `other`.
    constexpr Bits& operator-=(const Bits& other) {
        return combine(other, [](Word a, Word b) { return a & ~b; });
    }
    friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend constexpr Bits operator-(Bits a, const Bits& b) { return a -= b; }

    /// Calls `visit(cell)` for every cell, ascending.
    template <class Visit>
    constexpr void each(Visit visit) const {
        for (int i = 0; i < N; ++i)
            for (Word left = words[i]; left;) visit(64 * i + pop(left));
    }

   private:
    template <class Operation>
    constexpr Bits& combine(const Bits& other, Operation operation) {
        for (int i = 0; i < N; ++i) words[i] = operation(words[i], other.words[i]);
        return *this;
    }
};

template <int N>
constexpr int count(const Bits<N>& set) {
    int total = 0;
    for (Word word : set.words) total += count(word);
    return total;
}

}  // namespace tabuleiro
