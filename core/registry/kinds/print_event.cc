// Cells of an Event, of which two groups write the same things under different names.
// Upstream 1.36: printers/internalversion/printers.go, printEvent.
#include <string>

#include "registry/kinds/cell_text.h"
#include "registry/kinds/printers.h"
#include "registry/kinds/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string_view either(const Value& event, Path core, Path named) {
  const std::string_view text = text_at(event, core);
  return text.empty() ? text_at(event, named) : text;
}

std::string_view component(const Value& event) {
  const std::string_view source =
      either(event, {"source", "component"}, {"deprecatedSource", "component"});
  return source.empty() ? either(event, {"reportingComponent"}, {"reportingController"}) : source;
}

std::string source_text(const Value& event) {
  std::string text(component(event));
  std::string_view instance = either(event, {"source", "host"}, {"deprecatedSource", "host"});
  if (instance.empty()) instance = text_at(event, {"reportingInstance"});
  if (!instance.empty()) text.append(", ").append(instance);
  return text;
}

// "pod/web"
std::string object_text(const Value& event) {
  std::string text = lower_case(either(event, {"involvedObject", "kind"}, {"regarding", "kind"}));
  const std::string_view name = either(event, {"involvedObject", "name"}, {"regarding", "name"});
  if (!name.empty()) text.append("/").append(name);
  return text;
}

std::string first_seen(const Value& event, Time now) {
  const std::string_view first = either(event, {"firstTimestamp"}, {"deprecatedFirstTimestamp"});
  return age_text(first.empty() ? text_at(event, {"eventTime"}) : first, now);
}

std::string last_seen(const Value& event, Time now) {
  if (has(event, {"series"})) return age_text(text_at(event, {"series", "lastObservedTime"}), now);
  const std::string_view last = either(event, {"lastTimestamp"}, {"deprecatedLastTimestamp"});
  return last.empty() ? first_seen(event, now) : age_text(last, now);
}

std::int64_t count(const Value& event) {
  if (has(event, {"series"})) return number_at(event, {"series", "count"});
  const std::int64_t core = number_at(event, {"count"});
  const std::int64_t counted = core != 0 ? core : number_at(event, {"deprecatedCount"});
  return counted == 0 ? 1 : counted;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

void print_event(const Value& object, Row& row) {
  row.text(last_seen(object, row.now()));
  row.text(text_at(object, {"type"}));
  row.text(text_at(object, {"reason"}));
  row.text(object_text(object));
  row.text(either(object, {"involvedObject", "fieldPath"}, {"regarding", "fieldPath"}));
  row.text(source_text(object));
  row.text(trimmed(either(object, {"message"}, {"note"})));
  row.text(first_seen(object, row.now()));
  row.number(count(object));
  row.name(object);
}

}  // namespace tabernetes::registry
