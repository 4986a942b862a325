// OpenAPI documents in protobuf: the messages of gnostic (openapi.v2 and openapi.v3.Document), as
// kube-apiserver makes them of the document's JSON. kubectl asks for v2 so.
// Tested by tests/core/codec/gnostic_test.cc; compared with gnostic-models' own bytes by hand.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::codec {

// REQUIRES: `json` is a document of ours: well-formed, and of OpenAPI's shape. Members that no
// message has a field for are left out. Works piece by piece: no tree of the whole is made.
std::string gnostic_v2(std::string_view json);
std::string gnostic_v3(std::string_view json);

}  // namespace tabernetes::codec
