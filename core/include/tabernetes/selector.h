// Label and field selectors as list and watch read them: pure functions, for a host that selects
// what the server would select.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes {

// What a selector's text means: labels (`app=web,tier in (db,app),!old`) or fields
// (`metadata.name=a,status.phase!=Running`).
enum class SelectorKind { kLabels, kFields };

// One condition; all of a selector's must hold.
struct SelectorTerm {
  std::string key;
  // As Kubernetes names them: "exists", "!", "=", "==", "!=", "in", "notin", "gt", "lt".
  std::string_view op;
  std::vector<std::string> values;  // sorted
};

struct ParsedSelector {
  std::string error;  // the message of the Status that a request would have got; empty: read
  std::string canonical;
  std::vector<SelectorTerm> terms;
};

// Knows no resource: any name of a field is read.
ParsedSelector parse_selector(SelectorKind kind, std::string_view text);

struct SelectorMatch {
  std::string error;  // as above
  bool matches = false;
};

// Whether labels, or the values of fields by their names, satisfy the selector. A field that is
// not there counts as "".
SelectorMatch match_values(SelectorKind kind, std::string_view text,
                           std::span<const std::pair<std::string_view, std::string_view>> values);

// Whether an object, given as JSON, satisfies a field selector. Of a built-in kind the fields are
// those of its resource, and others are errors; without a known kind they are paths.
SelectorMatch match_fields_of(std::string_view text, std::string_view object);

}  // namespace tabernetes
