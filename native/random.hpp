// Random numbers for playouts: small, fast, the same on every machine.
#pragma once

#include <cstdint>

namespace tabuleiro {

/// One round of SplitMix64: every bit of the input moves every bit of the output.
constexpr std::uint64_t mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

/// SplitMix64: a counter, mixed. Passes the usual test batteries, and any seed is a good one.
class Random {
   public:
    /// Stream number `stream` of a seed. Game i of a batch has its own stream, so it does not depend on the others.
    Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) + stream)) {}

    std::uint64_t next() {
        const std::uint64_t value = mix(state_);
        state_ += 0x9e3779b97f4a7c15;
        return value;
    }

    /// A number from 0 to n-1. The bias is below n / 2^64, which no experiment will ever see.
    int below(int n) {
        return static_cast<int>((static_cast<unsigned __int128>(next()) * static_cast<unsigned>(n)) >> 64);
    }

   private:
    std::uint64_t state_;
};

}  // namespace tabuleiro
