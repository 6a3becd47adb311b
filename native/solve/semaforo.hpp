// Every position of Semáforo at once. A cell is a digit: empty 0, green 1, yellow 2, red 3; a position is a number in
// base four, cell 0 the lowest digit. A move adds one to a digit, so what follows a position has a greater number, and
// one pass from the greatest number to the smallest solves them all.
#pragma once

#include <vector>

#include "../games/semaforo.hpp"
#include "progress.hpp"

namespace tabuleiro {

/// Writes for each position, by its number, in how many plies the game ends when the winner hurries and the loser
/// delays. There are no draws and players take turns, so an odd number is a win for the player to move, an even one a
/// loss.
inline void semaforo_distances(const Semaforo& rules, std::uint8_t* distances, Progress& progress) {
    const int low_cells = std::min(rules.cells(), 6), high_cells = rules.cells() - low_cells;
    const std::size_t block = std::size_t{1} << 2 * low_cells, blocks = std::size_t{1} << 2 * high_cells;
    const auto lights = [](std::size_t number, int cells, int first) {
        Semaforo::Position position{0, 0, 0, 1};
        Word* const colours[] = {nullptr, &position.green, &position.yellow, &position.red};
        for (int cell = 0; cell < cells; ++cell)
            if (const int digit = number >> 2 * cell & 3) *colours[digit] |= bit(first + cell);
        return position;
    };
    std::vector<Semaforo::Position> lows;
    for (std::size_t low = 0; low < block; ++low) lows.push_back(lights(low, low_cells, 0));
    for (std::size_t high = blocks; high-- > 0;) {
        progress.at(1 - static_cast<double>(high + 1) / static_cast<double>(blocks));
        std::uint8_t* const here = distances + high * block;
        const Semaforo::Position above = lights(high, high_cells, low_cells);
        if (rules.outcome(above) != Result::ongoing) {
            std::fill_n(here, block, std::uint8_t{0});
            continue;
        }
        for (std::size_t low = block; low-- > 0;) {
            const Semaforo::Position position{above.green | lows[low].green, above.yellow | lows[low].yellow,
                                              above.red | lows[low].red, 1};
            Move moves[Semaforo::max_moves];
            const int n = rules.moves(position, moves);
            int quickest_win = 255, longest_loss = 0;
            for (int i = 0; i < n; ++i) {
                const int after = here[low + (std::size_t{1} << 2 * moves[i])];
                if (after % 2 == 0)
                    quickest_win = std::min(quickest_win, after + 1);
                else
                    longest_loss = std::max(longest_loss, after + 1);
            }
            here[low] = static_cast<std::uint8_t>(quickest_win < 255 ? quickest_win : longest_loss);
        }
    }
}

}  // namespace tabuleiro
