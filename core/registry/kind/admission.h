// Admission: changes or rejects requests, beyond the rules of their kinds. Called by the registry
// and by the server's verbs; core/admission implements it with plugins.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/api/result.h"
#include "json/value.h"
#include "registry/meta/subresource.h"

namespace tabernetes::registry {

class Registry;
struct ResourceType;
struct WriteContext;

enum class Operation : std::uint8_t { kCreate, kUpdate, kDelete, kConnect };

// The attributes of a request. Source: upstream 1.36 apiserver pkg/admission/interfaces.go
// (Attributes).
struct AdmissionRequest {
  Registry& registry;
  const WriteContext& context;  // user, subresource, pending questions
  Operation operation;
  const ResourceType& type;
  Subresource subresource;
  std::string_view ns;
  // From the path or the new object. Empty if the name is still to be generated, or a collection is
  // deleted.
  std::string_view name;
  // The object in the request: of the resource, or of the kind of its subresource (Binding,
  // TokenRequest, PodExecOptions). Null on delete.
  json::Value& object;
  const json::Value* old = nullptr;  // the stored object; null on create and connect
};

// Both phases return an error to reject the request. A plugin that needs an answer from outside
// asks `context.pending` and returns the error of may_persist(); the request is then run again.
class Admission {
 public:
  // Changes the object before its kind prepares and validates it.
  virtual Result<void> mutate(const AdmissionRequest& request) const = 0;
  // Checks the object after validation.
  virtual Result<void> validate(const AdmissionRequest& request) const = 0;

 protected:
  ~Admission() = default;
};

}  // namespace tabernetes::registry
