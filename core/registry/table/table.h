// Objects as a Table, the format that `kubectl get` requests. Source: spec/rest.md 5.3,
// spec/list-watch.md 4.8.
#pragma once

#include <optional>
#include <string_view>

#include "json/value.h"
#include "registry/cells/printer.h"
#include "registry/cells/validity.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

struct ResourceType;

// The content of row.object.
enum class IncludeObject { kMetadata, kObject, kNone };

// Parses ?includeObject= (empty: kMetadata); returns nullopt for an unknown value.
std::optional<IncludeObject> parse_include_object(std::string_view text);

struct TableOptions {
  IncludeObject include_object = IncludeObject::kMetadata;
  std::string_view version = "v1";  // of meta.k8s.io: "v1" or "v1beta1"
  bool with_columns = true;         // false: columnDefinitions is null, as in later watch events
  // The type in which kObject shows the objects; null: unchanged.
  const ResourceType* shown_as = nullptr;
};

// Returns the table of objects in their stored version: one row each, in the order of `printer`.
// `metadata` is the list's; for a single object see table_metadata(). Cells are as of `now`. The
// table shares storage with its arguments.
json::Value make_table(const TablePrinter& printer, json::Range<json::Value> objects,
                       const json::Value& metadata, const TableOptions& options, Time now,
                       json::Arena& arena);

// Return the parts of such a table: everything except the rows, which are an empty array; and one
// row, with the times at which it does not change.
json::Value table_frame(const TablePrinter& printer, const json::Value& metadata,
                        const TableOptions& options, json::Arena& arena);
struct TableRow {
  json::Value value;
  Validity validity;
};
TableRow table_row(const TablePrinter& printer, const json::Value& object,
                   const TableOptions& options, Time now, json::Arena& arena);

// Returns the columnDefinitions of such a table.
json::Value table_columns(const TablePrinter& printer, json::Arena& arena);

// Returns the metadata of the table of one object: its resourceVersion.
json::Value table_metadata(const json::Value& object, json::Arena& arena);

}  // namespace tabernetes::registry
