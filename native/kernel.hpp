// The face that every kernel shows to Python. One call crosses it once, however many positions it visits inside.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "game.hpp"
#include "perft.hpp"
#include "playout.hpp"
#include "pulse.hpp"

namespace tabuleiro {

using Words = std::vector<Word>;
using Moves = std::vector<Move>;
using Results = std::vector<Result>;

/// Many random games: the result and the number of plies of each, and all their moves one after another if asked for.
struct RandomGames {
    Results results;
    std::vector<std::uint32_t> lengths;
    Moves moves;
};

/// Many positions, one after another, each as its words.
struct Batch {
    const Word* words;
    std::size_t size;
};

template <Game G>
G read_rules(const std::vector<std::int64_t>& options) {
    OptionReader reader(options);
    G rules(reader);
    reader.end();
    return rules;
}

class Kernel {
   public:
    virtual ~Kernel() = default;
    virtual int words() const = 0;
    virtual int move_codes() const = 0;
    virtual Moves moves(const Words& position) const = 0;
    virtual Words play(const Words& position, std::uint64_t move) const = 0;
    virtual int turn(const Words& position) const = 0;
    virtual Result outcome(const Words& position) const = 0;
    virtual Word hash(const Words& position) const = 0;
    virtual Words transform(const Words& position, const std::vector<std::uint16_t>& cells, bool exchange) const = 0;
    virtual std::uint64_t perft(const Words& position, int depth, bool bulk, Pulse& pulse) const = 0;
    virtual RandomGames random_games(const Words& start, std::size_t games, std::uint64_t seed, bool records,
                                     int max_plies, Pulse& pulse) const = 0;
    /// Plays one move in each position, writing the new positions to `after`, and returns how they stand.
    virtual Results step_many(Batch positions, const Move* moves, Word* after, Pulse& pulse) const = 0;
    /// The legal moves of each position: how many, and all of them one after another.
    virtual std::pair<std::vector<std::uint32_t>, Moves> moves_many(Batch positions, Pulse& pulse) const = 0;
};

template <Game G>
class KernelOf final : public Kernel {
   public:
    explicit KernelOf(const std::vector<std::int64_t>& options) : rules_(read_rules<G>(options)) {}

    int words() const override { return rules_.words(); }

    int move_codes() const override { return G::move_codes; }

    Moves moves(const Words& position) const override { return list(decode(position)); }

    Words play(const Words& position, std::uint64_t move) const override {
        Position changed = decode(position);
        play_legal(changed, move);
        return encode(changed);
    }

    int turn(const Words& position) const override { return rules_.turn(decode(position)); }

    Result outcome(const Words& position) const override { return rules_.outcome(decode(position)); }

    Word hash(const Words& position) const override { return hash64(rules_, decode(position)); }

    Words transform(const Words& position, const std::vector<std::uint16_t>& cells, bool exchange) const override {
        if constexpr (HasSymmetries<G>) {
            require(static_cast<int>(cells.size()) == rules_.cells(), "the permutation has the wrong length");
            std::vector<bool> taken(cells.size());
            for (std::uint16_t cell : cells) {
                require(cell < cells.size() && !taken[cell], "this is not a permutation of the cells");
                taken[cell] = true;
            }
            return encode(rules_.transform(decode(position), cells, exchange));
        } else {
            throw std::invalid_argument("this game has no symmetries");
        }
    }

    std::uint64_t perft(const Words& position, int depth, bool bulk, Pulse& pulse) const override {
        require(depth >= 0 && depth <= max_depth, "the depth is from 0 to 100");
        const Position start = decode(position);
        return bulk ? tabuleiro::perft<true>(rules_, start, depth, pulse)
                    : tabuleiro::perft<false>(rules_, start, depth, pulse);
    }

    RandomGames random_games(const Words& start, std::size_t games, std::uint64_t seed, bool records, int max_plies,
                             Pulse& pulse) const override {
        require(max_plies >= 0, "the number of plies is not negative");
        const Position first = decode(start);
        RandomGames played;
        Playouts<G> playouts(rules_, max_plies, pulse);
        for (std::size_t i = 0; i < games; ++i) {
            Random random(seed, i);
            const RandomGame game = playouts.play(first, random, records ? &played.moves : nullptr);
            played.results.push_back(game.result);
            played.lengths.push_back(game.length);
        }
        return played;
    }

    Results step_many(Batch positions, const Move* moves, Word* after, Pulse& pulse) const override {
        const int words = rules_.words();
        Results results(positions.size);
        for (std::size_t i = 0; i < positions.size; ++i) {
            pulse.beat();
            Position position = rules_.decode(positions.words + i * words);
            play_legal(position, moves[i]);
            rules_.encode(position, after + i * words);
            results[i] = rules_.outcome(position);
        }
        return results;
    }

    std::pair<std::vector<std::uint32_t>, Moves> moves_many(Batch positions, Pulse& pulse) const override {
        std::vector<std::uint32_t> counts(positions.size);
        Moves all;
        for (std::size_t i = 0; i < positions.size; ++i) {
            pulse.beat();
            Move here[G::max_moves];
            counts[i] = rules_.moves(rules_.decode(positions.words + i * rules_.words()), here);
            all.insert(all.end(), here, here + counts[i]);
        }
        return {std::move(counts), std::move(all)};
    }

   private:
    using Position = typename G::Position;
    /// Deeper trees cannot be counted in any lifetime, and the recursion must not overflow the stack.
    static constexpr int max_depth = 100;

    Position decode(const Words& position) const {
        require(static_cast<int>(position.size()) == rules_.words(), "a position has another number of words");
        return rules_.decode(position.data());
    }

    Words encode(const Position& position) const {
        Words words(rules_.words());
        rules_.encode(position, words.data());
        return words;
    }

    Moves list(const Position& position) const {
        Move moves[G::max_moves];
        return Moves(moves, moves + rules_.moves(position, moves));
    }

    void play_legal(Position& position, std::uint64_t move) const {
        Move moves[G::max_moves];
        Move* const end = moves + rules_.moves(position, moves);
        require(std::binary_search(moves, end, move), "that move is not legal in this position");
        rules_.play(position, static_cast<Move>(move));
    }

    const G rules_;
};

}  // namespace tabuleiro
