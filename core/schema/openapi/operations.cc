#include "schema/openapi/operations.h"

#include <algorithm>

namespace tabernetes::schema::openapi {
namespace {

constexpr std::string_view kMethodNames[] = {"get",     "put",  "post", "delete",
                                             "options", "head", "patch"};

// Media types by name, which is the order of the document.
std::vector<std::string_view> media_types(Media media, bool cbor) {
  std::vector<std::string_view> types;
  switch (media) {
    case Media::kNone:
      break;
    case Media::kObject:
    case Media::kPlainObject:
      types = {"application/json", "application/vnd.kubernetes.protobuf", "application/yaml"};
      if (cbor && media == Media::kObject) types.insert(types.begin(), "application/cbor");
      break;
    case Media::kStream:
      types = {"application/json", "application/json;stream=watch",
               "application/vnd.kubernetes.protobuf",
               "application/vnd.kubernetes.protobuf;stream=watch", "application/yaml"};
      if (cbor) types.insert(types.begin(), {"application/cbor", "application/cbor-seq"});
      break;
    case Media::kLog:
      types = {"application/json", "application/vnd.kubernetes.protobuf", "application/yaml",
               "text/plain"};
      if (cbor) types.insert(types.begin(), "application/cbor");
      break;
    case Media::kPatch:
      types = {"application/apply-patch+yaml", "application/json-patch+json",
               "application/merge-patch+json", "application/strategic-merge-patch+json"};
      if (cbor) types.insert(types.begin(), "application/apply-patch+cbor");
      break;
    case Media::kAnything:
      types = {"*/*"};
      break;
    case Media::kJson:
      types = {"application/json"};
      break;
    case Media::kKeySet:
      types = {"application/jwk-set+json"};
      break;
  }
  return types;
}

void write_content(Media media, std::string_view schema, bool cbor, Schemas& schemas,
                   JsonText& out) {
  out.open_object("content");
  for (const std::string_view type : media_types(media, cbor)) {
    out.open_object(type);
    out.open_object("schema");
    if (schema.empty()) {
      out.member("type", "string");
    } else {
      out.member("$ref", "#/components/schemas/" + std::string(schemas.need(schema)));
    }
    out.close_object();
    out.close_object();
  }
  out.close_object();
}

void write_operation(const Operation& operation, const Parameters& parameters, std::string_view tag,
                     bool cbor, Schemas& schemas, JsonText& out) {
  out.open_object(kMethodNames[static_cast<std::size_t>(operation.method)]);
  out.open_array("tags");
  out.string(tag);
  out.close_array();
  out.member("operationId", operation.id);
  write_parameters_member(parameters, out);
  if (operation.body != Media::kNone) {
    out.open_object("requestBody");
    write_content(operation.body, operation.body_schema, cbor, schemas, out);
    if (operation.body_required) out.raw_member("required", "true");
    out.close_object();
  }
  out.open_object("responses");
  for (const std::string_view code : operation.codes) {
    out.open_object(code);
    write_content(operation.answer, operation.answer_schema, cbor, schemas, out);
    out.close_object();
  }
  out.raw_member("401", "{}");
  out.close_object();
  if (!operation.action.empty()) {
    out.member("x-kubernetes-action", operation.action);
    out.open_object("x-kubernetes-group-version-kind");
    out.member("group", operation.kind.group);
    out.member("version", operation.kind.version);
    out.member("kind", operation.kind.kind);
    out.close_object();
  }
  out.close_object();
}

bool contains(const Parameters& parameters, const Parameter& parameter) {
  return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
}

Parameters shared_parameters(const std::vector<Operation>& operations) {
  Parameters shared;
  for (const Parameter& parameter : operations.front().parameters) {
    const bool everywhere = std::all_of(
        operations.begin(), operations.end(),
        [&](const Operation& operation) { return contains(operation.parameters, parameter); });
    if (everywhere) shared.push_back(parameter);
  }
  sort_by_name(shared);
  return shared;
}

void write_path_item(std::vector<Operation> operations, std::string_view tag, bool cbor,
                     Schemas& schemas, JsonText& out) {
  std::sort(operations.begin(), operations.end(),
            [](const Operation& a, const Operation& b) { return a.method < b.method; });
  const Parameters shared = shared_parameters(operations);
  out.open_object();
  for (const Operation& operation : operations) {
    Parameters own;
    for (const Parameter& parameter : operation.parameters) {
      if (!contains(shared, parameter)) own.push_back(parameter);
    }
    sort_by_name(own);
    write_operation(operation, own, tag, cbor, schemas, out);
  }
  write_parameters_member(shared, out);
  out.close_object();
}

}  // namespace

void write_paths(const Paths& paths, std::string_view tag, bool cbor, Schemas& schemas,
                 JsonText& out) {
  out.open_object();
  for (const auto& [path, operations] : paths) {
    out.key(path);
    write_path_item(operations, tag, cbor, schemas, out);
  }
  out.close_object();
}

std::string operation_word(std::string_view text, bool capital) {
  std::string word;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !digit) {
      capital = true;
      continue;
    }
    word += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return word;
}

}  // namespace tabernetes::schema::openapi
