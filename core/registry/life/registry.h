// The life cycle of objects: one create, get, update and delete for all resources.
//
// The server's verbs decode and encode; the registry decides what is stored. All calls come from
// the one writer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "base/numbers/entropy.h"
#include "json/value.h"
#include "registry/kind/admission.h"
#include "registry/kind/dynamic_kind.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/strategy.h"
#include "registry/kind/write_context.h"
#include "registry/meta/subresource.h"
#include "registry/objects/object_record.h"
#include "schema/gated_fields.h"
#include "store/store.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

class ManagedFieldsCache;

// Returns the object's record in a state of the store; may be called on any thread. Errors: 404.
Result<store::RecordPtr> get_object(const store::Tree& state, const ObjectRef& ref);

// Reads an object; copies its strings to the arena. Errors: 404.
Result<json::Value> read_stored(const store::Tree& state, const ObjectRef& ref, json::Arena& arena);

struct Preconditions {
  std::optional<std::string> uid;
  std::optional<std::string> resource_version;
};

enum class Propagation { kUnset, kOrphan, kBackground, kForeground };

struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::optional<bool> orphan_dependents;
  Propagation propagation = Propagation::kUnset;
  Preconditions preconditions;
  bool from_collection = false;  // the request deletes a collection
  bool admitted = false;         // admission already ran for the enclosing request, an eviction
};

struct Updated {
  store::RecordPtr record;
  bool created = false;
};

struct Deleted {
  store::RecordPtr record;    // the current record, or the last one
  store::Revision shown = 0;  // the version to return for a deleted object: that of the deletion
  std::string uid;
  bool gone = false;
};

// Returns the object that an update wants, given the stored one (null: it does not exist).
using Transform = std::function<Result<json::Value>(const json::Value* stored)>;

