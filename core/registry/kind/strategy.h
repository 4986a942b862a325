// The differences between kinds. Facts that several kinds share are data; the behaviour of a single
// kind is a hook with upstream's name. A built-in kind has its strategy in its row
// (kinds/row/kind.h). Source: spec/lifecycle.md 1.3, 1.4, 2.3 to 2.5, 3.3, 3.5.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "base/numbers/entropy.h"
#include "json/value.h"
#include "registry/meta/name_constraints.h"
#include "registry/meta/subresource.h"
#include "registry/meta/user.h"
#include "rules/field.h"
#include "schema/feature_gates.h"
#include "schema/schema.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

class Warnings;

// A cache that kinds derive from the stored objects, such as the allocated addresses. The registry
// only owns it; it is null at first and after the store was set to another state.
class KindCache {
 public:
  virtual ~KindCache() = default;
  // Copies it for a fork.
  virtual std::unique_ptr<KindCache> clone() const = 0;
};

// The changes that increment metadata.generation.
enum class Generation {
  kUnmanaged,          // never; absent unless set by the client
  kSpec,               // starts at 1; changes of spec
  kSpecOrAnnotations,  // Deployment
  kTemplate,           // PodTemplate
  kWebhooks,           // webhook configurations
  kEverything,         // EndpointSlice: changes outside metadata, or of labels
  kSpecFromZero,       // CSIDriver: starts absent
  kFixed,              // PriorityClass: always 1
  kBody,               // custom resources: changes outside metadata
};

// Reads stored objects, for hooks that need others.
class ObjectReader {
 public:
  // Names a built-in resource.
  struct Resource {
    std::string_view group, version, plural;
  };
  // Returns the object, or null if it does not exist.
  virtual json::Value find_object(const Resource& resource, std::string_view ns,
                                  std::string_view name, json::Arena& arena) const = 0;
  // Calls `visit` with all objects in key order.
  virtual void each_object(const Resource& resource, json::Arena& arena,
                           const std::function<void(const json::Value&)>& visit) const = 0;
  // Returns true if the stored bytes of some object contain `text` after the metadata; saves
  // decoding objects that do not matter.
  virtual bool any_record_contains(const Resource& resource, std::string_view text) const = 0;

 protected:
  ~ObjectReader() = default;
};

// The context of a hook.
struct HookContext {
  json::Arena& arena;
  Time now;
  const ObjectReader& objects;
  Entropy& entropy;
  std::unique_ptr<KindCache>& cache;
  const schema::FeatureGates& gates;
  // Receives the texts of Warning headers; null: not wanted.
  std::vector<std::string>* warnings = nullptr;
  const User* user = nullptr;  // of the request; null: the server itself
  bool dry_run = false;
};

// The fields that a subresource ("": the object itself) does not own in managedFields. Paths are
// separated by spaces.
struct ResetFields {
  std::string_view subresource, paths;
};

struct Strategy {
  NameConstraints names = {};
  MetadataChecks meta_passes = {};
  std::string_view etcd_path = {};                 // its path in etcd, if that is not its plural
  std::span<const ResetFields> reset_fields = {};  // in addition to the usual status and spec
  // Items of its keyed lists may lack their keys; an object with such an item has no owners.
  bool lists_may_lack_keys = false;
  // An annotation that is a field in the internal version; metadata alone does not show it.
  std::string_view field_annotation = {};
  // Returns the error message for a field selector with an unsupported `label`. Null: the default
  // text.
  std::string (*unknown_field_label)(const schema::Resource&, std::string_view label) = nullptr;

  Generation generation = Generation::kUnmanaged;
  bool allow_create_on_update = false;
  bool allow_unconditional_update = true;
  bool returns_deleted_object = false;  // DELETE returns the object even when it is gone
  bool graceful_deletion = false;       // Pod
  bool keeps_status_on_create = false;  // Node
  bool orphans_by_default = false;      // Job, ReplicationController
  // Served without a watch cache, like events: error texts and waits of list and watch differ.
  // Source: spec/list-watch.md 0.2.
  bool uncached = false;
  // The field by whose value the watches that require one are found. Pod: that of its node.
  std::string_view watch_index = {};
  std::string_view deprecation = {};             // a warning for every request
  std::string_view warning_without_policy = {};  // for a DELETE without a propagation policy
  // JSON of status on create; empty: the zero value of its type
  std::string_view initial_status = {};
  // The effect of /status on user metadata: most kinds accept changes.
  bool status_keeps_labels = false;    // Deployment: labels are kept
  bool status_keeps_metadata = false;  // all user metadata is kept, except status_metadata
  // Metadata that /status takes from the request even with status_keeps_metadata: the version
  // identifies the object the client has seen; changes of immutable fields must be rejected.
  std::string_view status_metadata = "resourceVersion uid generateName deletionGracePeriodSeconds";
  // The first DELETE only marks an object, regardless of its options; later ones behave as usual.
  bool deletes_in_two_requests = false;

  // Sets the version's computed defaults whenever an object is decoded.
  void (*set_defaults)(const HookContext&, json::Value& object) = nullptr;
  void (*prepare_for_create)(const HookContext&, json::Value& object) = nullptr;
  void (*prepare_for_update)(const HookContext&, json::Value& object,
                             const json::Value& old) = nullptr;
  // Restores from `old` everything in `object` that the subresource does not contain. For a status
  // this was done before; the kind may do more.
  void (*prepare_subresource)(const HookContext&, Subresource, json::Value& object,
                              const json::Value& old) = nullptr;
  // Validates a subresource other than status.
  void (*validate_subresource)(Subresource, const validation::Field& object,
                               const validation::Field& old) = nullptr;
  // Returns the reason why no object called `name` may be deleted; empty if it may.
  std::string_view (*protection)(std::string_view name) = nullptr;
  // Returns true while the kind itself, apart from metadata.finalizers, holds a deletion.
  bool (*blocks_deletion)(const json::Value& object) = nullptr;
  // Marks an object as terminating, instead of the generic way.
  void (*start_deletion)(const HookContext&, json::Value& object, bool already) = nullptr;
  // Validates a new object apart from its metadata, which is validated before for every kind. Adds
  // all errors in upstream's order.
  void (*validate)(const validation::Field& object) = nullptr;
  // Validates an object that replaces `old`, for rules that tolerate old errors. Adds all errors:
  // it calls `validate` itself if upstream does. Null: `validate` only.
  void (*validate_update)(const validation::Field& object, const validation::Field& old) = nullptr;
  // Validates a write to /status. Null: no checks.
  void (*validate_status)(const validation::Field& object, const validation::Field& old) = nullptr;
  // Adds warnings about a valid object. `old` is null on create.
  void (*warnings)(const validation::Field& object, const json::Value* old,
                   Warnings& out) = nullptr;
  // Adds warnings about a write to /status.
  void (*status_warnings)(const validation::Field& object, const json::Value* old,
                          Warnings& out) = nullptr;
  // Allocates cluster-wide unique values (addresses, ports). `old` is null on create. The
  // allocation takes effect only when `stored` is called.
  Result<void> (*allocate)(const HookContext&, json::Value& object,
                           const json::Value* old) = nullptr;
  // Called after a write, except for a dry run. `before` is null on create, `after` on deletion.
  void (*stored)(const HookContext&, const json::Value* before, const json::Value* after) = nullptr;
};

}  // namespace tabernetes::registry
