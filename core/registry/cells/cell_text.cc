#include "registry/cells/cell_text.h"

#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/text/parts.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::registry {
namespace {

using json::Range;
using json::Value;

// Returns the interval at which the text of human_duration() changes at such an age.
std::int64_t step_of_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute;
  if (nanoseconds < 10 * kMinute) return kSecond;
  if (nanoseconds < 8 * kHour) return kMinute;
  return kHour;
}

std::string members_joined(Range<Value> containers, std::string_view member) {
  std::vector<std::string_view> texts;
  for (const Value& container : containers) texts.push_back(container.string_at(member));
  return join(texts, ",");
}

}  // namespace

Age format_age(std::string_view rfc3339, Time now) {
  const auto then = parse_rfc3339(rfc3339);
  if (!then) return {std::string(kUnknown), {}};
  Age age{human_duration(now - *then), {}};
  const std::int64_t past = (now - *then).nanoseconds;
  const std::int64_t step = past < 0 ? 1 : step_of_text(past);
  const Time from{now.unix_nanoseconds - past % step};
  age.validity.intersect(from, from + Duration{step});
  return age;
}

std::string format_duration_between(std::string_view from, std::string_view to) {
  const auto start = parse_rfc3339(from);
  const auto end = parse_rfc3339(to);
  return start && end ? human_duration(*end - *start) : std::string();
}

std::string labels_text(const Value* labels) {
  std::string text = format_labels(labels);
  return text.empty() ? std::string(kNone) : text;
}

std::string selector_text(const Value* selector) {
  std::optional<std::string> text = format_label_selector(selector);
  if (!text) return "<error>";
  return text->empty() ? std::string(kNone) : std::move(*text);
}

std::string container_names(Range<Value> containers) { return members_joined(containers, "name"); }

std::string container_images(Range<Value> containers) {
  return members_joined(containers, "image");
}

std::string join_first(const std::vector<std::string>& texts, std::size_t count) {
  if (texts.size() <= count) return join(texts, ",");
  return join(std::span(texts).first(count), ",") + " + " + std::to_string(texts.size() - count) +
         " more...";
}

std::string first_or_unset(const std::vector<std::string>& texts) {
  std::string text = join_first(texts, 3);
  return text.empty() ? std::string(kUnset) : text;
}

std::string join_strings(Range<Value> items, std::string_view separator) {
  std::vector<std::string_view> texts;
  for (const Value& item : items) {
    texts.push_back(text_of(item));
  }
  return join(texts, separator);
}

std::string load_balancer_addresses(const Value& object) {
  std::set<std::string> addresses;
  for (const Value& entry : items_at(object, {"status", "loadBalancer", "ingress"})) {
    const std::string_view ip = entry.string_at("ip");
    const std::string_view address = ip.empty() ? entry.string_at("hostname") : ip;
    if (!address.empty()) addresses.emplace(address);
  }
  return join(addresses, ",");
}

}  // namespace tabernetes::registry
