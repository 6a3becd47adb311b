// How a long native call stays polite: now and then it asks whether it should stop.
#pragma once

#include <chrono>

namespace tabuleiro {

class Pulse {
   public:
    /// `check` throws when the work should be given up. It is called some twenty times a second.
    explicit Pulse(void (*check)()) : check_(check) {}

    /// One step of work, or several.
    void beat(int steps = 1) {
        if ((left_ -= steps) < 0) [[unlikely]]
            look_at_the_clock();
    }

   private:
    using Clock = std::chrono::steady_clock;
    static constexpr int steps_between_looks = 1 << 15;

    void look_at_the_clock() {
        left_ = steps_between_looks;
        if (Clock::now() < next_) return;
        check_();
        next_ = Clock::now() + std::chrono::milliseconds(50);
    }

    void (*check_)();
    int left_ = steps_between_looks;
    Clock::time_point next_ = Clock::now();
};

}  // namespace tabuleiro
