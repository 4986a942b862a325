// Sorting, compiled once: std::sort and std::stable_sort make some kilobytes of code for every kind
// of element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tabernetes {

// Whether the element at place `a` comes before that at `b`.
struct PlaceOrder {
  bool (*before)(const void* context, std::uint32_t a, std::uint32_t b);
  const void* context;

  bool operator()(std::uint32_t a, std::uint32_t b) const { return before(context, a, b); }
};

// Which place's element comes first, second and so on; equal ones stay in their order. Empty if all
// stand well already.
class SortedPlaces {
 public:
  SortedPlaces(std::size_t count, PlaceOrder order);
  SortedPlaces(const SortedPlaces&) = delete;
  SortedPlaces& operator=(const SortedPlaces&) = delete;

  std::uint32_t size() const { return size_; }
  std::uint32_t& operator[](std::size_t i) { return places_[i]; }
  std::uint32_t operator[](std::size_t i) const { return places_[i]; }

 private:
  static constexpr std::size_t kFew = 32;  // need no memory of their own

  std::uint32_t size_ = 0;
  std::uint32_t few_[2 * kFew];
  std::vector<std::uint32_t> many_;
  std::uint32_t* places_ = few_;
};

// Sorts what is in a vector or span, at most 2^32 elements that can be moved; equal ones stay in
// their order.
template <class Items, class Before = std::less<>>
void sort_stable(Items&& items, const Before& before = {}) {
  struct Context {
    Items& items;
    const Before& before;
  };
  const Context context{items, before};
  const PlaceOrder order{[](const void* opaque, std::uint32_t a, std::uint32_t b) {
                           const auto& [of, comes_before] = *static_cast<const Context*>(opaque);
                           return static_cast<bool>(comes_before(of[a], of[b]));
                         },
                         &context};
  SortedPlaces places(items.size(), order);
  // The elements move around in cycles, each with one element held aside.
  for (std::uint32_t start = 0; start < places.size(); ++start) {
    if (places[start] == start) continue;
    auto aside = std::move(items[start]);
    std::uint32_t at = start;
    for (std::uint32_t next = places[at]; next != start; next = places[at]) {
      items[at] = std::move(items[next]);
      places[at] = at;
      at = next;
    }
    items[at] = std::move(aside);
    places[at] = at;
  }
}

}  // namespace tabernetes
