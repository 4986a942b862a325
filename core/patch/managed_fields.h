// The entries of metadata.managedFields. Source: spec/patch-apply.md 6.1.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "patch/field_set.h"
#include "tabernetes/time.h"

namespace tabernetes::patch {

class KeptFields;

struct ManagedFieldsEntry {
  enum class Operation { kApply, kUpdate };

  std::string manager;
  Operation operation = Operation::kUpdate;
  std::string api_version;
  std::string subresource;   // empty for the main endpoint
  std::optional<Time> time;  // whole seconds
  FieldSet fields;
  // Fields that were not read, as FieldsV1: see read_managed_fields(). Null: they are in `fields`.
  json::Value unread = {};
  // The value of `fields` when the entry was cached: see registry/ownership/managed_fields_cache.h.
  std::shared_ptr<const KeptFields> kept = nullptr;

  bool owns_nothing() const { return fields.empty() && unread.is_null(); }
  // Reads the fields that were not read. REQUIRES: they are valid.
  void read();
  std::int64_t seconds() const { return time ? time->unix_seconds() : 0; }

  // Returns the key that identifies a manager: JSON of the manager, the operation, the version
  // (except for an Apply) and the subresource. Lists of managers are sorted by it.
  std::string identity() const;

  bool operator==(const ManagedFieldsEntry& other) const;
};

using ManagedFields = std::vector<ManagedFieldsEntry>;

// Returns "Apply" or "Update".
std::string_view name_of(ManagedFieldsEntry::Operation operation);

// Reads a list of entries; of those with the same identity the last one counts. Returns nullopt if
// any is invalid. With `changed`, the names of the only members of the object that a write changes:
// entries that own nothing in them may stay unread, since they stay as they are. They are not
// checked, and are views of the list.
std::optional<ManagedFields> read_managed_fields(
    const json::Value& list, const std::vector<std::string_view>* changed = nullptr);

// Sorts the entries into the order shown in objects, and returns the list; its texts live in the
// arena.
json::Value write_managed_fields(ManagedFields& entries, json::Arena& arena);

// Returns one item of such a list, with these fields instead of the entry's.
json::Value write_managed_entry(const ManagedFieldsEntry& entry, json::Value fields_v1,
                                json::Arena& arena);

}  // namespace tabernetes::patch
