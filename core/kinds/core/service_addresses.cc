#include "kinds/core/service_addresses.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace tabernetes::registry::kinds {
namespace {

constexpr std::string_view kNetwork = "10.96.";

// Returns the index of an address in the pool: 10.96.0.1 is 0. Returns nullopt outside of the
// range.
std::optional<std::uint32_t> number_of(std::string_view address) {
  if (!address.starts_with(kNetwork)) return std::nullopt;
  address.remove_prefix(kNetwork.size());
  unsigned high = 0;
  unsigned low = 0;
  const char* end = address.data() + address.size();
  const auto first = std::from_chars(address.data(), end, high);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, low);
  if (second.ec != std::errc() || second.ptr != end || high > 255 || low > 255) return std::nullopt;
  const std::uint32_t number = high * 256 + low;
  if (number == 0 || number == 65535) return std::nullopt;
  return number - 1;
}

}  // namespace

bool NumberPool::is_taken(std::uint32_t number) const {
  return number < taken_.size() && taken_[number];
}

void NumberPool::take(std::uint32_t number) {
  if (taken_.empty()) taken_.resize(size_);
  if (number < size_) taken_[number] = true;
}

void NumberPool::release(std::uint32_t number) {
  if (number < taken_.size()) taken_[number] = false;
}

// Returns the first free number at or after a random one, wrapping around.
std::optional<std::uint32_t> NumberPool::pick_between(std::uint32_t from, std::uint32_t to,
                                                      Entropy& entropy) const {
  const std::uint32_t count = to - from;
  if (count == 0) return std::nullopt;
  const std::uint32_t start = static_cast<std::uint32_t>(entropy.below(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = from + (start + i) % count;
    if (!is_taken(number)) return number;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> NumberPool::pick(Entropy& entropy) const {
  if (const auto number = pick_between(first_choice_, size_, entropy)) return number;
  return pick_between(0, first_choice_, entropy);
}

ServiceAddresses::State ServiceAddresses::state(std::string_view address) const {
  const auto number = number_of(address);
  if (!number) return State::kOutside;
  return pool_.is_taken(*number) ? State::kTaken : State::kFree;
}

void ServiceAddresses::take(std::string_view address) {
  if (const auto number = number_of(address)) pool_.take(*number);
}

void ServiceAddresses::release(std::string_view address) {
  if (const auto number = number_of(address)) pool_.release(*number);
}

std::optional<std::string> ServiceAddresses::pick(Entropy& entropy) const {
  const auto number = pool_.pick(entropy);
  if (!number) return std::nullopt;
  const std::uint32_t place = *number + 1;
  return std::string(kNetwork) + std::to_string(place / 256) + "." + std::to_string(place % 256);
}

ServicePorts::State ServicePorts::state(std::int64_t port) const {
  if (port < kFirst || port > kLast) return State::kOutside;
  return pool_.is_taken(static_cast<std::uint32_t>(port - kFirst)) ? State::kTaken : State::kFree;
}

void ServicePorts::take(std::int64_t port) {
  if (state(port) != State::kOutside) pool_.take(static_cast<std::uint32_t>(port - kFirst));
}

void ServicePorts::release(std::int64_t port) {
  if (state(port) != State::kOutside) pool_.release(static_cast<std::uint32_t>(port - kFirst));
}

std::optional<std::int64_t> ServicePorts::pick(Entropy& entropy,
                                               const std::vector<std::int64_t>& not_these) const {
  if (not_these.empty()) {
    const auto number = pool_.pick(entropy);
    if (!number) return std::nullopt;
    return kFirst + *number;
  }
  NumberPool others = pool_;
  for (const std::int64_t port : not_these) {
    if (state(port) != State::kOutside) others.take(static_cast<std::uint32_t>(port - kFirst));
  }
  const auto number = others.pick(entropy);
  if (!number) return std::nullopt;
  return kFirst + *number;
}

}  // namespace tabernetes::registry::kinds
