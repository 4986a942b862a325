// Pure functions on objects, selectors and versions that need no server.
//
//   const auto bytes = encode(R"({"apiVersion":"v1","kind":"ConfigMap"})", "application/yaml");
//   const auto scaled = apply_patch(deployment, R"({"spec":{"replicas":3}})",
//                                   {.media_type = "application/merge-patch+json"});
//
// Objects are JSON with kind and apiVersion. Objects of a built-in kind (also lists, Status, Table,
// PartialObjectMetadata and options) are decoded as in the server: fields are put in order, unknown
// ones dropped, wrong types refused. Other objects are not changed; they have no protobuf form and
// no strategic merge patch. Nothing is defaulted or validated.
//
// A fault has the Status that a request would get.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabernetes/expected.h"
#include "tabernetes/time.h"

namespace tabernetes {

// --- Encodings
//
// Media types: `application/json` (`;pretty=1` indents), `application/yaml`,
// `application/vnd.kubernetes.protobuf`, `application/cbor`. With `;stream=watch`, and for
// `application/cbor-seq`, the bytes are those of a watch, and the object is the array of its
// events, each {"type": "ADDED", "object": {...}}.

// What to do with unknown fields of a built-in kind, and with duplicate fields.
enum class UnknownFields { kDrop, kRefuse };

// Returns the bytes of an object. Fails with 400 for an invalid object, with 406 or 415 for a media
// type that is unknown or cannot represent it.
Expected<std::string> encode(std::string_view object, std::string_view media_type,
                             UnknownFields unknown = UnknownFields::kDrop);
// Returns the object in `bytes`. Fails like encode().
Expected<std::string> decode(std::string_view bytes, std::string_view media_type,
                             UnknownFields unknown = UnknownFields::kDrop);

// --- Patches and field ownership
//
// These do not compare names and resource versions.

struct PatchOptions {
  // application/json-patch+json, application/merge-patch+json or
  // application/strategic-merge-patch+json.
  std::string_view media_type;
  // The field manager: owns the changed fields, if the object has metadata.managedFields. Empty:
  // managedFields are patched like any field.
  std::string_view manager = {};
  std::string_view subresource = {};  // empty: the object's own endpoint
  Time now = {};
  UnknownFields unknown = UnknownFields::kDrop;
};

struct Patched {
  std::string object;
  // The warnings of the server: unknown and duplicate fields.
  std::vector<std::string> warnings;
};

// Returns the patched object.
Expected<Patched> apply_patch(std::string_view object, std::string_view patch,
                              const PatchOptions& options);

// An entry of metadata.managedFields.
struct FieldManager {
  std::string manager;
  std::string operation;  // "Apply", "Update"
  std::string api_version;
  std::string subresource;  // empty: the object's own endpoint
  std::string time;         // RFC 3339; empty: none
};

struct ApplyOptions {
  std::string_view manager;  // the applier
  bool force = false;        // takes fields from other owners
  std::string_view subresource = {};
  Time now = {};
};

struct Applied {
  std::string object;    // with managedFields
  bool changed = false;  // differs from the live object in more than managedFields
};

// Fields that the applied object changes and another manager owns.
struct ApplyConflict {
  FieldManager manager;
  std::vector<std::string> fields;  // as in OwnedField::path
  std::string message;              // `conflict with "kubectl" using apps/v1`
};

struct ApplyFault : Fault {
  std::vector<ApplyConflict> conflicts;  // with a Status of 409
};

// Applies `config`, JSON or YAML of a built-in kind, to `live`, an object of the same kind in any
// version, or an empty text to create one. Fields that the applier owned and does not set any more
// are removed. An object without managedFields counts as written before the first apply.
Expected<Applied, ApplyFault> server_side_apply(std::string_view live, std::string_view config,
                                                const ApplyOptions& options);

struct OwnedField {
  std::string path;     // as in conflicts: ".spec.containers[name=\"c\"].image"
  std::string pointer;  // JSON Pointer; empty if the object lacks the field
  std::vector<FieldManager> managers;
};

// Returns each field with an owner in metadata.managedFields, parents before their children. Fails
// if `object` is not an object, or if its managedFields are invalid.
Expected<std::vector<OwnedField>> field_owners(std::string_view object);

// --- Selectors of list and watch

// Label selectors (`app=web,tier in (db,app),!old`) or field selectors
// (`metadata.name=a,status.phase!=Running`).
enum class SelectorKind { kLabels, kFields };

// One condition of a selector; an object must satisfy all.
struct SelectorTerm {
  std::string key;
  // Kubernetes' name: "exists", "!", "=", "==", "!=", "in", "notin", "gt" or "lt".
  std::string_view op;
  std::vector<std::string> values;  // sorted
};

struct ParsedSelector {
  std::string canonical;
  std::vector<SelectorTerm> terms;
};

// Parses a selector. Accepts any field name.
Expected<ParsedSelector> parse_selector(SelectorKind kind, std::string_view text);

// Returns true if labels, or fields by name, satisfy the selector. A missing field counts as "".
Expected<bool> match_values(SelectorKind kind, std::string_view text,
                            std::span<const std::pair<std::string_view, std::string_view>> values);

// Returns true if an object satisfies a field selector. For a built-in kind, fails for fields that
// its resource does not support; for other kinds, fields are paths.
Expected<bool> match_fields_of(std::string_view text, std::string_view object);

// --- Resource versions, which clients may compare since Kubernetes 1.35

// Returns the order in time of the versions of two objects or lists of one resource, in any
// namespaces. Fails unless both are decimal numbers of any length without leading zeros: "" and "0"
// are not versions of objects.
Expected<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b);

}  // namespace tabernetes
