// The view of a request that admission policies and webhooks have: its attributes, and the values
// of variables. Source: upstream 1.36 apiserver pkg/admission/plugin/cel/condition.go
// (CreateAdmissionRequest).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "admission/access.h"
#include "admission/expression_evaluation.h"
#include "admission/plugin.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

class PolicyRequest final : private cel::Access {
 public:
  // REQUIRES: all arguments outlive this object. `equivalents` are the types that are equivalent to
  // the request's.
  PolicyRequest(const AdmissionRequest& request,
                const std::vector<const registry::ResourceType*>& equivalents,
                const AccessCheck& may_access);

  const AdmissionRequest& request() const { return request_; }
  json::Arena& arena() const { return request_.context.arena; }
  std::string_view operation() const;  // "CREATE"
  std::string_view subresource() const { return request_.context.subresource; }
  std::string_view name() const { return name_; }
  // For a Namespace, its own name.
  std::string_view ns() const { return ns_; }
  bool is_namespace() const;

  const std::vector<const registry::ResourceType*>& equivalents() const { return equivalents_; }

  const json::Value& object() const { return request_.object; }  // null on delete
  const json::Value& old() const { return old_; }                // null on create and connect
  // Returns the object's namespace, or null.
  const json::Value& namespace_object() const;
  // Returns whether the request is in a namespace that is missing, as connections may be.
  bool lacks_namespace() const {
    return !ns_.empty() && !is_namespace() && !namespace_object().is_object();
  }
  // Returns whether the object is of its subresource's kind, not the resource's.
  bool is_of_own_kind() const;

  // Converts an object of the request to the version that matched.
  json::Value in_version(const json::Value& object, const registry::ResourceType& type) const;
  // Converts such an object back.
  json::Value from_version(const json::Value& object, const registry::ResourceType& type) const;
  // Decodes an object in the version that matched, after a patch.
  // Errors: 500, with encoding/json's messages.
  Result<json::Value> decoded(const json::Value& patched, const registry::ResourceType& type) const;
  void set_defaults(json::Value& object, const registry::ResourceType& type) const;

  // Returns the values of variables, for the type that matched; `params` may be null.
  PolicyInputs inputs(const registry::ResourceType& matched, const json::Value& params) const;
  // Returns the value of the variable `request`; with the objects of a review, if they are given.
  struct Objects {
    json::Value object, old;
  };
  json::Value facts(const registry::ResourceType& matched, const Objects* objects = nullptr) const;

 private:
  struct Kind {
    std::string_view group, version, kind;
  };

  const schema::Subresource* subresource_of(const registry::ResourceType& type) const;
  // Errors: 500 if the object names another kind.
  Result<void> check_kind(const json::Value& patched, const Kind& expected) const;
  cel::AccessDecision decide(const cel::AccessState& asked) const override;
  json::Value options() const;
  json::Value kind_of(const registry::ResourceType& type) const;
  json::Value user() const;

  const AdmissionRequest& request_;
  const std::vector<const registry::ResourceType*>& equivalents_;
  const AccessCheck& may_access_;
  std::string_view name_, ns_;
  json::Value old_;
  mutable std::optional<json::Value> namespace_;  // read when it is asked for
};

}  // namespace tabernetes::admission
