// What a body says it is, as kube-apiserver finds out before it knows how to decode the rest.
// Source: apimachinery 1.36 runtime/serializer/json (meta.go, json.go), runtime/schema
// (ParseGroupVersion); spec/rest.md 4.5.
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
  Gvk gvk;            // with what the body leaves to the path taken from there
  std::string error;  // "unexpected GroupVersion string: a/b/c"; empty: read
};

// Go reads kind and apiVersion whatever their case, and of several the last counts. The version is
// empty where the body names another group without one. An `error` leaves the rest open.
TypeMeta read_type_meta(const json::Value& body, const Gvk& of_path);

}  // namespace tabernetes::server
