// Checks of namespaces, nodes, quotas, limits, secrets and events. Source: upstream 1.36
// pkg/apis/core/validation: validation.go, events.go.

#include <string>
#include <vector>

#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "base/text/base64.h"
#include "codec/json_reader.h"
#include "json/equality.h"
#include "kinds/validation/checks.h"
#include "kinds/validation/resource_names.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::validation {
TAB_RULES(kTaintRules, R"(
key is:qualified
value is:joined-label-value
effect required enum:NoSchedule,PreferNoSchedule,NoExecute
)");

namespace {

using json::Value;

// --- Namespaces

void own_finalizers(const Place& place) {
  for (const Field item : place.now.items()) {
    const std::string_view name = item.text();
    for (const std::string& fault : qualified_name_faults(name)) {
      place.now.invalid_string(name, fault);
    }
    if (name.find('/') != std::string_view::npos) continue;
    if (listed("kubernetes,orphan,foregroundDeletion", name)) continue;
    place.now.invalid_string(name,
                             "name is neither a standard finalizer name nor is it fully qualified");
  }
}

void phase(const Place& place) {
  const bool deleted = place.root->at({"metadata", "deletionTimestamp"}) != nullptr;
  const Field status = place.now["status"];
  const Field phase = status.as("Phase", status["phase"]);
  if (!phase.is(deleted ? "Terminating" : "Active")) {
    phase.invalid(deleted ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                          : "may only be 'Active' if `deletionTimestamp` is empty");
  }
}

// --- Nodes

// Upstream's path contains metadata.
void taints(const Place& place) {
  const Field metadata = place.now["metadata"];
  const Field spec = place.now["spec"];
  const Field list = metadata.as("taints", spec["taints"]);
  for (const Field taint : list.items()) {
    kTaintRules.check({taint, nullptr, place.write, place.root});
    for (std::uint32_t i = 0; i < taint.index(); ++i) {
      const Value& other = list.value()->items()[i];
      if (other.string_at("key") != taint.text_at("key") ||
          other.string_at("effect") != taint.text_at("effect")) {
        continue;
      }
      taint.duplicate_as(print_internal(taint, "core.v1.Taint") +
                         ": taints must be unique by key and effect pair");
      break;
    }
  }
}

void node_resources(const Place& place) {
  const Field status = place.now["status"];
  for (const std::string_view name : {"capacity", "allocatable"}) {
    const Field map = status[name];
    if (map.empty()) continue;
    for (const Field item : map.items()) {
      check_resource_amount(map.as(item.name(), item), item.name());
    }
  }
}

void pod_cidrs(const Place& place) {
  const Field& list = place.now;
  bool v4 = false;
  bool v6 = false;
  for (const Field item : list.items()) {
    item.invalid(cidr_faults(item.text()));
    if (const auto range = parse_ip_range(item.text())) (range->address.v4 ? v4 : v6) = true;
  }
  if (list.size() > 1 && (!v4 || !v6 || list.size() > 2)) {
    list.invalid("may specify no more than one CIDR for each IP family");
  }
}

void node_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Field now = spec["podCIDRs"];
  const Value* old = place.old->at({"spec", "podCIDRs"});
  constexpr std::string_view kKept =
      "node updates may not change podCIDR except from \"\" to valid";
  if (old != nullptr && old->size() > 0) {
    if (old->size() != now.size()) {
      now.forbidden(kKept);
    } else {
      for (std::uint32_t i = 0; i < now.size(); ++i) {
        if (!json::deep_equal(now.value()->items()[i], old->items()[i])) now.forbidden(kKept);
      }
    }
  }
  const Value* provider = place.old->at({"spec", "providerID"});
  const Field id = spec["providerID"];
  if (provider != nullptr && id.text() != provider->as_string()) {
    id.forbidden("node updates may not change providerID except from \"\" to valid");
  }
}

// --- Limits

void limit_type(const Place& place) {
  const std::string_view type = place.now.text();
  if (!qualified_name_faults(type).empty() || type.find('/') != std::string_view::npos) return;
  if (!listed("Pod,Container,PersistentVolumeClaim", type)) {
    place.now.invalid("must be a standard limit type or fully qualified");
  }
}

void check_limit_names(const Field& limit, std::string_view name) {
  const Field map = limit[name];
  if (map.empty()) return;
  const bool container = limit["type"].is("Pod") || limit["type"].is("Container");
  for (const Field item : map.items()) {
    if (container) {
      check_container_resource_name(item, item.name());
    } else {
      check_resource_name(item, item.name());
    }
  }
}

