#include "controllers/scheduler/pod_writes.h"

#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/core/pod_binding.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr std::string_view kWriter = "kube-scheduler";
constexpr std::string_view kInstance = "default-scheduler-tabernetes";
constexpr std::size_t kNoteLimit = 1024;

registry::ObjectRef ref_to(const ReconcileContext& cluster, const PodInfo& pod) {
  return {cluster.registry.resources().find("", "v1", "pods"), pod.ns, pod.name};
}

registry::WriteContext write_context(const ReconcileContext& cluster,
                                     std::string_view subresource = {}) {
  registry::WriteContext context = cluster.context(subresource);
  context.manager = kWriter;
  return context;
}

Value text(const ReconcileContext& cluster, std::string_view content) {
  return Value::string(cluster.arena.copy(content));
}

Value binding_to(const ReconcileContext& cluster, const PodInfo& pod, const std::string& node) {
  json::Arena& arena = cluster.arena;
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(pod.name));
  metadata.append(arena, "namespace", Value::string(pod.ns));
  metadata.append(arena, "uid", Value::string(pod.uid));
  Value target = Value::object(arena);
  target.append(arena, "kind", Value::string("Node"));
  target.append(arena, "name", Value::string(node));
  Value binding = Value::object(arena);
  binding.append(arena, "metadata", metadata);
  binding.append(arena, "target", target);
  return binding;
}

bool says_the_same(const Value* known, const registry::Condition& condition) {
  return known != nullptr && known->string_at("status") == condition.status &&
         known->string_at("reason") == condition.reason &&
         known->string_at("message") == condition.message;
}

void set_pod_condition(const ReconcileContext& cluster, Value& object,
                       registry::Condition condition) {
  if (says_the_same(registry::find_condition(object, condition.type), condition)) return;
  condition.observed_generation = json::number_at(object, {"metadata", "generation"});
  Value& status = object_or_new(object, "status", cluster.arena);
  registry::set_condition(status, condition, cluster.now, cluster.arena);
  // A patch of a pod's condition names this member, too.
  for (Value& entry : json::items_in(status, "conditions")) {
    if (entry.string_at("type") == condition.type) {
      entry.set(cluster.arena, "lastProbeTime", Value::null());
    }
  }
}

Value reference_to(const ReconcileContext& cluster, const PodInfo& pod) {
  json::Arena& arena = cluster.arena;
  Value reference = Value::object(arena);
  reference.append(arena, "kind", Value::string("Pod"));
  reference.append(arena, "namespace", text(cluster, pod.ns));
  reference.append(arena, "name", text(cluster, pod.name));
  reference.append(arena, "uid", text(cluster, pod.uid));
  reference.append(arena, "apiVersion", Value::string("v1"));
  reference.append(arena, "resourceVersion", text(cluster, pod.version));
  return reference;
}

const registry::ResourceType& event_type(const ReconcileContext& cluster) {
  return *cluster.registry.resources().find("events.k8s.io", "v1", "events");
}

std::string event_name(const std::string& about, Time time) {
  std::string digits;
  for (auto left = static_cast<std::uint64_t>(time.unix_nanoseconds); left != 0; left >>= 4) {
    digits.insert(digits.begin(), kHexDigits[left & 15]);
  }
  return about + "." + digits;
}

// Returns the name of the new event; empty if it could not be written.
std::string create_event(const ReconcileContext& cluster, const PodInfo& about,
                         const EventText& what) {
  json::Arena& arena = cluster.arena;
  const registry::ResourceType& type = event_type(cluster);
  const registry::ResourceType& stored = type.stored_as();
  // Like a real clock, gives each event about a pod a time of its own.
  Time time = cluster.now;
  std::string name = event_name(about.name, time);
  while (cluster.registry.store().get(stored.key(about.ns, name))) {
    time.unix_nanoseconds += 1;
    name = event_name(about.name, time);
  }
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", text(cluster, name));
  metadata.append(arena, "namespace", text(cluster, about.ns));
  Value event = Value::object(arena);
  event.append(arena, "metadata", metadata);
  event.append(arena, "eventTime", text(cluster, format_rfc3339_micro(cluster.now)));
  event.append(arena, "reportingController", Value::string(kSchedulerName));
  event.append(arena, "reportingInstance", Value::string(kInstance));
  event.append(arena, "action", Value::string(what.action));
  event.append(arena, "reason", Value::string(what.reason));
  event.append(arena, "regarding", reference_to(cluster, about));
  event.append(arena, "note", text(cluster, what.note));
  event.append(arena, "type", Value::string(what.type));
  const auto written = cluster.registry.create(write_context(cluster), type, about.ns, event);
  return written ? name : std::string();
}

