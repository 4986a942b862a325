// Admission: what changes or refuses a request, beyond what its kind says. The registry and the
// verbs of the server ask; core/admission answers, by plugins.
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

// A request on its way. Source: upstream 1.36 apiserver pkg/admission/interfaces.go (Attributes).
struct AdmissionRequest {
  Registry& registry;
  const WriteContext& context;  // who asks, at which subresource, and what the request waits for
  Operation operation;
  const ResourceType& type;
  Subresource subresource;
  std::string_view ns;
  // From the path or the new object. Empty: it is to be generated, or a collection is deleted.
  std::string_view name;
  // What the request brings: an object of the resource, or of its subresource's own kind (Binding,
  // TokenRequest, PodExecOptions). Null on delete.
  json::Value& object;
  const json::Value* old = nullptr;  // what is stored; null on create and connect
};

// Both phases return an error to refuse the request. One that lacks an answer of others asks
// `context.pending` and returns what may_persist() says; the request is then done again.
class Admission {
 public:
  // Changes the object, before the kind prepares and validates it.
  virtual Result<void> mutate(const AdmissionRequest& request) const = 0;
  // Judges the object that was found valid.
  virtual Result<void> validate(const AdmissionRequest& request) const = 0;

 protected:
  ~Admission() = default;
};

}  // namespace tabernetes::registry
