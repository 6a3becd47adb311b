// The checksum of table files: as fast as memory is read, and sure to notice any change within one aligned word.
#pragma once

#include <cstring>

#include "../bits.hpp"
#include "../random.hpp"

namespace tabuleiro {

/// Eight lanes, so that no step waits for the one before. Each step is a bijection of the lane for a given word and of
/// the word for a given lane, and so is the end, so two contents that differ in one word have different checksums.
inline Word checksum(const std::uint8_t* bytes, std::size_t size) {
    constexpr int lanes = 8;
    constexpr std::size_t stripe = lanes * sizeof(Word);
    Word lane[lanes];
    for (int i = 0; i < lanes; ++i) lane[i] = mix(i + 1);
    const auto take = [&lane](const std::uint8_t* from) {
        for (int i = 0; i < lanes; ++i) {
            Word word;
            std::memcpy(&word, from + i * sizeof word, sizeof word);
            lane[i] = std::rotl(lane[i] ^ word, 29) * 0x9e3779b97f4a7c15;
        }
    };
    std::size_t done = 0;
    for (; done + stripe <= size; done += stripe) take(bytes + done);
    std::uint8_t rest[stripe] = {};
    if (done < size) std::memcpy(rest, bytes + done, size - done);
    take(rest);
    Word sum = size;
    for (const Word one : lane) sum = mix(sum ^ one);
    return sum;
}

}  // namespace tabuleiro
