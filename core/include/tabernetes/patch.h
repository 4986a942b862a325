// What a patch makes of an object, what an apply does to it, and who owns its fields, without a
// server: pure functions.
//
//   apply_patch(deployment, R"({"spec":{"replicas":3}})",
//               {.media_type = "application/merge-patch+json"}).object
//
// Objects are JSON and name their kind and apiVersion. One of a built-in kind takes the form that
// the server gives it, as in encoding.h; a kind that is not built in has no strategic merge patch.
// Nothing is defaulted or validated, and neither names nor versions are compared: what the server
// does beyond that is admission, not patching.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/encoding.h"
#include "tabernetes/time.h"

namespace tabernetes {

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
  // The Status, as JSON, that the request would have got. Empty: done.
  std::string failure;
  std::string object;  // JSON
  // What the server would have warned of: fields that the kind does not have, or that stand twice.
  std::vector<std::string> warnings;
};

Patched apply_patch(std::string_view object, std::string_view patch, const PatchOptions& options);

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

// What the applied object sets and somebody else owns.
struct ApplyConflict {
  FieldManager manager;
  std::vector<std::string> fields;  // as in OwnedField::path
  std::string message;              // `conflict with "kubectl" using apps/v1`
};

struct Applied {
  std::string failure;   // a Status: 409 beside conflicts, other codes for what cannot be applied
  std::string object;    // JSON, with managedFields
  bool changed = false;  // from the live object, in more than managedFields
  std::vector<ApplyConflict> conflicts;
};

// What server-side apply makes of `live` (empty: there is none yet) when `config` is applied: JSON
// or YAML of a built-in kind, which live has too, in this or another version. What the applier
// owned and gives up goes; an object without managedFields is taken as written before the first
// apply.
Applied server_side_apply(std::string_view live, std::string_view config,
                          const ApplyOptions& options);

struct OwnedField {
  std::string path;     // as in conflicts: ".spec.containers[name=\"c\"].image"
  std::string pointer;  // where it is, as JSON Patch has it; empty: the object lacks it
  std::vector<FieldManager> managers;
};

struct FieldOwners {
  std::string failure;             // a Status: no object, or managedFields that cannot be read
  std::vector<OwnedField> fields;  // a field before what is in it
};

// Each field that metadata.managedFields tells an owner of.
FieldOwners field_owners(std::string_view object);

}  // namespace tabernetes
