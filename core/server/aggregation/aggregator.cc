#include "server/aggregation/aggregator.h"

#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"
#include "registry/objects/object_record.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr Duration kCheckTimeout = Duration::from_seconds(5);
constexpr Duration kResync = Duration::from_seconds(30);
constexpr Duration kFirstRetry = Duration::from_milliseconds(5);
constexpr int kMostDoublings = 12;  // 5 ms become 20 s
constexpr std::string_view kAskForDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
constexpr std::string_view kServiceLabel = "kubernetes.io/service-name";

const auth::User& aggregator_user() {
  static const auth::User user{
      .name = "system:kube-aggregator", .uid = {}, .groups = {"system:masters"}, .extra = {}};
  return user;
}

const registry::ResourceType& api_services(const registry::Registry& registry) {
  return *registry.resources().find("apiregistration.k8s.io", "v1", "apiservices");
}

std::string path_of(const AggregatedApi& api) { return "/apis/" + api.group + "/" + api.version; }

// Returns `service/NAME in "NAMESPACE"`.
std::string service_text(const AggregatedApi& api) {
  return "service/" + api.service_name + " in " + go_quote(api.service_namespace);
}

bool is_ready(const Value& endpoint) {
  const Value* ready = endpoint.at({"conditions", "ready"});
  return ready == nullptr || ready->is_null() || ready->as_bool();
}

// Returns whether a slice has a ready endpoint, and a port of that name with a number.
bool is_active(const Value& slice, std::string_view port_name) {
  const auto endpoints = items_at(slice, {"endpoints"});
  if (std::none_of(endpoints.begin(), endpoints.end(), is_ready)) return false;
  const auto ports = items_at(slice, {"ports"});
  return std::any_of(ports.begin(), ports.end(), [&](const Value& port) {
    return port.find("name") != nullptr && port.string_at("name") == port_name &&
           has(port, {"port"});
  });
}

}  // namespace

void Aggregator::look() {
  const store::History& history = registry_.store().history();
  if (!std::exchange(started_, true) || !history.kept(seen_) || seen_ > history.end()) {
    read_all();
    seen_ = history.end();
  }
  for (; seen_ < history.end(); ++seen_) {
    const store::EventPtr event = history.at(seen_);
    observe(event->key, event->current);
  }
  if (apis_.empty()) return;
  for (auto& [name, known] : apis_) {
    if (known.due && !known.asking) check(name, known);
  }
  for (auto& [name, known] : apis_) {
    if (!known.answered) continue;
    const Verdict verdict = *std::exchange(known.answered, std::nullopt);
    settle(name, known, verdict);
  }
}

void Aggregator::read_all() {
  apis_.clear();
  const registry::ResourceType& type = api_services(registry_);
  const std::string& prefix = type.key_prefix;
  registry_.store().tree().scan(prefix, store::prefix_end(prefix),
                                [&](std::string_view key, const store::RecordPtr& record) {
                                  take(registry::split_key(type, key).name, record);
                                  return true;
                                });
  publish();
}

void Aggregator::observe(std::string_view key, const store::RecordPtr& record) {
  const registry::ResourceType& type = api_services(registry_);
  if (key.starts_with(type.key_prefix)) {
    take(registry::split_key(type, key).name, record);
    return publish();
  }
  if (apis_.empty()) return;
  const registry::ResourceType& services = *registry_.resources().find("", "v1", "services");
  const registry::ResourceType& slices =
      *registry_.resources().find("discovery.k8s.io", "v1", "endpointslices");
  for (const registry::ResourceType* each : {&services, &slices}) {
    if (!key.starts_with(each->key_prefix)) continue;
    const std::string_view ns = registry::split_key(*each, key).ns;
    for (auto& [name, known] : apis_) known.due = known.due || known.api.service_namespace == ns;
    publish();
  }
}

