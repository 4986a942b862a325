// LimitRanger: applies the defaults and bounds of the namespace's limit ranges to the resources of
// pods and claims. Source: upstream 1.36 plugin/pkg/admission/limitranger.

#include <string>
#include <vector>

#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/resources.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kAnnotation = "kubernetes.io/limit-ranger";
constexpr std::int64_t kMaxMilliValue = 9223372036854775;

bool is_kind(const AdmissionRequest& request, std::string_view kind) {
  return request.type.resource->group.empty() && request.type.resource->kind == kind;
}

// --- Defaults

// Adds missing amounts to `list` of a container; returns their names, sorted.
std::string fill_list(Value& container, std::string_view list, const ResourceList& defaults,
                      Arena& arena) {
  std::string names;
  if (defaults.empty()) return names;
  Value& resources = object_or_new(container, "resources", arena);
  Value& amounts = object_or_new(resources, list, arena);
  for (const auto& [name, amount] : defaults.entries()) {
    if (amounts.find(name) != nullptr) continue;
    amounts.append(arena, arena.copy(name), Value::string(arena.copy(amount.to_string())));
    append_part(names, name, ", ");
  }
  amounts.sort_members();
  return names;
}

void fill_containers(const AdmissionRequest& request, std::string_view list, std::string_view what,
                     const ResourceList& requests, const ResourceList& limits,
                     std::string& changes) {
  Arena& arena = request.context.arena;
  for (Value& container : items_in(*request.object.find("spec"), list)) {
    const std::string of =
        " for " + std::string(what) + " " + std::string(container.string_at("name"));
    const std::string set_requests = fill_list(container, "requests", requests, arena);
    const std::string set_limits = fill_list(container, "limits", limits, arena);
    if (!set_requests.empty()) append_part(changes, set_requests + " request" + of, "; ");
    if (!set_limits.empty()) append_part(changes, set_limits + " limit" + of, "; ");
  }
}

void set_defaults(const AdmissionRequest& request, const Value& range) {
  ResourceList requests, limits;
  for (const Value& limit : items_in(*range.find("spec"), "limits")) {
    if (limit.string_at("type") != "Container") continue;
    requests.take(ResourceList(limit.find("defaultRequest")));
    limits.take(ResourceList(limit.find("default")));
  }
  std::string changes;
  fill_containers(request, "containers", "container", requests, limits, changes);
  fill_containers(request, "initContainers", "init container", requests, limits, changes);
  if (changes.empty()) return;
  Arena& arena = request.context.arena;
  Value& metadata = object_or_new(request.object, "metadata", arena);
  object_or_new(metadata, "annotations", arena)
      .set(arena, kAnnotation, Value::string(arena.copy("LimitRanger plugin set: " + changes)));
}

// --- Bounds

// The amounts to compare, in thousandths unless one is too large.
struct Amounts {
  std::int64_t request = 0, limit = 0, bound = 0;
};

Amounts comparable(const Quantity* request, const Quantity* limit, const Quantity& bound) {
  const Quantity zero;
  const Quantity& r = request == nullptr ? zero : *request;
  const Quantity& l = limit == nullptr ? zero : *limit;
  const Amounts whole{r.value(), l.value(), bound.value()};
  if (whole.request > kMaxMilliValue || whole.limit > kMaxMilliValue ||
      whole.bound > kMaxMilliValue) {
    return whole;
  }
  return {r.milli_value(), l.milli_value(), bound.milli_value()};
}

enum class Bound { kMin, kMax, kMaxRequest, kRatio };

std::string ratio_fault(const std::string& subject, const Quantity* request, const Quantity* limit,
                        const Quantity& bound) {
  const Amounts amounts = comparable(request, limit, bound);
  if (request == nullptr || amounts.request == 0) {
    return subject + ", but no request is specified or request is 0";
  }
  if (limit == nullptr || amounts.limit == 0) {
    return subject + ", but no limit is specified or limit is 0";
  }
  const double ratio = static_cast<double>(amounts.limit) / static_cast<double>(amounts.request);
  const bool milli = bound.value() <= kMaxMilliValue;
  const auto most = static_cast<double>(milli ? bound.milli_value() : bound.value());
  if ((milli ? ratio * 1000 : ratio) <= most) return {};
  return subject + ", but provided ratio is " + format_fixed(ratio, 6);
}

