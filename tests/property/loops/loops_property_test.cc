// All control loops, the scheduler and the kubelets on random objects that validation lets in: they
// come to rest, and no request fails in the server itself.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../representations/least_objects.h"
#include "../representations/random_object.h"
#include "../versions/random.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "schema/schema.h"
#include "tabernetes/api_server.h"

namespace tabernetes::property {
namespace {

using json::Value;

constexpr int kLoopRuns = 2;
constexpr int kObjectsPerRun = 25;
constexpr int kChangesPerObject = 12;

// Members whose random values would only make a cluster large or slow.
constexpr std::string_view kCounts[] = {
    "replicas",    "parallelism",  "completions",         "minReplicas",
    "maxReplicas", "backoffLimit", "backoffLimitPerIndex"};

std::string seed_of_environment(std::string_view fallback) {
  const char* given = std::getenv("TABERNETES_PROPERTY_SEED");
  return given != nullptr ? given : std::string(fallback);
}

class LoopCluster {
 public:
  LoopCluster() : server_(options()) {}

  // Sends a request. Returns its status, which is not that of a failure of the server.
  int ask(const std::string& method, const std::string& target, const std::string& body = {}) {
    Request request{.method = method, .target = target};
    request.headers = {
        {"content-type", method == "PATCH" ? "application/merge-patch+json" : "application/json"}};
    request.body = body;
    int status = 0;
    server_.handle(std::move(request), [&](const Response& response) {
      status = response.status;
      if (status >= 500)
        FAIL(method << " " << target << " " << body << "\n" << response.body.flatten());
    });
    return status;
  }
  // Lets everything happen that is not periodic, for ten minutes at most.
  void live() {
    REQUIRE(ask("POST", "/-/tabernetes/clock", R"({"settle":"10m"})") == 200);
    check_parallelism();
  }
  void pass_time() { server_.advance(server_.time() + Duration::from_seconds(30 * 60)); }

  // Jobs at rest have no more pods than may run at a time.
  void check_parallelism() {
    json::Arena arena;
    const Value jobs = items_of("/apis/batch/v1/jobs", arena);
    if (jobs.size() == 0) return;
    const Value pods = items_of("/api/v1/pods", arena);
    for (const Value& job : jobs.items()) {
      if (is_left_alone(job)) continue;
      const Value* limit = job.at({"spec", "parallelism"});
      const auto active =
          std::count_if(pods.items().begin(), pods.items().end(),
                        [&](const Value& pod) { return is_active_pod_of(pod, job); });
      INFO(codec::json_text(job));
      CHECK(active <= (limit == nullptr ? 1 : limit->as_int()));
    }
  }

 private:
  // Returns the items of a list.
  Value items_of(const std::string& path, json::Arena& arena) {
    std::string body;
    server_.handle({.method = "GET", .target = path},
                   [&](const Response& response) { body = response.body.flatten(); });
    const codec::JsonRead read = codec::read_json(arena.copy(body), arena);
    const Value* items = read.value.find("items");
    return items != nullptr && items->is_array() ? *items : Value::array(arena);
  }
  // Nobody looks at a Job that is done or that somebody else manages.
  static bool is_left_alone(const Value& job) {
    if (job.at({"spec", "managedBy"}) != nullptr) return true;
    for (const Value& condition : json::items_at(job, {"status", "conditions"})) {
      const std::string_view type = condition.string_at("type");
      if (type == "Complete" || type == "Failed") return true;
    }
    return job.at({"metadata", "deletionTimestamp"}) != nullptr;
  }
  static bool is_active_pod_of(const Value& pod, const Value& job) {
    const std::string_view phase = json::text_at(pod, {"status", "phase"});
    if (phase == "Succeeded" || phase == "Failed") return false;
    if (pod.at({"metadata", "deletionTimestamp"}) != nullptr) return false;
    for (const Value& owner : json::items_at(pod, {"metadata", "ownerReferences"})) {
      if (owner.string_at("uid") == json::text_at(job, {"metadata", "uid"})) return true;
    }
    return false;
  }
  static Options options() {
    Options options;
    options.controllers = *parse_controllers("*,bootstrapsigner,tokencleaner,nodeipam");
    options.scheduler = true;
    options.nodes = 2;
    options.seed = 1;
    return options;
  }

