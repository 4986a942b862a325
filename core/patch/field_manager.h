// Field management: computes the owners of an object's fields after a write, and the result of
// server-side apply. Source: spec/patch-apply.md 6.8 to 6.13.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/api/result.h"
#include "json/value.h"
#include "patch/managed_fields.h"
#include "patch/reset_fields.h"
#include "patch/shape.h"

namespace tabernetes::patch {

// A kind in all versions in which its objects' fields may be owned.
class ObjectVersions {
 public:
  virtual ~ObjectVersions() = default;
  // Returns nullopt if the version does not exist (any more).
  virtual std::optional<Shape> shape(std::string_view api_version) const = 0;
  // Converts `object` to this version. REQUIRES: shape() knows it.
  virtual json::Value convert(const json::Value& object, std::string_view api_version,
                              json::Arena& arena) const = 0;
  // Returns the empty object in its canonical form.
  virtual json::Value zero(std::string_view api_version, json::Arena& arena) const = 0;
  // Returns the error for entries in a version that shape() does not know; if empty, such entries
  // are dropped.
  virtual std::string problem_of_unknown(std::string_view) const { return {}; }

 protected:
  ObjectVersions() = default;
  ObjectVersions(const ObjectVersions&) = default;
  ObjectVersions& operator=(const ObjectVersions&) = default;
};

// The writer of an object: its field manager and the version it writes in.
struct Writer {
  std::string manager;  // empty: "unknown"
  std::string api_version;
  std::string kind;
  std::string subresource;
  Time now;
  ResetFields reset = {};
};

// Returns the entries from which a write other than an apply starts. `sent` is the list that the
// client sent to the main endpoint, or null; `live` is that of the stored object. A client may
// reset the list or rewrite it; an invalid list is ignored.
ManagedFields entries_before_update(const json::Value* sent, const ManagedFields& live);

// Returns the entries after a write other than an apply, from `live` to `next` (both without
// managedFields), starting from `entries`. Returns no entries if one of them is in a version with a
// problem.
ManagedFields update_managed_fields(const ObjectVersions& versions, const json::Value& live,
                                    const json::Value& next, ManagedFields entries,
                                    const Writer& writer, json::Arena& arena);

// Returns the managedFields, in the form of write_managed_fields(), of a newly created object
// without entries: the same as update_managed_fields() from `zero` without entries. Returns null if
// there are none. REQUIRES: the writer's reset fields are whole members of the object.
json::Value first_managed_fields(const ObjectVersions& versions, const json::Value& zero,
                                 const json::Value& object, const Writer& writer,
                                 json::Arena& arena);

struct Applied {
  json::Value object;    // without managedFields, before defaulting
  bool changed = false;  // differs from the live object
  ManagedFields managed;
};

// Fields that an applier sets and another manager owns.
struct Conflict {
  ManagedFieldsEntry owner;
  FieldSet fields;
  std::string message() const;  // Returns `conflict with "kubectl" using apps/v1`.
};

// Applies `config` to `live` (the zero object if it does not exist yet), both without
// managedFields. Errors: 400 for another kind and for a configuration with managedFields; 500 for
// violations of the schema and for entries in a version with a problem; 409 for fields owned by
// others, unless `force`; these are also returned in `conflicts`, in the order of the message.
Result<Applied> apply_configuration(const ObjectVersions& versions, const json::Value& live,
                                    const json::Value& config, ManagedFields entries,
                                    const Writer& writer, bool force, json::Arena& arena,
                                    std::vector<Conflict>* conflicts = nullptr);

// Returns the error for a result that does not decode as its kind.
std::string unreadable_result(const json::Value& config, std::string_view error);

}  // namespace tabernetes::patch
