// Deletes objects: at once, or by marking them until no finalizer or grace period holds them.
// Source: spec/lifecycle.md 3.

#include <cassert>
#include <limits>

#include "base/time/rfc3339.h"
#include "json/equality.h"
#include "registry/life/registry.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/managed_fields_cache.h"
#include "registry/ownership/object_versions.h"

namespace tabernetes::registry {
namespace {

using json::Value;

constexpr std::string_view kOrphanFinalizer = "orphan";
constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
constexpr std::int64_t kDefaultGraceSeconds = 30;

// The propagation finalizers that the object must have; at most one of them.
struct PropagationFinalizers {
  bool orphan = false;
  bool foreground = false;
};

bool has_finalizer(const Value* finalizers, std::string_view name) {
  if (finalizers == nullptr) return false;
  for (const Value& finalizer : finalizers->items()) {
    if (finalizer.as_string() == name) return true;
  }
  return false;
}

// A kind with its own start_deletion (Namespace) is deleted by two requests: the first one marks
// the object, the second one removes it once its finalizers are gone.
bool deletes_in_two_steps(const Strategy& strategy) { return strategy.start_deletion != nullptr; }

// Returns the propagation finalizers: decided by the options, else by the object's finalizers, else
// by the default of its kind.
PropagationFinalizers propagation_finalizers(const Strategy& strategy, const DeleteOptions& options,
                                             const Value* finalizers) {
  // Events are not in the garbage collector's graph.
  if (strategy.uncached) return {};
  switch (options.propagation) {
    case Propagation::kOrphan:
      return {.orphan = true};
    case Propagation::kForeground:
      return {.foreground = true};
    case Propagation::kBackground:
      return {};
    case Propagation::kUnset:
      break;
  }
  if (options.orphan_dependents) {
    // For namespaces orphanDependents=false means foreground deletion.
    return {.orphan = *options.orphan_dependents,
            .foreground = !*options.orphan_dependents && deletes_in_two_steps(strategy)};
  }
  if (has_finalizer(finalizers, kOrphanFinalizer)) return {.orphan = true};
  if (has_finalizer(finalizers, kForegroundFinalizer)) return {.foreground = true};
  return {.orphan = strategy.orphans_by_default};
}

// Returns true if it has changed something.
bool set_propagation_finalizers(const Strategy& strategy, const DeleteOptions& options,
                                ObjectMeta& meta, json::Arena& arena) {
  const Value* old = meta.tree().find("finalizers");
  const PropagationFinalizers wanted = propagation_finalizers(strategy, options, old);
  Value finalizers = Value::array(arena);
  if (old != nullptr) {
    for (const Value& finalizer : old->items()) {
      const std::string_view name = finalizer.as_string();
      if (name == kOrphanFinalizer && !wanted.orphan) continue;
      if (name == kForegroundFinalizer && !wanted.foreground) continue;
      finalizers.push_back(arena, finalizer);
    }
  }
  if (wanted.orphan && !has_finalizer(&finalizers, kOrphanFinalizer)) {
    finalizers.push_back(arena, Value::string(kOrphanFinalizer));
  }
  if (wanted.foreground && !has_finalizer(&finalizers, kForegroundFinalizer)) {
    finalizers.push_back(arena, Value::string(kForegroundFinalizer));
  }
  const std::uint32_t before = old == nullptr ? 0 : old->size();
  const bool changes =
      finalizers.size() != before || (before > 0 && !json::deep_equal(finalizers, *old));
  meta.tree().set(arena, "finalizers", finalizers);
  return changes;
}

// Returns 1 for negative seconds.
std::int64_t at_least_one(std::int64_t seconds) { return seconds < 0 ? 1 : seconds; }

// Returns the grace period of a graceful kind in seconds: the requested one, else its own; 0 if
// nothing runs.
std::int64_t grace_seconds(const Value& object, const DeleteOptions& options) {
  const Value* spec = object.find("spec");
  const Value* status = object.find("status");
  const std::string_view phase = status == nullptr ? "" : status->string_at("phase");
  const bool runs = spec != nullptr && !spec->string_at("nodeName").empty() &&
                    phase != "Succeeded" && phase != "Failed";
  if (!runs) return 0;
  const Value* own = spec->find("terminationGracePeriodSeconds");
  std::int64_t seconds = own != nullptr && own->is_int() ? own->as_int() : kDefaultGraceSeconds;
  if (options.grace_period_seconds) seconds = *options.grace_period_seconds;
  return at_least_one(seconds);
}

// Returns the time so many seconds after `now`. As in Go, their product with a second wraps; the
// sum stays within what a Time holds.
Time seconds_after(Time now, std::int64_t seconds) {
  const auto span = static_cast<std::int64_t>(static_cast<std::uint64_t>(seconds) * 1'000'000'000U);
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  if (span > 0 && now.unix_nanoseconds > kLast - span) return {kLast};
  if (span < 0 && now.unix_nanoseconds < -kLast - span) return {-kLast};
  return {now.unix_nanoseconds + span};
}

// Marks the object as terminating in `grace` seconds.
void start_termination(ObjectMeta& meta, Time now, std::int64_t grace) {
  meta.set("deletionTimestamp", format_rfc3339(seconds_after(now, grace)));
  meta.set("deletionGracePeriodSeconds", grace);
  if (meta.generation() > 0) meta.set("generation", meta.generation() + 1);
}

// A second delete can only shorten the remaining time.
void shorten_termination(ObjectMeta& meta, Time now, std::int64_t grace) {
  const std::int64_t old_grace = meta.integer("deletionGracePeriodSeconds").value_or(0);
  const auto old_end = parse_rfc3339(meta.get("deletionTimestamp"));
  Time end = seconds_after(old_end ? *old_end : now, grace - old_grace);
  if (end < now) {
    end = now;
    if (grace != 0) grace = 1;
  }
  meta.set("deletionTimestamp", format_rfc3339(end));
  meta.set("deletionGracePeriodSeconds", grace);
}

// Returns true if the object is already terminating and the options do not shorten its grace
// period.
bool is_pending(const ObjectMeta& meta, const DeleteOptions& options) {
  const std::int64_t left = meta.integer("deletionGracePeriodSeconds").value_or(0);
  if (!meta.terminating() || left == 0) return false;
  return !options.grace_period_seconds || at_least_one(*options.grace_period_seconds) >= left;
}

// Returns what the validating phase sees of the options: with what the server has added to them.
Value completed_options(const WriteContext& context, const ObjectRef& ref,
                        const DeleteOptions& options, const Value& object) {
  const Strategy& strategy = *ref.type->strategy;
  json::Arena& arena = context.arena;
  const Value* meta = metadata_of(object);
  std::optional<std::int64_t> grace;
  if (strategy.graceful_deletion && meta->find("deletionTimestamp") == nullptr) {
    grace = grace_seconds(object, options);
  }
  Value preconditions = Value::object(arena);
  if (deletes_in_two_steps(strategy)) {
    preconditions.append(arena, "uid", *meta->find("uid"));
    if (options.preconditions.resource_version) {
      preconditions.append(arena, "resourceVersion",
                           Value::string(arena.copy(*options.preconditions.resource_version)));
    }
  }
  if (!grace && preconditions.size() == 0) return context.options;
  Value all = Value::object(arena);
  if (grace) all.append(arena, "gracePeriodSeconds", Value::integer(*grace));
  if (preconditions.size() > 0) all.append(arena, "preconditions", preconditions);
  if (context.options.is_object()) {
    for (const json::Member& member : context.options.members()) {
      if (all.find(member.key) == nullptr) all.append(arena, member.key, member.value);
    }
  }
  return all;
}

enum class Grace { kWaiting, kOver };

// Applies the grace period to the metadata of a graceful kind's object. REQUIRES: !is_pending().
Grace apply_grace(const Value& object, const DeleteOptions& options, ObjectMeta& meta, Time now) {
  if (!meta.terminating()) {
    const std::int64_t grace = grace_seconds(object, options);
    start_termination(meta, now, grace);
    return grace == 0 ? Grace::kOver : Grace::kWaiting;
  }
  if (meta.integer("deletionGracePeriodSeconds").value_or(0) == 0) return Grace::kOver;
  const std::int64_t wanted = at_least_one(*options.grace_period_seconds);
  shorten_termination(meta, now, wanted);
  return wanted == 0 ? Grace::kOver : Grace::kWaiting;
}

}  // namespace

Result<void> check_preconditions(const ObjectRef& ref, const Preconditions& wanted,
                                 const Value& metadata) {
  struct Check {
    const std::optional<std::string>& wanted;
    std::string_view name, member, otherwise;
  };
  const Check checks[] = {
      {wanted.uid, "UID", "uid", "deleted and then recreated"},
      {wanted.resource_version, "ResourceVersion", "resourceVersion", "modified"},
  };
  for (const Check& check : checks) {
    const std::string_view actual = metadata.string_at(check.member);
    if (!check.wanted || *check.wanted == actual) continue;
    const std::string name(check.name);
    if (deletes_in_two_steps(*ref.type->strategy)) {
      return errors::conflict(ref.type->group_resource(), ref.name,
                              "Precondition failed: " + name +
                                  " in precondition: " + *check.wanted + ", " + name +
                                  " in object meta: " + std::string(actual));
    }
    return errors::conflict(ref.type->group_kind(), ref.name,
                            "the " + name + " in the precondition (" + *check.wanted +
                                ") does not match the " + name + " in record (" +
                                std::string(actual) + "). The object might have been " +
                                std::string(check.otherwise));
  }
  return {};
}

Result<Deleted> Registry::finish_removal(const WriteContext& context, const ObjectRef& ref,
                                         const Stored& last, std::string uid) {
  Deleted deleted{last.record, 0, std::move(uid), true};
  TAB_CHECK(may_persist(context.pending));
  if (context.dry_run) return deleted;
  const auto revision = store_.remove(ref.type->key(ref.ns, ref.name), last.record->revision);
  assert(revision);
  deleted.shown = *revision;
  on_definition_written(ref, nullptr);
  if (ref.type->strategy->stored != nullptr) {
    ref.type->strategy->stored(hook_context(context), &last.object, nullptr);
  }
  return deleted;
}

Result<void> Registry::admit_deletion(const WriteContext& context, const ObjectRef& ref,
                                      const DeleteOptions& options, const Value& object) {
  if (options.admitted) return {};
  Value nothing;
  const AdmissionRequest request{*this,
                                 context,
                                 Operation::kDelete,
                                 *ref.type,
                                 Subresource::kNone,
                                 ref.ns,
                                 options.from_collection ? std::string_view() : ref.name,
                                 nothing,
                                 &object};
  TAB_CHECK(mutate(request));
  if (context.user == nullptr || options.from_collection) return validate(request);
  WriteContext completed = context;
  completed.options = completed_options(context, ref, options, object);
  return validate({*this, completed, Operation::kDelete, *ref.type, Subresource::kNone, ref.ns,
                   request.name, nothing, &object});
}

Result<Deleted> Registry::remove(const WriteContext& context, const ObjectRef& ref,
                                 const DeleteOptions& options) {
  const Strategy& strategy = *ref.type->strategy;
  json::Arena& arena = context.arena;
  const std::string_view protection =
      strategy.protection == nullptr ? std::string_view() : strategy.protection(ref.name);
  if (!protection.empty()) {
    return errors::forbidden(ref.type->group_resource(), ref.name, std::string(protection));
  }
  TAB_TRY(Stored stored, load(context, ref));
  Value& object = stored.object;
  const ManagedFieldsCache::Write at_hand(managed_fields_cache(), stored.record, object);
  ObjectMeta meta(object, arena);
  TAB_CHECK(check_preconditions(ref, options.preconditions, meta.tree()));
  std::string uid(meta.uid());
  const bool was_terminating = meta.terminating();
  const bool held_by_kind = strategy.blocks_deletion != nullptr && strategy.blocks_deletion(object);
  const bool first_marks = strategy.deletes_in_two_requests;
  if (deletes_in_two_steps(strategy) && was_terminating && held_by_kind && !first_marks) {
    return Deleted{stored.record, 0, std::move(uid), false};
  }
  if (strategy.graceful_deletion && is_pending(meta, options)) {
    return Deleted{stored.record, 0, std::move(uid), false};
  }
  TAB_CHECK(admit_deletion(context, ref, options, object));

  const bool changes_finalizers = (!first_marks || was_terminating) &&
                                  set_propagation_finalizers(strategy, options, meta, arena);
  if (first_marks && was_terminating && meta.has_finalizers()) {
    meta.set("deletionGracePeriodSeconds", std::int64_t{0});
  }
  Grace grace = Grace::kOver;
  if (strategy.graceful_deletion) grace = apply_grace(object, options, meta, context.now);

  const bool held = meta.has_finalizers() || held_by_kind;
  if (grace == Grace::kOver && !held && !strategy.graceful_deletion) {
    if (!context.dry_run || !changes_finalizers) {
      return finish_removal(context, ref, stored, std::move(uid));
    }
    // As upstream, a dry run then shows an empty object.
    const Value empty =
        ObjectVersions(*ref.type, *resources_, context.pending).zero(ref.type->api_version, arena);
    TAB_TRY(EncodedWrite shown, encode_write(context, *ref.type, empty, VersionMember::kAbsent));
    return Deleted{shown.shown_as(make_record(std::move(shown.stored), 0)), 0, std::move(uid),
                   false};
  }
  if (strategy.start_deletion != nullptr) {
    strategy.start_deletion(hook_context(context), object, was_terminating);
  } else if (!meta.terminating()) {
    start_termination(meta, context.now, 0);
  }
  object = redecode(*ref.type, object, arena);
  const bool goes = grace == Grace::kOver && !held;
  // Upstream marks and deletes in two steps, with admission before each. Webhooks are asked about
  // both before the first one.
  Result<void> admitted;
  if (goes && !context.shows_dry_run()) admitted = admit_deletion(context, ref, options, object);
  TAB_CHECK(may_persist(context.pending));
  TAB_TRY(store::RecordPtr marked, write(context, ref, object, stored.record));
  if (goes) {
    TAB_CHECK(std::move(admitted));
    return finish_removal(context, ref, {marked, object}, std::move(uid));
  }
  return Deleted{std::move(marked), 0, std::move(uid), false};
}

}  // namespace tabernetes::registry
