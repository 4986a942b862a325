// Who owns the fields of an object after a write, and what an apply makes of it.
// Source: spec/patch-apply.md 6.8 to 6.13.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "patch/managed_fields.h"
#include "patch/reset_fields.h"
#include "patch/shape.h"

namespace tabernetes::patch {

// A kind in the versions that its objects may be owned in.
class ObjectVersions {
 public:
  virtual ~ObjectVersions() = default;
  // Nothing: no such version (any more).
  virtual std::optional<Shape> shape(std::string_view api_version) const = 0;
  // `object`, of whatever version, in this one. REQUIRES: shape() knows it.
  virtual json::Value convert(const json::Value& object, std::string_view api_version,
                              json::Arena& arena) const = 0;
  // The object of which nothing is set yet, in its normal form.
  virtual json::Value zero(std::string_view api_version, json::Arena& arena) const = 0;
  // What is wrong with being owned in a version that shape() does not know; empty: nothing, such
  // entries are left out.
  virtual std::string problem_of_unknown(std::string_view) const { return {}; }

 protected:
  ObjectVersions() = default;
  ObjectVersions(const ObjectVersions&) = default;
  ObjectVersions& operator=(const ObjectVersions&) = default;
};

// Who writes, in which version of the API.
struct Writer {
  std::string manager;  // empty: "unknown"
  std::string api_version;
  std::string kind;
  std::string subresource;
  Time now;
  ResetFields reset = {};
};

// The entries that a write that is no apply starts from. `sent`: the list that the client sent to
// the main endpoint, null if none; `live`: those of the stored object. A client may take all
// entries away, and may rewrite them; what is not valid is as if it had not been sent.
ManagedFields entries_before_update(const json::Value* sent, const ManagedFields& live);

// The entries after a write that is no apply, from `live` to `next` (both without managedFields).
// `entries`: those it starts from. None at all if one of them is in a version that is a problem.
ManagedFields update_managed_fields(const ObjectVersions& versions, const json::Value& live,
                                    const json::Value& next, ManagedFields entries,
                                    const Writer& writer, json::Arena& arena);

// The list of entries, as write_managed_fields() makes it, of an object that is created and that
// nobody owns anything of yet: what comes of update_managed_fields() from `zero` and no entries.
// Null: there is none. REQUIRES: the writer's reset fields are whole members of the object.
json::Value first_managed_fields(const ObjectVersions& versions, const json::Value& zero,
                                 const json::Value& object, const Writer& writer,
                                 json::Arena& arena);

struct Applied {
  json::Value object;    // without managedFields, before defaults
  bool changed = false;  // from live
  ManagedFields managed;
};

// What an applier sets and somebody else owns.
struct Conflict {
  ManagedEntry owner;
  FieldSet fields;
  std::string message() const;  // `conflict with "kubectl" using apps/v1`
};

// `config` applied to `live` (the zero object if there is none yet), both without managedFields.
// Errors: 400 for another kind and for a configuration that has managedFields; 500 for what the
// schema does not allow and for entries in a version that is a problem; 409 for fields that others
// own, unless `force`: those are also `conflicts`, in the order of the message.
Result<Applied> apply_configuration(const ObjectVersions& versions, const json::Value& live,
                                    const json::Value& config, ManagedFields entries,
                                    const Writer& writer, bool force, json::Arena& arena,
                                    std::vector<Conflict>* conflicts = nullptr);

// What is said of a result that is not of its kind.
std::string unreadable_result(const json::Value& config, std::string_view error);

}  // namespace tabernetes::patch
