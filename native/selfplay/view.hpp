// What a net sees of a position and how it names moves: the twin of src/tabuleiro/nn/planes.py, which makes the tables.
#pragma once

#include <vector>

#include "../game.hpp"
#include "arrangement.hpp"

namespace tabuleiro {

/// `derived_cells(position, words)`: writes the sets of Python's `derived_cells()`, `derived_words()` words in all.
template <class G>
concept DerivesCells = Game<G> && requires(const G rules, const typename G::Position here, Word* words) {
    { G::max_derived_words } -> std::convertible_to<int>;
    { rules.derived_words() } -> std::same_as<int>;
    { rules.derived_cells(here, words) } -> std::same_as<void>;
};

/// `colour(position)`: the colour to move, 0 or 1, where a word of a position tells that and not the player.
template <class G>
concept HasColours = Game<G> && requires(const G rules, const typename G::Position here) {
    { rules.colour(here) } -> std::same_as<int>;
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
        require(tables_.second == (HasColours<G> ? 1 : 2) || !tables_.exchanges, "the second to move is another");
        const int cells = static_cast<int>(tables_.places[0].size());
        std::vector<Word> board(set_words());
        for (int cell = 0; cell < cells; ++cell) board[cell >> 6] |= bit(cell & 63);
        for (int eyes : {0, 1})
            seen_[eyes] = Arrangement(std::vector<int>(tables_.places[eyes].begin(), tables_.places[eyes].end()));
        board_.resize(seen_[0].words());
        seen_[0].add(board.data(), board_.data(), 0, board_.data() + board_.size());
        show_board(empty_.data(), tables_.planes - 1);
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
        const Arrangement& seen = seen_[second];
        const Word* const end = packed + empty_.size();
        std::copy(empty_.begin(), empty_.end(), packed);
        int plane = 0;
        for (const auto& operation : tables_.operations[second]) {
            const Word* const given = words + operation.word;
            switch (operation.kind) {
                case ViewTables::cells: seen.add(given, packed, plane++ * tables_.area, end); break;
                case ViewTables::cell:
                    if (*given < places.size()) show(packed, plane, places[*given]);
                    ++plane;
                    break;
                case ViewTables::numbers: {
                    const int thresholds = static_cast<int>(operation.thresholds.size());
                    const Word* const least = operation.thresholds.data();
                    for (std::size_t i = 0; i < places.size(); ++i)
                        for (int k = 0; k < thresholds && given[i] >= least[k]; ++k) show(packed, plane + k, places[i]);
                    plane += thresholds;
                    break;
                }
                case ViewTables::number:
                    for (Word least : operation.thresholds) {
                        if (*given >= least) show_board(packed, plane);
                        ++plane;
                    }
                    break;
                default:
                    if (*given == tables_.second) show_board(packed, plane);
                    ++plane;
            }
        }
        return second;
    }

    /// Whether a position, given by its words, is seen with the second player's eyes.
    bool is_second(const Word* words) const { return tables_.exchanges && words[tables_.turn_word] == tables_.second; }

    /// The same of a position itself.
    bool is_second(const Position& position) const {
        if (!tables_.exchanges) return false;
        if constexpr (HasColours<G>)
            return rules_.colour(position) == 1;
        else
            return rules_.turn(position) == 2;
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

    /// A plane that is set everywhere.
    void show_board(Word* packed, int plane) const {
        add_bits(board_.data(), static_cast<int>(board_.size()), packed, plane * tables_.area, packed + empty_.size());
    }

    const G& rules_;
    const ViewTables tables_;
    /// Where the cells lie for the first player's eyes and for the second's, and all of them.
    Arrangement seen_[2];
    std::vector<Word> board_;
    /// The planes of a board with nothing on it.
    std::vector<Word> empty_;
};

}  // namespace tabuleiro
