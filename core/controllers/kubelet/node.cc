#include "controllers/kubelet/node.h"

#include "base/net/ip_address.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

constexpr std::string_view kKwokMark = "kwok.x-k8s.io/node";

std::uint32_t as_number(const IpAddress& address) {
  std::uint32_t number = 0;
  for (std::size_t i = 12; i < 16; ++i) number = number << 8 | address.bytes[i];
  return number;
}

std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

bool is_simulated(const json::Value& node) {
  for (const std::string_view place : {"annotations", "labels"}) {
    if (text_at(node, {"metadata", place, kNodeMark}) == "simulated") return true;
    if (text_at(node, {"metadata", place, kKwokMark}) == "fake") return true;
  }
  return false;
}

PodAddresses::PodAddresses(std::string_view cidr, std::string_view node_name) {
  const auto given = parse_ip_range(cidr);
  if (given && given->address.v4 && given->bits >= 8 && given->bits <= 30) {
    first_ = as_number(given->network());
    size_ = std::uint32_t{1} << (32 - given->bits);
    return;
  }
  const std::uint32_t hash = hash_of(node_name);
  first_ = (10U << 24) + ((192U + hash % 48U) << 16) + ((hash >> 8 & 255U) << 8);
}

std::string PodAddresses::text_of(std::uint32_t number) const {
  const std::uint32_t ip = first_ + number;
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (!text.empty()) text += '.';
    text += std::to_string(ip >> shift & 255U);
  }
  return text;
}

std::optional<std::uint32_t> PodAddresses::number_of(std::string_view address) const {
  const auto ip = parse_ip(address);
  if (!ip || !ip->v4) return std::nullopt;
  const std::uint32_t number = as_number(*ip);
  return number < first_ || number - first_ >= size_ ? std::nullopt
                                                     : std::optional(number - first_);
}

std::optional<std::string> PodAddresses::take() {
  const std::uint32_t usable = size_ - 3;  // from 2 on
  for (std::uint32_t tried = 0; tried < usable; ++tried) {
    const std::uint32_t number = 2 + (last_taken_ - 1 + tried) % usable;
    if (!taken_.insert(number).second) continue;
    last_taken_ = number;
    return text_of(number);
  }
  return std::nullopt;
}

void PodAddresses::take(std::string_view address) {
  const auto number = number_of(address);
  if (!number) return;
  taken_.insert(*number);
  if (*number > last_taken_) last_taken_ = *number;
}

void PodAddresses::release(std::string_view address) {
  if (const auto number = number_of(address)) taken_.erase(*number);
}

std::string PodAddresses::range() const { return text_of(1) + "-" + text_of(size_ - 2); }

}  // namespace tabernetes::controllers::kubelet
