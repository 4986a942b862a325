// From a patched tree to an object of the kind that was patched.
// Source: spec/rest.md 6.3; apiserver 1.36 endpoints/handlers/patch.go (jsonPatcher).
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "server/decode/type_meta.h"
#include "server/request/call.h"

namespace tabernetes::server {

// What is patched: an object, or a subresource's.
struct PatchTarget {
  const schema::Catalogue& catalogue;
  Gvk gvk;
  const schema::Type* type = nullptr;  // null: of no kind that is known
  const registry::crd::CustomVersion* custom = nullptr;
};
PatchTarget patch_target(const Call& call);

// What strict decoding found in the patch, and whether that is refused.
struct StrictPatch {
  std::vector<std::string> errors;
  bool refuse = false;
};

struct PatchedObject {
  json::Value object;
  std::vector<std::string> strict_errors;  // of the patch, then of the object: not refused
};

// The object that `patched` is. Errors: 422 that shows `patched` whole, for one that is no object
// of the kind, and for strict errors that are refused.
Result<PatchedObject> decode_patched(const PatchTarget& target, const json::Value& patched,
                                     StrictPatch strict, json::Arena& arena);

// The same for a strategic merge patch, which says nothing of kind and version, and whose
// result is converted without going through JSON. Errors: 422 that shows `patch` as Go prints a
// map.
Result<PatchedObject> decode_merged(const PatchTarget& target, const json::Value& merged,
                                    const json::Value& patch, StrictPatch strict,
                                    json::Arena& arena);

// An empty list of managedFields takes all owners away, while no list leaves them: what was sent is
// remembered in the decoded object, where empty lists are none.
void keep_emptied_owners(const json::Value& sent, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::server
