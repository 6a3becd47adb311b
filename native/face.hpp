// What is seen of a position, from the words of `encode()` and in codes: what stands on each cell, how a move looks,
// and what else there is to tell. Equal codes are told equally; what they are told as is Python's to say.
//
// A game has a `Face` with: `see`, which finds the code of what stands on each cell (0: nothing); `look`, equal for two
// legal moves of one board exactly when they are the same move with the same text, clicks and motions, as Python's
// `Position.move_looks` has them; `manner`, equal for two positions only if all that is told of them is the same, but
// for the board, the moves and the last move; `counts`: whether codes are numbers that stand for themselves;
// `tells_repetition`: whether it is told that a position has come up before.
#pragma once

#include "game.hpp"
#include "games/abalone.hpp"
#include "games/avanco.hpp"
#include "games/guerreiros.hpp"
#include "games/hex.hpp"
#include "games/konane.hpp"
#include "games/ouri.hpp"
#include "games/rastros.hpp"
#include "games/semaforo.hpp"

namespace tabuleiro {

constexpr int max_cells = 19 * 19;

/// A position, as its words and as what stands on each cell.
struct Seen {
    Word words[16];
    std::uint8_t codes[max_cells] = {};

    /// What the bits of a word say stands there.
    void place(Word bits, std::uint8_t code, int first_cell = 0) {
        while (bits) codes[first_cell + pop(bits)] = code;
    }
};

template <Game G>
struct Face;

/// Whether a game has a face.
template <class G>
concept HasFace = Game<G> && requires(const G rules, const typename G::Position here, Seen seen, Move move) {
    { Face<G>::see(rules, seen) };
    { Face<G>::look(rules, here, seen, move) } -> std::same_as<Word>;
    { Face<G>::manner(rules, seen) } -> std::same_as<Word>;
};

struct PlainFace {
    static constexpr bool counts = false, tells_repetition = false;
};

template <>
struct Face<Avanco> : PlainFace {
    static void see(const Avanco&, Seen& seen) {
        seen.place(seen.words[0], 1);
        seen.place(seen.words[1], 2);
    }
    static Word look(const Avanco&, const Avanco::Position&, const Seen& seen, Move move) {
        return Word{move} << 2 | seen.codes[move & 63];
    }
    static Word manner(const Avanco&, const Seen& seen) { return seen.words[2]; }
};

template <>
struct Face<Rastros> : PlainFace {
    static void see(const Rastros&, Seen& seen) {
        seen.place(seen.words[0], 1);
        seen.codes[seen.words[1]] = 2;
    }
    static Word look(const Rastros&, const Rastros::Position&, const Seen& seen, Move move) {
        return seen.words[1] << 8 | move;
    }
    static Word manner(const Rastros&, const Seen& seen) { return seen.words[2]; }
};

template <>
struct Face<Semaforo> : PlainFace {
    static void see(const Semaforo&, Seen& seen) {
        for (std::uint8_t light = 0; light < 3; ++light) seen.place(seen.words[light], light + 1);
    }
    static Word look(const Semaforo&, const Semaforo::Position&, const Seen&, Move move) { return move; }
    static Word manner(const Semaforo&, const Seen& seen) { return seen.words[3]; }
};

template <>
struct Face<Konane> : PlainFace {
    static void see(const Konane&, Seen& seen) {
        seen.place(seen.words[0], 1);
        seen.place(seen.words[1], 2);
    }
    static Word look(const Konane&, const Konane::Position&, const Seen&, Move move) { return move; }
    static Word manner(const Konane& rules, const Seen& seen) {
        const bool removing = rules.cells() - count(seen.words[0] | seen.words[1]) < 2;
        return seen.words[2] << 1 | removing;
    }
};

template <>
struct Face<Hex> : PlainFace {
    static void see(const Hex& rules, Seen& seen) {
        const int words = (rules.cells() + 63) / 64;
        for (int word = 0; word < words; ++word) {
            seen.place(seen.words[word], 1, 64 * word);
            seen.place(seen.words[words + word], 2, 64 * word);
        }
    }
    static Word look(const Hex&, const Hex::Position&, const Seen&, Move move) { return move; }
    static Word manner(const Hex& rules, const Seen& seen) {
        const int words = (rules.cells() + 63) / 64;
        return seen.words[2 * words] << 2 | seen.words[2 * words + 1];
    }
};

template <>
struct Face<Ouri> {
    static constexpr bool counts = true, tells_repetition = true;
    static constexpr int houses = 12;

