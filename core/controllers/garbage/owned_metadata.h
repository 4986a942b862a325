// The part of an object's metadata that the garbage collector needs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "store/record.h"

namespace tabernetes::controllers {

struct OwnerReference {
  std::string_view api_version, kind, name, uid;
  bool blocking = false;  // blockOwnerDeletion
};

struct OwnerMetadata {
  std::string_view uid;
  std::vector<OwnerReference> owners;
  bool terminating = false;
  bool orphans = false;     // has the finalizer `orphan`
  bool foreground = false;  // has the finalizer `foregroundDeletion`

  // Returns whether its deletion waits for the deletion of its dependents.
  bool waits_for_dependents() const { return terminating && foreground; }
  // Returns whether the garbage collector has to end its deletion.
  bool waits_for_collector() const { return terminating && (orphans || foreground); }
};

inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

// Reads views into `arena`.
OwnerMetadata read_owned_metadata(const store::Record& record, json::Arena& arena);
// The same of the JSON text of an object's metadata.
OwnerMetadata read_owned_metadata(std::string_view text, json::Arena& arena);
// The same of the metadata itself, whose views they are.
OwnerMetadata read_owned_metadata(const json::Value& metadata);

// Returns whether the object blocks the deletion of an owner.
bool is_blocked_by(const OwnerMetadata& metadata, std::string_view uid);

// Returns true if both versions of an object have the same owners and neither is being deleted,
// without parsing them; may return false for such ones, too.
bool same_ownership(const store::Record& a, const store::Record& b);

// Returns metadata.uid, a view of the record's bytes, without parsing them.
std::string_view uid_of(const store::Record& record);

}  // namespace tabernetes::controllers
