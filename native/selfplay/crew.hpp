// Threads that share out a row of small tasks, again and again.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tabuleiro {

class Crew {
   public:
    /// The caller is one of the threads.
    explicit Crew(int threads) {
        for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
    }

    ~Crew() {
        ending_ = true;
        call();
        for (std::thread& helper : helpers_) helper.join();
    }

    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Does `task(i)` for every i from `first` to before `last`, and returns when all are done. A thread takes `bite`
    /// tasks at once: enough that the shared counter costs nothing, few enough that all end together.
    void share(int first, int last, const std::function<void(int)>& task, int bite = 8) {
        task_ = &task;
        bite_ = bite;
        last_ = last;
        next_ = first;
        busy_ = static_cast<int>(helpers_.size());
        call();
        work();
        for (int left = busy_; left > 0; left = busy_) busy_.wait(left);
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

   private:
    void call() {
        ++calls_;
        calls_.notify_all();
    }

    void work() {
        try {
            for (int first; (first = next_.fetch_add(bite_)) < last_;)
                for (int i = first; i < std::min(first + bite_, last_); ++i) (*task_)(i);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
            next_ = last_;
        }
    }

    void help() {
        for (unsigned seen = 0;;) {
            calls_.wait(seen);
            seen = calls_;
            if (ending_) return;
            work();
            if (--busy_ == 0) busy_.notify_all();
        }
    }

    std::vector<std::thread> helpers_;
    std::atomic<unsigned> calls_ = 0;
    std::atomic<int> busy_ = 0, next_ = 0;
    std::atomic<bool> ending_ = false;
    int last_ = 0, bite_ = 1;
    const std::function<void(int)>* task_ = nullptr;
    std::mutex mutex_;
    std::exception_ptr error_;
};

}  // namespace tabuleiro
