// The tree search of Hex with the judge that knows the game.
#pragma once

#include "../search/bind_mcts.hpp"
#include "judge.hpp"

namespace tabuleiro {

inline void bind_hex_judge(nb::module_& module) {
    bind_tree<Hex>(module, "knowledge", [](const TreeSettings& settings) -> TreeSearcher* {
        const auto make = [&]<int N>() -> TreeSearcher* {
            return new TreeSearcherOf<HexJudge<N>>(settings, [&](const Hex& rules) {
                OptionReader reader(settings.estimator.options);
                return HexJudge<N>(rules, reader);
            });
        };
        OptionReader reader(settings.estimator.options);
        const int size = reader.number(3, Hex::max_size);
        // Sets of cells of the boards that are played most fit into two words.
        return size * size <= 128 ? make.template operator()<2>() : make.template operator()<Hex::max_stone_words>();
    });
}

}  // namespace tabuleiro
