// Large arrays that are all zeros at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace tabuleiro {

/// An array whose elements are all zero bits when it is made. The system gives the memory page by page as it is used:
/// making a large array takes no time, so that a search can be stopped at once while it makes its table.
template <class T>
    requires std::is_trivially_destructible_v<T>
class Zeroed {
   public:
    explicit Zeroed(std::size_t size) : size_(size), memory_(std::calloc(size * sizeof(T) + alignof(T), 1)) {
        if (!memory_) throw std::bad_alloc();
        const auto start = (reinterpret_cast<std::uintptr_t>(memory_.get()) + alignof(T) - 1) & ~(alignof(T) - 1);
        first_ = reinterpret_cast<T*>(start);
    }

    std::size_t size() const { return size_; }
    T& operator[](std::size_t at) const { return first_[at]; }
    void clear() { std::memset(static_cast<void*>(first_), 0, size_ * sizeof(T)); }

   private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::size_t size_;
    std::unique_ptr<void, Free> memory_;
    T* first_;
};

}  // namespace tabuleiro
