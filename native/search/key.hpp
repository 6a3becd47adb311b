// Keys of positions for the tables: fast, and different for different positions but for a chance of 2^-64.
#pragma once

#include <cstring>

#include "../game.hpp"

namespace tabuleiro {

/// Two words multiplied into one, so that every bit of each matters.
constexpr Word folded(Word a, Word b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

/// The key of some words; another `seed` gives an independent one.
template <int N>
Word key_of_words(const Word (&words)[N], int n, Word seed = 0) {
    Word key = 0;
    for (int i = 0; i < n; i += 2) {
        const Word first = words[i], second = i + 1 < n ? words[i + 1] : 0;
        // The products do not wait for each other, unlike the rounds of hash64.
        key += folded(first ^ mix(seed + 2 * i), second ^ mix(seed + 2 * i + 1));
    }
    return mix(key);
}

template <Game G>
Word key_of(const G& rules, const typename G::Position& position, Word seed = 0) {
    using Position = typename G::Position;
    if constexpr (std::has_unique_object_representations_v<Position>) {
        Word words[(sizeof(Position) + sizeof(Word) - 1) / sizeof(Word)] = {};
        std::memcpy(words, &position, sizeof(Position));
        return key_of_words(words, static_cast<int>(std::size(words)), seed);
    } else {
        Word words[G::max_words];
        rules.encode(position, words);
        return key_of_words(words, rules.words(), seed);
    }
}

}  // namespace tabuleiro
