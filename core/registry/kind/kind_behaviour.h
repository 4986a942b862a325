// The behaviour of a kind. The registry and the server know no kind themselves: they call this
// interface for each request or object. core/kinds implements it for built-in kinds, core/custom
// for kinds defined by CustomResourceDefinitions; a test may have its own implementation.
//
// A behaviour belongs to one ResourceType, that is, to one version of a kind. It is immutable and
// may be called on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/field_error.h"
#include "base/api/group_version.h"
#include "base/api/result.h"
#include "json/value.h"
#include "patch/shape.h"
#include "registry/cells/printer.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/strategy.h"
#include "registry/kind/warnings.h"
#include "registry/meta/subresource.h"
#include "registry/record/encoded_object.h"
#include "schema/decode.h"

namespace tabernetes::registry {

// An object that is about to be stored, for validation and warnings.
struct Change {
  Subresource subresource;
  const json::Value& object;
  const json::Value* old;  // null on create
  const validation::Capabilities& capabilities = validation::kUsualCapabilities;
};

// The paths of the fields that an object's scale shows; see registry/meta/member_path.h.
struct ScaleFields {
  std::string_view replicas = ".spec.replicas";
  std::string_view status_replicas = ".status.replicas";
  // Rejects a scale with negative replicas; if false, the validation of the object decides.
  bool non_negative = true;
};

enum class DecodeFor : std::uint8_t {
  kObject,  // an object from a client, a manifest or a patch
  kApply,   // the result of an apply, in which nulls and empty lists are still significant
  // The result of admission: fields of a custom resource that its schema lacks stay until the
  // object is stored, as later webhooks see them.
  kAdmission,
};

class KindBehaviour {
 public:
  virtual ~KindBehaviour() = default;

  // --- Decoding, defaults

  // Returns `raw` in the kind's typed form, with the errors of strict decoding. Does not change
  // `raw`.
  virtual schema::DecodeResult decode(const json::Value& raw, json::Arena& arena,
                                      DecodeFor what) const = 0;
  // Converts the result of an apply to its stored form after validation.
  virtual void normalise_applied(json::Value& /*object*/, json::Arena& /*arena*/) const {}
  // Sets the declared defaults, then the computed ones.
  virtual void apply_defaults(const HookContext& context, json::Value& object) const = 0;

  // --- Checks

  // Returns an error if no request can be served now.
  virtual Result<void> check_served() const { return {}; }
  // Returns an error if no object called `name` can be created now.
  virtual Result<void> check_creatable(std::string_view /*name*/) const { return {}; }
  // Returns false and adds an error if `object` names another kind; other checks are skipped then.
  virtual bool check_identity(const json::Value& /*object*/, field::ErrorList& /*errors*/) const {
    return true;
  }
  // Adds all errors except those of metadata, which is validated the same way for every kind. Adds
  // to `warnings` (null: not wanted) those errors that are tolerated because the old object has
  // them too.
  virtual void validate(const Change& change, field::ErrorList& errors,
                        std::vector<std::string>* warnings) const = 0;
  // Adds warnings about a valid object.
  virtual void warn(const Change& change, Warnings& out) const = 0;
  // Returns the kind and group that errors about `object` name.
  virtual GroupResource kind_of(const json::Value& object) const = 0;

  // --- Storage, versions

  // Returns `object` in the kind's storage version. Here and below, conversions by webhooks are
  // requested from `pending`; null: not possible.
  virtual EncodedObject to_storage(const json::Value& object, VersionMember version,
                                   json::Arena& arena, PendingWork* pending) const = 0;
  // Returns the record's object in this version, including kind and apiVersion. Its strings may be
  // views of the record's bytes. REQUIRES: the object is stored in another version.
  virtual json::Value from_storage(const store::Record& record, json::Arena& arena,
                                   PendingWork* pending) const = 0;
  // Converts an object from `from`, another version of the same resource, to this one.
  virtual json::Value convert(const json::Value& object, const ResourceType& from,
                              json::Arena& arena, PendingWork* pending) const = 0;
  // Returns the shape of the fields that managers can own in this version.
  virtual patch::Shape shape() const = 0;
  // Returns the error for managedFields entries of a version that the kind does not have. Empty:
  // such entries are kept unchanged.
  virtual std::string unknown_version_error(std::string_view /*api_version*/) const { return {}; }

  // Returns true if conversions may need a webhook.
  virtual bool may_need_webhook() const { return false; }
  // Returns the type of the version in which `record` is stored.
  virtual const ResourceType& version_of(const store::Record& record) const = 0;

  // --- Answers

  // Returns the printer of table rows.
  virtual const TablePrinter& table() const = 0;
  // Returns the text of a warning for each request; empty if there is none.
  virtual std::string_view deprecation() const = 0;

  // --- Scale

  virtual ScaleFields scale() const { return {}; }
  // Returns the scale's selector as text; empty if there is none.
  virtual std::string scale_selector(const json::Value& object) const = 0;
  // Returns an error if the object cannot be scaled.
  virtual Result<void> check_scale(const json::Value& /*object*/) const { return {}; }
};

}  // namespace tabernetes::registry
