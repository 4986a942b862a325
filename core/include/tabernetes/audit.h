// The audit log of a cluster: events of audit.k8s.io/v1 about requests, as kube-apiserver writes
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "tabernetes/expected.h"

namespace tabernetes {

// Receives an event, one line without its end. Called on any thread that answers requests, several
// at a time. May not call into the ApiServer.
using AuditSink = std::function<void(std::string_view event)>;

struct AuditLog {
  enum class Format { kJson, kLegacy };

  // A Policy of audit.k8s.io/v1, as YAML or JSON: see check_audit_policy().
  std::string policy;
  AuditSink sink;
  Format format = Format::kJson;
  std::size_t most_bytes = 0;  // larger events lose their objects; 0: no limit
};

// Fails with upstream's message, without the name of the file. Returns a warning about a policy
// that can be used in spite of it; usually empty.
Expected<std::string> check_audit_policy(std::string_view policy);

}  // namespace tabernetes
