#include "controllers/scheduler/device_allocator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/api/quantity.h"
#include "controllers/scheduler/device_result.h"
#include "controllers/scheduler/taints.h"
#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr std::size_t kMostResults = 32;  // of a claim
constexpr int kMostSteps = 100'000;       // of one search
constexpr std::size_t kDeepest = 400;     // devices and requests of a pod, since the search recurs

std::string full_name(const Value& claim) {
  return std::string(json::text_at(claim, {"metadata", "namespace"})) + "/" +
         std::string(json::text_at(claim, {"metadata", "name"}));
}

// A device that can be chosen.
struct Candidate {
  const DevicePool* pool = nullptr;
  const Value* slice = nullptr;
  const Value* device = nullptr;

  DeviceId id() const { return {pool->driver, pool->name, device->string_at("name")}; }
};

// A request, or one alternative of a request with several.
struct Option {
  const Value* request = nullptr;  // "exactly", or one of "firstAvailable"
  std::string_view name;           // of an alternative; empty otherwise
  const Value* device_class = nullptr;
  bool all = false;
  bool admin = false;
  std::size_t count = 0;
  // For all devices: those that are selected. Otherwise all, of which some were looked at.
  std::vector<Candidate> devices;
  mutable std::vector<std::optional<bool>> selected;
};

struct Request {
  std::string_view name;
  std::vector<Option> options;
};

// matchAttribute and distinctAttribute.
class Constraint {
 public:
  explicit Constraint(const Value& constraint)
      : distinct_(constraint.find("distinctAttribute") != nullptr),
        attribute_(constraint.string_at(distinct_ ? "distinctAttribute" : "matchAttribute")),
        requests_(json::items_at(constraint, {"requests"})) {}

  bool add(const Request& request, const Option& option, const Candidate& candidate) {
    if (!concerns(request, option)) return true;
    const Value* value = value_of(candidate);
    if (value == nullptr) return false;
    const auto equal = [&](const Value* other) { return json::deep_equal(*value, *other); };
    const bool good = distinct_ ? std::none_of(values_.begin(), values_.end(), equal)
                                : values_.empty() || equal(values_[0]);
    if (good) values_.push_back(value);
    return good;
  }
  void remove(const Request& request, const Option& option) {
    if (concerns(request, option)) values_.pop_back();
  }

 private:
  bool concerns(const Request& request, const Option& option) const {
    if (requests_.empty()) return true;
    const std::string whole = std::string(request.name) + "/" + std::string(option.name);
    return std::any_of(requests_.begin(), requests_.end(), [&](const Value& name) {
      return name.as_string() == request.name || name.as_string() == whole;
    });
  }
  // An attribute of the driver's own domain may be named without it.
  const Value* value_of(const Candidate& candidate) const {
    const Value* attributes = candidate.device->find("attributes");
    if (attributes == nullptr) return nullptr;
    if (const Value* found = attributes->find(attribute_)) return found;
    const std::size_t slash = attribute_.find('/');
    if (slash == std::string_view::npos || attribute_.substr(0, slash) != candidate.pool->driver) {
      return nullptr;
    }
    return attributes->find(attribute_.substr(slash + 1));
  }

  bool distinct_;
  std::string_view attribute_;
  json::Range<Value> requests_;
  std::vector<const Value*> values_;  // of the devices that are chosen
};

// Tolerations of requests are judged as those of pods.
bool is_tainted(const Value& device, const Value& request) {
  const std::vector<Taint> taints = read_taints(device);
  return !taints.empty() && !tolerate_hard_taints(read_tolerations(request), taints);
}

bool has_capacity(const Value& device, const Value& request) {
  const auto wanted = json::members_at(request, {"capacity", "requests"});
  return std::all_of(wanted.begin(), wanted.end(), [&](const json::Member& each) {
    std::string_view error;
    const auto amount = Quantity::parse(json::text_of(each.value), error);
    const auto there =
        Quantity::parse(json::text_at(device, {"capacity", each.key, "value"}), error);
    return amount && there && amount->compare(*there) <= 0;
  });
}

class Search {
 public:
  Search(DeviceInventory& inventory, const std::vector<Value>& claims, const NodeFacts& node)
      : inventory_(inventory),
        claims_(claims),
        node_(node),
        pools_(pools_for(node, inventory.slices)) {}

  DeviceAllocation run(json::Arena& arena) {
    DeviceAllocation allocation;
    if (prepare()) allocation.found = next_claim(0) == Outcome::kDone;
    allocation.error = std::move(error_);
    if (allocation.found && allocation.error.empty()) {
      for (std::size_t i = 0; i < claims_.size(); ++i) {
        allocation.of_claims.push_back(allocation_of(claims_[i], chosen_[i], node_.name, arena));
      }
    } else {
      allocation.found = false;
      allocation.invalid = std::any_of(pools_.begin(), pools_.end(),
                                       [](const DevicePool& pool) { return pool.invalid; });
    }
    return allocation;
  }

