#include "server/cluster/leadership.h"

#include <utility>

#include "base/time/rfc3339.h"
#include "registry/objects/object_record.h"
#include "server/cluster/cluster.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kLeaseGroup = "coordination.k8s.io", kLeaseNs = "kube-system",
                           kLeaseName = "kube-controller-manager";
constexpr int kLeaseSeconds = 6;
constexpr Duration kRetry = Duration::from_seconds(2);

const registry::ResourceType& lease_type(const Cluster& cluster) {
  return *cluster.registry.resources().find(kLeaseGroup, "v1", "leases");
}

Value held_by(std::string_view identity, Time now, const Value* before, json::Arena& arena) {
  const bool renews = before != nullptr && before->string_at("holderIdentity") == identity;
  const Value* count = before == nullptr ? nullptr : before->find("leaseTransitions");
  std::int64_t transitions = count != nullptr && count->is_int() ? count->as_int() : 0;
  if (before != nullptr && !renews) ++transitions;
  const std::string_view time = arena.copy(format_rfc3339_micro(now));
  Value spec = Value::object(arena);
  spec.append(arena, "holderIdentity", Value::string(arena.copy(identity)));
  spec.append(arena, "leaseDurationSeconds", Value::integer(kLeaseSeconds));
  spec.append(arena, "acquireTime",
              renews ? Value::string(before->string_at("acquireTime")) : Value::string(time));
  spec.append(arena, "renewTime", Value::string(time));
  spec.append(arena, "leaseTransitions", Value::integer(transitions));
  return spec;
}

}  // namespace

Leadership::Leadership(Cluster& cluster, std::string identity)
    : cluster_(cluster), identity_(std::move(identity)) {
  cluster_.loops.lead(false);
}

Leadership::~Leadership() {
  if (next_) cluster_.deadlines.cancel(*next_);
}

void Leadership::look() {
  observe();
  const bool holds = holder_ == identity_ && !expired() && !resigned_;
  cluster_.loops.lead(holds);
  if (resigned_) return;
  if (due_ && !cluster_.rests && !cluster_.storage_fault) try_to_hold();
}

// The time of the observer counts, as clocks differ.
void Leadership::observe() {
  const store::RecordPtr lease =
      cluster_.store.settled_tree().find(lease_type(cluster_).key(kLeaseNs, kLeaseName));
  if (lease == seen_) return;
  seen_ = lease;
  seen_at_ = cluster_.now;
  holder_.clear();
  lasts_ = {};
  if (!lease) return;
  json::Arena arena;
  const Value object = registry::read_object(lease_type(cluster_), *lease, arena);
  const Value* spec = object.find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  holder_ = spec->string_at("holderIdentity");
  const Value* seconds = spec->find("leaseDurationSeconds");
  if (seconds != nullptr && seconds->is_int()) lasts_ = Duration::from_seconds(seconds->as_int());
}

bool Leadership::expired() const { return seen_at_ + lasts_ < cluster_.now; }

void Leadership::try_to_hold() {
  due_ = false;
  wait();
  if (seen_ && !holder_.empty() && holder_ != identity_ && !expired()) return;
  json::Arena arena;
  const registry::ResourceType& type = lease_type(cluster_);
  const registry::WriteContext context{
      .arena = arena, .now = cluster_.now, .manager = std::string(kLeaseName)};
  if (!seen_) {
    Value metadata = Value::object(arena);
    metadata.append(arena, "name", Value::string(kLeaseName));
    Value object = Value::object(arena);
    object.append(arena, "kind", Value::string("Lease"));
    object.append(arena, "apiVersion", Value::string("coordination.k8s.io/v1"));
    object.append(arena, "metadata", metadata);
    object.append(arena, "spec", held_by(identity_, cluster_.now, nullptr, arena));
    (void)cluster_.registry.create(context, type, kLeaseNs, object);
    return;
  }
  write_spec([this](const Value* before, json::Arena& memory) {
    return held_by(identity_, cluster_.now, before, memory);
  });
}

void Leadership::write_spec(const std::function<Value(const Value* before, json::Arena&)>& make) {
  json::Arena arena;
  const registry::WriteContext context{
      .arena = arena, .now = cluster_.now, .manager = std::string(kLeaseName)};
  const auto change = [&](const Value* stored) -> Result<Value> {
    Value object = stored->shallow_copy(arena);
    object.set(arena, "spec", make(stored->find("spec"), arena));
    return object;
  };
  (void)cluster_.registry.update(context, {&lease_type(cluster_), kLeaseNs, kLeaseName},
                                 registry::Subresource::kNone, change);
}

void Leadership::resign() {
  const bool held = !std::exchange(resigned_, true) && holder_ == identity_;
  cluster_.loops.lead(false);
  if (!held || cluster_.rests || cluster_.storage_fault) return;
  write_spec([this](const Value* before, json::Arena& arena) {
    Value spec = held_by(identity_, cluster_.now, before, arena);
    spec.set(arena, "holderIdentity", Value::string(""));
    spec.set(arena, "leaseDurationSeconds", Value::integer(1));
    return spec;
  });
}

void Leadership::wait() {
  if (next_) cluster_.deadlines.cancel(*next_);
  next_ = cluster_.deadlines.add(cluster_.now + kRetry, [this] {
    next_.reset();
    due_ = true;
  });
}

}  // namespace tabernetes::server
