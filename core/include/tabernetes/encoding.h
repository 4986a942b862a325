// Objects in the encodings of the API, without a server: pure functions.
//
//   encode(R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}})", "application/yaml").bytes
//
// An object names its own kind and apiVersion. One of a built-in kind (lists, Status, Table,
// PartialObjectMetadata and options are such too) takes the form that the server gives it: its
// fields in their order, unknown ones dropped, wrong types refused. Any other object stays as it
// is, and has no protobuf form. Nothing is defaulted or validated.
//
// Media types are those of requests and answers: `application/json` (with `;pretty=1`
// indented), `application/yaml`, `application/vnd.kubernetes.protobuf`, `application/cbor`. With
// `;stream=watch`, and as `application/cbor-seq`, the bytes are those of a watch, and the object is
// the array of its events, each
// {"type": "ADDED", "object": {...}}.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

struct Conversion {
  // The Status, as JSON, that a request would have got: 400 for bytes or objects that are not
  // right, 406 and 415 for a media type that does not fit. Empty: done.
  std::string failure;
  std::string bytes;  // of decode(): JSON
};

// What to do with fields that a built-in kind does not have, and those that stand twice.
enum class UnknownFields { kDrop, kRefuse };

// `object` is JSON.
Conversion encode(std::string_view object, std::string_view media_type,
                  UnknownFields unknown = UnknownFields::kDrop);
Conversion decode(std::string_view bytes, std::string_view media_type,
                  UnknownFields unknown = UnknownFields::kDrop);

}  // namespace tabernetes
