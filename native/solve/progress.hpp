// How long work tells how far it is.
#pragma once

#include <chrono>
#include <functional>

namespace tabuleiro {

/// Calls `tell` some ten times a second with the part that is done; it throws when the work should be given up.
class Progress {
   public:
    explicit Progress(std::function<void(double)> tell) : tell_(std::move(tell)) {}

    /// To be called every few milliseconds at least.
    void at(double part) {
        if (Clock::now() < next_) return;
        tell_(part);
        next_ = Clock::now() + std::chrono::milliseconds(100);
    }

   private:
    using Clock = std::chrono::steady_clock;
    std::function<void(double)> tell_;
    Clock::time_point next_ = Clock::now();
};

}  // namespace tabuleiro