void limit_names(const Place& place) {
  check_limit_names(place.now, "max");
  check_limit_names(place.now, "min");
  for (const std::string_view name : {"default", "defaultRequest"}) {
    const Field map = place.now[name];
    if (!place.now["type"].is("Pod")) {
      check_limit_names(place.now, name);
    } else if (!map.empty()) {
      map.forbidden("may not be specified when `type` is 'Pod'");
    }
  }
}

void limit_ratio_names(const Place& place) { check_limit_names(place.now, "maxLimitRequestRatio"); }

// Formats like Go's %f.
std::string six_digits(double value) {
  const bool negative = value < 0;
  const double scaled = (negative ? -value : value) * 1e6 + 0.5;
  if (!(scaled < 9e18)) return "+Inf";
  const auto whole = static_cast<std::uint64_t>(scaled);
  std::string digits = std::to_string(whole % 1000000);
  digits.insert(0, 6 - digits.size(), '0');
  return (negative ? "-" : "") + std::to_string(whole / 1000000) + "." + digits;
}

// Checks the limits of a resource against each other.
void check_limit_values(const Field& limit, std::string_view resource) {
  const Field maps[] = {limit["min"], limit["max"], limit["default"], limit["defaultRequest"],
                        limit["maxLimitRequestRatio"]};
  enum { kMin, kMax, kDefault, kRequest, kRatio };
  constexpr std::string_view kNames[] = {"min value ", "max value ", "default value ",
                                         "default request value ", "ratio "};
  struct Rule {
    int shown, value, small, big;
    std::string_view big_name;
  };
  // The value of `small` may not be greater than that of `big`; the error is reported at `shown`.
  constexpr Rule kRules[] = {
      {kMin, kMin, kMin, kMax, "max value "},
      {kRequest, kRequest, kMin, kRequest, "default request value "},
      {kRequest, kRequest, kRequest, kMax, "max value "},
      {kRequest, kRequest, kRequest, kDefault, "default limit value "},
      {kDefault, kMin, kMin, kDefault, "default value "},
      {kDefault, kMax, kDefault, kMax, "max value "},
  };
  const bool pod = limit["type"].is("Pod");
  Quantity values[5];
  bool there[5];
  for (int i = 0; i < 5; ++i) {
    const Field amount = maps[i].key(resource);
    there[i] = amount.present() && !(pod && (i == kDefault || i == kRequest));
    values[i] = quantity_of(amount);
  }
  for (const Rule& rule : kRules) {
    if (!there[rule.small] || !there[rule.big] ||
        values[rule.small].compare(values[rule.big]) <= 0) {
      continue;
    }
    const Field shown = maps[rule.shown].key(resource);
    shown.invalid_string(values[rule.value].to_string(),
                         std::string(kNames[rule.small]) + values[rule.small].to_string() +
                             " is greater than " + std::string(rule.big_name) +
                             values[rule.big].to_string());
  }
  if (there[kRatio]) {
    const Field ratio = maps[kRatio].key(resource);
    const std::string text = "ratio " + values[kRatio].to_string();
    if (values[kRatio].compare(Quantity::of(1)) < 0) ratio.invalid(text + " is less than 1");
    if (there[kMin] && there[kMax]) {
      const double most = static_cast<double>(values[kMax].milli_value()) /
                          static_cast<double>(values[kMin].milli_value());
      if (static_cast<double>(values[kRatio].milli_value()) / 1000 > most) {
        ratio.invalid(text + " is greater than max/min = " + six_digits(most));
      }
    }
  }
  const bool overcommit = is_native_resource(resource) && !is_huge_page(resource);
  if (!overcommit && there[kDefault] && there[kRequest] &&
      values[kDefault].compare(values[kRequest]) != 0) {
    const Field shown = maps[kRequest].key(resource);
    shown.invalid("default value " + values[kDefault].to_string() +
                  " must equal to defaultRequest value " + values[kRequest].to_string() + " in " +
                  std::string(resource));
  }
}

void limit_values(const Place& place) {
  std::vector<std::string_view> names;
  for (const std::string_view map :
       {"max", "min", "default", "defaultRequest", "maxLimitRequestRatio"}) {
    const Value* amounts = place.now.find(map);
    if (amounts == nullptr || !amounts->is_object()) continue;
    for (const json::Member& amount : amounts->members()) {
      bool known = false;
      for (const std::string_view name : names) known = known || name == amount.key;
      if (known) continue;
      names.push_back(amount.key);
      check_limit_values(place.now, amount.key);
    }
  }
}

// --- Quotas

void quota_amount(const Place& place) {
  const std::string_view name = place.now.name();
  check_resource_name(place.now, name);
  if (name.find('/') == std::string_view::npos && !is_standard_quota_resource(name)) {
    place.now.invalid_string(name, "must be a standard resource for quota");
  }
  check_resource_amount(place.now, name);
}

