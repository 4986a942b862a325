#include "server/openapi/swagger_conversion.h"

#include <vector>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::Member;
using json::Value;

// Returns a reference with another prefix, if it has `from`.
std::string_view moved(std::string_view reference, std::string_view from, std::string_view to,
                       Arena& arena) {
  if (!reference.starts_with(from)) return reference;
  return arena.copy(std::string(to) + std::string(reference.substr(from.size())));
}

void copy(const Value& from, Value& to, std::string_view member, Arena& arena) {
  if (const Value* value = from.find(member)) to.append(arena, member, *value);
}

void copy_extensions(const Value& from, Value& to, Arena& arena) {
  for (const Member& member : from.members()) {
    if (member.key.starts_with("x-")) to.append(arena, member.key, member.value);
  }
}

// Converts a schema in place: references, which stand alone afterwards.
void convert_schema(Value& root, Arena& arena) {
  std::vector<Value*> open{&root};
  while (!open.empty()) {
    Value& schema = *open.back();
    open.pop_back();
    if (schema.is_array()) {
      for (Value& item : schema.items()) open.push_back(&item);
    }
    if (!schema.is_object()) continue;
    if (const std::string_view reference = schema.string_at("$ref"); !reference.empty()) {
      const Value moved_to =
          Value::string(moved(reference, "#/definitions/", "#/components/schemas/", arena));
      if (schema.size() == 1) {
        schema.set(arena, "$ref", moved_to);
      } else {
        Value alone = Value::object(arena);
        alone.append(arena, "$ref", moved_to);
        Value all_of = Value::array(arena);
        all_of.push_back(arena, alone);
        schema.erase("$ref");
        schema.set(arena, "allOf", all_of);
      }
    }
    for (Member& property : members_at(schema, {"properties"})) open.push_back(&property.value);
    for (const std::string_view part : {"items", "additionalProperties", "additionalItems"}) {
      if (Value* value = schema.find(part)) open.push_back(value);
    }
  }
}

Value strings_to_content(const Value* types, Value schema, Arena& arena) {
  Value content = Value::object(arena);
  for (const Value& type : types->items()) {
    if (!type.is_string()) continue;
    Value entry = Value::object(arena);
    entry.append(arena, "schema", schema);
    content.set(arena, type.as_string(), entry);
  }
  return content;
}

// Adds the content of a body or an answer: its schema for each media type.
void add_content(Value& to, const Value* types, Value& schema, Arena& arena) {
  convert_schema(schema, arena);
  if (types != nullptr && types->is_array()) {
    to.append(arena, "content", strings_to_content(types, schema, arena));
  }
}

Value parameter_of(const Value& given, Arena& arena) {
  Value parameter = Value::object(arena);
  if (const std::string_view reference = given.string_at("$ref"); !reference.empty()) {
    parameter.append(
        arena, "$ref",
        Value::string(moved(reference, "#/parameters/", "#/components/parameters/", arena)));
    return parameter;
  }
  for (const std::string_view member : {"name", "in", "description", "required"}) {
    copy(given, parameter, member, arena);
  }
  copy(given, parameter, "allowEmptyValue", arena);
  Value schema = Value::object(arena);
  if (Value* known = object_in(given, "schema")) {
    convert_schema(*known, arena);
    schema = *known;
  } else {
    for (const std::string_view member : {"type", "format", "uniqueItems"}) {
      copy(given, schema, member, arena);
    }
  }
  parameter.append(arena, "schema", schema);
  copy_extensions(given, parameter, arena);
  return parameter;
}

Value response_of(const Value& given, const Value* produces, Arena& arena) {
  Value response = Value::object(arena);
  if (const std::string_view reference = given.string_at("$ref"); !reference.empty()) {
    response.append(
        arena, "$ref",
        Value::string(moved(reference, "#/responses/", "#/components/responses/", arena)));
    return response;
  }
  copy(given, response, "description", arena);
  if (Value* schema = object_in(given, "schema")) add_content(response, produces, *schema, arena);
  copy_extensions(given, response, arena);
  return response;
}

