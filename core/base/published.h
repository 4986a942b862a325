// A value that is made when it is first asked for, by whichever thread asks first.
#pragma once

#include <atomic>
#include <memory>

namespace tabernetes {

// Published by one atomic exchange: several threads may make it at the same time, and all get the
// value of the one that was first. No lock.
template <typename T>
class Published {
 public:
  Published() = default;
  ~Published() { delete value_.load(std::memory_order_relaxed); }
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  // Whether somebody has made it.
  bool made() const { return value_.load(std::memory_order_acquire) != nullptr; }

  // Valid as long as this object.
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
