#include "server/audit/auditing.h"

namespace tabernetes {

Expected<std::string> check_audit_policy(std::string_view policy) {
  auto read = server::read_audit_policy(policy);
  if (!read) return Fault{std::move(read.error())};
  return std::move(read->warning);
}

namespace server {

Expected<std::shared_ptr<const Auditor>> make_auditor(AuditLog log) {
  std::shared_ptr<Auditor> auditor;
  if (!log.sink) return std::shared_ptr<const Auditor>();
  auto read = read_audit_policy(log.policy);
  if (!read) return Fault{std::move(read.error())};
  auditor = std::make_shared<Auditor>();
  *auditor = {std::move(read->policy), std::move(log.sink), log.format, log.most_bytes};
  return std::shared_ptr<const Auditor>(std::move(auditor));
}

}  // namespace server
}  // namespace tabernetes
