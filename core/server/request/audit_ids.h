// The ids in the Audit-Id headers of a cluster's answers.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tabernetes::server {

// Safe on any thread. A client that sends requests one after another gets the same ids from the
// same seed on every host; concurrent requests get different ids.
class AuditIds {
 public:
  explicit AuditIds(std::uint64_t seed) : seed_(seed) {}
  AuditIds(const AuditIds& other) : seed_(other.seed_), count_(other.count_.load()) {}
  AuditIds& operator=(const AuditIds&) = delete;

  std::string next();

 private:
  const std::uint64_t seed_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace tabernetes::server
