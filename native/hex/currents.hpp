// Where the current flows: a board as a network of resistors between the sides of a colour (Shannon's machine).
//
// Stones of the colour conduct, stones of the enemy do not, empty cells resist. Cells through which much of the current
// of either colour flows are those worth fighting for.
#pragma once

#include "board.hpp"

namespace tabuleiro::hex {

class Currents {
   public:
    explicit Currents(const Shape& shape) : shape_(shape) {}

    /// The share of the whole current that flows through each cell, for a colour; written to `flow` by place.
    void find(const Board& board, Stone colour, float* flow) {
        prepare(board, colour);
        for (int sweep = 0; sweep < sweeps; ++sweep) relax();
        measure(flow);
    }

   private:
    static constexpr int sweeps = 14;
    static constexpr float over_relaxation = 1.6F, stone_resists = 0.03F;

    void prepare(const Board& board, Stone colour) {
        const int last = shape_.width - 1;
        n_ = 0;
        for (int place = 0; place < shape_.places; ++place) {
            const int row = place / shape_.width, column = place % shape_.width;
            const bool rim = row == 0 || column == 0 || row == last || column == last;
            const Stone here = board.at[place];
            // The corners belong to nobody here, so that they join no sides.
            const bool corner = (row == 0 || row == last) && (column == 0 || column == last);
            conducts_[place] = here == colour && !corner ? 1 / stone_resists : here == empty ? 1.0F : 0.0F;
            const int along = colour == white ? column : row;
            volts_[place] = static_cast<float>(along) / static_cast<float>(last);
            if (!rim && conducts_[place] > 0) cells_[n_++] = static_cast<std::uint16_t>(place);
        }
        for (int i = 0; i < n_; ++i) {
            const int place = cells_[i];
            float sum = 0;
            for (int way = 0; way < ways; ++way) {
                const int next = place + shape_.around[way];
                // Two resistors in series, each half of its cell.
                const float a = conducts_[place], b = conducts_[next];
                links_[i][way] = b > 0 ? 2 * a * b / (a + b) : 0;
                sum += links_[i][way];
            }
            inverse_[i] = sum > 0 ? 1 / sum : 0;
        }
    }

    void relax() {
        for (int i = 0; i < n_; ++i) {
            const int place = cells_[i];
            float sum = 0;
            for (int way = 0; way < ways; ++way) sum += links_[i][way] * volts_[place + shape_.around[way]];
            volts_[place] += over_relaxation * (sum * inverse_[i] - volts_[place]);
        }
        // There and back, so that news travels both ways.
        for (int i = n_ - 1; i >= 0; --i) {
            const int place = cells_[i];
            float sum = 0;
            for (int way = 0; way < ways; ++way) sum += links_[i][way] * volts_[place + shape_.around[way]];
            volts_[place] += over_relaxation * (sum * inverse_[i] - volts_[place]);
        }
    }

    void measure(float* flow) const {
        float whole = 0;
        std::fill_n(flow, shape_.places, 0.0F);
        for (int i = 0; i < n_; ++i) {
            const int place = cells_[i];
            for (int way = 0; way < ways; ++way) {
                const int next = place + shape_.around[way];
                const float current = links_[i][way] * (volts_[next] - volts_[place]);
                flow[place] += std::abs(current) / 2;
                // All of it leaves by the near side.
                if (volts_[next] <= 0) whole -= current;
            }
        }
        if (whole <= 0) return;
        for (int i = 0; i < n_; ++i) flow[cells_[i]] = std::min(flow[cells_[i]] / whole, 1.0F);
    }

    const Shape& shape_;
    int n_ = 0;
    std::array<std::uint16_t, Hex::max_cells> cells_;
    std::array<float, Hex::max_cells> inverse_;
    std::array<std::array<float, ways>, Hex::max_cells> links_;
    std::array<float, Shape::max_places> conducts_, volts_;
};

}  // namespace tabuleiro::hex
