// A sort that is compiled once: std::sort and std::stable_sort instantiate some kilobytes of code
// for every element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tabernetes {

// Returns whether the element at index `a` comes before that at `b`.
struct PlaceOrder {
  bool (*before)(const void* context, std::uint32_t a, std::uint32_t b);
  const void* context;

  bool operator()(std::uint32_t a, std::uint32_t b) const { return before(context, a, b); }
};

// A sorting permutation: the index of the element that comes first, second and so on; equal
// elements keep their order. Empty if the elements are sorted already.
class SortedPlaces {
 public:
  SortedPlaces(std::size_t count, PlaceOrder order);
  SortedPlaces(const SortedPlaces&) = delete;
  SortedPlaces& operator=(const SortedPlaces&) = delete;

  std::uint32_t size() const { return size_; }
  std::uint32_t& operator[](std::size_t i) { return places_[i]; }
  std::uint32_t operator[](std::size_t i) const { return places_[i]; }

 private:
  static constexpr std::size_t kFew = 32;  // small inputs need no allocation

  std::uint32_t size_ = 0;
  std::uint32_t few_[2 * kFew];
  std::vector<std::uint32_t> many_;
  std::uint32_t* places_ = few_;
};

// Sorts a vector or span of at most 2^32 movable elements; equal elements keep their order.
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
  // Applies the permutation cycle by cycle, with one element of each held aside.
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
