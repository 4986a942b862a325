#include "etcd/leases.h"

#include <algorithm>
#include <utility>

#include "etcd/messages.h"

namespace tabernetes::host::etcd {
namespace {

constexpr std::uint64_t kReuseSeconds = 60;
constexpr int kMostKeys = 1000;

}  // namespace

void Leases::get(std::uint64_t seconds, Done done) {
  Lease& lease = leases_[seconds];
  if (lease.id != 0 && Clock::now() < lease.until && lease.keys < kMostKeys) {
    ++lease.keys;
    return done({}, lease.id);
  }
  lease.id = 0;
  lease.waiting.push_back(std::move(done));
  if (lease.waiting.size() > 1) return;
  // A twentieth at most, for short ones.
  const std::uint64_t reuse = std::min(kReuseSeconds, seconds / 20);
  client_.call(kLeaseGrant, lease_request(seconds + reuse),
               [this, seconds, reuse](const CallEnd& end, const std::string& answer) {
                 Lease& made = leases_[seconds];
                 auto waiting = std::exchange(made.waiting, {});
                 if (end.code == 0) made.id = read_lease(answer);
                 made.until = Clock::now() + std::chrono::seconds(reuse);
                 made.keys = static_cast<int>(waiting.size());
                 for (const Done& each : waiting) each(end, made.id);
               });
}

}  // namespace tabernetes::host::etcd