constexpr std::string_view kScopes =
    "Terminating,NotTerminating,BestEffort,NotBestEffort,PriorityClass,VolumeAttributesClass,"
    "CrossNamespacePodAffinity";

// Returns true if a scope applies to a resource.
bool applies(std::string_view scope, std::string_view resource) {
  const bool claim = listed("persistentvolumeclaims,requests.storage", resource);
  if (scope == "VolumeAttributesClass") return claim;
  if (scope == "BestEffort") return resource == "pods";
  if (!listed(kScopes, scope)) return true;
  return resource == "pods" ||
         listed("cpu,memory,limits.cpu,limits.memory,requests.cpu,requests.memory", resource);
}

void all_apply(const Field& spec, std::string_view scope, const Field& shown,
               std::string_view printed) {
  const Field hard = spec["hard"];
  if (hard.empty()) return;
  for (const Field item : hard.items()) {
    if (is_standard_quota_resource(item.name()) && !applies(scope, item.name())) {
      shown.invalid_printed(printed, "unsupported scope applied to resource");
    }
  }
}

void check_conflicts(const Field& shown, std::string_view printed,
                     const std::vector<std::string_view>& scopes) {
  const auto has = [&](std::string_view wanted) {
    for (const std::string_view scope : scopes) {
      if (scope == wanted) return true;
    }
    return false;
  };
  if (has("BestEffort") && has("NotBestEffort"))
    shown.invalid_printed(printed, "conflicting scopes");
  if (has("Terminating") && has("NotTerminating"))
    shown.invalid_printed(printed, "conflicting scopes");
}

void quota_scopes(const Place& place) {
  const Field list = place.now["scopes"];
  std::vector<std::string_view> scopes;
  for (const Field scope : list.items()) {
    if (!listed(kScopes, scope.text())) list.invalid("unsupported scope");
    all_apply(place.now, scope.text(), list, list.printed());
    scopes.push_back(scope.text());
  }
  check_conflicts(list, list.present() ? list.printed() : "null", scopes);
}

