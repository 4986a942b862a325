#include "server/cluster/document_object.h"

#include <string>

#include "base/api/api_version.h"
#include "registry/kind/kind_behaviour.h"
#include "schema/decode.h"

namespace tabernetes::server {
namespace {

using json::Value;

Result<const registry::ResourceType*> find_type(const registry::ResourceTable& resources,
                                                const Value& object) {
  const auto [group, version] = split_api_version(object.string_at("apiVersion"));
  const registry::ResourceType* type =
      resources.find_kind(group, version, object.string_at("kind"));
  if (type != nullptr && type->resource->has_verb("create")) return type;
  return errors::bad_request("no matches for kind \"" + std::string(object.string_at("kind")) +
                             "\" in version \"" + std::string(object.string_at("apiVersion")) +
                             "\"");
}

Result<Value> decode(const registry::ResourceType& type, const Value& raw, json::Arena& arena) {
  schema::DecodeResult decoded = type.behaviour->decode(raw, arena, registry::DecodeFor::kObject);
  if (!decoded.error.empty()) return errors::bad_request(decoded.error);
  if (!decoded.strict_errors.empty()) {
    return errors::bad_request("strict decoding error: " + decoded.strict_errors.front());
  }
  return decoded.value;
}

}  // namespace

Result<DocumentObject> read_document_object(const registry::ResourceTable& resources,
                                            const Value& raw, json::Arena& arena) {
  if (!raw.is_object()) return errors::bad_request("the document is no object");
  DocumentObject object;
  TAB_TRY(object.type, find_type(resources, raw));
  TAB_TRY(object.value, decode(*object.type, raw, arena));
  return object;
}

}  // namespace tabernetes::server
