#include <utility>
#include <vector>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "codec/cbor_reader.h"
#include "codec/cbor_wellformed.h"
#include "codec/cbor_writer.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_writer.h"
#include "schema/decode.h"
#include "server/decode/body.h"
#include "server/decode/raw_body.h"
#include "server/decode/registered_kinds.h"
#include "server/decode/type_meta.h"
#include "server/encode/answer.h"
#include "server/encode/fault.h"
#include "server/request/negotiation.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

using codec::Encoding;
using json::Value;
using server::RawBody;

constexpr std::size_t kFrameHead = 4;  // the length of a frame, big-endian

struct Form {
  Encoding encoding = Encoding::kJson;
  bool pretty = false;
  bool stream = false;  // a stream of events
};

// Errors: a media type that is not supported for objects, or for events.
Result<Form> read_form(std::string_view media_type) {
  if (media_type == "application/cbor-seq") {
    return Form{.encoding = Encoding::kCbor, .pretty = false, .stream = true};
  }
  const Request request{.headers = {{"content-type", std::string(media_type)}}};
  TAB_TRY(const Encoding encoding, server::body_encoding(request, {.cbor = true}));
  Form form{.encoding = encoding};
  if (const auto media = codec::parse_content_type(media_type)) {
    for (const auto& [name, value] : media->parameters) {
      if (name == "pretty") form.pretty = value == "1";
      if (name == "stream") form.stream = value == "watch";
    }
  }
  if (form.stream && form.encoding == Encoding::kYaml) {
    return server::not_acceptable({.cbor = true});
  }
  return form;
}

Failure unfit(const server::Gvk& gvk, std::string_view why) {
  return errors::bad_request(server::cannot_be_handled(gvk, gvk.kind) + std::string(why));
}

Failure missing(std::string_view what, const RawBody& raw) {
  std::string shown;
  if (raw.message) {
    shown = "runtime.TypeMeta{APIVersion:" + go_quote(raw.value.string_at("apiVersion")) +
            ", Kind:" + go_quote(raw.value.string_at("kind")) + "}";
  } else {
    codec::write_json(raw.value, shown);
  }
  return errors::bad_request("Object '" + std::string(what) + "' is missing in '" + shown + "'");
}

Result<Value> read_map(std::string_view bytes, json::Arena& arena) {
  codec::CborRead read = codec::read_cbor_map(bytes, arena);
  if (!read.ok()) return errors::bad_request(read.error);
  return read.value;
}

// Decodes an object, into its typed form if its kind is built in.
Result<Value> read_object(RawBody raw, UnknownFields unknown, json::Arena& arena) {
  const server::TypeMeta meta = server::read_type_meta(raw.value, {});
  if (raw.error.empty()) raw.error = meta.error;
  if (!raw.error.empty()) return errors::bad_request(raw.error);
  if (meta.gvk.kind.empty()) return missing("Kind", raw);
  const schema::Type* type = schema::type_of_object(schema::Catalogue::built_in(), raw.value);
  if (meta.gvk.version.empty() && type == nullptr) {
    return missing("apiVersion", raw);
  }
  if (type == nullptr) {
    if (!raw.message) return raw.value;
    if (raw.encoding == Encoding::kCbor) return read_map(*raw.message, arena);
    return errors::bad_request(server::not_registered(meta.gvk));
  }
  const auto strictness = unknown == UnknownFields::kRefuse ? server::Strictness::kStrict
                                                            : server::Strictness::kLenient;
  schema::DecodeResult decoded = server::decode_raw(*type, raw, strictness, arena);
  if (!decoded.error.empty()) return unfit(meta.gvk, decoded.error);
  if (unknown == UnknownFields::kRefuse) {
    std::vector<std::string> strict = std::move(raw.duplicates);
    strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
    if (!strict.empty()) {
      return unfit(meta.gvk, server::strict_decoding_error(strict));
    }
  }
  return decoded.value;
}

Result<void> append_object(const Form& form, const Value& object, std::string& out) {
  return server::encode_tree({.encoding = form.encoding, .pretty = form.pretty}, object, out);
}

Failure no_event(std::string_view why) {
  return errors::bad_request("unable to decode watch event: " + std::string(why));
}

// Reads an event from JSON; its object is returned as a separate body.
Result<std::pair<std::string_view, Value>> read_event(const Value& event) {
  const Value* object = event.find("object");
  if (object == nullptr) return no_event("it has no object");
  return std::pair(event.string_at("type"), *object);
}