void begin_series(const ReconcileContext& cluster, std::string_view ns, const std::string& name) {
  json::Arena& arena = cluster.arena;
  (void)cluster.registry.update(
      write_context(cluster), {&event_type(cluster), ns, name}, registry::Subresource::kNone,
      [&](const Value* stored) -> Result<Value> {
        Value event = stored->clone(arena);
        Value series = Value::object(arena);
        series.append(arena, "count", Value::integer(2));
        series.append(arena, "lastObservedTime", text(cluster, format_rfc3339_micro(cluster.now)));
        event.set(arena, "series", series);
        return event;
      });
}

}  // namespace

Result<Bound> bind_to_node(const ReconcileContext& cluster, const PodInfo& pod,
                           const std::string& node) {
  const registry::ObjectRef ref = ref_to(cluster, pod);
  const registry::WriteContext context = write_context(cluster, "binding");
  Value binding = binding_to(cluster, pod, node);
  const registry::AdmissionRequest admission{cluster.registry,
                                             context,
                                             registry::Operation::kCreate,
                                             *ref.type,
                                             registry::Subresource::kNone,
                                             pod.ns,
                                             pod.name,
                                             binding};
  TAB_CHECK(cluster.registry.mutate(admission));
  TAB_CHECK(registry::kinds::check_binding(ref, binding));
  TAB_CHECK(cluster.registry.validate(admission));
  TAB_CHECK(registry::kinds::bind_pod(cluster.registry, context, ref, binding));
  auto bound = std::make_shared<PodInfo>(pod);
  bound->node = node;
  bound->nominated_node.clear();
  for (const json::Member& label : json::members_at(binding, {"metadata", "labels"})) {
    bound->labels.set(label.key, json::text_of(label.value));
  }
  TAB_TRY(const store::RecordPtr record, cluster.registry.get(ref));
  bound->version = std::to_string(record->revision);
  return Bound{std::move(bound), record->revision};
}

void write_failure(const ReconcileContext& cluster, const PodInfo& pod, std::string_view reason,
                   const std::string* message, const std::optional<std::string>& nominated) {
  (void)cluster.registry.update(
      write_context(cluster, "status"), ref_to(cluster, pod), registry::Subresource::kStatus,
      [&](const Value* stored) -> Result<Value> {
        Value object = stored->clone(cluster.arena);
        if (json::text_at(object, {"metadata", "uid"}) != pod.uid) return object;
        if (message != nullptr) {
          set_pod_condition(cluster, object,
                            {.type = "PodScheduled",
                             .status = "False",
                             .reason = reason,
                             .message = cluster.arena.copy(*message)});
        }
        if (nominated) {
          Value& status = object_or_new(object, "status", cluster.arena);
          if (nominated->empty()) {
            status.erase("nominatedNodeName");
          } else {
            status.set(cluster.arena, "nominatedNodeName", text(cluster, *nominated));
          }
        }
        return object;
      });
}

void preempt(const ReconcileContext& cluster, const PodInfo& victim, const PodInfo& preemptor) {
  const registry::ObjectRef ref = ref_to(cluster, victim);
  const std::string message =
      preemptor.scheduler + ": preempting to accommodate a higher priority pod";
  const auto marked =
      cluster.registry.update(write_context(cluster, "status"), ref, registry::Subresource::kStatus,
                              [&](const Value* stored) -> Result<Value> {
                                Value object = stored->clone(cluster.arena);
                                set_pod_condition(cluster, object,
                                                  {.type = "DisruptionTarget",
                                                   .status = "True",
                                                   .reason = "PreemptionByScheduler",
                                                   .message = cluster.arena.copy(message)});
                                return object;
                              });
  if (marked) (void)cluster.registry.remove(write_context(cluster), ref, {});
}

void EventWriter::record(const ReconcileContext& cluster, const PodInfo& about,
                         const EventText& text) {
  create_event(cluster, about, text);
}

void EventWriter::record_failure(const ReconcileContext& cluster, const PodInfo& about,
                                 const std::string& message) {
  constexpr std::string_view kCut = " ...";
  std::string note = message;
  if (note.size() > kNoteLimit) note = note.substr(0, kNoteLimit - kCut.size()).append(kCut);
  Failure& failure = failures_[about.key()];
  if (failure.version == about.version) {
    if (!failure.series && !failure.event.empty()) begin_series(cluster, about.ns, failure.event);
    failure.series = true;
    return;
  }
  failure = {
      about.version,
      create_event(cluster, about, {"Warning", "FailedScheduling", "Scheduling", std::move(note)}),
      false};
}

}  // namespace tabernetes::controllers::scheduling
