// Reads kind and apiVersion of a body before the rest is decoded. Source: apimachinery 1.36
// runtime/serializer/json (meta.go, json.go), runtime/schema (ParseGroupVersion); spec/rest.md 4.5.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::server {

struct Gvk {
  std::string group, version, kind;
  std::string api_version() const;
  friend bool operator==(const Gvk&, const Gvk&) = default;
};

struct TypeMeta {
  Gvk gvk;            // with missing parts filled in from the path
  std::string error;  // "unexpected GroupVersion string: a/b/c"; empty if read
};

// Ignores the case of the names kind and apiVersion, as Go does; the last one counts. The version
// is empty if the body names another group without one. After an `error` the rest is unspecified.
TypeMeta read_type_meta(const json::Value& body, const Gvk& of_path);

}  // namespace tabernetes::server
