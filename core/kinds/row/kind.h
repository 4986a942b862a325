// A built-in kind: its behaviour is one row in one file (core/kinds/<group>/<kind>.cc), listed in
// core/kinds/table/kinds.h. docs/adding-a-kind.md shows how.
#pragma once

#include <span>
#include <string_view>

#include "kinds/row/rules.h"
#include "registry/cells/printer.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry {

class Row;

}  // namespace tabernetes::registry

namespace tabernetes::registry::kinds {

// Adds the cells of an object, in the order of the kind's columns in the catalogue.
using Printer = void (*)(const json::Value& object, Row& row);

// A version of a kind that is stored as another resource. Both functions take a decoded object; the
// result must be decoded again to restore the order of its members.
struct ConvertedVersion {
  std::string_view version;
  BuiltInKinds::Resource storage;
  json::Value (*from_storage)(const json::Value& stored, json::Arena& arena) = nullptr;
  json::Value (*to_storage)(const json::Value& object, json::Arena& arena) = nullptr;
};

struct Kind {
  std::string_view group, kind;
  Strategy strategy = {};
  // Validation rules and defaults, in the language of rules/rules.h; null: none.
  const Rules* rules = nullptr;
  const Defaults* defaults = nullptr;
  // Prints the cells of its table; null: name and creation time.
  Printer print = nullptr;
  TablePrinter::Order row_order = nullptr;  // null: the order of the objects
  std::span<const ConvertedVersion> converted_versions = {};
};

inline constexpr NameConstraints kLabelName = {NameFormat::kLabel};
inline constexpr NameConstraints kAnyName = {NameFormat::kPathSegment};
// For kinds whose /status does not own metadata.
inline constexpr ResetFields kMetadataResets[] = {{"status", "metadata spec"}};

}  // namespace tabernetes::registry::kinds
