// The ids that the answers of one cluster carry in Audit-Id.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tabernetes::server {

// Any thread may ask for the next one. A client that sends one request after another gets the same
// ids from the same seed on every host; of requests at the same time each gets its own.
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
