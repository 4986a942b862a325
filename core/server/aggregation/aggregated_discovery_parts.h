// The group versions of other servers in the documents of discovery.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "server/openapi/foreign_spec.h"

namespace tabernetes::server {

// A group version that another server serves. Never changes.
struct AggregatedPart {
  std::string group, version;
  int group_priority = 0, version_priority = 0;
  bool available = false;
  // The version's entry in aggregated discovery (APIVersionDiscovery) as JSON; empty: its server
  // has not told it.
  std::string entry;
  // What its server says in OpenAPI; null: it has not told it.
  std::shared_ptr<const ForeignSpec> spec = nullptr;

  friend bool operator==(const AggregatedPart&, const AggregatedPart&) = default;
};
using AggregatedParts = std::vector<AggregatedPart>;

// Returns whether the version of `a` is preferred to that of `b`, of the same group.
bool is_preferred(const AggregatedPart& a, const AggregatedPart& b);

using SchemaGroups = std::vector<const schema::Group*>;

// Adds the parts to an APIGroupList. `groups`: those of this server.
void add_to_group_list(json::Value& document, const SchemaGroups& groups,
                       const AggregatedParts& parts, json::Arena& arena);

// Returns the APIGroup of a group with parts: of this server's document (null: it has none), and
// theirs; null if there is neither.
json::Value with_parts(json::Value document, std::string_view group, const AggregatedParts& parts,
                       json::Arena& arena);

// Adds them to an APIGroupDiscoveryList.
void add_to_discovery(json::Value& document, const SchemaGroups& groups,
                      const AggregatedParts& parts, json::Arena& arena);

// Returns the entry of a version as a server gives it in an APIGroupDiscoveryList; empty if it is
// not there.
std::string entry_of_discovery(std::string_view text, std::string_view group,
                               std::string_view version);

// Returns the entry that an APIResourceList stands for; empty if the text is none.
std::string entry_of_resource_list(std::string_view text, std::string_view version);

}  // namespace tabernetes::server
