#include "kinds/validation/checks.h"

#include <string>

#include "base/api/quantity.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/validation/selectors.h"

namespace tabernetes::registry::validation {
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

void one_value(const Place& place) {
  if (place.now.size() != 1) {
    place.now.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  }
}

void one_field_value(const Place& place) {
  if (place.now.size() != 1) {
    place.now.required(
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
}

void toleration_key(const Place& place) {
  const Field op = place.now["operator"];
  if (place.now.text_at("key").empty() && !op.is("Exists")) {
    op.invalid(
        "operator must be Exists when `key` is empty, which means \"match all values and all "
        "keys\"");
  }
}

void toleration_value(const Place& place) {
  const Field op = place.now["operator"];
  const std::string_view value = place.now.text_at("value");
  if (op.is("Equal") || op.text().empty()) {
    std::string faults;
    for (const std::string& fault : label_value_faults(value)) {
      faults.append(faults.empty() ? "" : ";").append(fault);
    }
    if (!faults.empty()) op.invalid_string(value, faults);
  } else if (op.is("Exists")) {
    if (!value.empty()) op.invalid_string(value, "value must be empty when `operator` is 'Exists'");
  } else if (op.is("Lt") || op.is("Gt")) {
    op.not_supported("Equal,Exists,Lt,Gt");
  } else {
    op.not_supported("Equal,Exists");
  }
}

}  // namespace

// Checks a port number or a port name.
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

const NamedCheck kCommonChecks[] = {
    {"labels", &labels},
    {"annotations", &annotations},
    {"port", &check_port},
    {"positive", &positive},
    {"above-zero", &check_above_zero},
    {"not-negative", &not_negative},
    {"one-value", &one_value},
    {"one-field-value", &one_field_value},
    {"toleration-key", &toleration_key},
    {"toleration-value", &toleration_value},
};

Quantity quantity_of(const Field& field) {
  std::string_view error;
  const std::string_view text = field.text();
  return text.empty() ? Quantity::of(field.number())
                      : Quantity::parse(text, error).value_or(Quantity());
}

}  // namespace tabernetes::registry::validation