  ApiServer server_;
};

// Sets counts to small numbers, at any depth.
void bound_counts(Value& value, Random& random) {
  if (value.is_array()) {
    for (Value& item : value.items()) bound_counts(item, random);
  } else if (value.is_object()) {
    for (json::Member& member : value.members()) {
      bool is_count = false;
      for (const std::string_view count : kCounts) is_count = is_count || member.key == count;
      if (is_count && member.value.is_int()) {
        member.value = Value::integer(static_cast<std::int64_t>(random.below(4)));
      } else {
        bound_counts(member.value, random);
      }
    }
  }
}

std::string least_text(const schema::Resource& resource) {
  const std::string_view members = least_members(resource);
  std::string text = R"({"metadata":{"name":")" + least_name(resource) + "\"}";
  if (members.size() > 2) text.append(",").append(members.substr(1, members.size() - 2));
  return text + "}";
}

std::string path_of(const schema::Resource& resource) {
  std::string path(resource.group.empty() ? "/api/" : "/apis/" + std::string(resource.group) + "/");
  path.append(resource.version).append(resource.namespaced ? "/namespaces/default/" : "/");
  return path.append(resource.plural);
}

// Returns a patch with one member of a random object, as deep as chance wills.
std::string random_part(const Value& drawn, Random& random) {
  std::string begin, end;
  const Value* at = &drawn;
  while (at->is_object() && at->size() > 0) {
    const json::Member& member = *(at->members().begin() + random.below(at->size()));
    begin += "{\"" + std::string(member.key) + "\":";
    end += '}';
    at = &member.value;
    if (random.chance(30)) break;
  }
  return begin.empty() ? "{}" : begin + codec::json_text(*at) + end;
}

bool takes_part(const schema::Resource& resource) {
  return resource.served_by_default && resource.has_verb("create") && resource.has_verb("get") &&
         resource.has_verb("delete") && resource.kind != "Namespace" &&
         resource.kind != "CustomResourceDefinition" && resource.kind != "APIService";
}

TEST_CASE("loops: random objects that validation lets in harm nobody", "[property]") {
  std::vector<const schema::Resource*> kinds;
  for (const schema::Resource& resource : schema::Catalogue::built_in().resources()) {
    if (takes_part(resource)) kinds.push_back(&resource);
  }
  const std::uint64_t first = std::strtoull(seed_of_environment("1").c_str(), nullptr, 10);
  for (std::uint64_t seed = first; seed < first + kLoopRuns; ++seed) {
    INFO("seed " << seed);
    LoopCluster cluster;
    for (std::uint64_t number = 0; number < kObjectsPerRun; ++number) {
      Random random(seed, number);
      const schema::Resource& kind = *random.pick(kinds);
      INFO("object " << number << ": " << kind.kind);
      Entropy entropy({}, seed * 1000 + number);
      json::Arena arena;
      Value drawn = random_object(*kind.type, random.between(5, 80), entropy, arena);
      drawn.erase("metadata");
      bound_counts(drawn, random);
      const std::string object = path_of(kind) + "/" + least_name(kind);
      cluster.ask("POST", path_of(kind), least_text(kind));
      for (int change = 0; change < kChangesPerObject; ++change) {
        const bool of_status = random.chance(30);
        cluster.ask("PATCH", object + (of_status ? "/status" : ""), random_part(drawn, random));
        if (random.chance(30)) cluster.live();
      }
      cluster.live();
      if (random.chance(50)) cluster.ask("DELETE", object);
      if (random.chance(20)) cluster.pass_time();
    }
    cluster.live();
  }
}

}  // namespace
}  // namespace tabernetes::property
