#include "controllers/shared/event_recorder.h"

#include "base/text/ascii.h"
#include "base/time/rfc3339.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Returns "web.18e9bd700d6b4158": the object's name and the time in hexadecimal nanoseconds.
std::string event_name(std::string_view about, Time now) {
  std::string digits;
  for (auto left = static_cast<std::uint64_t>(now.unix_nanoseconds); left != 0; left >>= 4) {
    digits.insert(digits.begin(), kHexDigits[left & 15]);
  }
  return std::string(about) + "." + digits;
}

struct Member {
  std::string_view key, text;
};

void append_texts(Value& object, std::initializer_list<Member> members, json::Arena& arena) {
  for (const Member& member : members) {
    if (!member.text.empty()) object.append(arena, member.key, Value::string(member.text));
  }
}

const registry::ResourceType& events_type(const ReconcileContext& cluster) {
  return *cluster.registry.resources().find("", "v1", "events");
}

registry::WriteContext writing_as(const ReconcileContext& cluster, std::string_view manager) {
  registry::WriteContext context = cluster.context();
  context.manager = manager;
  return context;
}

// Raises the count of an event; returns false if it does not exist any more.
bool count_again(const ReconcileContext& cluster, std::string_view ns, std::string_view manager,
                 const EventCorrelator::Decision& decision) {
  const registry::ObjectRef ref{&events_type(cluster), ns, *decision.name};
  const auto updated = cluster.registry.update(
      writing_as(cluster, manager), ref, registry::Subresource::kNone,
      [&](const Value* stored) -> Result<Value> {
        if (stored == nullptr) return errors::not_found(ref.type->group_resource(), ref.name);
        Value event = stored->clone(cluster.arena);
        event.set(cluster.arena, "count", Value::integer(decision.count));
        event.set(cluster.arena, "message", Value::string(decision.message));
        event.set(cluster.arena, "lastTimestamp",
                  Value::string(cluster.arena.copy(format_rfc3339(cluster.now))));
        return event;
      });
  return updated || updated.error().code != 404;
}

Value make_event(const ReconcileContext& cluster, const registry::ResourceType& type,
                 const Value& meta, const EventText& text,
                 const EventCorrelator::Decision& decision) {
  json::Arena& arena = cluster.arena;
  Value involved = Value::object(arena);
  Value source = Value::object(arena);
  Value event = Value::object(arena);
  append_texts(involved,
               {{"kind", type.resource->kind},
                {"namespace", meta.string_at("namespace")},
                {"name", meta.string_at("name")},
                {"uid", meta.string_at("uid")},
                {"apiVersion", type.api_version},
                {"resourceVersion", meta.string_at("resourceVersion")},
                {"fieldPath", text.field_path}},
               arena);
  append_texts(source, {{"component", text.source}, {"host", text.host}}, arena);
  // As upstream, an Event that stands for many does not say who reported it.
  const std::string_view controller = decision.combined ? std::string_view() : text.source;
  const std::string_view instance = decision.combined ? std::string_view() : text.host;
  event.append(arena, "metadata", Value::object(arena));
  event.append(arena, "involvedObject", involved);
  event.append(arena, "source", source);
  append_texts(event,
               {{"reason", text.reason},
                {"message", decision.message},
                {"firstTimestamp", arena.copy(format_rfc3339(decision.first))},
                {"lastTimestamp", arena.copy(format_rfc3339(cluster.now))},
                {"type", text.type},
                {"reportingComponent", controller},
                {"reportingInstance", instance}},
               arena);
  event.append(arena, "count", Value::integer(decision.count));
  return event;
}

}  // namespace

void record_event(const ReconcileContext& cluster, const registry::ObjectRef& about,
                  const EventText& text) {
  const Value object = cluster.read(about);
  if (!object.is_null()) record_event(cluster, *about.type, object, text);
}

void record_event(const ReconcileContext& cluster, const registry::ResourceType& type,
                  const Value& object, const EventText& text) {
  json::Arena& arena = cluster.arena;
  const Value& meta = *object.find("metadata");
  const std::string_view name = meta.string_at("name");
  std::string about(text.source);
  for (const std::string_view part :
       {std::string_view(type.api_version), std::string_view(type.resource->kind),
        meta.string_at("namespace"), name, meta.string_at("uid"), text.host, text.field_path}) {
    about.append("/").append(part);
  }
  const EventCorrelator::Decision decision = cluster.event_correlator.correlate(
      {about, text.type, text.reason, text.message}, cluster.now);
  if (decision.skip) return;
  const std::string_view ns =
      type.resource->namespaced ? meta.string_at("namespace") : std::string_view("default");
  if (!decision.name->empty() && count_again(cluster, ns, text.manager, decision)) return;

  const registry::ResourceType& events = events_type(cluster);
  Value event = make_event(cluster, type, meta, text, decision);
  append_texts(*event.find("metadata"), {{"namespace", ns}}, arena);
  // Picks the next free nanosecond, as a real clock would give two events different times.
  for (Time moment = cluster.now;; moment.unix_nanoseconds += 1) {
    const std::string event_at = event_name(name, moment);
    if (cluster.registry.store().get(events.key(ns, event_at))) continue;
    event.find("metadata")->set(arena, "name", Value::string(arena.copy(event_at)));
    if (cluster.registry.create(writing_as(cluster, text.manager), events, ns, event)) {
      *decision.name = event_at;
    }
    return;
  }
}

}  // namespace tabernetes::controllers
