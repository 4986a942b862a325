#include "server/aggregation/loop_calls.h"

#include <algorithm>
#include <vector>

#include "base/algorithm/sort.h"
#include "codec/json_reader.h"
#include "controllers/garbage/owned_metadata.h"
#include "json/access.h"
#include "registry/kind/review_answer.h"

namespace tabernetes::server {
namespace {

using controllers::AggregatedAnswer;
using controllers::AggregatedAsker;
using controllers::AggregatedDiscovery;
using controllers::AggregatedRequest;
using controllers::AggregatedResource;
using json::Value;

constexpr AggregatedAsker kCollector = controllers::garbage_collector();

auth::User user_of(const AggregatedAsker& asker) {
  return {.name = "system:serviceaccount:kube-system:" + std::string(asker.account),
          .uid = {},
          .groups = {"system:serviceaccounts", "system:serviceaccounts:kube-system",
                     "system:authenticated"},
          .extra = {}};
}

AggregatedResource read_resource(const AggregatedPart& part, const Value& entry) {
  AggregatedResource resource{.group = part.group,
                              .version = part.version,
                              .plural = std::string(entry.string_at("resource")),
                              .kind = std::string(text_at(entry, {"responseKind", "kind"})),
                              .namespaced = entry.string_at("scope") == "Namespaced",
                              .verbs = {}};
  for (const Value& verb : items_at(entry, {"verbs"})) {
    if (verb.is_string()) resource.verbs.emplace_back(verb.as_string());
  }
  return resource;
}

AggregatedDiscovery discovery_of(std::vector<const AggregatedPart*> parts) {
  sort_stable(parts, [](const auto* a, const auto* b) { return is_preferred(*a, *b); });
  AggregatedDiscovery all;
  for (const AggregatedPart* part : parts) {
    if (!part->available || part->entry.empty()) {
      all.failed.push_back(part->group + "/" + part->version);
      continue;
    }
    json::Arena arena;
    const Value entry = codec::read_json(part->entry, arena).value;
    for (const Value& each : items_at(entry, {"resources"})) {
      AggregatedResource resource = read_resource(*part, each);
      const bool known = std::any_of(
          all.resources.begin(), all.resources.end(), [&](const AggregatedResource& other) {
            return other.group == resource.group && other.plural == resource.plural;
          });
      if (!known) all.resources.push_back(std::move(resource));
    }
  }
  sort_stable(all.failed);
  return all;
}

// Returns the API of a path ("/apis/GROUP/VERSION/...") if it is there.
std::optional<AggregatedApi> api_of(const registry::Registry& registry, std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty() && segments.size() < 3) {
    const std::size_t slash = std::min(path.find('/', 1), path.size());
    segments.emplace_back(path.substr(1, slash - 1));
    path.remove_prefix(slash);
  }
  return find_aggregated_api(registry.resources(), registry.store().tree(), segments, false);
}

AggregatedAnswer unavailable() {
  return {503, {}, "the server is currently unable to handle the request"};
}

AggregatedAnswer answer_of_server(const ProxyAnswer& given) {
  // What the client would get from the proxy.
  if (given.fault && given.status == 0) return unavailable();
  AggregatedAnswer answer{given.status, given.body, {}};
  if (given.status < 200 || given.status > 299) {
    answer.error = registry::refusal_of({.fault = {},
                                         .status = given.status,
                                         .body = given.body,
                                         .content_type = header_of(given, "content-type")});
  }
  return answer;
}

}  // namespace

