// The operations of a path item, independent of the OpenAPI version.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/json_text.h"
#include "schema/openapi/kind_name.h"
#include "schema/openapi/parameters.h"

namespace tabernetes::schema::openapi {

// The media types of an answer or a body.
enum class Media {
  kNone,
  kObject,  // JSON, YAML, protobuf
  kStream,  // kObject and its watch forms
  kLog,     // kObject and plain text
  kPatch,
  kAnything,  // */*
  kJson,
  kPlainObject,  // as kObject, but never CBOR
  kKeySet,
};

// In the order of path items.
enum class Method { kGet, kPut, kPost, kDelete, kOptions, kHead, kPatch };

struct Operation {
  Method method = Method::kGet;
  std::string id;
  std::string description;
  std::string_view action;  // x-kubernetes-action; empty if the operation is not on a kind
  KindName kind;
  Parameters parameters;
  // OpenAPI v2's `consumes`, if not */*; v3 has no such field.
  Media consumes = Media::kAnything;
  Media body = Media::kNone;
  std::string_view body_schema;  // name of a type
  bool body_required = false;
  Media answer = Media::kObject;
  std::string_view answer_schema;  // name of a type; empty: a string
  std::vector<std::string_view> codes = {"200"};
};

// The operations of each path.
using Paths = std::map<std::string, std::vector<Operation>>;

// A path item ready to be written: its operations in order, each with its own parameters by name;
// parameters common to all operations are in `shared`.
struct PathItem {
  std::vector<Operation> operations;
  Parameters shared;
};
PathItem arrange(std::vector<Operation> operations);

// Returns the media types in the server's order of registration.
std::vector<std::string_view> media_types(Media media, bool cbor, bool custom = false);

std::string_view method_name(Method method);             // "get"
std::string_view description_of(std::string_view code);  // "200" returns "OK"
void write_unauthorized(JsonText& out);                  // writes the 401 answer of every operation

// Returns "a Pod", "an Event"; plurals such as "Endpoints" have no article. Upstream 1.36:
// apiserver/pkg/endpoints/installer.go, GetArticleForNoun.
std::string with_article(std::string_view kind);

// Returns "rbacAuthorization" for "rbac.authorization", or "RbacAuthorization" if `capital`.
std::string operation_word(std::string_view text, bool capital);

}  // namespace tabernetes::schema::openapi