class Registry final : public ObjectReader {
 public:
  // `gated_fields` outlives the registry and its forks. `definitions` makes the resource types of
  // stored definitions; null: none. It outlives this object.
  Registry(std::shared_ptr<const ResourceTable> resources, const schema::GatedFields& gated_fields,
           store::Store& store, Entropy& entropy, const Definitions* definitions = nullptr)
      : resources_(std::move(resources)),
        gated_fields_(gated_fields),
        store_(store),
        entropy_(entropy),
        definitions_(definitions),
        capabilities_{.privileged = false, .gates = &gated_fields.gates()} {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Returns the current resources; a write to a CustomResourceDefinition replaces the table.
  const ResourceTable& resources() const { return *resources_; }
  std::shared_ptr<const ResourceTable> shared_resources() const { return resources_; }
  // Returns what makes resource types of definitions, or null.
  const Definitions* definitions() const { return definitions_; }
  const schema::FeatureGates& gates() const { return gated_fields_.gates(); }
  store::Store& store() { return store_; }
  const store::Store& store() const { return store_; }

  // Returns the object's record. Errors: 404.
  Result<store::RecordPtr> get(const ObjectRef& ref) const;

  // Stores a decoded object under `ns` (empty: cluster-scoped). Errors: 400 namespace or name
  // mismatch, 409 exists, 422 invalid, those of admission. A dry run returns the record that would
  // be stored, without a version.
  Result<store::RecordPtr> create(const WriteContext& context, const ResourceType& type,
                                  std::string_view ns, json::Value object);

  // Replaces a part of an object by the result of `transform`. Writes nothing if nothing changed.
  // An update that removes the last finalizer of a terminating object deletes it. Errors: 404, 409,
  // 422, and those of `transform`.
  Result<Updated> update(const WriteContext& context, const ObjectRef& ref, Subresource subresource,
                         const Transform& transform);

  // Replaces a stored object by the result of `transform`, as internal work of the server: without
  // preparation, validation and generation. Errors: 404, and those of `transform`.
  Result<store::RecordPtr> rewrite(const WriteContext& context, const ObjectRef& ref,
                                   const Transform& transform);

  // Deletes an object, or marks it as terminating if finalizers or a grace period hold it. Errors:
  // 404, 409 preconditions, those of admission.
  Result<Deleted> remove(const WriteContext& context, const ObjectRef& ref,
                         const DeleteOptions& options);

  // Makes a fork; `store` is a fork of other's store. Has no admission at first.
  Registry(const Registry& other, store::Store& store, Entropy& entropy)
      : resources_(other.resources_),
        gated_fields_(other.gated_fields_),
        store_(store),
        entropy_(entropy),
        definitions_(other.definitions_),
        kind_cache_(other.kind_cache_ == nullptr ? nullptr : other.kind_cache_->clone()),
        capabilities_(other.capabilities_) {}

  // Sets the admission of subsequent requests; there is none at first.
  void set_admission(const Admission& admission) { admission_ = &admission; }

  // Run a phase of admission. The registry calls them for each write of an object, the verbs for
  // requests that do not write one (bindings, evictions, tokens, connections).
  Result<void> mutate(const AdmissionRequest& request) const {
    return admission_ == nullptr ? Result<void>() : admission_->mutate(request);
  }
  Result<void> validate(const AdmissionRequest& request) const {
    return admission_ == nullptr ? Result<void>() : admission_->validate(request);
  }

  // Lets containers be privileged in subsequent writes.
  void allow_privileged() { capabilities_.privileged = true; }

  // Returns the context of hooks for a write.
  HookContext hook_context(const WriteContext& context) {
    return {context.arena,         context.now,      *this,        entropy_,       kind_cache_,
            gated_fields_.gates(), context.warnings, context.user, context.dry_run};
  }

  // Must be called when the store was set to another state.
  void on_state_replaced();
  // Must be called instead when it went back to an earlier state; `resources` are those of then.
  void go_back(std::shared_ptr<const ResourceTable> resources);

  // Returns the cache of managedFields entries; see registry/ownership/managed_fields_cache.h.
  ManagedFieldsCache& managed_fields_cache();

  json::Value find_object(const Resource& resource, std::string_view ns, std::string_view name,
                          json::Arena& arena) const override;
  void each_object(const Resource& resource, json::Arena& arena,
                   const std::function<void(const json::Value&)>& visit) const override;
  bool any_record_contains(const Resource& resource, std::string_view text) const override;
  // Calls `visit` with the objects of one namespace.
  void each_object_in(const Resource& resource, std::string_view ns, json::Arena& arena,
                      const std::function<void(const json::Value&)>& visit) const;

 private:
  struct Stored {
    store::RecordPtr record;
    json::Value object;
  };
  Result<Stored> load(const WriteContext& context, const ObjectRef& ref) const;

  // The steps of create(), after the mutating phase.
  // Creates an object with its current name.
  Result<store::RecordPtr> create_named(const AdmissionRequest& request);
  // Sets what the server decides in a new object.
  void prepare_create(const HookContext& hook, const AdmissionRequest& request);
  // Validates the object, then adds the warnings about it. Errors: 422.
  Result<void> validate_create(const HookContext& hook, const AdmissionRequest& request);
  // Errors: 409 exists, 500 if the object has a version.
  Result<void> check_storable(const AdmissionRequest& request) const;

  // The steps of update().
  // Creates the missing object if the kind or the request allows it; otherwise returns `not_found`,
  // unless `transform` has another error.
  Result<Updated> create_by_update(const WriteContext& context, const ObjectRef& ref,
                                   Subresource subresource, const Transform& transform,
                                   Failure not_found);
  Result<void> run_mutating_admission(const AdmissionRequest& request) const;
  Result<void> run_validating_admission(const AdmissionRequest& request) const;
  // Checks the version that the object names. Errors: 409, 422.
  Result<void> check_version(const ObjectRef& ref, const Stored& stored,
                             const json::Value& object) const;
  // Restores what the request may not change, and counts the generation.
  void prepare_update(const HookContext& hook, const AdmissionRequest& request);
  // Validates the change, then adds the warnings about it. Errors: 422.
  Result<void> validate_update(const HookContext& hook, const AdmissionRequest& request);
  // Deletes the stored object, which `object` without finalizers would replace.
  Result<Updated> remove_by_update(const WriteContext& context, const ObjectRef& ref,
                                   const json::Value& object, const Stored& stored);

  Result<void> admit_deletion(const WriteContext& context, const ObjectRef& ref,
                              const DeleteOptions& options, const json::Value& object);
  Result<store::RecordPtr> write(const WriteContext& context, const ObjectRef& ref,
                                 const json::Value& object, const store::RecordPtr& old);
  Result<Deleted> finish_removal(const WriteContext& context, const ObjectRef& ref,
                                 const Stored& last, std::string uid);
  // Updates managedFields of `object` for a write; see registry/ownership/managed_fields.h.
  void update_managed_fields(const WriteContext& context, const ResourceType& type,
                             json::Value& object, const json::Value* stored);
  // Removes the fields whose feature gates are off, unless `old` (may be null) uses them.
  void drop_gated_fields(const ResourceType& type, json::Value& object, const json::Value* old,
                         json::Arena& arena) const;
  // Lets the kind allocate unique values; decodes the result again.
  Result<void> allocate(const WriteContext& context, const ResourceType& type, json::Value& object,
                        const json::Value* old);

  // Updates the resource table after a write to an object; `record` is null after a deletion.
  void on_definition_written(const ObjectRef& ref, const store::Record* record);

  std::shared_ptr<const ResourceTable> resources_;
  const schema::GatedFields& gated_fields_;
  store::Store& store_;
  Entropy& entropy_;
  const Definitions* definitions_;
  std::unique_ptr<KindCache> kind_cache_;
  const Admission* admission_ = nullptr;
  validation::Capabilities capabilities_;
  std::shared_ptr<ManagedFieldsCache>
      managed_fields_cache_;  // not shared with forks; null until first used
};

}  // namespace tabernetes::registry
