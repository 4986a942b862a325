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

}  // namespace tabernetes::server
