// What the server does to objects, selectors and versions, without a server: pure functions.
//
//   const auto bytes = encode(R"({"apiVersion":"v1","kind":"ConfigMap"})", "application/yaml");
//   const auto scaled = apply_patch(deployment, R"({"spec":{"replicas":3}})",
//                                   {.media_type = "application/merge-patch+json"});
//
// Objects are JSON and name their own kind and apiVersion. One of a built-in kind (lists, Status,
// Table, PartialObjectMetadata and options are such too) takes the form that the server gives it:
// its fields in their order, unknown ones dropped, wrong types refused. Any other object stays as
// it is; it has no protobuf form and no strategic merge patch. Nothing is defaulted or validated.
//
// A fault has the Status that a request would have got.
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
// Media types are those of requests and answers: `application/json` (with `;pretty=1`
// indented), `application/yaml`, `application/vnd.kubernetes.protobuf`, `application/cbor`. With
// `;stream=watch`, and as `application/cbor-seq`, the bytes are those of a watch, and the object is
// the array of its events, each
// {"type": "ADDED", "object": {...}}.

// What to do with fields that a built-in kind does not have, and those that stand twice.
enum class UnknownFields { kDrop, kRefuse };

// Returns the bytes of an object. Fails with 400 for an object that is not right, with 406 and 415
// for a media type that does not fit.
Expected<std::string> encode(std::string_view object, std::string_view media_type,
                             UnknownFields unknown = UnknownFields::kDrop);
// Returns the object in `bytes`. Fails likewise.
Expected<std::string> decode(std::string_view bytes, std::string_view media_type,
                             UnknownFields unknown = UnknownFields::kDrop);

// --- Patches, and who owns fields
//
// Neither names nor versions are compared: what the server does beyond patching is admission.

struct PatchOptions {
  // application/json-patch+json, application/merge-patch+json or
  // application/strategic-merge-patch+json.
  std::string_view media_type;
  // Who patches: gets the changed fields in metadata.managedFields, if the object has any. Empty:
  // managedFields are patched like any field.
  std::string_view manager = {};
  std::string_view subresource = {};  // whose endpoint it is; empty: the object's own
  Time now = {};
  UnknownFields unknown = UnknownFields::kDrop;
};

struct Patched {
  std::string object;
  // What the server would have warned of: fields that the kind does not have, or that stand twice.
  std::vector<std::string> warnings;
};

// Returns what a patch makes of an object.
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
  std::string_view manager;  // who applies
  bool force = false;        // takes what others own
  std::string_view subresource = {};
  Time now = {};
};

struct Applied {
  std::string object;    // with managedFields
  bool changed = false;  // from the live object, in more than managedFields
};

// What the applied object sets and somebody else owns.
struct ApplyConflict {
  FieldManager manager;
  std::vector<std::string> fields;  // as in OwnedField::path
  std::string message;              // `conflict with "kubectl" using apps/v1`
};

struct ApplyFault : Fault {
  std::vector<ApplyConflict> conflicts;  // beside a Status of 409
};

// Returns what server-side apply makes of `live` (empty: there is none yet) when `config` is
// applied: JSON or YAML of a built-in kind, which live has too, in this or another version. What
// the applier owned and gives up goes; an object without managedFields is taken as written before
// the first apply.
Expected<Applied, ApplyFault> server_side_apply(std::string_view live, std::string_view config,
                                                const ApplyOptions& options);

struct OwnedField {
  std::string path;     // as in conflicts: ".spec.containers[name=\"c\"].image"
  std::string pointer;  // where it is, as JSON Patch has it; empty: the object lacks it
  std::vector<FieldManager> managers;
};

// Returns each field that metadata.managedFields tells an owner of, a field before what is in it.
// Fails where there is no object, or where managedFields cannot be read.
Expected<std::vector<OwnedField>> field_owners(std::string_view object);

// --- Selectors, as list and watch read them

// What a selector's text means: labels (`app=web,tier in (db,app),!old`) or fields
// (`metadata.name=a,status.phase!=Running`).
enum class SelectorKind { kLabels, kFields };

// One condition; all of a selector's must hold.
struct SelectorTerm {
  std::string key;
  // As Kubernetes names them: "exists", "!", "=", "==", "!=", "in", "notin", "gt", "lt".
  std::string_view op;
  std::vector<std::string> values;  // sorted
};

struct ParsedSelector {
  std::string canonical;
  std::vector<SelectorTerm> terms;
};

// Reads a selector. Knows no resource: any name of a field is read.
Expected<ParsedSelector> parse_selector(SelectorKind kind, std::string_view text);

// Returns whether labels, or the values of fields by their names, satisfy the selector. A field
// that is not there counts as "".
Expected<bool> match_values(SelectorKind kind, std::string_view text,
                            std::span<const std::pair<std::string_view, std::string_view>> values);

// Returns whether an object satisfies a field selector. Of a built-in kind the fields are those of
// its resource, and others are faults; without a known kind they are paths.
Expected<bool> match_fields_of(std::string_view text, std::string_view object);

// --- Resource versions, as clients may compare them since Kubernetes 1.35

// Returns which is newer: within one resource, the versions of any two objects or lists, of
// whatever namespaces, tell. Versions are decimal numbers without leading zeros, of any length; ""
// and "0" are no versions of anything.
Expected<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b);

}  // namespace tabernetes
