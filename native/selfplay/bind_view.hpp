// From Python's objects to what nets see.
#pragma once

#include "../bind.hpp"
#include "view.hpp"

namespace tabuleiro {

template <class Value>
using Rows = nb::ndarray<Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Column = nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline ViewTables read_tables(const nb::dict& tables) {
    ViewTables read;
    read.area = nb::cast<int>(tables["area"]);
    read.planes = nb::cast<int>(tables["planes"]);
    read.policy_size = nb::cast<int>(tables["policy_size"]);
    read.turn_word = nb::cast<int>(tables["turn_word"]);
    read.second = nb::cast<Word>(tables["second"]);
    read.exchanges = nb::cast<bool>(tables["exchanges"]);
    int planes = 0;
    for (int eyes : {0, 1}) {
        read.places[eyes] = read_integers<std::uint16_t>(tables["places"][eyes]);
        read.indices[eyes] = read_integers<std::int32_t>(tables["indices"][eyes]);
        for (nb::handle operation : nb::iter(tables["operations"][eyes])) {
            read.operations[eyes].push_back(
                {nb::cast<int>(operation[0]), nb::cast<int>(operation[1]), read_integers<Word>(operation[2])});
            planes += std::max<int>(1, static_cast<int>(read.operations[eyes].back().thresholds.size()));
        }
        for (int place : read.places[eyes]) require(place < read.area, "a place lies off the grid");
        for (int index : read.indices[eyes]) require(index < read.policy_size, "an index lies beyond the policy");
    }
    require(planes == 2 * (read.planes - 1), "the operations do not make that many planes");
    require(read.places[0].size() == read.places[1].size(), "both players see as many cells");
    return read;
}

template <Game G>
G rules_of(nb::handle options) {
    const auto values = read_integers<std::int64_t>(options);
    OptionReader reader(values);
    G rules(reader);
    reader.end();
    return rules;
}

}  // namespace tabuleiro