LoopCalls::LoopCalls(const registry::Registry& registry, Proxies& proxies,
                     const Aggregator& aggregator, Deadlines& deadlines, const Time& now,
                     bool collects, OnAnswers on_answers)
    : registry_(registry),
      proxies_(proxies),
      aggregator_(aggregator),
      on_answers_(std::move(on_answers)),
      collects_(collects),
      objects_(
          deadlines, now,
          [this](const std::string& path, std::string_view accept,
                 AggregatedObjects::OnAnswer on_answer) {
            const auto api = api_of(registry_, path);
            if (!api || !api->available) {
              ProxyAnswer none;
              none.status = 503;
              return on_answer(std::move(none), nullptr);
            }
            ProxyCall call = call_of(*api, "GET", path, user_of(kCollector),
                                     {{"accept", std::string(accept)}}, registry_);
            call.whole = path.find('?') == std::string::npos;
            proxies_.send(std::move(call), std::move(on_answer));
          },
          [this](const std::string& key) { on_answers_(kCollector.loop, key); },
          [this](const std::string& ns) { on_answers_("resourcequota-controller", ns + "/"); }) {}

void LoopCalls::look() {
  const store::History& history = registry_.store().history();
  if (!collects_ || !objects_.watches()) {
    seen_ = history.end();
  } else if (!history.kept(seen_) || seen_ > history.end()) {
    seen_ = history.end();
    objects_.tell_all();
  }
  for (; seen_ < history.end(); ++seen_) {
    const store::EventPtr event = history.at(seen_);
    if (event->current != nullptr || event->previous == nullptr) continue;
    objects_.owner_gone(controllers::uid_of(*event->previous));
  }
  const AggregatedDiscovery& now = discovery();
  if (collects_ && std::exchange(watches_due_, false)) objects_.watch(now.resources, now.failed);
}

const controllers::AggregatedObject* LoopCalls::object(std::string_view uid) {
  return objects_.find(uid);
}

std::vector<std::string> LoopCalls::dependents(std::string_view owner) {
  return objects_.dependents(owner);
}

std::optional<std::int64_t> LoopCalls::count(std::string_view resource, std::string_view ns) {
  return objects_.count(resource, ns);
}

const AggregatedDiscovery& LoopCalls::discovery() {
  if (read_ != aggregator_.apis()) {
    read_ = aggregator_.apis();
    watches_due_ = true;
    std::vector<const AggregatedPart*> parts;
    if (read_ != nullptr) {
      for (const AggregatedPart& part : read_->parts()) parts.push_back(&part);
    }
    discovery_ = discovery_of(std::move(parts));
  }
  return discovery_;
}

const AggregatedAnswer* LoopCalls::ask(const AggregatedAsker& asker,
                                       const AggregatedRequest& request) {
  const Key key(asker.loop, asker.key);
  Asked& asked = asked_[key];
  if (asked.number == 0) asked.number = ++last_;
  const std::string name = std::to_string(request.turn) + " " + std::string(request.method) + " " +
                           request.path + " " + request.body;
  const auto [found, fresh] = asked.answers.try_emplace(name);
  if (!fresh) return found->second ? &*found->second : nullptr;
  const auto api = api_of(registry_, request.path);
  if (!api || !api->available) {
    found->second = unavailable();
    return &*found->second;
  }
  Headers headers{{"accept", std::string(kAcceptMetadataList)}};
  if (request.method == "PATCH") {
    headers.emplace_back("content-type", "application/merge-patch+json");
  } else if (!request.body.empty()) {
    headers.emplace_back("content-type", "application/json");
  }
  ProxyCall call = call_of(*api, request.method, request.path, user_of(asker), headers, registry_);
  call.body = request.body;
  call.whole = true;
  ++asked.missing;
  proxies_.send(std::move(call), [this, key, number = asked.number, name](
                                     const ProxyAnswer& answer, const std::unique_ptr<Stream>&) {
    answered(key, number, name, answer);
  });
  return nullptr;
}

void LoopCalls::answered(const Key& key, std::uint64_t number, const std::string& request,
                         const ProxyAnswer& answer) {
  const auto found = asked_.find(key);
  if (found == asked_.end() || found->second.number != number) return;
  found->second.answers[request] = answer_of_server(answer);
  if (--found->second.missing == 0) on_answers_(key.first, key.second);
}

void LoopCalls::forget(const AggregatedAsker& asker) { asked_.erase(Key(asker.loop, asker.key)); }

}  // namespace tabernetes::server
