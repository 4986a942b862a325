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

bool tells_the_same(const Value& event, std::string_view uid, const EventText& text) {
  return event.string_at("reason") == text.reason && event.string_at("message") == text.message &&
         event.string_at("type") == text.type &&
         event.string_at("reportingComponent") == text.source &&
         event.find("involvedObject")->string_at("uid") == uid;
}

// Increments the count of an equal event; returns false if there is none.
bool count_again(const ReconcileContext& cluster, const registry::ObjectRef& first,
                 std::string_view uid, const EventText& text) {
  std::string found;
  const std::string prefix = first.type->key(first.ns, std::string(first.name) + ".");
  cluster.registry.store().tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view key, const store::RecordPtr& record) {
        const Value event = registry::read_object(*first.type, *record, cluster.arena);
        if (tells_the_same(event, uid, text)) found = registry::split_key(*first.type, key).name;
        return found.empty();
      });
  if (found.empty()) return false;
  (void)cluster.registry.update(
      cluster.context(), {first.type, first.ns, found}, registry::Subresource::kNone,
      [&](const Value* stored) -> Result<Value> {
        Value event = stored->clone(cluster.arena);
        const Value* count = event.find("count");
        const std::int64_t before = count != nullptr && count->is_int() ? count->as_int() : 0;
        event.set(cluster.arena, "count", Value::integer(before + 1));
        event.set(cluster.arena, "lastTimestamp",
                  Value::string(cluster.arena.copy(format_rfc3339(cluster.now))));
        return event;
      });
  return true;
}

}  // namespace

void record_event(const ReconcileContext& cluster, const registry::ObjectRef& about,
                  const EventText& text) {
  json::Arena& arena = cluster.arena;
  const Value object = cluster.read(about);
  if (object.is_null()) return;
  const Value& meta = *object.find("metadata");
  const std::string_view ns = about.ns.empty() ? "default" : about.ns;
  const registry::ResourceType& type = *cluster.registry.resources().find("", "v1", "events");
  if (count_again(cluster, {&type, ns, about.name}, meta.string_at("uid"), text)) return;
  const std::string_view time = arena.copy(format_rfc3339(cluster.now));

  Value metadata = Value::object(arena);
  Value involved = Value::object(arena);
  Value source = Value::object(arena);
  Value event = Value::object(arena);
  append_texts(metadata, {{"namespace", ns}}, arena);
  append_texts(involved,
               {{"kind", about.type->resource->kind},
                {"namespace", about.ns},
                {"name", about.name},
                {"uid", meta.string_at("uid")},
                {"apiVersion", about.type->api_version},
                {"resourceVersion", meta.string_at("resourceVersion")}},
               arena);
  append_texts(source, {{"component", text.source}}, arena);
  event.append(arena, "metadata", metadata);
  event.append(arena, "involvedObject", involved);
  event.append(arena, "source", source);
  append_texts(event,
               {{"reason", text.reason},
                {"message", text.message},
                {"firstTimestamp", time},
                {"lastTimestamp", time},
                {"type", text.type},
                {"reportingComponent", text.source}},
               arena);
  event.append(arena, "count", Value::integer(1));

  // Picks the next free nanosecond, as a real clock would give two events different times.
  for (Time moment = cluster.now;; moment.unix_nanoseconds += 1) {
    const std::string name = event_name(about.name, moment);
    if (cluster.registry.store().get(type.key(ns, name))) continue;
    event.find("metadata")->set(arena, "name", Value::string(arena.copy(name)));
    (void)cluster.registry.create(cluster.context(), type, ns, event);
    return;
  }
}

}  // namespace tabernetes::controllers