void scope_selector(const Place& place) {
  const Field list = place.now["matchExpressions"];
  const Field spec(*place.root->find("spec"), list.errors());
  std::vector<std::string_view> scopes;
  for (const Field item : list.items()) {
    const Field scope = list.as("scopeName", item["scopeName"]);
    const Field op = list.as("operator", item["operator"]);
    const Field values = list.as("values", item["values"]);
    if (!listed(kScopes, scope.text())) scope.invalid("unsupported scope");
    all_apply(spec, scope.text(), list, print_internal(place.now, "core.v1.ScopeSelector"));
    if (listed("BestEffort,NotBestEffort,Terminating,NotTerminating,CrossNamespacePodAffinity",
               scope.text()) &&
        !op.is("Exists")) {
      op.invalid(
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
          "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
          "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    if (listed("In,NotIn", op.text())) {
      if (values.empty()) {
        values.required(
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      }
    } else if (listed("Exists,DoesNotExist", op.text())) {
      if (!values.empty()) {
        values.invalid(
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
      }
    } else {
      op.invalid("not a valid selector operator");
    }
    scopes.push_back(scope.text());
  }
  const Field plain = spec["scopes"];
  check_conflicts(list, plain.present() ? plain.printed() : "null", scopes);
}

void same_scopes(const Place& place) {
  const auto within = [](const Value* a, const Value* b) {
    if (a == nullptr) return true;
    for (const Value& item : a->items()) {
      bool found = false;
      if (b != nullptr) {
        for (const Value& other : b->items()) found = found || json::deep_equal(item, other);
      }
      if (!found) return false;
    }
    return true;
  };
  if (within(place.now.value(), place.old) && within(place.old, place.now.value())) return;
  place.now.invalid_printed(place.now.present() ? place.now.printed() : "null", field::kImmutable);
}

// --- Secrets

void require_key(const Field& data, std::string_view key) {
  if (!data.has(key)) data.key(key).required();
}

void check_json(const Field& data, std::string_view key) {
  const Field entry = data.key(key);
  if (!entry.present()) return entry.required();
  json::Arena arena;
  const auto bytes = base64_decode(entry.text());
  const std::string text = bytes ? *bytes : std::string();
  const auto parsed = codec::read_json(text, arena);
  std::string error = parsed.error;
  if (error.empty() && !parsed.value.is_object() && !parsed.value.is_null()) {
    const std::string_view type = parsed.value.is_array()    ? "array"
                                  : parsed.value.is_string() ? "string"
                                  : parsed.value.is_bool()   ? "bool"
                                                             : "number";
    error = "json: cannot unmarshal " + std::string(type) +
            " into Go value of type map[string]interface {}";
  }
  if (!error.empty()) entry.invalid_string("<secret contents redacted>", error);
}

void secret_type(const Place& place) {
  const Field data = place.now["data"];
  const std::string_view type = place.now.text_at("type");
  const auto key_of = [&](std::string_view key) { return data.find(key); };
  if (type == "kubernetes.io/service-account-token") {
    const Field metadata = place.now["metadata"];
    const Field annotations = metadata["annotations"];
    annotations.key("kubernetes.io/service-account.name").require();
  } else if (type == "kubernetes.io/dockercfg") {
    check_json(data, ".dockercfg");
  } else if (type == "kubernetes.io/dockerconfigjson") {
    check_json(data, ".dockerconfigjson");
  } else if (type == "kubernetes.io/basic-auth") {
    if (key_of("username") != nullptr || key_of("password") != nullptr) return;
    data.key("username").required();
    data.key("password").required();
  } else if (type == "kubernetes.io/ssh-auth") {
    data.key("ssh-privatekey").require();
  } else if (type == "kubernetes.io/tls") {
    require_key(data, "tls.crt");
    require_key(data, "tls.key");
  }
}

// --- Events

struct EventNames {
  std::string_view reference, controller, message, shown_controller;
};

// Checks both versions of events; paths contain the names of core.
void check_event(const Place& place, const EventNames& names) {
  const Field& event = place.now;
  const Field reference = event.as("involvedObject", event[names.reference]);
  const Field where = reference["namespace"];
  const Field metadata = event["metadata"];
  const std::string_view ns = metadata.text_at("namespace");
  const auto limit = [&](std::string_view name, std::string_view shown, std::size_t most,
                         bool required) {
    const Field field = event.as(shown, event[name]);
    if (required && field.text().empty()) field.required();
    if (field.text().size() > most) {
      field.invalid_string("", "can have at most " + std::to_string(most) + " characters");
    }
  };
  constexpr std::string_view kMismatch = "does not match event.namespace";
  if (!event.has("eventTime")) {
    const bool fits = where.text().empty() ? ns == "default" : ns == where.text();
    if (!fits) where.invalid(kMismatch);
  } else {
    if (where.text().empty() && ns != "default" && ns != "kube-system") where.invalid(kMismatch);
    const Field controller = event.as(names.shown_controller, event[names.controller]);
    if (controller.text().empty()) controller.required();
    controller.invalid(qualified_name_faults(controller.text()));
    limit("reportingInstance", "reportingInstance", 128, true);
    limit("action", "action", 128, true);
    limit("reason", "reason", 128, true);
    limit(names.message, "message", 1024, false);
  }
}

void core_event(const Place& place) {
  check_event(place, {"involvedObject", "reportingComponent", "message", "reportingComponent"});
}

void event(const Place& place) {
  check_event(place, {"regarding", "reportingController", "note", "reportingController"});
}

void event_type(const Place& place) {
  const Field type = place.now["type"];
  if (!type.is("Normal") && !type.is("Warning")) {
    type.invalid_string("", "has invalid value: " + std::string(type.text()));
  }
}

bool is_same(const Place& place) {
  const Value* now = place.now.value();
  return now == nullptr || place.old == nullptr ? now == place.old
                                                : json::deep_equal(*now, *place.old);
}

// Prints the internal type, even if the source is missing.
void immutable_source(const Place& place) {
  if (is_same(place)) return;
  place.now.invalid_printed(R"({"Component":)" + go_quote(place.now.text_at("component")) +
                                R"(,"Host":)" + go_quote(place.now.text_at("host")) + "}",
                            field::kImmutable);
}

}  // namespace

const NamedCheck kCoreChecks[] = {
    {"own-finalizers", &own_finalizers},
    {"phase", &phase},
    {"taints", &taints},
    {"node-resources", &node_resources},
    {"pod-cidrs", &pod_cidrs},
    {"node-change", &node_change},
    {"limit-type", &limit_type},
    {"limit-names", &limit_names},
    {"limit-ratio-names", &limit_ratio_names},
    {"limit-values", &limit_values},
    {"quota-amount", &quota_amount},
    {"quota-scopes", &quota_scopes},
    {"scope-selector", &scope_selector},
    {"same-scopes", &same_scopes},
    {"secret-type", &secret_type},
    {"core-event", &core_event},
    {"event", &event},
    {"event-type", &event_type},
    {"immutable-source", &immutable_source},
};

}  // namespace tabernetes::registry::validation
