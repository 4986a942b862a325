#include "server/audit/audited_objects.h"

#include <optional>

#include "codec/cbor_reader.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/yaml.h"
#include "json/access.h"
#include "schema/decode.h"
#include "server/http/query.h"
#include "server/request/negotiation.h"

namespace tabernetes::server {
namespace {

using json::Value;

// Larger answers are objects without a look at them.
constexpr std::size_t kMostStatusBytes = 32 * 1024;

void drop_managed_fields(Value& object) {
  Value* meta = json::object_in(object, "metadata");
  if (meta != nullptr) meta->erase("managedFields");
}

void drop_all_managed_fields(Value& object) {
  drop_managed_fields(object);
  for (Value& item : json::items_in(object, "items")) {
    if (item.is_object()) drop_managed_fields(item);
  }
  if (object.string_at("kind") != "Table") return;
  for (Value& row : json::items_in(object, "rows")) {
    Value* shown = row.find("object");
    if (shown != nullptr && shown->is_object()) drop_managed_fields(*shown);
  }
}

Value object_of_protobuf(std::string_view bytes, json::Arena& arena) {
  const codec::ProtobufEnvelope envelope = codec::read_protobuf_envelope(bytes);
  Value head = Value::object(arena);
  head.append(arena, "kind", Value::string(arena.copy(envelope.kind)));
  head.append(arena, "apiVersion", Value::string(arena.copy(envelope.api_version)));
  const schema::Type* type = schema::type_of_object(schema::Catalogue::built_in(), head);
  if (type == nullptr || !envelope.error.empty()) return {};
  const codec::ProtobufRead read = codec::read_protobuf_message(*type, envelope.message, arena);
  if (!read.ok()) return {};
  Value object = schema::decode_typed(*type, read.value, arena).value;
  object.set(arena, "kind", *head.find("kind"));
  object.set(arena, "apiVersion", *head.find("apiVersion"));
  return object;
}

// Returns an object with its members in the order of its kind.
Value in_order(const Value& object, json::Arena& arena) {
  const schema::Type* type =
      object.is_object() ? schema::type_of_object(schema::Catalogue::built_in(), object) : nullptr;
  if (type == nullptr) return object;
  const schema::DecodeResult decoded = schema::decode_typed(*type, object, arena);
  return decoded.error.empty() ? decoded.value : object;
}

Value object_of_body(std::string_view bytes, std::string_view media, json::Arena& arena) {
  if (media.starts_with("application/json")) return codec::read_json(bytes, arena).value;
  if (media.starts_with("application/yaml")) {
    return in_order(codec::read_yaml(bytes, arena).value, arena);
  }
  if (media.starts_with("application/vnd.kubernetes.protobuf"))
    return object_of_protobuf(bytes, arena);
  if (media.starts_with("application/cbor")) return codec::read_cbor(bytes, arena).value;
  return {};
}

std::string_view media_of(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (name == "Content-Type") return value;
  }
  return {};
}

// Returns whether the client can be answered in a form that it accepts. Otherwise errors are
// written as they are, past the log.
bool is_negotiable(std::string_view accept) {
  Request request;
  if (!accept.empty()) request.headers.emplace_back("accept", std::string(accept));
  const NegotiationOptions options{.cbor = true};
  return static_cast<bool>(negotiate(request, Query(), Offer::kObjects, options)) ||
         static_cast<bool>(negotiate(request, Query(), Offer::kWatch, options));
}

}  // namespace

std::string audited_object(const Value& object, std::string_view api_version, std::string_view kind,
                           bool omits_managed_fields, json::Arena& arena) {
  Value shown = object;
  if (omits_managed_fields) {
    shown = object.clone(arena);
    drop_all_managed_fields(shown);
  }
  std::string out;
  if (kind.empty()) {
    codec::write_json(shown, out);
    return out;
  }
  out = "{\"kind\":";
  codec::write_json_string(kind, out);
  out += ",\"apiVersion\":";
  codec::write_json_string(api_version, out);
  for (const json::Member& member : shown.members()) {
    if (member.key == "kind" || member.key == "apiVersion") continue;
    out += ',';
    codec::write_json_string(member.key, out);
    out += ':';
    codec::write_json(member.value, out);
  }
  return out + "}";
}

AuditedAnswer audited_answer(const Response& response, const AnswerView& view) {
  AuditedAnswer answer;
  const bool failed = response.status >= 400;
  if (failed && !is_negotiable(view.accept)) return answer;
  if (!failed && !view.whole && response.body.size() > kMostStatusBytes) return answer;
  std::string body = response.body.flatten();
  const std::string_view media = media_of(response);
  if (!failed && !view.whole && body.find("Status") == std::string::npos) return answer;
  json::Arena arena;
  Value object = object_of_body(body, media, arena);
  const std::string_view kind = object.is_object() ? object.string_at("kind") : "";
  if (kind.empty()) return answer;
  if (kind == "Status" && object.string_at("apiVersion") == "v1") {
    for (const std::string_view name : {"status", "message", "reason", "details"}) {
      const Value* value = object.find(name);
      if (value == nullptr) continue;
      answer.status.append(",\"").append(name).append("\":");
      codec::write_json(*value, answer.status);
    }
  }
  if (!view.whole) return answer;
  if (view.omits_managed_fields) drop_all_managed_fields(object);
  codec::write_json(object, answer.object, codec::Floats::kAsSent);
  return answer;
}

}  // namespace tabernetes::server
