// The arithmetic of nets that are kept up to date move by move: whole numbers, in two ways that give the same bits.
// Where the processor has AVX2, which is asked when the program starts, that is used; else plain loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define TABULEIRO_AVX2 1
#include <immintrin.h>
#endif

namespace tabuleiro::nnue {

/// Neurons of a narrow layer.
constexpr int narrow = 16;
/// What 1 is after a layer; how many bits finer the sums of the first layer and of the narrow layers are.
constexpr int one = 127, first_shift = 3, narrow_shift = 6;

/// Rows of the first layer that come in and go out when a move is made.
struct Changes {
    static constexpr int most = 32;
    const std::int16_t* in[most];
    const std::int16_t* out[most];
    int n_in = 0, n_out = 0;
};

/// The weights of a narrow layer: four inputs of each neuron together, then the next four inputs.
template <int inputs>
struct Narrow {
    alignas(32) std::int8_t weights[inputs / 4][narrow][4];
    alignas(32) std::int32_t bias[narrow];
};

struct Plain {
    template <int size>
    static void update(const std::int16_t* before, const Changes& changes, std::int16_t* after) {
        std::copy_n(before, size, after);
        // Sums that do not fit wrap round, here as there.
        for (int i = 0; i < changes.n_in; ++i)
            for (int k = 0; k < size; ++k) after[k] = static_cast<std::int16_t>(after[k] + changes.in[i][k]);
        for (int i = 0; i < changes.n_out; ++i)
            for (int k = 0; k < size; ++k) after[k] = static_cast<std::int16_t>(after[k] - changes.out[i][k]);
    }

    template <int size>
    static void clip(const std::int16_t* sums, std::uint8_t* made) {
        for (int k = 0; k < size; ++k) made[k] = static_cast<std::uint8_t>(std::clamp(sums[k] >> first_shift, 0, one));
    }

    template <int inputs>
    static void pass(const Narrow<inputs>& layer, const std::uint8_t* seen, std::uint8_t* made) {
        std::int32_t sums[narrow];
        std::copy_n(layer.bias, narrow, sums);
        for (int group = 0; group < inputs / 4; ++group)
            for (int neuron = 0; neuron < narrow; ++neuron)
                for (int i = 0; i < 4; ++i) sums[neuron] += seen[4 * group + i] * layer.weights[group][neuron][i];
        for (int neuron = 0; neuron < narrow; ++neuron)
            made[neuron] = static_cast<std::uint8_t>(std::clamp(sums[neuron] >> narrow_shift, 0, one));
    }
};

#ifdef TABULEIRO_AVX2
struct Avx2 {
    template <int size>
    [[gnu::target("avx2")]] static void update(const std::int16_t* before, const Changes& changes,
                                               std::int16_t* after) {
        for (int k = 0; k < size; k += 16) {
            __m256i sum = _mm256_load_si256(reinterpret_cast<const __m256i*>(before + k));
            for (int i = 0; i < changes.n_in; ++i)
                sum = _mm256_add_epi16(sum, _mm256_load_si256(reinterpret_cast<const __m256i*>(changes.in[i] + k)));
            for (int i = 0; i < changes.n_out; ++i)
                sum = _mm256_sub_epi16(sum, _mm256_load_si256(reinterpret_cast<const __m256i*>(changes.out[i] + k)));
            _mm256_store_si256(reinterpret_cast<__m256i*>(after + k), sum);
        }
    }

    template <int size>
    [[gnu::target("avx2")]] static void clip(const std::int16_t* sums, std::uint8_t* made) {
        for (int k = 0; k < size; k += 32) {
            const __m256i low = _mm256_srai_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(sums + k)), 3);
            const __m256i high =
                _mm256_srai_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(sums + k + 16)), 3);
            // Packing cuts at -128 and 127, within each half of a register.
            const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0b11'01'10'00);
            _mm256_store_si256(reinterpret_cast<__m256i*>(made + k), _mm256_max_epi8(packed, _mm256_setzero_si256()));
        }
    }

    template <int inputs>
    [[gnu::target("avx2")]] static void pass(const Narrow<inputs>& layer, const std::uint8_t* seen,
                                             std::uint8_t* made) {
        const __m256i ones = _mm256_set1_epi16(1);
        __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(layer.bias));
        __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(layer.bias + 8));
        for (int group = 0; group < inputs / 4; ++group) {
            std::int32_t four;
            std::memcpy(&four, seen + 4 * group, 4);
            if (four == 0) continue;
            const __m256i repeated = _mm256_set1_epi32(four);
            const auto* weights = reinterpret_cast<const __m256i*>(layer.weights[group]);
            // Two products of at most 127 * 127 each fit into sixteen bits.
            const __m256i of_low = _mm256_maddubs_epi16(repeated, _mm256_load_si256(weights));
            const __m256i of_high = _mm256_maddubs_epi16(repeated, _mm256_load_si256(weights + 1));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(of_low, ones));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(of_high, ones));
        }
        alignas(32) std::int32_t sums[narrow];
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums), _mm256_srai_epi32(low, narrow_shift));
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums + 8), _mm256_srai_epi32(high, narrow_shift));
        for (int neuron = 0; neuron < narrow; ++neuron)
            made[neuron] = static_cast<std::uint8_t>(std::clamp(sums[neuron], 0, one));
    }
};

inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#endif

}  // namespace tabuleiro::nnue
