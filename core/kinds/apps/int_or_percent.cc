#include "kinds/apps/int_or_percent.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace tabernetes::registry::kinds {
namespace {

bool is_percent(const Field& share) {
  const std::string_view text = share.text();
  return text.ends_with('%') && is_number(text.substr(0, text.size() - 1));
}

}  // namespace

void validate_int_or_percent(const Field& share) {
  if (share.value() == nullptr || !share.value()->is_string()) {
    share.non_negative();
  } else if (!is_percent(share)) {
    share.invalid(
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  "
        "or '93%', regex used for validation is '[0-9]+%')");
  }
}

void validate_at_most_100_percent(const Field& share) {
  if (is_percent(share) && int_or_percent_value(share) > 100)
    share.invalid("must not be greater than 100%");
}

std::int64_t int_or_percent_value(const Field& share) {
  if (share.value() == nullptr || !share.value()->is_string()) return share.number();
  std::string_view text = share.text();
  if (is_percent(share)) text.remove_suffix(1);
  if (!is_number(text)) return 0;
  std::int64_t value = 0;
  for (const char c : text) value = std::min<std::int64_t>(value * 10 + (c - '0'), 1'000'000'000);
  return value;
}

}  // namespace tabernetes::registry::kinds
