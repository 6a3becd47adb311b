// What a net sees of a position and how it names moves: the twin of src/tabuleiro/nn/planes.py, which makes the tables.
#pragma once

#include <cstring>
#include <vector>

#include "../game.hpp"

namespace tabuleiro {

/// `derived_cells(position, words)`: writes the sets of Python's `derived_cells()`, `derived_words()` words in all.
template <class G>
concept DerivesCells = Game<G> && requires(const G rules, const typename G::Position here, Word* words) {
    { G::max_derived_words } -> std::convertible_to<int>;
    { rules.derived_words() } -> std::same_as<int>;
    { rules.derived_cells(here, words) } -> std::same_as<void>;
};

/// What Python's `View.native_tables()` gives. Pairs are for the first player's eyes and for the second's.
struct ViewTables {
    enum Kind { cells, cell, numbers, number, turn };
    struct Operation {
        int kind, word;
        std::vector<Word> thresholds;
    };

    /// Places of the grid, planes, indices of the policy.
    int area, planes, policy_size;
    /// The word that tells who moves, and its value when it is the second; whether that one sees another board.
    int turn_word;
    Word second;
    bool exchanges;
    std::vector<std::uint16_t> places[2];
    std::vector<Operation> operations[2];
    /// The index of each move; -1 for integers that are no moves.
    std::vector<std::int32_t> indices[2];

    int packed_words() const { return (planes * area + 63) / 64; }
};

template <Game G>
class View {
   public:
    using Position = typename G::Position;

    View(const G& rules, ViewTables tables)
        : rules_(rules), tables_(std::move(tables)), empty_(tables_.packed_words()) {
        require(tables_.turn_word >= 0 && tables_.turn_word < rules.words(), "there is no such word");
        for (std::uint16_t place : tables_.places[0]) show(empty_.data(), tables_.planes - 1, place);
        for (const auto& operations : tables_.operations)
            for (const auto& operation : operations) check(operation);
    }

    const ViewTables& tables() const { return tables_; }

    /// Writes the planes, and returns whether the board is seen with the second player's eyes.
    bool pack(const Position& position, Word* packed) const {
        Word words[max_words()];
        rules_.encode(position, words);
        if constexpr (DerivesCells<G>) rules_.derived_cells(position, words + rules_.words());
        const bool second = is_second(words);
        const auto& places = tables_.places[second];
        std::copy(empty_.begin(), empty_.end(), packed);
        int plane = 0;
        for (const auto& operation : tables_.operations[second]) {
            const Word* const given = words + operation.word;
            switch (operation.kind) {
                case ViewTables::cells:
                    for (int i = 0; i < set_words(); ++i)
                        for (Word left = given[i]; left;) show(packed, plane, places[64 * i + pop(left)]);
                    ++plane;
                    break;
                case ViewTables::cell:
                    if (*given < places.size()) show(packed, plane, places[*given]);
                    ++plane;
                    break;
                case ViewTables::numbers:
                    for (Word least : operation.thresholds) {
                        for (std::size_t i = 0; i < places.size(); ++i)
                            if (given[i] >= least) show(packed, plane, places[i]);
                        ++plane;
                    }
                    break;
                case ViewTables::number:
                    for (Word least : operation.thresholds) show_all_if(*given >= least, packed, plane++);
                    break;
                default: show_all_if(*given == tables_.second, packed, plane++);
            }
        }
        return second;
    }

    /// Whether a position, given by its words, is seen with the second player's eyes.
    bool is_second(const Word* words) const { return tables_.exchanges && words[tables_.turn_word] == tables_.second; }

    /// The same, without writing the words where one of them is the player to move.
    bool is_second(const Position& position) const {
        if (!tables_.exchanges) return false;
        if (tables_.second == 2) return rules_.turn(position) == 2;
        Word words[G::max_words];
        rules_.encode(position, words);
        return is_second(words);
    }

    int index(bool second, Move move) const { return tables_.indices[second][move]; }

   private:
    static constexpr int max_words() {
        if constexpr (DerivesCells<G>)
            return G::max_words + G::max_derived_words;
        else
            return G::max_words;
    }

    int words() const {
        if constexpr (DerivesCells<G>)
            return rules_.words() + rules_.derived_words();
        else
            return rules_.words();
    }

    int set_words() const { return static_cast<int>(tables_.places[0].size() + 63) / 64; }

    void check(const ViewTables::Operation& operation) const {
        const int cells = static_cast<int>(tables_.places[0].size());
        const int length = operation.kind == ViewTables::cells     ? set_words()
                           : operation.kind == ViewTables::numbers ? cells
                                                                   : 1;
        require(operation.word >= 0 && operation.word + length <= words(), "there is no such word");
    }

    void show(Word* packed, int plane, int place) const {
        const int at = plane * tables_.area + place;
        packed[at >> 6] |= bit(at & 63);
    }

    void show_all_if(bool shown, Word* packed, int plane) const {
        if (shown)
            for (std::uint16_t place : tables_.places[0]) show(packed, plane, place);
    }

    const G& rules_;
    const ViewTables tables_;
    /// The planes of a board with nothing on it.
    std::vector<Word> empty_;
};

}  // namespace tabuleiro