// Returns how a request or limit violates a bound, or an empty text.
std::string fault(Bound kind, std::string_view of, const std::string& name, const Quantity& bound,
                  const Quantity* request, const Quantity* limit) {
  const std::string where = " per " + std::string(of) + " is " + bound.to_string();
  if (kind == Bound::kRatio) {
    return ratio_fault(name + " max limit to request ratio" + where, request, limit, bound);
  }
  const bool least = kind == Bound::kMin;
  const std::string subject = (least ? "minimum " : "maximum ") + name + " usage" + where;
  const Amounts amounts = comparable(request, limit, bound);
  const auto beyond = [&](std::int64_t amount) {
    return least ? amount < amounts.bound : amount > amounts.bound;
  };
  const bool by_limit = kind == Bound::kMax;  // then the limit is required, and checked first
  if (by_limit && limit == nullptr) return subject + ".  No limit is specified";
  if (!by_limit && request == nullptr) return subject + ".  No request is specified";
  const std::string request_text = request != nullptr && beyond(amounts.request)
                                       ? ", but request is " + request->to_string()
                                       : std::string();
  const std::string limit_text =
      kind != Bound::kMaxRequest && limit != nullptr && beyond(amounts.limit)
          ? ", but limit is " + limit->to_string()
          : std::string();
  const std::string& first = by_limit ? limit_text : request_text;
  const std::string& second = by_limit ? request_text : limit_text;
  if (first.empty() && second.empty()) return {};
  return subject + (first.empty() ? second : first);
}

struct BoundList {
  std::string_view member;
  Bound kind;
};

void check(const Value& limit, const ResourceList& requests, const ResourceList& limits, bool claim,
           std::vector<std::string>& faults) {
  static constexpr BoundList kPod[] = {
      {"min", Bound::kMin}, {"max", Bound::kMax}, {"maxLimitRequestRatio", Bound::kRatio}};
  static constexpr BoundList kClaim[] = {{"min", Bound::kMin}, {"max", Bound::kMaxRequest}};
  const BoundList* lists = claim ? kClaim : kPod;
  for (std::size_t i = 0; i < (claim ? std::size(kClaim) : std::size(kPod)); ++i) {
    const ResourceList bounds(limit.find(lists[i].member));
    for (const auto& [name, bound] : bounds.entries()) {
      std::string text = fault(lists[i].kind, limit.string_at("type"), name, bound,
                               requests.find(name), limits.find(name));
      if (!text.empty()) faults.push_back(std::move(text));
    }
  }
}

void check_pod(const Value& limit, const Value& pod, std::vector<std::string>& faults) {
  if (limit.string_at("type") == "Pod") {
    check(limit, pod_resources(pod, "requests"), pod_resources(pod, "limits"), false, faults);
  }
  if (limit.string_at("type") != "Container") return;
  for (const std::string_view list : {"containers", "initContainers"}) {
    for (const Value& container : items_in(*pod.find("spec"), list)) {
      check(limit, ResourceList(container.at({"resources", "requests"})),
            ResourceList(container.at({"resources", "limits"})), false, faults);
    }
  }
}

bool limits(const AdmissionRequest& request) {
  if (request.old == nullptr) return true;
  if (request.old->at({"metadata", "deletionTimestamp"}) != nullptr) return false;
  // An update changes the containers of a pod only by a resize.
  return !is_kind(request, "Pod") || request.subresource == registry::Subresource::kResize;
}

}  // namespace

Result<void> set_limit_defaults(const AdmissionRequest& request, PluginState&) {
  if (!limits(request) || !is_kind(request, "Pod")) return {};
  for_each_in_namespace(request, "limitranges",
                        [&](const Value& range) { set_defaults(request, range); });
  return {};
}

Result<void> check_limits(const AdmissionRequest& request, PluginState&) {
  if (!limits(request)) return {};
  const bool claim = !is_kind(request, "Pod");
  std::string why;
  for_each_in_namespace(request, "limitranges", [&](const Value& range) {
    if (!why.empty()) return;
    std::vector<std::string> faults;
    for (const Value& limit : items_in(*range.find("spec"), "limits")) {
      if (!claim) {
        check_pod(limit, request.object, faults);
      } else if (limit.string_at("type") == "PersistentVolumeClaim") {
        check(limit, ResourceList(request.object.at({"spec", "resources", "requests"})), {}, true,
              faults);
      }
    }
    if (!faults.empty()) why = go_aggregate(faults);
  });
  if (why.empty()) return {};
  return refusal(request, why);
}

}  // namespace tabernetes::admission
