// Label and field selectors from untrusted clients: a parsed selector prints to a text that parses
// to the same selector; otherwise parsing fails with a 400.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"

namespace {

using namespace tabernetes::registry;

void require(bool holds) {
  if (!holds) std::abort();
}

void try_label_selector(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kLabels[] = {{"a", "b"},
                                                                              {"n", "7"}};
  const auto selector = parse_label_selector(text);
  if (!selector) {
    require(selector.error().code == 400 && !selector.error().message.empty());
    return;
  }
  const auto again = parse_label_selector(selector->to_string());
  require(again && *again == *selector && again->to_string() == selector->to_string());
  require(again->matches(kLabels) == selector->matches(kLabels));
}

void try_field_selector(std::string_view text) {
  const auto selector = parse_field_selector(text);
  if (!selector) {
    require(selector.error().code == 400 && !selector.error().message.empty());
    return;
  }
  const auto value_of = [](std::string_view field) { return field; };
  const auto again = parse_field_selector(selector->to_string());
  require(again && again->terms().size() == selector->terms().size());
  require(again->matches(value_of) == selector->matches(value_of));
  // Terms are sorted by their text, in which "==" has not become "=" yet: the order is stable from
  // the second time on.
  const auto third = parse_field_selector(again->to_string());
  require(third && third->to_string() == again->to_string());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_label_selector(text);
  try_field_selector(text);
  return 0;
}
