// The operations of a path item, before they are written in either version of OpenAPI.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/json_text.h"
#include "schema/openapi/kind_name.h"
#include "schema/openapi/parameters.h"

namespace tabernetes::schema::openapi {

// What an answer or a body may be encoded as.
enum class Media {
  kNone,
  kObject,  // JSON, YAML, protobuf
  kStream,  // the same and their watch forms
  kLog,     // the same and plain text
  kPatch,
  kAnything,  // */*
  kJson,
  kPlainObject,  // as kObject, never CBOR
  kKeySet,
};

// In the order in which path items list them.
enum class Method { kGet, kPut, kPost, kDelete, kOptions, kHead, kPatch };

struct Operation {
  Method method = Method::kGet;
  std::string id;
  std::string description;
  std::string_view action;  // x-kubernetes-action; empty: the operation is not about a kind
  KindName kind;
  Parameters parameters;
  // What OpenAPI v2 says of the request's encoding, where that is not */*: v3 has no word for it.
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

// A path item ready to be written: its operations in order, each with the parameters of its own
// by name; those that all of them share stand apart.
struct PathItem {
  std::vector<Operation> operations;
  Parameters shared;
};
PathItem arrange(std::vector<Operation> operations);

// The media types in the order in which the server registers them.
std::vector<std::string_view> media_types(Media media, bool cbor, bool custom = false);

std::string_view method_name(Method method);             // "get"
std::string_view description_of(std::string_view code);  // "200" → "OK"
void write_unauthorized(JsonText& out);  // the answer 401, which every operation has

// "a Pod", "an Event"; "Endpoints", as plurals have no article.
// Upstream 1.36: apiserver/pkg/endpoints/installer.go, GetArticleForNoun.
std::string with_article(std::string_view kind);

// "rbac.authorization" → "rbacAuthorization", or "RbacAuthorization" if `capital`.
std::string operation_word(std::string_view text, bool capital);

}  // namespace tabernetes::schema::openapi
