#include "server/watch/watch_event.h"

#include <cassert>

#include "codec/cbor_writer.h"
#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "json/sort_deep.h"
#include "kinds/table/empty_object.h"
#include "registry/objects/object_record.h"
#include "registry/table/partial_metadata.h"
#include "schema/decode.h"
#include "schema/structural.h"
#include "server/encode/answer.h"
#include "server/encode/tables.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kNoColumns = "\"columnDefinitions\":null";

constexpr std::string_view name_of(WatchEventType event) {
  switch (event) {
    case WatchEventType::kAdded:
      return "ADDED";
    case WatchEventType::kModified:
      return "MODIFIED";
    case WatchEventType::kDeleted:
      break;
  }
  return "DELETED";
}

void write_head(std::string_view event, std::string& out) {
  out.append("{\"type\":\"").append(event).append("\",\"object\":");
}

}  // namespace

// Returns false if the object nests too deep for protobuf.
bool WatchEncoder::encode(std::string_view event, const Value& object, std::string& out) const {
  if (form_.encoding == codec::Encoding::kProtobuf) {
    std::string message;
    if (!codec::write_protobuf(catalogue_, object, message)) return false;
    codec::write_protobuf_watch_frame(event, message, out);
    return true;
  }
  if (form_.encoding == codec::Encoding::kCbor) {
    std::string message;
    codec::write_cbor(catalogue_, object, message);
    codec::write_cbor_watch_event(event, message, out);
    return true;
  }
  write_head(event, out);
  codec::write_json(object, out);
  out += "}\n";
  return true;
}

WatchFrame WatchEncoder::event(WatchEventType event, const store::RecordPtr& record,
                               store::Revision shown, Time now) const {
  // A single object has no list form; upstream ends the stream if it cannot encode.
  if (form_.transform == Transform::kPartialMetadataList) return {Slice(), true};
  const std::string_view name = name_of(event);
  Rope object;
  if (!objects_.append_whole(object, record, shown, now, ObjectEncoder::Columns::kOmitted)) {
    return error(errors::internal_error("an object is nested too deep for protobuf"));
  }
  std::string out;
  out.reserve(object.size() + 64);
  if (form_.encoding == codec::Encoding::kProtobuf) {
    codec::write_protobuf_watch_frame(name, object.flatten(), out);
  } else if (form_.encoding == codec::Encoding::kCbor) {
    codec::write_cbor_watch_event(name, object.flatten(), out);
  } else {
    write_head(name, out);
    for (const Slice& slice : object.slices()) out += slice.view();
    out += "}\n";
  }
  return {Slice::from_string(std::move(out))};
}

WatchFrame WatchEncoder::bookmark(store::Revision revision, Bookmark kind, Time now) const {
  json::Arena arena;
  const registry::ResourceType& type = objects_.source_type();
  const Value zero = schema::zero_value(*type.resource->type, arena);
  Value metadata = Value::object(arena);
  metadata.append(arena, "resourceVersion", Value::string(arena.copy(std::to_string(revision))));
  if (kind == Bookmark::kInitialEventsEnd) {
    Value annotations = Value::object(arena);
    annotations.append(arena, "k8s.io/initial-events-end", Value::string("true"));
    metadata.append(arena, "annotations", annotations);
  }
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(type.resource->kind));
  object.append(arena, "apiVersion", Value::string(type.api_version));
  object.append(arena, "metadata", metadata);
  for (const json::Member& member : zero.members()) {
    if (schema::is_meta_field(member.key)) continue;
    object.append(arena, member.key, member.value);
  }
  registry::kinds::add_conversion_zeros(*type.resource, object, arena);
  if (!type.form.typed) json::sort_deep(object);
  // A single object has no list form; upstream ends the stream if it cannot encode.
  if (form_.transform == Transform::kPartialMetadataList) return {Slice(), true};
  if (makes_tables()) {
    object =
        registry::make_table(type_.behaviour->table(), json::Range<Value>(&object, 1),
                             registry::table_metadata(object, arena),
                             objects_.table_options(ObjectEncoder::Columns::kOmitted), now, arena);
  } else if (form_.transform != Transform::kNone) {
    object = registry::partial_metadata(&type_, object, form_.meta_version, arena);
  }
  std::string out;
  const bool written = encode("BOOKMARK", object, out);
  assert(written);
  (void)written;
  return {Slice::from_string(std::move(out))};
}

WatchFrame WatchEncoder::error(const ApiStatus& status) const {
  json::Arena arena;
  std::string out;
  const bool written = encode("ERROR", status_tree(status, arena), out);
  assert(written);
  (void)written;
  return {Slice::from_string(std::move(out)), true};
}

Slice WatchEncoder::with_columns(const Slice& frame) const {
  // No text chosen by clients precedes the columns.
  const std::string_view without = frame.view();
  const std::size_t at = without.find(kNoColumns);
  if (at == std::string_view::npos) return frame;
  std::string out(without.substr(0, at));
  json::Arena arena;
  out += "\"columnDefinitions\":";
  codec::write_json(registry::table_columns(type_.behaviour->table(), arena), out);
  out.append(without.substr(at + kNoColumns.size()));
  return Slice::from_string(std::move(out));
}

}  // namespace tabernetes::server
