// A value computed on first use, by whichever thread needs it first.
#pragma once

#include <atomic>
#include <memory>

namespace tabernetes {

// Stores the value with one atomic compare-exchange, without a lock: several threads may compute it
// at the same time, and all get the result of the one that stored first.
template <typename T>
class Published {
 public:
  Published() = default;
  ~Published() { delete value_.load(std::memory_order_relaxed); }
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

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
