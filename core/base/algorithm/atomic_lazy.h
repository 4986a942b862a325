// A value computed on first use, by whichever thread needs it first.
#pragma once

#include <atomic>
#include <memory>

namespace tabernetes {

// Stores the value with one atomic compare-exchange, without a lock: several threads may compute it
// at the same time, and all get the result of the one that stored first.
template <typename T>
class AtomicLazy {
 public:
  AtomicLazy() = default;
  ~AtomicLazy() { delete value_.load(std::memory_order_relaxed); }
  AtomicLazy(const AtomicLazy&) = delete;
  AtomicLazy& operator=(const AtomicLazy&) = delete;

  // Returns whether the value has been computed.
  bool made() const { return value_.load(std::memory_order_acquire) != nullptr; }

  // The reference is valid as long as this object.
  template <typename Make>
  const T& get_or_make(const Make& make) const {
    if (const T* known = value_.load(std::memory_order_acquire)) return *known;
    auto made = std::make_unique<const T>(make());
    const T* first = nullptr;
    if (value_.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel)) {
      return *made.release();
    }
    return *first;
  }

 private:
  mutable std::atomic<const T*> value_{nullptr};
};

}  // namespace tabernetes
