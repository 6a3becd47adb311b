// Which actions are legal, as bits: without listing the moves where a game gives them as sets of cells.
#pragma once

#include "../selfplay/view.hpp"

namespace tabuleiro {

/// `move_sets(position, sets)`: the legal moves of a position that is not over, as sets one after another, each of as
/// many words as `set_members()` bits take. `set_move(turn, set, member)` is the move that a member stands for when it
/// is that player's turn; any integer beyond all moves where it can stand for none.
template <class G>
concept GivesMoveSets = Game<G> && requires(const G rules, const typename G::Position here, Word* sets) {
    { G::number_of_move_sets } -> std::convertible_to<int>;
    { G::max_set_words } -> std::convertible_to<int>;
    { rules.set_members() } -> std::same_as<int>;
    { rules.move_sets(here, sets) } -> std::same_as<void>;
    { rules.set_move(1, 0, 0) } -> std::same_as<Move>;
};

/// Where the moves of such sets lie in the policy.
template <GivesMoveSets G>
class Marks {
   public:
    Marks(const G& rules, const ViewTables& tables) : set_words_((rules.set_members() + 63) / 64) {
        for (int eyes : {0, 1})
            for (int turn : {1, 2})
                for (int set = 0; set < sets; ++set) {
                    std::vector<int> indices;
                    for (int member = 0; member < rules.set_members(); ++member) {
                        const Move move = rules.set_move(turn, set, member);
                        indices.push_back(move < tables.indices[eyes].size() ? tables.indices[eyes][move]
                                                                             : Arrangement::nowhere);
                    }
                    // Where every member lies as far from the first, the set is copied as it is; else from its least
                    // index.
                    int least = tables.policy_size, offset = tables.policy_size;
                    for (int member = 0; member < rules.set_members(); ++member)
                        if (const int index = indices[member]; index >= 0)
                            least = std::min(least, index), offset = std::min(offset, index - member);
                    int first = offset < 0 ? least : offset;
                    for (int member = 0; member < rules.set_members(); ++member)
                        if (const int index = indices[member]; index >= 0 && index - member != offset) first = least;
                    for (int& index : indices) index = index < 0 ? Arrangement::nowhere : index - first;
                    Row& row = rows_[eyes][turn - 1];
                    row.first[set] = first;
                    row.places[set] = Arrangement(indices);
                }
    }

    /// Adds the actions of a position that is not over to `bits`.
    void add(const G& rules, const typename G::Position& position, bool second, Word* bits, const Word* end) const {
        Word given[sets * G::max_set_words];
        rules.move_sets(position, given);
        const Row& row = rows_[second][rules.turn(position) - 1];
        for (int set = 0; set < sets; ++set) row.places[set].add(given + set * set_words_, bits, row.first[set], end);
    }

   private:
    static constexpr int sets = G::number_of_move_sets;
    struct Row {
        int first[sets];
        Arrangement places[sets];
    };

    int set_words_;
    /// For the eyes of each player, and each player's turn.
    Row rows_[2][2];
};

/// A game without such sets has no marks.
struct NoMarks {
    template <class... Given>
    explicit NoMarks(const Given&...) {}
};

template <class G>
struct MarksOf {
    using type = NoMarks;
};
template <GivesMoveSets G>
struct MarksOf<G> {
    using type = Marks<G>;
};

}  // namespace tabuleiro