Result<void> append_event(const Form& form, std::string_view type, const Value& object,
                          std::string& out) {
  if (form.encoding == Encoding::kProtobuf) {
    std::string message;
    TAB_CHECK(append_object(form, object, message));
    codec::write_protobuf_watch_frame(type, message, out);
    return {};
  }
  if (form.encoding == Encoding::kCbor) {
    std::string message;
    TAB_CHECK(append_object(form, object, message));
    codec::write_cbor_watch_event(type, message, out);
    return {};
  }
  out += "{\"type\":";
  codec::write_json_string(type, out);
  out += ",\"object\":";
  codec::write_json(object, out);
  out += "}\n";
  return {};
}

Result<void> append_events(const Form& form, const Value& events, UnknownFields unknown,
                           json::Arena& arena, std::string& out) {
  if (!events.is_array()) return no_event("a watch is an array of events");
  for (const Value& event : events.items()) {
    TAB_TRY(const auto parts, read_event(event));
    TAB_TRY(const Value object, read_object({.value = parts.second}, unknown, arena));
    TAB_CHECK(append_event(form, parts.first, object, out));
  }
  return {};
}

// Removes and returns the first frame of `bytes`.
Result<std::string_view> take_frame(std::string_view& bytes) {
  std::size_t size = 0;
  if (bytes.size() < kFrameHead) return no_event("unexpected EOF");
  for (std::size_t i = 0; i < kFrameHead; ++i) {
    size = size << 8 | static_cast<unsigned char>(bytes[i]);
  }
  bytes.remove_prefix(kFrameHead);
  if (bytes.size() < size) return no_event("unexpected EOF");
  const std::string_view frame = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return frame;
}

Result<Value> take_item(std::string_view& bytes, json::Arena& arena) {
  std::size_t size = 0;
  const std::string error = codec::cbor::first_item_error(bytes, size);
  if (!error.empty()) return no_event(error);
  codec::CborRead read = codec::read_cbor_map(bytes.substr(0, size), arena);
  if (!read.ok()) return no_event(read.error);
  bytes.remove_prefix(size);
  return read.value;
}

// Returns one event, whose object is not typed yet.
Result<Value> take_event(Encoding encoding, std::string_view& bytes, json::Arena& arena) {
  if (encoding == Encoding::kProtobuf) {
    TAB_TRY(const std::string_view frame, take_frame(bytes));
    const schema::Type& type = *schema::Catalogue::built_in().find_kind("", "v1", "WatchEvent");
    codec::ProtobufRead read = codec::read_protobuf_message(type, frame, arena);
    if (!read.ok()) return no_event(read.error);
    return read.value;
  }
  if (encoding == Encoding::kCbor) return take_item(bytes, arena);
  codec::JsonRead read = codec::read_json(take_part(bytes, '\n'), arena);
  if (!read.ok()) return no_event(read.error);
  return read.value;
}

Result<Value> decode_events(const Form& form, std::string_view bytes, UnknownFields unknown,
                            json::Arena& arena) {
  Value events = Value::array(arena);
  while (!bytes.empty()) {
    TAB_TRY(const Value raw, take_event(form.encoding, bytes, arena));
    TAB_TRY(const auto parts, read_event(raw));
    TAB_TRY(const Value object, read_object({.value = parts.second}, unknown, arena));
    Value event = Value::object(arena);
    event.append(arena, "type", Value::string(parts.first));
    event.append(arena, "object", object);
    events.push_back(arena, event);
  }
  return events;
}

Result<std::string> try_encode(std::string_view text, std::string_view media_type,
                               UnknownFields unknown) {
  TAB_TRY(const Form form, read_form(media_type));
  json::Arena arena;
  RawBody raw = server::read_raw_body(text, Encoding::kJson, arena);
  std::string out;
  if (form.stream) {
    if (!raw.error.empty()) return errors::bad_request(raw.error);
    TAB_CHECK(append_events(form, raw.value, unknown, arena, out));
    return out;
  }
  TAB_TRY(const Value object, read_object(std::move(raw), unknown, arena));
  TAB_CHECK(append_object(form, object, out));
  return out;
}

Result<std::string> try_decode(std::string_view bytes, std::string_view media_type,
                               UnknownFields unknown) {
  TAB_TRY(const Form form, read_form(media_type));
  json::Arena arena;
  if (form.stream) {
    TAB_TRY(const Value events, decode_events(form, bytes, unknown, arena));
    return codec::json_text(events);
  }
  TAB_TRY(const Value object,
          read_object(server::read_raw_body(bytes, form.encoding, arena), unknown, arena));
  return codec::json_text(object);
}

Expected<std::string> finish(Result<std::string> result) {
  if (result) return std::move(*result);
  return server::fault_of(result.error());
}

}  // namespace

Expected<std::string> encode(std::string_view object, std::string_view media_type,
                             UnknownFields unknown) {
  return finish(try_encode(object, media_type, unknown));
}

Expected<std::string> decode(std::string_view bytes, std::string_view media_type,
                             UnknownFields unknown) {
  return finish(try_decode(bytes, media_type, unknown));
}

}  // namespace tabernetes