void Aggregator::take(std::string_view name, const store::RecordPtr& record) {
  std::optional<AggregatedApi> api;
  // Most APIServices name no service.
  if (record != nullptr && record->bytes.find("\"service\":{") != std::string::npos) {
    json::Arena arena;
    api = read_aggregated_api(registry::read_object(api_services(registry_), *record, arena));
  }
  const auto found = apis_.find(name);
  if (!api) {
    if (found != apis_.end()) apis_.erase(found);
    return;
  }
  if (found == apis_.end()) {
    apis_[std::string(name)].api = std::move(*api);
    return;
  }
  Known& known = found->second;
  AggregatedApi before = known.api;
  before.available = api->available;
  if (before != *api) known = Known{};
  known.api = std::move(*api);
}

Aggregator::Known* Aggregator::find(const std::string& name, std::uint64_t number) {
  const auto found = apis_.find(name);
  return found == apis_.end() || found->second.number != number ? nullptr : &found->second;
}

void Aggregator::check(const std::string& name, Known& known) {
  known.due = false;
  known.number = ++last_;
  if (is_own_metrics(registry_.resources(), registry_.store().tree(), known.api, measures_)) {
    known.answered = Verdict{true, "Passed", "all checks passed"};
    return;
  }
  known.answered = verdict_without_asking(known.api);
  if (!known.answered) ask(name, known);
}

std::optional<Aggregator::Verdict> Aggregator::verdict_without_asking(
    const AggregatedApi& api) const {
  json::Arena arena;
  const std::string& ns = api.service_namespace;
  const std::string& name = api.service_name;
  const Value service = registry_.find_object({"", "v1", "services"}, ns, name, arena);
  if (!service.is_object()) {
    return Verdict{false, "ServiceNotFound", service_text(api) + " is not present"};
  }
  if (text_at(service, {"spec", "type"}) != "ClusterIP") return std::nullopt;
  const auto ports = items_at(service, {"spec", "ports"});
  const auto port = std::find_if(ports.begin(), ports.end(), [&](const Value& each) {
    return number_at(each, {"port"}) == api.port;
  });
  if (port == ports.end()) {
    return Verdict{false, "ServicePortError",
                   service_text(api) + " is not listening on port " + std::to_string(api.port)};
  }
  bool any = false, active = false;
  const std::string_view port_name = port->string_at("name");
  registry_.each_object({"discovery.k8s.io", "v1", "endpointslices"}, arena,
                        [&](const Value& slice) {
                          if (text_at(slice, {"metadata", "namespace"}) != ns ||
                              text_at(slice, {"metadata", "labels", kServiceLabel}) != name) {
                            return;
                          }
                          any = true;
                          active = active || is_active(slice, port_name);
                        });
  if (!any) {
    return Verdict{false, "EndpointsNotFound",
                   "cannot find endpointslices for " + service_text(api)};
  }
  if (!active) {
    return Verdict{false, "MissingEndpoints",
                   "endpointslices for " + service_text(api) +
                       " have no addresses with port name " + go_quote(port_name)};
  }
  return std::nullopt;
}

void Aggregator::ask(const std::string& name, Known& known) {
  const std::string path = path_of(known.api);
  ProxyCall call =
      call_of(known.api, "GET", path, aggregator_user(),
              {{"accept", "application/json"}, {"user-agent", "Go-http-client/1.1"}}, registry_);
  call.patience = kCheckTimeout;
  call.whole = true;
  known.asking = true;
  const std::string url = "https://" + service_host(known.api, registry_) + path;
  proxies_.send(std::move(call), [this, name, number = known.number, url](
                                     const ProxyAnswer& answer, const std::unique_ptr<Stream>&) {
    answered(name, number, url, answer);
  });
}

void Aggregator::answered(const std::string& name, std::uint64_t number, const std::string& url,
                          const ProxyAnswer& answer) {
  Known* known = find(name, number);
  if (known == nullptr) return;
  known->asking = false;
  const bool good = !answer.fault && answer.status >= 200 && answer.status < 300;
  if (good) {
    known->answered = Verdict{true, "Passed", "all checks passed"};
    known->plain = answer.body;
    return;
  }
  std::string message = "failing or missing response from " + url + ": ";
  if (answer.status == 0) {
    message += "Get " + go_quote(url) + ": " + (answer.fault ? answer.fault->message : "");
  } else {
    message += "bad status from " + url + ": " + std::to_string(answer.status);
  }
  known->answered = Verdict{false, "FailedDiscoveryCheck", std::move(message)};
}

