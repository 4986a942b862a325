#include "server/request/audit_ids.h"

#include "base/numbers/entropy.h"

namespace tabernetes::server {

std::string AuditIds::next() {
  const std::uint64_t first = 2 * count_.fetch_add(1, std::memory_order_relaxed);
  return format_uid(split_mix_at(seed_, first), split_mix_at(seed_, first + 1));
}

}  // namespace tabernetes::server
