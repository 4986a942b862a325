// Event.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/core/event.h"

#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "json/access.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEventRules, R"(
@core-event
)");

namespace {

using json::Value;

void core_event(const Place& place) {
  check_event(place, {"involvedObject", "reportingComponent", "message", "reportingComponent"});
}

std::string_view either(const Value& event, json::Path first, json::Path second) {
  const std::string_view text = text_at(event, first);
  return text.empty() ? text_at(event, second) : text;
}

std::string source_text(const Value& event) {
  std::string text(either(event, {"source", "component"}, {"reportingComponent"}));
  const std::string_view instance = either(event, {"source", "host"}, {"reportingInstance"});
  if (!instance.empty()) text.append(", ").append(instance);
  return text;
}

// Returns "pod/web".
std::string object_text(const Value& event) {
  std::string text = ascii_lower(text_at(event, {"involvedObject", "kind"}));
  const std::string_view name = text_at(event, {"involvedObject", "name"});
  if (!name.empty()) text.append("/").append(name);
  return text;
}

std::string first_seen(const Value& event, Row& row) {
  return row.age_of(either(event, {"firstTimestamp"}, {"eventTime"}));
}

std::string last_seen(const Value& event, Row& row) {
  if (has(event, {"series"})) return row.age_of(text_at(event, {"series", "lastObservedTime"}));
  const std::string_view last = text_at(event, {"lastTimestamp"});
  return last.empty() ? first_seen(event, row) : row.age_of(last);
}

std::int64_t count(const Value& event) {
  if (has(event, {"series"})) return number_at(event, {"series", "count"});
  const std::int64_t counted = number_at(event, {"count"});
  return counted == 0 ? 1 : counted;
}

}  // namespace

void check_event(const Place& place, const EventNames& names) {
  const Field& event = place.now;
  const Field reference = event.as("involvedObject", event[names.reference]);
  const Field where = reference["namespace"];
  const Field metadata = event["metadata"];
  const std::string_view ns = metadata.text_at("namespace");
  const auto limit = [&](std::string_view name, std::string_view shown, std::size_t most,
                         bool required) {
    const Field field = event.as(shown, event[name]);
    if (required && field.text().empty()) field.required();
    if (field.text().size() > most) {
      field.invalid_string("", "can have at most " + std::to_string(most) + " characters");
    }
  };
  constexpr std::string_view kMismatch = "does not match event.namespace";
  if (!event.has("eventTime")) {
    const bool fits = where.text().empty() ? ns == "default" : ns == where.text();
    if (!fits) where.invalid(kMismatch);
  } else {
    if (where.text().empty() && ns != "default" && ns != "kube-system") where.invalid(kMismatch);
    const Field controller = event.as(names.shown_controller, event[names.controller]);
    if (controller.text().empty()) controller.required();
    controller.invalid(qualified_name_faults(controller.text()));
    limit("reportingInstance", "reportingInstance", 128, true);
    limit("action", "action", 128, true);
    limit("reason", "reason", 128, true);
    limit(names.message, "message", 1024, false);
  }
}

void print_event(const Value& object, Row& row) {
  row.text(last_seen(object, row));
  row.text(text_at(object, {"type"}));
  row.text(text_at(object, {"reason"}));
  row.text(object_text(object));
  row.text(text_at(object, {"involvedObject", "fieldPath"}));
  row.text(source_text(object));
  row.text(go_trim_space(text_at(object, {"message"})));
  row.text(first_seen(object, row));
  row.number(count(object));
  row.name(object);
}

extern const NamedCheck kEventChecks[] = {
    {"core-event", &core_event},
};

extern const Kind kEventKind{
    .group = "",
    .kind = "Event",
    .strategy = {.meta_passes = {"", "", ""}, .allow_create_on_update = true, .uncached = true},
    .rules = &kEventRules,
    .print = &print_event};

}  // namespace tabernetes::registry::kinds
