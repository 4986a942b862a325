// A built-in kind: all that is particular about it is one row, in one file
// (core/kinds/<group>/<kind>.cc) that core/kinds/kinds.h names. docs/adding-a-kind.md shows how.
#pragma once

#include <span>
#include <string_view>

#include "kinds/printers.h"
#include "registry/cells/printer.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// A version of a kind that is stored as another resource. Both functions take a decoded object and
// give one whose members need decoding again for their order.
struct StoredElsewhere {
  std::string_view version;
  BuiltInKinds::Resource storage;
  json::Value (*from_storage)(const json::Value& stored, json::Arena& arena) = nullptr;
  json::Value (*to_storage)(const json::Value& object, json::Arena& arena) = nullptr;
};

struct Kind {
  std::string_view group, kind;
  Strategy strategy = {};
  // What is invalid, and what the server fills in, in the language of rules/rules.h.
  std::string_view rules = {}, defaults = {};
  // The cells of its table; null: name and creation time.
  Printer print = nullptr;
  TablePrinter::Order row_order = nullptr;  // null: that of the objects
  std::span<const StoredElsewhere> other_versions = {};
};

inline constexpr NameRules kLabelName = {NameFormat::kLabel};
inline constexpr NameRules kAnyName = {NameFormat::kPathSegment};
// Of kinds whose status changes nothing of metadata.
inline constexpr ResetFields kMetadataResets[] = {{"status", "metadata spec"}};

}  // namespace tabernetes::registry::kinds
