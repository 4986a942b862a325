// Cells of Events in the core version. Source: upstream 1.36 printers/internalversion/printers.go,
// printEvent.
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

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

}  // namespace tabernetes::registry
