// The view of a request that admission policies have: its attributes, and the values of their
// variables. Source: upstream 1.36 apiserver pkg/admission/plugin/cel/condition.go
// (CreateAdmissionRequest).
#pragma once

#include <string_view>

#include "admission/plugin.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

class PolicyRequest {
 public:
  explicit PolicyRequest(const AdmissionRequest& request);

  const AdmissionRequest& request() const { return request_; }
  json::Arena& arena() const { return request_.context.arena; }
  std::string_view operation() const;  // "CREATE"
  std::string_view subresource() const { return request_.context.subresource; }
  std::string_view name() const { return name_; }
  // For a Namespace, its own name.
  std::string_view ns() const { return ns_; }
  bool is_namespace() const;

  const json::Value& object() const { return object_; }  // null on delete
  const json::Value& old() const { return old_; }        // null on create and connect
  // Returns the object's namespace, or null.
  const json::Value& namespace_object() const { return namespace_; }
  // Returns whether the request is in a namespace that is missing, as connections may be.
  bool lacks_namespace() const {
    return !ns_.empty() && !is_namespace() && !namespace_.is_object();
  }

  // Converts an object of the request to the version that matched.
  json::Value in_version(const json::Value& object, const registry::ResourceType& type) const;
  // Returns the value of the variable `request`.
  json::Value facts(const registry::ResourceType& matched) const;

 private:
  const schema::Subresource* subresource_of(const registry::ResourceType& type) const;
  // Returns whether the object is of its subresource's kind, not the resource's.
  bool is_of_own_kind() const;
  json::Value options() const;
  json::Value kind_of(const registry::ResourceType& type) const;
  json::Value user() const;

  const AdmissionRequest& request_;
  std::string_view name_, ns_;
  json::Value object_, old_, namespace_;
};

}  // namespace tabernetes::admission
