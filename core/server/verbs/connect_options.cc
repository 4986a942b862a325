// Source: upstream 1.36 apiserver pkg/endpoints/handlers/rest.go (getRequestOptions),
// apimachinery pkg/runtime/conversion.go.
#include "server/verbs/connect_options.h"

#include <charconv>
#include <string>

#include "base/text/ascii.h"
#include "schema/decode.h"
#include "server/http/request_info.h"

namespace tabernetes::server {
namespace {

using json::Value;

// Returns the path behind `proxy` with its slashes at both ends.
std::string proxied_path(const RequestContext& call) {
  const std::string_view target = call.request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const std::vector<std::string> segments = path_segments(path);
  const std::size_t before = call.type->resource->namespaced ? 7 : 5;  // up to `proxy`
  std::string proxied;
  for (std::size_t i = before; i < segments.size(); ++i) proxied += "/" + segments[i];
  if (path.ends_with('/') && !proxied.ends_with('/')) proxied += '/';
  return proxied;
}

Value value_of(const schema::TypeRef& type, const std::vector<std::string>& texts,
               json::Arena& arena) {
  switch (type.type) {
    case schema::FieldType::kBoolean:
      return Value::boolean(texts.front() != "0" && !equals_ignoring_case(texts.front(), "false"));
    case schema::FieldType::kArray: {
      Value list = Value::array(arena);
      for (const std::string& text : texts) {
        list.push_back(arena, value_of(*type.element, {text}, arena));
      }
      return list;
    }
    case schema::FieldType::kInt32: {
      const std::string& text = texts.front();
      std::int32_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      return Value::integer(number);
    }
    default:
      return Value::string(arena.copy(texts.front()));
  }
}

}  // namespace

Value connect_options(RequestContext& call) {
  json::Arena& arena = call.arena;
  const schema::Subresource& part = *call.subresource;
  Value options = Value::object(arena);
  options.append(arena, "kind", Value::string(part.kind));
  options.append(arena, "apiVersion", Value::string(part.version));
  for (const schema::Field* field : part.type->json_fields()) {
    std::vector<std::string> texts = call.query.all(field->name);
    if (part.name == "proxy" && field->name == "path") texts = {proxied_path(call)};
    if (texts.empty()) continue;
    options.append(arena, field->name, value_of(field->type, texts, arena));
  }
  return schema::decode_typed(*part.type, options, arena).value;
}

}  // namespace tabernetes::server
