// What the garbage collector reads of an object's metadata.
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

struct OwnedMetadata {
  std::string_view uid;
  std::vector<OwnerReference> owners;
  bool terminating = false;
  bool orphans = false;     // it has the finalizer `orphan`
  bool foreground = false;  // it has the finalizer `foregroundDeletion`

  // Its deletion waits for its dependents'.
  bool waits_for_dependents() const { return terminating && foreground; }
};

inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

// Views of `arena`.
OwnedMetadata read_owned_metadata(const store::Record& record, json::Arena& arena);

// metadata.uid, a view of the record's bytes. Reads no more of them than it must.
std::string_view uid_of(const store::Record& record);

}  // namespace tabernetes::controllers
