// Decodes a patched tree as an object of the patched kind. Source: spec/rest.md 6.3; apiserver 1.36
// endpoints/handlers/patch.go (jsonPatcher).
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "server/decode/type_meta.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// The target of a patch: an object, or a subresource's.
struct PatchTarget {
  const schema::Catalogue& catalogue;
  Gvk gvk;
  const schema::Type* type = nullptr;  // null if unknown
  // Of objects that name their own kind; null if the patched object is of a Go type.
  const registry::KindBehaviour* untyped = nullptr;
};
PatchTarget patch_target(const RequestContext& call);

// Strict errors in the patch, and whether to reject them.
struct StrictPatch {
  std::vector<std::string> errors;
  bool refuse = false;
};

struct PatchedObject {
  json::Value object;
  // In the patch, then in the object, if they are not rejected.
  std::vector<std::string> strict_errors;
};

// Decodes `patched`. Errors: 422 that shows `patched` whole, for a result that is not an object of
// the kind, and for rejected strict errors.
Result<PatchedObject> decode_patched(const PatchTarget& target, const json::Value& patched,
                                     StrictPatch strict, json::Arena& arena);

// Does the same for a strategic merge patch, which has no kind and version, and whose result is
// converted without JSON. Errors: 422 that shows `patch` as Go prints a map.
Result<PatchedObject> decode_merged(const PatchTarget& target, const json::Value& merged,
                                    const json::Value& patch, StrictPatch strict,
                                    json::Arena& arena);

// Restores an empty managedFields list, which resets all ownership, in the decoded object of a
// built-in kind; decoding drops empty lists. Of custom objects the real server drops it, too.
void keep_emptied_owners(const json::Value& sent, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::server
