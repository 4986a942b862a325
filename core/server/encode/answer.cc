#include "server/encode/answer.h"

#include "base/api/api_version.h"
#include "codec/cbor_writer.h"
#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "registry/table/partial_metadata.h"
#include "registry/table/table.h"
#include "server/encode/object_encoder.h"
#include "server/encode/tables.h"

namespace tabernetes::server {
namespace {

using codec::Encoding;
using json::Value;

constexpr std::string_view kNoCache = "no-cache, private";

Response with_body(const Representation& form, int code, Rope body) {
  Response response;
  response.status = code;
  response.headers = {{"Cache-Control", std::string(kNoCache)},
                      {"Content-Type", std::string(content_type(form))}};
  response.body = std::move(body);
  return response;
}

}  // namespace

Result<void> encode_tree(const Representation& form, const Value& tree, std::string& out) {
  std::string error;
  switch (form.encoding) {
    case Encoding::kProtobuf:
      if (codec::write_protobuf(schema::Catalogue::built_in(), tree, out)) return {};
      return not_acceptable({});
    case Encoding::kYaml:
      if (codec::write_yaml(tree, out, &error)) return {};
      return errors::plain_error(error);
    case Encoding::kCbor:
      codec::write_cbor(schema::Catalogue::built_in(), tree, out);
      return {};
    case Encoding::kJson:
      break;
  }
  if (form.pretty) {
    codec::write_json_pretty(tree, out);
  } else {
    codec::write_json(tree, out);
    out += '\n';
  }
  return {};
}

std::string_view content_type(const Representation& form) {
  return codec::media_type_of(form.encoding);
}

Response answer_tree(const Representation& form, int code, const Value& tree) {
  std::string body;
  const Result<void> encoded = encode_tree(form, tree, body);
  if (encoded) return with_body(form, code, Rope(std::move(body)));
  json::Arena arena;
  // Whatever YAML cannot represent may be in the error, too.
  const bool yaml = form.encoding == Encoding::kYaml;
  return answer_tree(yaml ? Representation{.pretty = true} : form, encoded.error().code,
                     status_tree(encoded.error(), arena));
}

Result<Response> answer_object(RequestContext& call, const Representation& form, int code,
                               const store::RecordPtr& stored, store::Revision shown) {
  const store::RecordPtr record = registry::record_in_version(*call.type, stored, call.pending);
  const auto include = registry::parse_include_object(call.query.get("includeObject"));
  const bool possible = form.transform == Transform::kTable
                            ? include.has_value()
                            : form.transform != Transform::kPartialMetadataList;
  if (possible) {
    const ObjectEncoder encoder(call.server, *call.type, form,
                                include.value_or(registry::IncludeObject::kMetadata));
    Rope body;
    if (encoder.append_whole(body, record, shown, call.now)) {
      if (form.encoding == Encoding::kJson && !form.pretty) body.append_static("\n");
      return with_body(form, code, std::move(body));
    }
  }
  // Reports the error.
  const bool whole = form.transform == Transform::kNone;
  const registry::ResourceType& type = whole ? *call.type : call.type->stored_as();
  return answer_tree_object(call, form, code, read_shown(type, *record, shown, call.arena));
}

Result<Response> answer_tree_object(RequestContext& call, const Representation& form, int code,
                                    const Value& object) {
  switch (form.transform) {
    case Transform::kNone:
      return answer_tree(form, code, object);
    case Transform::kTable: {
      TAB_TRY(const Value table, table_of_object(call, form, object));
      return answer_tree(form, code, table);
    }
    case Transform::kPartialMetadata:
      return answer_tree(
          form, code, registry::partial_metadata(call.type, object, form.meta_version, call.arena));
    case Transform::kPartialMetadataList:
      break;
  }
  return errors::not_acceptable(
      "you requested PartialObjectMetadataList, but the requested object is not a list (*" +
      go_type_name(split_api_version(object.string_at("apiVersion")).group,
                   object.string_at("kind")) +
      ")");
}

Value status_tree(const ApiStatus& status, json::Arena& arena) {
  Value tree = Value::object(arena);
  auto set_text = [&arena](Value& object, std::string_view key, const std::string& text) {
    if (!text.empty()) object.append(arena, key, Value::string(arena.copy(text)));
  };
  tree.append(arena, "kind", Value::string("Status"));
  tree.append(arena, "apiVersion", Value::string("v1"));
  Value metadata = Value::object(arena);
  set_text(metadata, "resourceVersion", status.resource_version);
  set_text(metadata, "continue", status.continue_token);
  tree.append(arena, "metadata", metadata);
  tree.append(arena, "status", Value::string(status.code < 300 ? "Success" : "Failure"));
  set_text(tree, "message", status.message);
  set_text(tree, "reason", status.reason);
  if (status.details) {
    const StatusDetails& from = *status.details;
    Value details = Value::object(arena);
    set_text(details, "name", from.name);
    set_text(details, "group", from.group);
    set_text(details, "kind", from.kind);
    set_text(details, "uid", from.uid);
    if (!from.causes.empty()) {
      Value causes = Value::array(arena);
      for (const StatusCause& cause : from.causes) {
        Value entry = Value::object(arena);
        set_text(entry, "reason", cause.reason);
        set_text(entry, "message", cause.message);
        set_text(entry, "field", cause.field);
        causes.push_back(arena, entry);
      }
      details.append(arena, "causes", causes);
    }
    if (from.retry_after_seconds > 0) {
      details.append(arena, "retryAfterSeconds", Value::integer(from.retry_after_seconds));
    }
    tree.append(arena, "details", details);
  }
  tree.append(arena, "code", Value::integer(status.code));
  return tree;
}

Value success_tree(const registry::ResourceType& type, std::string_view name, std::string_view uid,
                   json::Arena& arena) {
  Value tree = Value::object(arena);
  tree.append(arena, "kind", Value::string("Status"));
  tree.append(arena, "apiVersion", Value::string("v1"));
  tree.append(arena, "metadata", Value::object(arena));
  tree.append(arena, "status", Value::string("Success"));
  Value details = Value::object(arena);
  details.append(arena, "name", Value::string(name));
  if (!type.resource->group.empty()) {
    details.append(arena, "group", Value::string(type.resource->group));
  }
  details.append(arena, "kind", Value::string(type.resource->plural));
  details.append(arena, "uid", Value::string(arena.copy(uid)));
  tree.append(arena, "details", details);
  return tree;
}

Response answer_error(const Request& request, const Query& query, const ApiStatus& status,
                      const NegotiationOptions& options) {
  json::Arena arena;
  const Representation form = negotiate_error(request, query, options);
  Response response = answer_tree(form, status.code, status_tree(status, arena));
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.emplace_back("Retry-After",
                                  std::to_string(status.details->retry_after_seconds));
  }
  return response;
}

Response answer_text(int code, std::string text) {
  Response response;
  response.status = code;
  response.headers = {{"Cache-Control", std::string(kNoCache)},
                      {"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = Rope(std::move(text));
  return response;
}

Response answer_unknown_path() { return answer_text(404, "404 page not found\n"); }

}  // namespace tabernetes::server
