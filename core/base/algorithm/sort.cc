// Merge sort, bottom-up; short runs are sorted by insertion. Tested by
// tests/core/base/sort_test.cc.
#include "base/algorithm/sort.h"

#include <algorithm>
#include <utility>

namespace tabernetes {
namespace {

using Place = std::uint32_t;
constexpr std::size_t kRun = 8;

bool in_order(std::size_t count, PlaceOrder order) {
  for (std::size_t i = 1; i < count; ++i) {
    if (order(static_cast<Place>(i), static_cast<Place>(i - 1))) return false;
  }
  return true;
}

void insertion_sort(Place* places, std::size_t count, PlaceOrder order) {
  for (std::size_t i = 1; i < count; ++i) {
    const Place place = places[i];
    std::size_t to = i;
    for (; to > 0 && order(place, places[to - 1]); --to) places[to] = places[to - 1];
    places[to] = place;
  }
}

void merge(const Place* left, const Place* middle, const Place* end, Place* out, PlaceOrder order) {
  const Place* right = middle;
  while (left != middle && right != end) *out++ = order(*right, *left) ? *right++ : *left++;
  std::copy(right, end, std::copy(left, middle, out));
}

}  // namespace

SortedPlaces::SortedPlaces(std::size_t count, PlaceOrder order) {
  if (in_order(count, order)) return;
  size_ = static_cast<Place>(count);
  if (count > kFew) {
    many_.resize(2 * count);
    places_ = many_.data();
  }
  for (std::size_t i = 0; i < count; ++i) places_[i] = static_cast<Place>(i);
  for (std::size_t i = 0; i < count; i += kRun) {
    insertion_sort(places_ + i, std::min(kRun, count - i), order);
  }
  Place* merged = places_ + count;
  for (std::size_t run = kRun; run < count; run *= 2) {
    for (std::size_t i = 0; i < count; i += 2 * run) {
      const std::size_t middle = std::min(i + run, count);
      const std::size_t end = std::min(i + 2 * run, count);
      merge(places_ + i, places_ + middle, places_ + end, merged + i, order);
    }
    std::swap(places_, merged);
  }
}

}  // namespace tabernetes
