// The operations of a path item, and how they are written.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/json_text.h"
#include "schema/openapi/parameters.h"
#include "schema/openapi/schemas.h"

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

struct KindName {
  std::string_view group, version, kind;
};

// In the order in which path items list them.
enum class Method { kGet, kPut, kPost, kDelete, kOptions, kHead, kPatch };

struct Operation {
  Method method = Method::kGet;
  std::string id;
  std::string_view action;  // x-kubernetes-action; empty: the operation is not about a kind
  KindName kind;
  Parameters parameters;
  Media body = Media::kNone;
  std::string_view body_schema;  // name of a type
  bool body_required = false;
  Media answer = Media::kObject;
  std::string_view answer_schema;  // name of a type; empty: a string
  std::vector<std::string_view> codes = {"200"};
};

using Paths = std::map<std::string, std::vector<Operation>>;

// Writes {"/path":{...},...}. `tag` is that of all operations. Parameters that all operations of
// a path share are written once, beside them.
void write_paths(const Paths& paths, std::string_view tag, bool cbor, Schemas& schemas,
                 JsonText& out);

// "rbac.authorization" → "rbacAuthorization", or "RbacAuthorization" if `capital`.
std::string operation_word(std::string_view text, bool capital);

}  // namespace tabernetes::schema::openapi
