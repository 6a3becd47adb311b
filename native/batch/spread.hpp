// Bits as bytes: masks and planes as NumPy has them, a byte for each truth. Where the processor has AVX2, which is
// asked when the program starts, 32 at a time; else eight.
#pragma once

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define TABULEIRO_AVX2 1
#include <immintrin.h>
#endif

#include "../bits.hpp"

namespace tabuleiro {

/// The eight bits of a byte as eight bytes.
inline constexpr auto bytes_of_bits = [] {
    std::array<std::array<bool, 8>, 256> table{};
    for (int byte = 0; byte < 256; ++byte)
        for (int i = 0; i < 8; ++i) table[byte][i] = byte >> i & 1;
    return table;
}();

/// Bits from `at` on, as many as there are up to 64.
inline Word bits_from(const Word* packed, std::size_t at, std::size_t length) {
    const std::size_t word = at >> 6, shift = at & 63;
    const Word low = packed[word] >> shift;
    return shift && (word + 1) * 64 < length ? low | packed[word + 1] << (64 - shift) : low;
}

/// Writes the first `length` bits as bytes, 0 or 1.
inline void spread_by_eight(const Word* packed, std::size_t length, bool* to) {
    const auto write = [&](std::size_t at, std::size_t bytes) {
        std::memcpy(to + at, bytes_of_bits[bits_from(packed, at, length) & 0xff].data(), bytes);
    };
    if (length < 8) return write(0, length);
    for (std::size_t at = 0; at + 8 <= length; at += 8) write(at, 8);
    // What is left over, with some of what is written already.
    write(length - 8, 8);
}

#ifdef TABULEIRO_AVX2
[[gnu::target("avx2")]] inline void spread_by_32(const Word* packed, std::size_t length, bool* to) {
    if (length < 32) return spread_by_eight(packed, length, to);
    const __m256i byte_of = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3,
                                             3, 3, 3, 3, 3, 3, 3);
    const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m256i one = _mm256_set1_epi8(1);
    const auto write = [&](std::size_t at, std::uint32_t bits) __attribute__((target("avx2"))) {
        const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), byte_of);
        const __m256i found = _mm256_min_epu8(_mm256_and_si256(bytes, bit_of), one);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at), found);
    };
    std::size_t at = 0;
    for (; at + 64 <= length; at += 64) {
        const Word here = packed[at >> 6];
        write(at, static_cast<std::uint32_t>(here));
        write(at + 32, static_cast<std::uint32_t>(here >> 32));
    }
    if (at + 32 <= length) write(at, static_cast<std::uint32_t>(packed[at >> 6]));
    // What is left over, with some of what is written already.
    if (at < length) write(length - 32, static_cast<std::uint32_t>(bits_from(packed, length - 32, length)));
}
#endif

/// The fastest of these.
inline void (*const spread)(const Word* packed, std::size_t length, bool* to) =
#ifdef TABULEIRO_AVX2
    __builtin_cpu_supports("avx2") ? spread_by_32 :
#endif
                                   spread_by_eight;

}  // namespace tabuleiro
