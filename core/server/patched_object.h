// From a patched tree to an object of the kind that was patched.
// Source: spec/rest.md 6.3; apiserver 1.36 endpoints/handlers/patch.go (jsonPatcher).
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "server/call.h"
#include "server/options.h"

namespace tabernetes::server {

// The object that `patched` is, whatever kind of patch made it. `strict` is what strict decoding
// found in the patch itself; what it finds in the object comes after that, and both are refused or
// warned of. Errors: 422 that shows `patched` whole, for one that is no object of the kind.
Result<json::Value> decode_patched(Call& call, const json::Value& patched,
                                   std::vector<std::string> strict, FieldValidation validation);

// The same for a strategic merge patch, which says nothing of kind and version, and whose result is
// converted without going through JSON. Errors: 422 that shows `patch` as Go prints a map.
Result<json::Value> decode_merged(Call& call, const json::Value& merged, const json::Value& patch,
                                  std::vector<std::string> strict, FieldValidation validation);

// The type of what is patched: of the call's object, or of its subresource's.
const schema::Type& patched_type(const Call& call);

}  // namespace tabernetes::server
