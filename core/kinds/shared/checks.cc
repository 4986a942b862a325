#include "kinds/shared/checks.h"

#include <string>

#include "base/api/quantity.h"
#include "json/access.h"
#include "kinds/shared/selectors.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kWebhookPortRules, R"(
. range:1-65535 "port is not valid: must be between 1 and 65535, inclusive"
)");

namespace {

// Checks a map of labels.
void labels(const Place& place) {
  if (place.now.empty()) return;
  for (const json::Member& label : place.now.value()->members()) {
    for (const std::string& fault : qualified_name_faults(label.key)) {
      place.now.invalid_string(label.key, fault);
    }
    const std::string_view value = text_of(label.value);
    for (const std::string& fault : label_value_faults(value)) {
      place.now.invalid_string(value, fault);
    }
  }
}

void annotations(const Place& place) { validate_annotation_map(place.now); }

int sign(const Field& quantity) { return quantity_of(quantity).sign(); }

void positive(const Place& place) {
  if (place.now.present() && sign(place.now) != 1) place.now.invalid("must be positive");
}

void not_negative(const Place& place) {
  if (sign(place.now) < 0) place.now.invalid("must be greater than or equal to 0");
}

}  // namespace

void check_port(const Place& place) {
  const Field& field = place.now;
  if (field.value() != nullptr && field.value()->is_string()) {
    field.invalid(port_name_faults(field.text()));
  } else if (field.number() < 1 || field.number() > 65535) {
    field.invalid_printed(std::to_string(field.number()), "must be between 1 and 65535, inclusive");
  }
}

void check_above_zero(const Place& place) {
  if (place.now.present() && sign(place.now) != 1) place.now.invalid("must be greater than zero");
}

Quantity quantity_of(const Field& field) {
  std::string_view error;
  const std::string_view text = field.text();
  return text.empty() ? Quantity::of(field.number())
                      : Quantity::parse(text, error).value_or(Quantity());
}

void check_quantity(const Place& place) {
  const Quantity amount = quantity_of(place.now);
  if (amount.value() < 0) {
    place.now.invalid_printed(std::to_string(amount.value()), "must be a valid resource quantity");
  }
}

void check_absolute_path(const Place& place) {
  if (!place.now.text().starts_with('/')) place.now.invalid("must be an absolute path");
}

extern const NamedCheck kCommonChecks[] = {
    {"labels", &labels},
    {"annotations", &annotations},
    {"port", &check_port},
    {"positive", &positive},
    {"not-negative", &not_negative},
    {"quantity", &check_quantity},
    {"absolute-path", &check_absolute_path},
};

}  // namespace tabernetes::registry::kinds
