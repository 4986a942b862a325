// What a watch shows and how: all that the bytes of its events depend on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/resource_type.h"
#include "registry/table.h"
#include "server/request/negotiation.h"
#include "server/request/object_selector.h"
#include "store/history.h"

namespace tabernetes::server {

struct WatchContent {
  const registry::ResourceType* type = nullptr;
  std::string scope;  // what the keys begin with, ending in '/'; or one whole key
  ObjectSelector selector;
  Representation form;
  registry::IncludeObject include = registry::IncludeObject::kMetadata;

  bool covers(std::string_view key) const;
  std::string scope_end() const;  // the first key after all of the scope; empty: none
  // Whether the watch shows an object.
  bool shows(const store::Record& record) const;
  // The same text for all contents that show the same.
  std::string id() const;
};

// The narrowest scope of a watch of `ns` (empty: all) and `name` (empty: all) with these fields.
// Source: spec/list-watch.md 3.8.
std::string watch_scope(const registry::ResourceType& type, std::string_view ns,
                        std::string_view name, const registry::FieldSelector& fields);

}  // namespace tabernetes::server