    static void see(const Ouri&, Seen& seen) {
        for (int cell = 0; cell < houses + 2; ++cell) seen.codes[cell] = static_cast<std::uint8_t>(seen.words[cell]);
    }
    /// With the houses whose seeds are taken.
    static Word look(const Ouri& rules, const Ouri::Position& position, const Seen& seen, Move move) {
        Ouri::Position after = position;
        rules.play(after, move);
        const int seeds = seen.codes[move];
        Word taken = 0;
        if (after.store[0] != position.store[0] || after.store[1] != position.store[1])
            for (int on = 1; on < houses; ++on) {
                const int house = (static_cast<int>(move) + on) % houses;
                if ((seen.codes[house] || on <= seeds) && !after.house[house]) taken |= bit(house);
            }
        return taken << 10 | Word(seeds) << 4 | move;
    }
    static Word manner(const Ouri&, const Seen& seen) {
        const bool is_south = seen.words[14] == 1;
        const std::uint8_t* const row = seen.codes + (is_south ? houses / 2 : 0);
        const bool must_feed = std::all_of(row, row + houses / 2, [](std::uint8_t seeds) { return !seeds; });
        return seen.words[12] << 9 | seen.words[13] << 3 | Word{is_south} << 1 | must_feed;
    }
};

template <>
struct Face<Abalone> : PlainFace {
    static void see(const Abalone&, Seen& seen) {
        seen.place(seen.words[0], 1);
        seen.place(seen.words[1], 2);
    }
    /// In line: with how many marbles follow, the mover's and the others'.
    static Word look(const Abalone& rules, const Abalone::Position&, const Seen& seen, Move move) {
        if (move >> 3 & 7) return move;
        const std::uint8_t own = seen.codes[move >> 6];
        Word moving = 0, pushed = 0;
        for (int cell = static_cast<int>(move >> 6); cell >= 0; cell = rules.step(cell, move & 7)) {
            if (!seen.codes[cell] || moving + pushed > 6) break;
            (seen.codes[cell] == own && !pushed ? moving : pushed) += 1;
        }
        return pushed << 20 | moving << 16 | move;
    }
    static Word manner(const Abalone&, const Seen& seen) {
        return seen.words[2] << 8 | seen.words[3] << 4 | seen.words[4];
    }
};

template <>
struct Face<Guerreiros> : PlainFace {
    static constexpr Word width = 9, board_cells = 90, teleporting = board_cells;

    static void see(const Guerreiros&, Seen& seen) {
        for (int side = 0; side < 2; ++side) {
            const Word king = seen.words[4 + side];
            for (int word = 0; word < 2; ++word) {
                const Word unmoved = seen.words[6 + word], warriors = seen.words[2 * side + word];
                seen.place(warriors & ~unmoved, static_cast<std::uint8_t>(1 + side), 64 * word);
                seen.place(warriors & unmoved, static_cast<std::uint8_t>(3 + side), 64 * word);
            }
            if (king < board_cells) {
                const bool unmoved = seen.words[6 + king / 64] >> king % 64 & 1;
                seen.codes[king] = static_cast<std::uint8_t>((unmoved ? 7 : 5) + side);
            }
        }
    }
    /// With where the king comes from that teleports; captures with the cell that is stepped on, if there is one.
    static Word look(const Guerreiros& rules, const Guerreiros::Position& position, const Seen& seen, Move move) {
        const Word origin = move >> 7, target = move & 127;
        if (origin == teleporting) return Word{position.king[rules.side_to_move(position)]} << 32 | move;
        if (origin > teleporting || !seen.codes[target]) return move;
        const int rows = static_cast<int>(origin / width) - static_cast<int>(target / width);
        const int columns = static_cast<int>(origin % width) - static_cast<int>(target % width);
        const bool is_near = rows >= -1 && rows <= 1 && columns >= -1 && columns <= 1;
        return (is_near ? board_cells : Word(rules.line_step(position, move))) << 32 | Word{1} << 40 | move;
    }
    static Word manner(const Guerreiros&, const Seen& seen) {
        return seen.words[8] << 16 | seen.words[9] << 12 | seen.words[10] << 8 | seen.words[11] << 4 | seen.words[12];
    }
};

}  // namespace tabuleiro
