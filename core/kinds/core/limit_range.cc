// LimitRange.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <string>
#include <vector>

#include "json/access.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "kinds/shared/checks.h"
#include "kinds/shared/resource_names.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kLimitRangeRules, R"(
spec.limits[]
 type is:qualified @limit-type distinct
 @limit-names
 ?type=PersistentVolumeClaim
  ?-min.storage ?-max.storage
   limits need "either minimum or maximum storage value is required, but neither was provided"
 @limit-ratio-names
 @limit-values
)");

namespace {

using json::Arena;
using json::Value;

// Adds the amounts of `from` that are missing in `into`.
void add_amounts(Value& item, std::string_view into, std::string_view from, Arena& arena) {
  const Value* source = object_in(item, from);
  if (source == nullptr || source->size() == 0) return;
  Value amounts = Value::object(arena);
  if (const Value* given = object_in(item, into)) {
    for (const json::Member& amount : given->members()) {
      amounts.append(arena, amount.key, amount.value);
    }
  }
  for (const json::Member& amount : source->members()) {
    fill(amounts, amount.key, amount.value, arena);
  }
  amounts.sort_members();
  item.set(arena, into, amounts);
}

void set_limit_range_defaults(const HookContext& context, Value& object) {
  for (Value& item : items_in(object_or_new(object, "spec", context.arena), "limits")) {
    if (item.string_at("type") != "Container") continue;
    add_amounts(item, "default", "max", context.arena);
    add_amounts(item, "defaultRequest", "default", context.arena);
    add_amounts(item, "defaultRequest", "min", context.arena);
  }
}

void limit_type(const Place& place) {
  const std::string_view type = place.now.text();
  if (!qualified_name_faults(type).empty() || type.find('/') != std::string_view::npos) return;
  if (!listed("Pod,Container,PersistentVolumeClaim", type)) {
    place.now.invalid("must be a standard limit type or fully qualified");
  }
}

void check_limit_names(const Field& limit, std::string_view name) {
  const Field map = limit[name];
  if (map.empty()) return;
  const bool container = limit["type"].is("Pod") || limit["type"].is("Container");
  for (const Field item : map.items()) {
    if (container) {
      check_container_resource_name(item, item.name());
    } else {
      check_resource_name(item, item.name());
    }
  }
}

void limit_names(const Place& place) {
  check_limit_names(place.now, "max");
  check_limit_names(place.now, "min");
  for (const std::string_view name : {"default", "defaultRequest"}) {
    const Field map = place.now[name];
    if (!place.now["type"].is("Pod")) {
      check_limit_names(place.now, name);
    } else if (!map.empty()) {
      map.forbidden("may not be specified when `type` is 'Pod'");
    }
  }
}

void limit_ratio_names(const Place& place) { check_limit_names(place.now, "maxLimitRequestRatio"); }

// Formats like Go's %f.
std::string six_digits(double value) {
  const bool negative = value < 0;
  const double scaled = (negative ? -value : value) * 1e6 + 0.5;
  if (!(scaled < 9e18)) return "+Inf";
  const auto whole = static_cast<std::uint64_t>(scaled);
  std::string digits = std::to_string(whole % 1000000);
  digits.insert(0, 6 - digits.size(), '0');
  return (negative ? "-" : "") + std::to_string(whole / 1000000) + "." + digits;
}

// Checks the limits of a resource against each other.
void check_limit_values(const Field& limit, std::string_view resource) {
  const Field maps[] = {limit["min"], limit["max"], limit["default"], limit["defaultRequest"],
                        limit["maxLimitRequestRatio"]};
  enum { kMin, kMax, kDefault, kRequest, kRatio };
  constexpr std::string_view kNames[] = {"min value ", "max value ", "default value ",
                                         "default request value ", "ratio "};
  struct Rule {
    int shown, value, small, big;
    std::string_view big_name;
  };
  // The value of `small` may not be greater than that of `big`; the error is reported at `shown`.
  constexpr Rule kRules[] = {
      {kMin, kMin, kMin, kMax, "max value "},
      {kRequest, kRequest, kMin, kRequest, "default request value "},
      {kRequest, kRequest, kRequest, kMax, "max value "},
      {kRequest, kRequest, kRequest, kDefault, "default limit value "},
      {kDefault, kMin, kMin, kDefault, "default value "},
      {kDefault, kMax, kDefault, kMax, "max value "},
  };
  const bool pod = limit["type"].is("Pod");
  Quantity values[5];
  bool there[5];
  for (int i = 0; i < 5; ++i) {
    const Field amount = maps[i].key(resource);
    there[i] = amount.present() && !(pod && (i == kDefault || i == kRequest));
    values[i] = quantity_of(amount);
  }
  for (const Rule& rule : kRules) {
    if (!there[rule.small] || !there[rule.big] ||
        values[rule.small].compare(values[rule.big]) <= 0) {
      continue;
    }
    const Field shown = maps[rule.shown].key(resource);
    shown.invalid_string(values[rule.value].to_string(),
                         std::string(kNames[rule.small]) + values[rule.small].to_string() +
                             " is greater than " + std::string(rule.big_name) +
                             values[rule.big].to_string());
  }
  if (there[kRatio]) {
    const Field ratio = maps[kRatio].key(resource);
    const std::string text = "ratio " + values[kRatio].to_string();
    if (values[kRatio].compare(Quantity::of(1)) < 0) ratio.invalid(text + " is less than 1");
    if (there[kMin] && there[kMax]) {
      const double most = static_cast<double>(values[kMax].milli_value()) /
                          static_cast<double>(values[kMin].milli_value());
      if (static_cast<double>(values[kRatio].milli_value()) / 1000 > most) {
        ratio.invalid(text + " is greater than max/min = " + six_digits(most));
      }
    }
  }
  const bool overcommit = is_native_resource(resource) && !is_huge_page(resource);
  if (!overcommit && there[kDefault] && there[kRequest] &&
      values[kDefault].compare(values[kRequest]) != 0) {
    const Field shown = maps[kRequest].key(resource);
    shown.invalid("default value " + values[kDefault].to_string() +
                  " must equal to defaultRequest value " + values[kRequest].to_string() + " in " +
                  std::string(resource));
  }
}

void limit_values(const Place& place) {
  std::vector<std::string_view> names;
  for (const std::string_view map :
       {"max", "min", "default", "defaultRequest", "maxLimitRequestRatio"}) {
    const Value* amounts = place.now.find(map);
    if (amounts == nullptr || !amounts->is_object()) continue;
    for (const json::Member& amount : amounts->members()) {
      bool known = false;
      for (const std::string_view name : names) known = known || name == amount.key;
      if (known) continue;
      names.push_back(amount.key);
      check_limit_values(place.now, amount.key);
    }
  }
}

}  // namespace

extern const NamedCheck kLimitRangeChecks[] = {
    {"limit-type", &limit_type},
    {"limit-names", &limit_names},
    {"limit-ratio-names", &limit_ratio_names},
    {"limit-values", &limit_values},
};

extern const Kind kLimitRangeKind{.group = "",
                                  .kind = "LimitRange",
                                  .strategy = {.meta_passes = {"CF", "CF", ""},
                                               .allow_create_on_update = true,
                                               .set_defaults = &set_limit_range_defaults},
                                  .rules = &kLimitRangeRules};

}  // namespace tabernetes::registry::kinds
