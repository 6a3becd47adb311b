// The tree search of Hex with the judge that knows the game.
#pragma once

#include "../search/bind_mcts.hpp"
#include "judge.hpp"

namespace tabuleiro {

inline void bind_hex_judge(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("KNOWING_TREES"))[Hex::id] = nb::cpp_function(
        [](nb::handle options, nb::handle seed, nb::handle mebibytes, double exploration, nb::handle expand_after,
           double rave, nb::handle study_after) -> TreeSearcher* {
            const auto values = read_integers<std::int64_t>(options);
            const TreeSettings settings =
                settings_of(seed, mebibytes, exploration, expand_after, rave, study_after, nb::int_(1));
            const auto make = [&]<int N>() -> TreeSearcher* {
                return new TreeSearcherOf<HexJudge<N>>(values, settings, [&](const Hex& rules) {
                    OptionReader reader(values);
                    return HexJudge<N>(rules, reader);
                });
            };
            OptionReader reader(values);
            const int size = reader.number(3, Hex::max_size);
            // Sets of cells of the boards that are played most fit into two words.
            return size * size <= 128 ? make.template operator()<2>() : make.template operator()<Hex::max_stone_words>();
        },
        nb::rv_policy::take_ownership);
}

}  // namespace tabuleiro