void Aggregator::settle(const std::string& name, Known& known, const Verdict& verdict) {
  const bool own =
      is_own_metrics(registry_.resources(), registry_.store().tree(), known.api, measures_);
  const bool asked = verdict.available || verdict.reason == "FailedDiscoveryCheck";
  known.failures = verdict.available || !asked ? 0 : known.failures + 1;
  known.api.available = verdict.available;
  write(name, verdict);
  publish();
  if (own || !asked) return;
  if (verdict.available) ask_for_resources(name, known);
  Duration later = kResync;
  if (known.failures > 0) {
    later = Duration{kFirstRetry.nanoseconds << std::min(known.failures - 1, kMostDoublings)};
  }
  deadlines_.add(now_ + later, [this, name, number = known.number] {
    if (Known* again = find(name, number)) again->due = true;
  });
}

void Aggregator::write(const std::string& name, const Verdict& verdict) {
  json::Arena arena;
  const Value before =
      registry_.find_object({"apiregistration.k8s.io", "v1", "apiservices"}, {}, name, arena);
  const Value* condition = registry::find_condition(before, "Available");
  if (condition != nullptr && condition->string_at("reason") == verdict.reason &&
      condition->string_at("message") == verdict.message &&
      condition->string_at("status") == (verdict.available ? "True" : "False")) {
    return;
  }
  registry::WriteContext context{.arena = arena, .now = now_};
  context.manager = "kube-apiserver";
  context.subresource = "status";
  const registry::ResourceType& type = api_services(registry_);
  // If it fails, the next check writes it.
  (void)registry_.update(context, {&type, {}, name}, registry::Subresource::kStatus,
                         [&](const Value* stored) -> Result<Value> {
                           if (stored == nullptr) {
                             return errors::not_found(type.group_resource(), name);
                           }
                           Value object = stored->clone(arena);
                           registry::set_condition(object_or_new(object, "status", arena),
                                                   {.type = "Available",
                                                    .status = verdict.available ? "True" : "False",
                                                    .reason = verdict.reason,
                                                    .message = verdict.message},
                                                   now_, arena);
                           return object;
                         });
}

void Aggregator::ask_for_resources(const std::string& name, Known& known) {
  ProxyCall call = call_of(
      known.api, "GET", "/apis", aggregator_user(),
      {{"accept", std::string(kAskForDiscovery)}, {"user-agent", "Go-http-client/1.1"}}, registry_);
  call.patience = kCheckTimeout;
  call.whole = true;
  proxies_.send(std::move(call), [this, name, number = known.number](
                                     const ProxyAnswer& answer, const std::unique_ptr<Stream>&) {
    learn(name, number, answer);
  });
}

void Aggregator::learn(const std::string& name, std::uint64_t number, const ProxyAnswer& answer) {
  Known* known = find(name, number);
  if (known == nullptr) return;
  const bool tells =
      answer.status == 200 &&
      header_of(answer, "content-type").find("as=APIGroupDiscoveryList") != std::string::npos;
  known->entry = tells ? entry_of_discovery(answer.body, known->api.group, known->api.version)
                       : entry_of_resource_list(known->plain, known->api.version);
  publish();
}

void Aggregator::publish() {
  std::vector<AggregatedApi> theirs;
  for (const auto& [name, known] : apis_) {
    const AggregatedApi& api = known.api;
    if (!is_own_metrics(registry_.resources(), registry_.store().tree(), api, measures_)) {
      theirs.push_back(api);
    }
  }
  open_api_.observe(theirs);
  AggregatedParts parts;
  for (const AggregatedApi& api : theirs) {
    parts.push_back({api.group, api.version, api.group_priority, api.version_priority,
                     api.available, apis_.find(api.name)->second.entry,
                     open_api_.spec_of(api.name)});
  }
  if (published_ != nullptr ? published_->parts() == parts : parts.empty()) return;
  published_ = std::make_shared<const AggregatedApis>(std::move(parts));
}

}  // namespace tabernetes::server
