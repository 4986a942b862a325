#include "server/watch_event.h"

#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "registry/object_record.h"
#include "registry/partial_metadata.h"
#include "schema/decode.h"
#include "server/answer.h"
#include "server/tables.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view event_head_of(std::string_view event) {
  if (event == "ADDED") return "{\"type\":\"ADDED\",\"object\":";
  if (event == "MODIFIED") return "{\"type\":\"MODIFIED\",\"object\":";
  return "{\"type\":\"DELETED\",\"object\":";
}

}  // namespace

void WatchEncoder::append_encoded(Rope& rope, std::string_view event, const Value& object) {
  std::string out;
  if (form_.encoding == codec::Encoding::kProtobuf) {
    std::string message;
    // What cannot be written (it nests too deep) is left out.
    if (!codec::write_protobuf(catalogue_, object, message)) return;
    codec::write_protobuf_watch_frame(event, message, out);
  } else {
    out = "{\"type\":\"" + std::string(event) + "\",\"object\":";
    codec::write_json(object, out);
    out += "}\n";
  }
  rope.append(std::move(out));
}

void WatchEncoder::append_tree(Rope& rope, std::string_view event, Value object, Time now,
                               json::Arena& arena) {
  if (form_.transform == Transform::kTable) {
    const registry::TableOptions options{
        .include_object = include_, .version = form_.meta_version, .with_columns = !columns_sent_};
    columns_sent_ = true;
    object = registry::make_table(catalogue_, type_.resource->group, type_.resource->kind,
                                  json::Range<Value>(&object, 1),
                                  registry::table_metadata(object, arena), options, now, arena);
  } else if (form_.transform != Transform::kNone) {
    object = registry::partial_metadata(object, form_.meta_version, arena);
  }
  append_encoded(rope, event, object);
}

void WatchEncoder::append_event(Rope& rope, std::string_view event, const store::RecordPtr& record,
                                store::Revision shown, Time now) {
  if (form_.transform == Transform::kNone && form_.encoding == codec::Encoding::kJson) {
    rope.append_static(event_head_of(event));
    registry::append_object(rope, type_, record, shown);
    rope.append_static("}\n");
    return;
  }
  json::Arena arena;
  append_tree(rope, event, read_shown(type_, record, shown, arena), now, arena);
}

void WatchEncoder::append_bookmark(Rope& rope, store::Revision revision, Bookmark kind, Time now) {
  json::Arena arena;
  Value object = schema::zero_value(*type_.resource->type, arena);
  Value metadata = Value::object(arena);
  metadata.append(arena, "resourceVersion", Value::string(arena.copy(std::to_string(revision))));
  if (kind == Bookmark::kInitialEventsEnd) {
    Value annotations = Value::object(arena);
    annotations.append(arena, "k8s.io/initial-events-end", Value::string("true"));
    metadata.append(arena, "annotations", annotations);
  }
  Value tree = Value::object(arena);
  tree.append(arena, "kind", Value::string(type_.resource->kind));
  tree.append(arena, "apiVersion", Value::string(type_.api_version));
  tree.append(arena, "metadata", metadata);
  for (const json::Member& member : object.members()) {
    if (member.key == "kind" || member.key == "apiVersion" || member.key == "metadata") continue;
    tree.append(arena, member.key, member.value);
  }
  append_tree(rope, "BOOKMARK", tree, now, arena);
}

void WatchEncoder::append_error(Rope& rope, const ApiStatus& status) {
  json::Arena arena;
  append_encoded(rope, "ERROR", status_tree(status, arena));
}

}  // namespace tabernetes::server
