#include "server/encode/object_encoder.h"

#include <algorithm>
#include <utility>

#include "codec/cbor_writer.h"
#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "registry/meta/meta_version.h"
#include "registry/objects/object_record.h"
#include "registry/table/partial_metadata.h"
#include "server/encode/list_framing.h"
#include "server/encode/tables.h"

namespace tabernetes::server {
namespace {

using codec::Encoding::kJson;
using codec::Encoding::kProtobuf;
using codec::Encoding::kYaml;
using json::Value;
using registry::IncludeObject;
using registry::TableRow;
using store::RecordPtr;
using store::Revision;

constexpr std::string_view kMetaTypes = "io.k8s.apimachinery.pkg.apis.meta.v1.";
constexpr std::size_t kItemDepth = 2;  // indentation of an item in the JSON of its collection

}  // namespace

// ---- the cache

template <typename Make>
std::optional<Slice> ObjectEncoder::kept(Part part, const RecordPtr& record, Revision shown,
                                         Time now, const Make& make) const {
  const bool transformed = part != Part::kConverted && form_.transform != Transform::kNone;
  const bool table = transformed && makes_tables();
  const std::uint32_t choices[] = {
      static_cast<std::uint32_t>(part),
      part == Part::kConverted ? 0 : static_cast<std::uint32_t>(form_.encoding),
      transformed ? 1u : 0u, table ? 1 + static_cast<std::uint32_t>(include_) : 0,
      transformed && form_.meta_version != "v1" ? 1u : 0u};
  EncodingKey key{.type = type_.id, .form = 0, .shown = shown == record->revision ? 0 : shown};
  for (const std::uint32_t choice : choices) key.form = key.form << 4 | choice;
  if (auto found = server_.encoded.find(record, key, now)) return found;
  std::optional<CachedEncoding> made = make();
  if (!made) return std::nullopt;
  Slice bytes = made->bytes;
  server_.encoded.keep(record, key, std::move(*made));
  return bytes;
}

std::optional<Slice> ObjectEncoder::encoded(Part part, const RecordPtr& record, Revision shown,
                                            Time now) const {
  return kept(part, record, shown, now, [&] { return encode(part, *record, shown, now); });
}

std::optional<CachedEncoding> ObjectEncoder::encode(Part part, const store::Record& record,
                                                    Revision shown, Time now) const {
  json::Arena arena;
  const auto [tree, validity] = shape(part, record, shown, now, arena);
  std::string out;
  if (form_.encoding == kProtobuf) {
    if (!codec::write_protobuf_message(*message_type(), tree, out)) return std::nullopt;
  } else if (form_.encoding == codec::Encoding::kCbor) {
    if (part == Part::kWhole) {
      codec::write_cbor(server_.catalogue, tree, out);
    } else {
      codec::write_cbor_value(message_type(), tree, out);
    }
  } else if (part == Part::kWhole) {
    if (!codec::write_yaml(tree, out)) return std::nullopt;
  } else {
    Value sequence = Value::array(arena);
    sequence.push_back(arena, tree);
    if (!codec::write_yaml(sequence, out)) return std::nullopt;
  }
  out.shrink_to_fit();
  return CachedEncoding{Slice::from_string(std::move(out)), validity};
}

// Returns the tree to encode, and how long it stays valid.
TableRow ObjectEncoder::shape(Part part, const store::Record& record, Revision shown, Time now,
                              json::Arena& arena) const {
  Value object = read_shown(source_type(), record, shown, arena);
  switch (form_.transform) {
    case Transform::kNone:
      if (part == Part::kItem && type_.form.typed) {
        object.erase("kind");
        object.erase("apiVersion");
      }
      return {object, {}};
    case Transform::kTable:
      return registry::table_row(type_.behaviour->table(), object, table_options(), now, arena);
    case Transform::kPartialMetadata:
    case Transform::kPartialMetadataList:
      break;
  }
  return {registry::partial_metadata(&type_, object, form_.meta_version, arena), {}};
}

const schema::Type* ObjectEncoder::message_type() const {
  if (form_.transform == Transform::kNone) {
    return type_.form.typed ? type_.resource->type : nullptr;
  }
  return server_.catalogue.find_type(std::string(kMetaTypes) + "PartialObjectMetadata");
}

// ---- JSON, assembled from stored text

// Returns `{"cells":[...],"object":`.
std::optional<Slice> ObjectEncoder::cells(const RecordPtr& record, Revision shown, Time now) const {
  return kept(Part::kCells, record, shown, now, [&]() -> std::optional<CachedEncoding> {
    json::Arena arena;
    const Value object = read_shown(source_type(), *record, shown, arena);
    registry::TableOptions options = table_options();
    options.include_object = IncludeObject::kNone;
    const auto [row, validity] =
        registry::table_row(type_.behaviour->table(), object, options, now, arena);
    std::string text = codec::json_text(row);
    text.resize(text.size() - std::string_view("null}").size());
    text.shrink_to_fit();
    return CachedEncoding{Slice::from_string(std::move(text)), validity};
  });
}

void ObjectEncoder::write_json_object(const RecordPtr& record, Revision shown, Time now,
                                      std::string& out) const {
  if (registry::is_stored_in_version(type_, *record)) {
    return registry::write_object(type_, *record, shown, out);
  }
  const auto whole =
      kept(Part::kConverted, record, shown, now, [&]() -> std::optional<CachedEncoding> {
        std::string text;
        registry::write_object(type_, *record, shown, text);
        return CachedEncoding{Slice::from_string(std::move(text)), {}};
      });
  out += whole->view();
}

void ObjectEncoder::write_json_metadata(const RecordPtr& record, Revision shown,
                                        std::string& out) const {
  if (type_.form.typed && !registry::may_have_version_annotations(type_, *record)) {
    out.append("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"")
        .append(registry::meta_api_version(form_.meta_version))
        .append("\",\"metadata\":");
    registry::write_metadata(*record, shown, out);
    out += '}';
    return;
  }
  json::Arena arena;
  const Value object = read_shown(source_type(), *record, shown, arena);
  codec::write_json(registry::partial_metadata(&type_, object, form_.meta_version, arena), out);
}

void ObjectEncoder::write_json_row(const RecordPtr& record, Revision shown, Time now,
                                   std::string& out) const {
  out += cells(record, shown, now)->view();
  switch (include_) {
    case IncludeObject::kMetadata:
      write_json_metadata(record, shown, out);
      break;
    case IncludeObject::kObject:
      write_json_object(record, shown, now, out);
      break;
    case IncludeObject::kNone:
      out += "null";
      break;
  }
  out += '}';
}

void ObjectEncoder::write_json_item(const RecordPtr& record, Revision shown, Time now,
                                    std::string& out) const {
  switch (form_.transform) {
    case Transform::kNone: {
      // Without kind and apiVersion, which come first.
      const std::size_t begin = out.size();
      write_json_object(record, shown, now, out);
      out.replace(begin, type_.head.size(), "{");
      return;
    }
    case Transform::kTable:
      return write_json_row(record, shown, now, out);
    case Transform::kPartialMetadata:
    case Transform::kPartialMetadataList:
      return write_json_metadata(record, shown, out);
  }
}

bool ObjectEncoder::append_json(Rope& out, const RecordPtr& record, Revision shown,
                                Time now) const {
  if (form_.transform == Transform::kNone && !form_.pretty &&
      registry::is_stored_in_version(type_, *record)) {
    registry::append_object(out, type_, record, shown);
    return true;
  }
  std::string text;
  if (form_.transform == Transform::kNone) {
    write_json_object(record, shown, now, text);
  } else {
    write_json_metadata(record, shown, text);
  }
  if (form_.pretty) {
    std::string pretty;
    codec::prettify_json(text, pretty);
    text = std::move(pretty);
  }
  out.append(std::move(text));
  return true;
}

// ---- items

bool ObjectEncoder::write_item(const RecordPtr& record, Revision shown, Time now,
                               std::string& out) const {
  if (form_.encoding == kJson && form_.pretty) {
    std::string text;
    write_json_item(record, shown, now, text);
    codec::prettify_json(text, out, kItemDepth);
    return true;
  }
  if (form_.encoding == kJson) {
    write_json_item(record, shown, now, out);
    return true;
  }
  const auto bytes = encoded(Part::kItem, record, shown, now);
  if (!bytes) return false;
  out += bytes->view();
  return true;
}

bool ObjectEncoder::append_item(std::string& out, const RecordPtr& record, Time now) const {
  return write_item(record, 0, now, out);
}

bool ObjectEncoder::can_encode(const RecordPtr& record, Time now) const {
  switch (form_.encoding) {
    case kJson:
    case codec::Encoding::kCbor:
      return true;
    case kProtobuf: {
      // Each nested message corresponds to a brace.
      const auto braces = std::count(record->bytes.begin(), record->bytes.end(), '{');
      if (braces < codec::kDeepestMessage) return true;
      break;
    }
    case kYaml:
      if (codec::is_surely_yaml(record->bytes)) return true;
      break;
  }
  return encoded(Part::kItem, record, 0, now).has_value();
}

std::optional<std::size_t> ObjectEncoder::message_size(const RecordPtr& record, Time now) const {
  const auto message = encoded(Part::kItem, record, 0, now);
  if (!message) return std::nullopt;
  return message->size();
}

// ---- whole objects

Value ObjectEncoder::empty_collection(const Value& metadata, json::Arena& arena,
                                      Columns columns) const {
  if (makes_tables()) {
    return registry::table_frame(type_.behaviour->table(), metadata, table_options(columns), arena);
  }
  const bool partial = form_.transform != Transform::kNone;
  Value tree = Value::object(arena);
  tree.append(arena, "kind",
              Value::string(partial ? "PartialObjectMetadataList" : type_.resource->list_kind));
  tree.append(arena, "apiVersion",
              Value::string(partial ? registry::meta_api_version(form_.meta_version)
                                    : std::string_view(type_.api_version)));
  tree.append(arena, "metadata", metadata);
  tree.append(arena, "items", Value::array(arena));
  return tree;
}

bool ObjectEncoder::append_table(Rope& out, const RecordPtr& record, Revision shown, Time now,
                                 Columns columns) const {
  json::Arena arena;
  Value metadata = Value::object(arena);
  const Revision version = shown != 0 ? shown : record->revision;
  if (version != 0) {
    metadata.append(arena, "resourceVersion", Value::string(arena.copy(std::to_string(version))));
  }
  CollectionText text = list_framing(form_, empty_collection(metadata, arena, columns), 1);
  std::string& all = text.before;
  if (!write_item(record, shown, now, all)) return false;
  all += text.after;
  if (form_.encoding == kJson && !form_.pretty) all.pop_back();  // the newline
  out.append(std::move(all));
  return true;
}

bool ObjectEncoder::append_message(Rope& out, const RecordPtr& record, Revision shown,
                                   Time now) const {
  const auto message = encoded(Part::kItem, record, shown, now);
  if (!message) return false;
  const bool partial = form_.transform != Transform::kNone;
  std::string head;
  codec::write_protobuf_envelope_head(partial ? registry::meta_api_version(form_.meta_version)
                                              : std::string_view(type_.api_version),
                                      partial ? "PartialObjectMetadata" : type_.resource->kind,
                                      message->size(), head);
  out.append(std::move(head));
  out.append(*message);
  out.append_static(codec::kProtobufEnvelopeTail);
  return true;
}

bool ObjectEncoder::append_whole(Rope& out, const RecordPtr& record, Revision shown, Time now,
                                 Columns columns) const {
  if (makes_tables()) return append_table(out, record, shown, now, columns);
  if (form_.encoding == kJson) return append_json(out, record, shown, now);
  if (form_.encoding == kProtobuf) return append_message(out, record, shown, now);
  const auto bytes = encoded(Part::kWhole, record, shown, now);
  if (bytes) out.append(*bytes);
  return bytes.has_value();
}

}  // namespace tabernetes::server
