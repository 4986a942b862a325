// Where kinds differ. Facts that several kinds share are data; what only one kind does is a hook
// with upstream's name. Built-in kinds have one in their rows (kinds/kind.h).
// Source: spec/lifecycle.md 1.3, 1.4, 2.3 to 2.5, 3.3, 3.5.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/entropy.h"
#include "base/result.h"
#include "json/value.h"
#include "registry/kind/admission.h"
#include "registry/meta/name_rules.h"
#include "registry/meta/part.h"
#include "registry/meta/user.h"
#include "rules/field.h"
#include "schema/feature_gates.h"
#include "schema/schema.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

class Warnings;

// What kinds remember of the stored objects to save work (such as which addresses are taken). The
// registry only keeps it: it is empty at first and whenever the store goes to another state.
class KindMemory {
 public:
  virtual ~KindMemory() = default;
  // For a fork.
  virtual std::unique_ptr<KindMemory> clone() const = 0;
};

// When metadata.generation goes up by one.
enum class Generation {
  kUnmanaged,          // absent unless the client sent a number
  kSpec,               // starts at 1; spec differs
  kSpecOrAnnotations,  // Deployment
  kTemplate,           // PodTemplate
  kWebhooks,           // webhook configurations
  kEverything,         // EndpointSlice: anything outside metadata, or labels
  kSpecFromZero,       // CSIDriver: starts absent
  kFixed,              // PriorityClass: 1, never bumped
  kBody,               // custom resources: anything outside metadata
};

// The stored objects, for hooks that look at others.
class ObjectReader {
 public:
  // A built-in resource as paths name it.
  struct Resource {
    std::string_view group, version, plural;
  };
  // Null if there is no such object.
  virtual json::Value find_object(const Resource& resource, std::string_view ns,
                                  std::string_view name, json::Arena& arena) const = 0;
  // Calls `visit` with all objects in the order of their keys.
  virtual void each_object(const Resource& resource, json::Arena& arena,
                           const std::function<void(const json::Value&)>& visit) const = 0;
  // Whether the stored bytes of one of them have `text` behind the metadata; spares reading objects
  // that do not matter.
  virtual bool some_object_has(const Resource& resource, std::string_view text) const = 0;

 protected:
  ~ObjectReader() = default;
};

// What a hook may use.
struct HookContext {
  json::Arena& arena;
  Time now;
  const ObjectReader& objects;
  Entropy& entropy;
  std::unique_ptr<KindMemory>& memory;
  const schema::FeatureGates& gates;
  // Texts of Warning headers, to be added to; null: nobody will read them.
  std::vector<std::string>* warnings = nullptr;
  Plugins plugins = {};        // of admission
  const User* user = nullptr;  // who asks; null: the server itself
  bool dry_run = false;
};

// Which fields a subresource ("": the object itself) leaves to others: managedFields tells of none
// of them. Paths with blanks between.
struct ResetFields {
  std::string_view subresource, paths;
};

struct Strategy {
  NameRules names = {};
  MetaPasses meta_passes = {};
  std::string_view etcd_place = {};                // its place in etcd, if that is not its plural
  std::span<const ResetFields> reset_fields = {};  // beside status and spec, which are usual
  // An annotation that only this version makes of a field: metadata by itself does not show it.
  std::string_view field_annotation = {};
  // Returns why a field selector with `label` is refused. Null: the usual text.
  std::string (*unknown_field_label)(const schema::Resource&, std::string_view label) = nullptr;

  Generation generation = Generation::kUnmanaged;
  bool allow_create_on_update = false;
  bool allow_unconditional_update = true;
  bool returns_deleted_object = false;  // DELETE answers with the object even when it is gone
  bool graceful_deletion = false;       // Pod
  bool keeps_status_on_create = false;  // Node
  bool orphans_by_default = false;      // Job, ReplicationController
  // Served without a watch cache, as events are: other texts and waits of list and watch.
  // Source: spec/list-watch.md 0.2.
  bool uncached = false;
  std::string_view deprecation = {};             // a warning on every request
  std::string_view warning_without_policy = {};  // of a DELETE that names no propagation policy
  std::string_view initial_status = {};  // JSON of status on create; empty: the type's zero value
  // What /status does to user metadata: most kinds accept changes.
  bool status_keeps_labels = false;    // Deployment: labels stay
  bool status_keeps_metadata = false;  // all user metadata stays, but for status_takes
  // What a status that keeps the user's metadata takes of it nevertheless: the version still says
  // which object the client has seen; what nobody may change is refused.
  std::string_view status_takes = "resourceVersion uid generateName deletionGracePeriodSeconds";
  // The first DELETE only marks an object, whatever its options; later ones are as for any kind.
  bool first_delete_marks = false;

  // What the kind's version fills in whenever an object of it is decoded.
  void (*set_defaults)(const HookContext&, json::Value& object) = nullptr;
  // What the admission plugins change that are always on. `old` is null on create.
  Result<void> (*admit)(const HookContext&, json::Value& object, const json::Value* old) = nullptr;
  void (*prepare_for_create)(const HookContext&, json::Value& object) = nullptr;
  void (*prepare_for_update)(const HookContext&, json::Value& object,
                             const json::Value& old) = nullptr;
  // Keeps of `object`, as a subresource's request wants it, what that subresource holds, and makes
  // the rest what it is in `old`. Of a status that is done already; the kind may add to it.
  void (*prepare_part)(const HookContext&, Part, json::Value& object,
                       const json::Value& old) = nullptr;
  // Of a part that is neither whole nor status.
  void (*validate_part)(Part, const validation::Field& object,
                        const validation::Field& old) = nullptr;
  // Returns why no object called `name` may be deleted; empty: it may.
  std::string_view (*protection)(std::string_view name) = nullptr;
  // True while something of the kind's own, beside metadata.finalizers, holds a deletion.
  bool (*holds_deletion)(const json::Value& object) = nullptr;
  // Marks an object as deleting in place of the generic way.
  void (*start_deletion)(const HookContext&, json::Value& object, bool already) = nullptr;
  // What is wrong with an object beside its metadata, which is checked before for every kind. All
  // errors, in upstream's order. Of a new object:
  void (*validate)(const validation::Field& object) = nullptr;
  // Of an object in place of `old`, for rules that may let pass what was there before. Says all
  // that there is to say: it calls `validate` itself where upstream does. Null: `validate` alone.
  void (*validate_update)(const validation::Field& object, const validation::Field& old) = nullptr;
  // Of a write to /status. Null: nothing.
  void (*validate_status)(const validation::Field& object, const validation::Field& old) = nullptr;
  // What the client is warned of once the object is found valid. `old` is null on create.
  void (*warnings)(const validation::Field& object, const json::Value* old,
                   Warnings& out) = nullptr;
  // Of a write to /status.
  void (*status_warnings)(const validation::Field& object, const json::Value* old,
                          Warnings& out) = nullptr;
  // What admission refuses once a new object is found valid.
  Result<void> (*admit_valid)(const HookContext&, const json::Value& object) = nullptr;
  // Chooses what is unique in the cluster (addresses, ports), after validation. `old` is null on
  // create. What was chosen is taken only once `stored` is called.
  Result<void> (*allocate)(const HookContext&, json::Value& object,
                           const json::Value* old) = nullptr;
  // After a write that counts. `before` is null on create, `after` when the object is gone.
  void (*stored)(const HookContext&, const json::Value* before, const json::Value* after) = nullptr;
};

}  // namespace tabernetes::registry
