// The judge of Hex: random games that keep bridges, currents that say where to play, connections that prove.
#pragma once

#include <memory>

#include "../search/judge.hpp"
#include "connections.hpp"
#include "currents.hpp"
#include "inferior.hpp"
#include "openings.hpp"
#include "playout.hpp"

namespace tabuleiro {

/// For boards of up to 64 * N cells.
template <int N>
class HexJudge {
   public:
    using Rules = Hex;
    using Position = Hex::Position;
    static constexpr bool has_priors = true;

    /// `options` as the kernel has them.
    HexJudge(const Hex& rules, OptionReader& options) : HexJudge(rules, std::make_shared<const Known>(options)) {}
    // What depends on the shape of the board alone is shared; what is worked on is not.
    HexJudge(const HexJudge& other) : HexJudge(other.rules_, other.known_) {}

    double value(const Position& position, History, Random& random, Marks* marks) {
        hex::Board board(shape_, position);
        const hex::Stone to_move = hex::stone_of(position.to_move);
        hex::fill_at_random(shape_, known_->bridges, board, to_move, random);
        const int mover = rules_.turn(position);
        if (marks)
            for (int cell = 0; cell < shape_.cells; ++cell)
                marks->set(board.at[shape_.place_of[cell]] == to_move ? mover : other(mover), cell);
        const bool mover_won = hex::winner_of_full(shape_, board) == to_move;
        return mover_won == (mover == 1) ? 1 : -1;
    }

    int open(const Position& position, Move* moves, int n, float* priors, Random&) {
        hex::Board board(shape_, position);
        known_->inferior.fill_in(shape_, board);
        currents_.find(board, hex::white, flow_[0].data());
        currents_.find(board, hex::black, flow_[1].data());
        // Once a colour has won in effect, what was filled in must still be played.
        const bool over = hex::joined(shape_, board, hex::white) || hex::joined(shape_, board, hex::black);
        int kept = 0;
        for (int i = 0; i < n; ++i) {
            const int cell = static_cast<int>(moves[i]);
            if (!over && cell < shape_.cells && board.at[shape_.place_of[cell]] != hex::empty) continue;
            ranked_[kept++] = {trust(position, cell), moves[i]};
        }
        if (position.swap == Hex::may_swap) ranked_[kept - 1].trust = trust_in_swap(position, kept - 1);
        std::stable_sort(ranked_.begin(), ranked_.begin() + kept,
                         [](const Ranked& a, const Ranked& b) { return a.trust > b.trust; });
        float total = 0;
        for (int i = 0; i < kept; ++i) total += ranked_[i].trust;
        for (int i = 0; i < kept; ++i) {
            moves[i] = ranked_[i].move;
            priors[i] = ranked_[i].trust / total;
        }
        return kept;
    }

    /// The first stone, when it can be swapped, should be worth as much to the one player as to the other.
    bool knows_opening(const Position& position) const {
        return known_->may_ever_swap && position.to_move == known_->first && is_empty(position);
    }

    Bounds study(const Position& position, const GiveUp& give_up) {
        if (position.swap == Hex::may_swap) return {};
        const hex::Stone own = hex::stone_of(position.to_move), enemy = hex::enemy_of(own);
        hex::Board board(shape_, position);
        known_->inferior.fill_in(shape_, board);
        const int mover = rules_.turn(position);
        connections_.find(board, enemy, steps, give_up);
        if (connections_.joined()) return proven(other(mover));
        const bool threatened = !connections_.crossings().empty();
        Cells must;
        if (threatened) {
            must = connections_.crossings().front().carrier;
            for (const auto& crossing : connections_.crossings()) must &= crossing.carrier;
        }
        connections_.find(board, own, steps, give_up);
        if (connections_.joined() || !connections_.crossings().empty()) {
            Bounds bounds = proven(mover);
            bounds.winner = winning_move(position, board, own);
            return bounds;
        }
        Bounds bounds;
        // A player who does not meet every threat to cross loses to the one that is left.
        if (threatened) bounds.loses = [must](Move move) { return !must.has(static_cast<int>(move)); };
        return bounds;
    }

   private:
    using Cells = typename hex::Connections<N>::Set;
    static constexpr int steps = 20'000;

    struct Known {
        explicit Known(OptionReader& options)
            : shape(options.number(hex::first_size_with_openings, Hex::max_size)),
              may_ever_swap(options.truth()),
              first(static_cast<Hex::Colour>(options.word(2))) {}

        /// The chance of a first stone, from 0.05 to 0.95.
        float chance(int cell) const {
            const int seen = first == Hex::white ? cell : cell % shape.size * shape.size + cell / shape.size;
            const char digit = hex::openings[shape.size - hex::first_size_with_openings][seen];
            return (static_cast<float>(digit - '0') + 0.5F) / 10;
        }

        hex::Shape shape;
        bool may_ever_swap;
        Hex::Colour first;
        hex::Inferior inferior;
        hex::Bridges bridges;
    };

    HexJudge(const Hex& rules, std::shared_ptr<const Known> known)
        : rules_(rules), known_(std::move(known)), shape_(known_->shape), currents_(shape_), connections_(shape_) {}

    static Bounds proven(int player) {
        const Worth worth = player == 1 ? won : lost;
        return {worth, worth};
    }

    /// How much a move is to be trusted: the more current flows through the cell, the more. Only the first stone, when
    /// it can be swapped, should be worth as much to the one player as to the other.
    float trust(const Position& position, int cell) const {
        if (cell == shape_.cells) return 0;
        if (knows_opening(position)) return std::exp(-8 * std::abs(known_->chance(cell) - 0.5F));
        const int place = shape_.place_of[cell];
        const float flow = flow_[0][place] + flow_[1][place];
        return flow * std::sqrt(flow) + 0.002F;
    }

    /// The swap against all other moves, of which there are `n`: by the chances of the stone on the board.
    float trust_in_swap(const Position& position, int n) const {
        float others = 0;
        for (int i = 0; i < n; ++i) others += ranked_[i].trust;
        int cell = 0;
        position.stones[known_->first].each([&](int stone) { cell = stone; });
        const float odds = known_->chance(cell) / (1 - known_->chance(cell));
        return others * odds * odds;
    }

    static bool is_empty(const Position& position) {
        return !(position.stones[Hex::white] | position.stones[Hex::black]).any();
    }

    /// A move that wins, when connections show that the colour to move does.
    std::optional<Move> winning_move(const Position& position, const hex::Board& filled, hex::Stone own) const {
        if (const int cell = connections_.winning_cell(); cell >= 0) return static_cast<Move>(cell);
        // Joined by what was filled in: then what was filled in is to be played.
        const Hex::Cells taken = position.stones[Hex::white] | position.stones[Hex::black];
        for (int cell = 0; cell < shape_.cells; ++cell)
            if (!taken.has(cell) && filled.at[shape_.place_of[cell]] == own) return static_cast<Move>(cell);
        return std::nullopt;
    }

    struct Ranked {
        float trust;
        Move move;
    };

    const Hex& rules_;
    std::shared_ptr<const Known> known_;
    const hex::Shape& shape_;
    hex::Currents currents_;
    hex::Connections<N> connections_;
    std::array<float, hex::Shape::max_places> flow_[2];
    std::array<Ranked, Hex::max_moves> ranked_;
};

}  // namespace tabuleiro
