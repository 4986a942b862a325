// The content of a watch: everything that determines the bytes of its events.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/kind/resource_type.h"
#include "registry/table/table.h"
#include "server/request/negotiation.h"
#include "server/request/object_selector.h"
#include "store/history.h"

namespace tabernetes::server {

struct WatchKey {
  const registry::ResourceType* type = nullptr;
  std::string scope;  // a key prefix ending in '/', or one whole key
  ObjectSelector selector;
  Representation form;
  registry::IncludeObject include = registry::IncludeObject::kMetadata;

  bool covers(std::string_view key) const;
  std::string scope_end() const;  // the first key after the scope; may be empty
  // Returns whether the watch shows an object.
  bool shows(const store::Record& record) const;
  // Returns the same text for all contents with the same events.
  std::string id() const;
};

// Returns the narrowest scope of a watch of `ns` (empty: all) and `name` (empty: all) with these
// field selectors. Source: spec/list-watch.md 3.8.
std::string watch_scope(const registry::ResourceType& type, std::string_view ns,
                        std::string_view name, const registry::FieldSelector& fields);

}  // namespace tabernetes::server
