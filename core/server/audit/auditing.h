// Making auditors.
#pragma once

#include <memory>
#include <utility>

#include "server/audit/audit_trail.h"

namespace tabernetes::server {

// Returns the auditor of a log; null for one without a sink.
Expected<std::shared_ptr<const Auditor>> make_auditor(AuditLog log);

}  // namespace tabernetes::server