Value responses_of(const Value& given, const Value* produces, Arena& arena) {
  Value responses = Value::object(arena);
  for (const Member& each : given.members()) {
    responses.append(arena, each.key,
                     each.key.starts_with("x-") || !each.value.is_object()
                         ? each.value
                         : response_of(each.value, produces, arena));
  }
  return responses;
}

Value operation_of(const Value& given, Arena& arena) {
  Value operation = Value::object(arena);
  for (const std::string_view member :
       {"tags", "summary", "description", "externalDocs", "operationId", "deprecated"}) {
    copy(given, operation, member, arena);
  }
  Value parameters = Value::array(arena);
  for (const Value& parameter : items_in(given, "parameters")) {
    Value* const schema = object_in(parameter, "schema");
    if (parameter.string_at("name") == "body" && schema != nullptr) {
      Value body = Value::object(arena);
      add_content(body, given.find("consumes"), *schema, arena);
      operation.set(arena, "requestBody", body);
    } else if (parameter.is_object()) {
      parameters.push_back(arena, parameter_of(parameter, arena));
    }
  }
  if (parameters.size() > 0) operation.append(arena, "parameters", parameters);
  if (const Value* responses = object_in(given, "responses")) {
    operation.append(arena, "responses", responses_of(*responses, given.find("produces"), arena));
  }
  copy_extensions(given, operation, arena);
  return operation;
}

Value path_of_swagger(const Value& given, Arena& arena) {
  Value path = Value::object(arena);
  copy(given, path, "$ref", arena);
  for (const std::string_view method :
       {"get", "put", "post", "delete", "options", "head", "patch"}) {
    const Value* operation = object_in(given, method);
    if (operation != nullptr) path.append(arena, method, operation_of(*operation, arena));
  }
  Value parameters = Value::array(arena);
  for (const Value& parameter : items_in(given, "parameters")) {
    if (parameter.is_object()) parameters.push_back(arena, parameter_of(parameter, arena));
  }
  if (parameters.size() > 0) path.append(arena, "parameters", parameters);
  copy_extensions(given, path, arena);
  return path;
}

Value security_scheme_of(const Value& given, Arena& arena) {
  Value scheme = Value::object(arena);
  for (const std::string_view member : {"type", "description", "name", "in"}) {
    copy(given, scheme, member, arena);
  }
  if (const std::string_view name = given.string_at("flow"); !name.empty()) {
    Value flow = Value::object(arena);
    copy(given, flow, "authorizationUrl", arena);
    copy(given, flow, "tokenUrl", arena);
    copy(given, flow, "scopes", arena);
    Value flows = Value::object(arena);
    flows.append(arena, name, flow);
    scheme.append(arena, "flows", flows);
  }
  copy_extensions(given, scheme, arena);
  return scheme;
}

Value components_of(const Value& swagger, Arena& arena) {
  Value components = Value::object(arena);
  if (Value* schemas = object_in(swagger, "definitions")) {
    for (Member& each : schemas->members()) convert_schema(each.value, arena);
    components.append(arena, "schemas", *schemas);
  }
  if (const Value* responses = object_in(swagger, "responses")) {
    components.append(arena, "responses",
                      responses_of(*responses, swagger.find("produces"), arena));
  }
  if (const Value* given = object_in(swagger, "securityDefinitions")) {
    Value schemes = Value::object(arena);
    for (const Member& each : given->members()) {
      if (each.value.is_object()) {
        schemes.append(arena, each.key, security_scheme_of(each.value, arena));
      }
    }
    components.append(arena, "securitySchemes", schemes);
  }
  return components;
}

}  // namespace

std::string swagger_as_v3(std::string_view text) {
  Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok() || !read.value.is_object()) return {};
  const Value& swagger = read.value;
  Value document = Value::object(arena);
  document.append(arena, "openapi", Value::string("3.0.0"));
  copy(swagger, document, "info", arena);
  if (const Value* given = object_in(swagger, "paths")) {
    Value paths = Value::object(arena);
    for (const Member& each : given->members()) {
      if (each.value.is_object()) {
        paths.append(arena, each.key, path_of_swagger(each.value, arena));
      }
    }
    document.append(arena, "paths", paths);
  }
  document.append(arena, "components", components_of(swagger, arena));
  copy(swagger, document, "externalDocs", arena);
  return codec::json_text(document);
}

}  // namespace tabernetes::server
