// What each kind does in its own way. The registry, and the server above it, ask it once for a
// request or for an object, and know no kind themselves: core/kinds implements it for the kinds
// that are built in, core/custom for those that definitions add, and a test may bring one of its
// own.
//
// A behaviour belongs to one ResourceType, that is to one version of a kind. It never changes and
// may be asked on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_error.h"
#include "base/group_version.h"
#include "base/result.h"
#include "json/value.h"
#include "patch/shape.h"
#include "registry/cells/printer.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/strategy.h"
#include "registry/kind/warnings.h"
#include "registry/meta/part.h"
#include "registry/record/encoded_object.h"
#include "schema/decode.h"

namespace tabernetes::registry {

// An object that is to be stored, as it is to be checked.
struct Change {
  Part part;
  const json::Value& object;
  const json::Value* old;  // null on create
  validation::Policy policy = validation::Policy::kUnprivileged;
};

// Where objects of a kind have what their scale shows: see registry/member_path.h.
struct ScaleFields {
  std::string_view replicas = ".spec.replicas";
  std::string_view status_replicas = ".status.replicas";
  // The scale itself is refused if it wants fewer than 0 replicas; else the object's checks decide.
  bool non_negative = true;
};

enum class DecodeFor : std::uint8_t {
  kObject,  // what a client, a manifest or a patch says is an object
  kApply,   // what an apply made: nulls and empty lists in it still count
};

class KindBehaviour {
 public:
  virtual ~KindBehaviour() = default;

  // --- Decoding, defaults

  // Returns `raw` in the form of the kind, with what strict decoding finds. `raw` stays as it is.
  virtual schema::DecodeResult decode(const json::Value& raw, json::Arena& arena,
                                      DecodeFor what) const = 0;
  // Brings what an apply made, once it was judged, into the form that is stored.
  virtual void finish_apply(json::Value& /*object*/, json::Arena& /*arena*/) const {}
  // Sets the declared defaults, then those that the kind computes.
  virtual void apply_defaults(const HookContext& context, json::Value& object) const = 0;

  // --- Checks

  // Returns an error if no request may be served now.
  virtual Result<void> check_served() const { return {}; }
  // Returns an error if no object called `name` may be created now.
  virtual Result<void> check_creatable(std::string_view /*name*/) const { return {}; }
  // Returns false, and reports it, if `object` says that it is of another kind: nothing else is
  // checked then.
  virtual bool check_identity(const json::Value& /*object*/, field::ErrorList& /*errors*/) const {
    return true;
  }
  // Reports what is wrong beside metadata, which is checked for every kind alike. Adds to
  // `warnings` (null: nobody reads them) what would be an error if it had not been so before.
  virtual void validate(const Change& change, field::ErrorList& errors,
                        std::vector<std::string>* warnings) const = 0;
  // Adds what the client is warned of in a valid object.
  virtual void warn(const Change& change, Warnings& out) const = 0;
  // Returns the kind and group by which errors about `object` call it.
  virtual GroupResource kind_of(const json::Value& object) const = 0;

  // --- Storage, versions

  // Returns `object` in the form in which the kind is stored. What has to be converted by others is
  // asked of `pending` here and below; null: nobody is asked.
  virtual EncodedObject to_storage(const json::Value& object, VersionMember version,
                                   json::Arena& arena, PendingWork* pending) const = 0;
  // Returns the record's object as this version shows it, kind and apiVersion among its members.
  // REQUIRES: it is stored in another form. Its strings may be views of the record's bytes.
  virtual json::Value from_storage(const store::Record& record, json::Arena& arena,
                                   PendingWork* pending) const = 0;
  // Returns an object of `from`, another version of the same resource, in this one.
  virtual json::Value convert(const json::Value& object, const ResourceType& from,
                              json::Arena& arena, PendingWork* pending) const = 0;
  // What fields can be owned in this version.
  virtual patch::Shape shape() const = 0;
  // Returns what is wrong with a version in which fields are said to be owned, but that is none of
  // the kind's. Empty: such fields are left alone.
  virtual std::string problem_of_version(std::string_view /*api_version*/) const { return {}; }

  // Returns whether conversions may have to be asked of others.
  virtual bool asks_others() const { return false; }
  // Returns the type of the version that `record` is stored in, which needs no conversion.
  virtual const ResourceType& version_of(const store::Record& record) const = 0;

  // --- Answers

  // Returns how its objects become rows of a table.
  virtual const TablePrinter& table() const = 0;
  // Returns a text to warn of at each request; empty: none.
  virtual std::string_view deprecation() const = 0;

  // --- Scale

  virtual ScaleFields scale() const { return {}; }
  // Returns the selector that the scale shows, as text; empty: none.
  virtual std::string scale_selector(const json::Value& object) const = 0;
  // Returns an error if the object cannot be scaled.
  virtual Result<void> check_scale(const json::Value& /*object*/) const { return {}; }
};

}  // namespace tabernetes::registry