 private:
  enum class Outcome { kNone, kDone, kTooMany };

  bool fails(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }

  // Reads the requests. Returns false if there is an error.
  bool prepare() {
    std::size_t depth = 0;
    for (const Value& claim : claims_) {
      std::vector<Request>& requests = requests_.emplace_back();
      std::size_t least = 0;
      for (const Value& each : json::items_at(claim, {"spec", "devices", "requests"})) {
        Request request{each.string_at("name"), {}};
        if (const Value* exactly = each.find("exactly")) {
          if (!add_option(claim, request, *exactly, {})) return false;
        }
        for (const Value& other : json::items_at(each, {"firstAvailable"})) {
          if (!add_option(claim, request, other, other.string_at("name"))) return false;
        }
        const auto fewest =
            std::min_element(request.options.begin(), request.options.end(),
                             [](const Option& a, const Option& b) { return a.count < b.count; });
        if (fewest != request.options.end()) least += fewest->count;
        requests.push_back(std::move(request));
      }
      if (least > kMostResults) {
        return fails("claim " + full_name(claim) + ": number of requested devices " +
                     std::to_string(least) + " exceeds the claim limit of " +
                     std::to_string(kMostResults));
      }
      depth += kMostResults + requests.size();
      std::vector<Constraint>& constraints = constraints_.emplace_back();
      for (const Value& each : json::items_at(claim, {"spec", "devices", "constraints"})) {
        constraints.emplace_back(each);
      }
    }
    chosen_.resize(claims_.size());
    return depth <= kDeepest || fails("too many devices are requested");
  }

  bool add_option(const Value& claim, Request& request, const Value& wanted,
                  std::string_view name) {
    const auto about = [&] {
      return "claim " + full_name(claim) + ", request " +
             std::string(name.empty() ? request.name : name);
    };
    Option option{.request = &wanted, .name = name};
    option.admin = json::bool_at(wanted, {"adminAccess"});
    option.all = wanted.string_at("allocationMode") == "All";
    const std::string_view class_name = wanted.string_at("deviceClassName");
    const auto found = inventory_.classes.find(class_name);
    if (found == inventory_.classes.end()) {
      return fails(about() + ": could not retrieve device class " + std::string(class_name));
    }
    option.device_class = &found->second;
    for (const DevicePool& pool : pools_) {
      if (option.all && (pool.incomplete || pool.invalid)) {
        return fails(about() + ": asks for all devices, but resource pool " + pool.id() +
                     " is currently " + (pool.incomplete ? "being updated" : "invalid"));
      }
      if (pool.incomplete || pool.invalid) continue;
      for (const Value* slice : pool.slices) {
        for (const Value& device : json::items_at(*slice, {"spec", "devices"})) {
          const Candidate candidate{&pool, slice, &device};
          const std::optional<bool> selected =
              option.all ? is_selected(claim, option, candidate) : true;
          if (!selected) return false;
          if (*selected) option.devices.push_back(candidate);
        }
      }
    }
    option.selected.resize(option.devices.size());
    const auto count = json::number_at(wanted, {"count"});
    option.count = option.all ? option.devices.size()
                              : static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
    request.options.push_back(std::move(option));
    return true;
  }

  // Returns nullopt if there is an error.
  std::optional<bool> is_selected(const Value& claim, const Option& option,
                                  const Candidate& candidate) {
    if (candidate.device->find("bindingConditions") != nullptr) return false;
    const auto by = [&](const Value& holder, std::initializer_list<std::string_view> path,
                        const std::string& whose) -> std::optional<bool> {
      std::size_t number = 0;
      for (const Value& selector : json::items_at(holder, path)) {
        const auto matches =
            inventory_.selectors.match(json::text_at(selector, {"cel", "expression"}),
                                       *candidate.device, candidate.pool->driver);
        if (!matches) {
          (void)fails(whose + ": selector #" + std::to_string(number) + ": " + matches.error());
          return std::nullopt;
        }
        if (!*matches) return false;
        ++number;
      }
      return true;
    };
    const auto by_class =
        by(*option.device_class, {"spec", "selectors"},
           "class " + std::string(json::text_at(*option.device_class, {"metadata", "name"})));
    if (by_class != true) return by_class;
    const auto by_request = by(*option.request, {"selectors"}, "claim " + full_name(claim));
    if (by_request != true) return by_request;
    return !json::bool_at(*candidate.slice, {"spec", "perDeviceNodeSelection"}) ||
           is_for_node(*candidate.device, node_);
  }

  Outcome next_claim(std::size_t claim) {
    if (claim == claims_.size()) return Outcome::kDone;
    return next_request(claim, 0);
  }

