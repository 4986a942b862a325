// metadata.managedFields: who owns what. Source: spec/patch-apply.md 6.1.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "patch/field_set.h"
#include "tabernetes/time.h"

namespace tabernetes::patch {

class KeptFields;

struct ManagedEntry {
  enum class Operation { kApply, kUpdate };

  std::string manager;
  Operation operation = Operation::kUpdate;
  std::string api_version;
  std::string subresource;   // empty: the main endpoint
  std::optional<Time> time;  // whole seconds
  FieldSet fields;
  // What `fields` were when the entry was kept: see registry/managed_fields_cache.h.
  std::shared_ptr<const KeptFields> kept = nullptr;

  std::int64_t seconds() const { return time ? time->unix_seconds() : 0; }

  // The text that tells managers apart: JSON of the manager, the operation, the version (not of an
  // Apply) and the subresource. Lists of managers are sorted by it.
  std::string identity() const;

  bool operator==(const ManagedEntry& other) const;
};

using ManagedFields = std::vector<ManagedEntry>;

// As entries have it: "Apply".
std::string_view name_of(ManagedEntry::Operation operation);

// Reads a list of entries; of those with the same identity the last counts. Nothing: one of them is
// not valid.
std::optional<ManagedFields> read_managed_fields(const json::Value& list);

// Puts the entries into the order in which objects show them, and writes the list; its texts live
// in the arena.
json::Value write_managed_fields(ManagedFields& entries, json::Arena& arena);

// One item of such a list, with these fields instead of the entry's.
json::Value write_managed_entry(const ManagedEntry& entry, json::Value fields_v1,
                                json::Arena& arena);

}  // namespace tabernetes::patch
