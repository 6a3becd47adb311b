// A batch shared out among threads.
#pragma once

#include <atomic>
#include <mutex>

#include "../selfplay/crew.hpp"
#include "batch.hpp"

namespace tabuleiro {

/// One call at a time: others wait for it.
class BatchDriver {
   public:
    BatchDriver(std::unique_ptr<GameBatch> batch, std::size_t size, int threads)
        : batch_(std::move(batch)), size_(size), crew_(threads) {}

    const GameBatch& batch() const { return *batch_; }
    std::size_t size() const { return size_; }

    /// Does something with every game, a run of them at a time.
    template <class Work>
    void each(Work work) {
        const std::lock_guard lock(mutex_);
        share(work);
    }

    /// Plays an action in every game, or in none: returns the first game whose action is not legal, or their number.
    std::size_t step(const Action* actions) {
        const std::lock_guard lock(mutex_);
        std::atomic<std::size_t> illegal = size_;
        share([&](GameBatch& batch, Run run) {
            const std::size_t here = batch.check(run, actions);
            if (here == run.last) return;
            for (std::size_t known = illegal; here < known && !illegal.compare_exchange_weak(known, here);) {
            }
        });
        if (illegal == size_) share([](GameBatch& batch, Run run) { batch.step(run); });
        return illegal;
    }

    ResultCounts rollout(std::uint32_t steps) {
        ResultCounts sum{};
        std::mutex adding;
        each([&](GameBatch& batch, Run run) {
            const ResultCounts part = batch.rollout(run, steps);
            const std::lock_guard lock(adding);
            for (int i = 0; i < result_kinds; ++i) sum[i] += part[i];
        });
        return sum;
    }

   private:
    /// Games of a run: enough that handing it out costs nothing, few enough that it stays in the cache.
    static constexpr std::size_t length = 128;

    template <class Work>
    void share(Work work) {
        if (size_ <= length) return work(*batch_, Run{0, size_});
        const int runs = static_cast<int>((size_ + length - 1) / length);
        crew_.share(0, runs, [&](int i) { work(*batch_, Run{i * length, std::min(size_, (i + 1) * length)}); }, 1);
    }

    const std::unique_ptr<GameBatch> batch_;
    const std::size_t size_;
    std::mutex mutex_;
    Crew crew_;
};

}  // namespace tabuleiro