  Outcome next_request(std::size_t claim, std::size_t number) {
    if (number == requests_[claim].size()) {
      // Fewer devices of an earlier claim would not help.
      const Outcome outcome = next_claim(claim + 1);
      return outcome == Outcome::kTooMany ? Outcome::kNone : outcome;
    }
    bool too_many = true;
    for (const Option& option : requests_[claim][number].options) {
      const Outcome outcome = next_device(claim, number, option, 0, 0);
      if (outcome == Outcome::kDone || !error_.empty()) return outcome;
      too_many = too_many && outcome == Outcome::kTooMany;
    }
    return too_many ? Outcome::kTooMany : Outcome::kNone;
  }

  // Chooses the device after `chosen` ones of an option, from `from` on.
  Outcome next_device(std::size_t claim, std::size_t number, const Option& option,
                      std::size_t chosen, std::size_t from) {
    if (++steps_ > kMostSteps) {
      (void)fails("node " + node_.name + ": timed out trying to allocate devices");
      return Outcome::kNone;
    }
    if (option.all && option.devices.empty()) return Outcome::kNone;
    if (chosen == option.count) return next_request(claim, number + 1);
    if (chosen_[claim].size() + option.count - chosen > kMostResults) return Outcome::kTooMany;
    const Request& request = requests_[claim][number];
    for (std::size_t i = option.all ? chosen : from; i < option.devices.size(); ++i) {
      const Candidate& candidate = option.devices[i];
      const bool good = is_free(claim, option, candidate) &&
                        (option.all || was_selected(claims_[claim], option, i));
      if (good && take(claim, request, option, candidate)) {
        const Outcome outcome = next_device(claim, number, option, chosen + 1, i + 1);
        if (outcome == Outcome::kDone) return outcome;
        give_back(claim, request, option, candidate);
        if (outcome == Outcome::kTooMany || !error_.empty()) return outcome;
      }
      if (option.all || !error_.empty()) return Outcome::kNone;
    }
    return Outcome::kNone;
  }

  bool was_selected(const Value& claim, const Option& option, std::size_t i) {
    std::optional<bool>& selected = option.selected[i];
    if (!selected) selected = is_selected(claim, option, option.devices[i]);
    return selected == true;
  }

  // Access for administration is given to devices that are in use, once for each claim.
  bool is_free(std::size_t claim, const Option& option, const Candidate& candidate) const {
    const DeviceId id = candidate.id();
    const auto taken = taken_.find(id);
    if (!option.admin) {
      return !inventory_.allocated.contains(id) && (taken == taken_.end() || taken->second.empty());
    }
    return taken == taken_.end() ||
           std::find(taken->second.begin(), taken->second.end(), claim) == taken->second.end();
  }

  bool take(std::size_t claim, const Request& request, const Option& option,
            const Candidate& candidate) {
    const DeviceId id = candidate.id();
    if (!has_capacity(*candidate.device, *option.request)) return false;
    if (candidate.device->find("consumesCounters") != nullptr && !counters_allow(candidate)) {
      return false;
    }
    if (is_tainted(*candidate.device, *option.request)) return false;
    std::vector<Constraint>& constraints = constraints_[claim];
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].add(request, option, candidate)) continue;
      while (i-- > 0) constraints[i].remove(request, option);
      if (!option.all) return false;
      return fails("claim " + full_name(claims_[claim]) + ", request " +
                   std::string(option.name.empty() ? request.name : option.name) +
                   ": cannot add device " + std::string(id.driver) + "/" + std::string(id.pool) +
                   "/" + std::string(id.device) +
                   " because a claim constraint would not be satisfied");
    }
    taken_[id].push_back(claim);
    chosen_[claim].push_back({.request = request.name,
                              .alternative = option.name,
                              .wanted = option.request,
                              .device_class = option.device_class,
                              .id = id,
                              .device = candidate.device,
                              .slice = candidate.slice,
                              .admin = option.admin});
    return true;
  }

  void give_back(std::size_t claim, const Request& request, const Option& option,
                 const Candidate& candidate) {
    for (Constraint& constraint : constraints_[claim]) constraint.remove(request, option);
    taken_[candidate.id()].pop_back();
    chosen_[claim].pop_back();
  }

  bool counters_allow(const Candidate& candidate) const {
    DeviceIds together = inventory_.allocated;
    for (const auto& [id, claims] : taken_) {
      if (!claims.empty()) together.insert(id);
    }
    together.insert(candidate.id());
    return counters_suffice(*candidate.pool, together);
  }

  DeviceInventory& inventory_;
  const std::vector<Value>& claims_;
  const NodeFacts& node_;
  std::vector<DevicePool> pools_;
  std::vector<std::vector<Request>> requests_;          // by claim
  std::vector<std::vector<Constraint>> constraints_;    // by claim
  std::vector<std::vector<ChosenDevice>> chosen_;       // by claim
  std::map<DeviceId, std::vector<std::size_t>> taken_;  // and by which claims
  std::string error_;
  int steps_ = 0;
};

}  // namespace

DeviceAllocation allocate_devices(DeviceInventory& inventory, const std::vector<Value>& claims,
                                  const NodeFacts& node, json::Arena& arena) {
  return Search(inventory, claims, node).run(arena);
}

}  // namespace tabernetes::controllers::scheduling
