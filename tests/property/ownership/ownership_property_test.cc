// Random histories of owners, finalizers and deletions on a cluster with its control loops,
// observed only through its API: which objects may be deleted, which must be, and what a watcher
// receives.
//
//   - no object is deleted that nobody asked to delete and that has a living owner
//   - in the end no object refers to an owner that is gone, and none waits for ever
//   - a watcher sees each object's life once: ADDED, MODIFIED in between, DELETED, versions rising
//   - a fork behaves as its parent would have
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../../core/server/watching.h"
#include "base/numbers/entropy.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr int kSteps = 200;
constexpr std::string_view kFinalizer = "example.com/hold";

// The model of one object.
struct Known {
  std::string ns, name;
  std::vector<std::string> owners;  // uids
  bool terminating = false;
  bool foreground = false;
  bool held = false;  // by this test's finalizer
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : entropy_(nullptr, seed) {}
  std::uint64_t below(std::uint64_t bound) { return entropy_.below(bound); }
  bool chance(std::uint64_t percent) { return below(100) < percent; }

 private:
  Entropy entropy_;
};

Options options_of(std::uint64_t seed) {
  Options options;
  options.now = Time::from_unix_milliseconds(1'767'225'600'000);
  options.seed = seed;
  options.controllers = *parse_controllers("gc,namespace");
  return options;
}

class World {
 public:
  explicit World(std::uint64_t seed)
      : dice_(seed), server_(std::make_unique<ApiServer>(options_of(seed))) {
    for (const std::string_view ns : {"a", "b"}) {
      ask(*server_, "POST", "/api/v1/namespaces",
          R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")" + std::string(ns) +
              "\"}}");
    }
    watch_from(version_of(*server_));
  }

  void step() {
    const std::uint64_t what = dice_.below(100);
    if (what < 35) {
      create();
    } else if (what < 55) {
      remove();
    } else if (what < 65) {
      let_go(pick());
    } else if (what < 75) {
      change_owners();
    } else if (what < 97) {
      advance(dice_.chance(50) ? 1 : dice_.chance(50) ? 0 : 2000);
    } else {
      go_on_with_a_fork();
    }
    hear();
  }

  // Releases all finalizers and checks the final state.
  void come_to_rest() {
    for (const auto& [uid, known] : std::map(alive_)) let_go(uid);
    for (int i = 0; i < 50; ++i) advance(100);
    advance(3'600'000);
    hear();
    for (const auto& [uid, known] : alive_) {
      INFO(known.ns << "/" << known.name << " " << uid << " " << get(*server_, path_of(known.ns)));
      CHECK_FALSE(known.terminating);
      for (const std::string& owner : known.owners) CHECK(is_solid(owner, known.ns));
    }
  }

  void delete_namespaces() {
    for (const std::string_view ns : {"a", "b"}) {
      CHECK(ask(*server_, "DELETE", "/api/v1/namespaces/" + std::string(ns)).status == 200);
      namespace_gone_ = true;
    }
    advance(60'000);
    hear();
    CHECK(alive_.empty());
    CHECK(ask(*server_, "GET", "/api/v1/namespaces/a").status == 404);
    CHECK(ask(*server_, "GET", "/api/v1/namespaces/b").status == 404);
  }

 private:
  static std::string path_of(std::string_view ns, std::string_view name = {}) {
    std::string path = "/api/v1/namespaces/" + std::string(ns) + "/configmaps";
    return name.empty() ? path : path + "/" + std::string(name);
  }

  std::string pick() {
    if (alive_.empty()) return {};
    auto at = alive_.begin();
    std::advance(at, static_cast<long>(dice_.below(alive_.size())));
    return at->first;
  }

  // Returns living, dead and invented owners; of the living ones only those created before `self`:
  // in a cycle of owners that are all deleted in the foreground, each waits for ever for the next,
  // with the real collector too.
  std::string random_owners(const std::string& self = {}) {
    std::string list = "[";
    std::set<std::string> used;
    for (std::uint64_t left = dice_.below(3); left > 0; --left) {
      std::string uid = dice_.chance(80) ? pick() : std::string("never-was");
      if (!ever_.empty() && dice_.chance(10)) uid = *ever_.begin();
      if (uid.empty() || !used.insert(uid).second) continue;
      if (!self.empty() && alive_.contains(uid) && order_[uid] >= order_[self]) continue;
      const auto known = alive_.find(uid);
      const std::string name = known == alive_.end() ? "gone" : known->second.name;
      if (list.size() > 1) list += ',';
      list += R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + name + R"(","uid":")" + uid +
              "\"" + (dice_.chance(60) ? ",\"blockOwnerDeletion\":true}" : "}");
    }
    return list + "]";
  }

  void create() {
    const std::string ns = dice_.chance(80) ? "a" : "b";
    const std::string held =
        dice_.chance(20) ? R"(,"finalizers":[")" + std::string(kFinalizer) + "\"]" : "";
    ask(*server_, "POST", path_of(ns),
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c)" +
            std::to_string(dice_.below(12)) + R"(","ownerReferences":)" + random_owners() + held +
            "}}");
  }

  void remove() {
    const std::string uid = pick();
    if (uid.empty()) return;
    static constexpr std::string_view kPolicies[] = {"", "?propagationPolicy=Background",
                                                     "?propagationPolicy=Foreground",
                                                     "?propagationPolicy=Orphan"};
    const Known known = alive_.at(uid);
    const std::string policy(kPolicies[dice_.below(4)]);
    asked_.insert(uid);
    CHECK(ask(*server_, "DELETE", path_of(known.ns, known.name) + policy).status == 200);
  }

  void patch(const Known& known, const std::string& metadata) {
    Request request =
        request_of("PATCH", path_of(known.ns, known.name), R"({"metadata":)" + metadata + "}");
    request.headers = {{"content-type", "application/merge-patch+json"}};
    server_->handle(std::move(request),
                    [](const Response& response) { CHECK(response.status == 200); });
  }

  void let_go(const std::string& uid) {
    const auto known = alive_.find(uid);
    if (known == alive_.end() || !known->second.held) return;
    hear();
    const Response present = ask(*server_, "GET", path_of(known->second.ns, known->second.name));
    json::Arena arena;
    const std::string text = present.body.flatten();
    const Value object = codec::read_json(text, arena).value;
    Value kept = Value::array(arena);
    for (const Value& name : object.at({"metadata", "finalizers"})->items()) {
      if (name.as_string() != kFinalizer) kept.push_back(arena, name);
    }
    std::string list;
    codec::write_json(kept, list);
    patch(Known(known->second), R"({"finalizers":)" + list + "}");
    hear();
  }

  void change_owners() {
    const std::string uid = pick();
    if (!uid.empty())
      patch(Known(alive_.at(uid)), R"({"ownerReferences":)" + random_owners(uid) + "}");
  }

  void advance(std::int64_t milliseconds) {
    server_->advance(server_->time() + Duration::from_milliseconds(milliseconds));
  }

  void go_on_with_a_fork() {
    hear();
    const std::string version = version_of(*server_);
    watch_.reset();
    server_ = server_->fork();
    watch_from(version);
  }

  void watch_from(const std::string& version) {
    watch_ = std::make_unique<TestWatch>(
        *server_, "/api/v1/configmaps?watch=1&timeoutSeconds=86400&resourceVersion=" + version);
  }

  void hear() {
    for (const Slice& slice : watch_->read_slices()) {
      json::Arena arena;
      const Value event = codec::read_json(slice.view(), arena).value;
      hear_of(event.string_at("type"), *event.find("object"));
    }
  }

  void hear_of(std::string_view type, const Value& object) {
    const Value& metadata = *object.find("metadata");
    const std::string uid(metadata.string_at("uid"));
    const std::uint64_t version =
        std::strtoull(std::string(metadata.string_at("resourceVersion")).c_str(), nullptr, 10);
    INFO(type << " " << metadata.string_at("name") << " " << uid << " at " << version);
    CHECK(version > heard_);
    heard_ = version;
    if (type == "ADDED") {
      CHECK(ever_.insert(uid).second);
      order_[uid] = ever_.size();
      alive_[uid] = read(metadata);
      return;
    }
    REQUIRE(alive_.contains(uid));
    const Known before = alive_[uid];
    const Known now = read(metadata);
    if (type == "DELETED") {
      alive_.erase(uid);
      if (!before.terminating) check_may_go(uid, before);
      return;
    }
    CHECK(type == "MODIFIED");
    if (now.terminating && !before.terminating) check_may_go(uid, before);
    CHECK((now.terminating || !before.terminating));
    alive_[uid] = now;
  }

  static Known read(const Value& metadata) {
    Known known{std::string(metadata.string_at("namespace")),
                std::string(metadata.string_at("name")),
                {},
                metadata.find("deletionTimestamp") != nullptr};
    if (const Value* owners = metadata.find("ownerReferences")) {
      for (const Value& owner : owners->items()) known.owners.emplace_back(owner.string_at("uid"));
    }
    if (const Value* finalizers = metadata.find("finalizers")) {
      for (const Value& name : finalizers->items()) {
        known.foreground = known.foreground || name.as_string() == "foregroundDeletion";
        known.held = known.held || name.as_string() == kFinalizer;
      }
    }
    return known;
  }

  // Returns whether the owner exists and is not waiting for its dependents to be deleted.
  bool is_solid(const std::string& owner, const std::string& ns) const {
    const auto known = alive_.find(owner);
    return known != alive_.end() && known->second.ns == ns &&
           !(known->second.terminating && known->second.foreground);
  }

  void check_may_go(const std::string& uid, const Known& known) {
    if (asked_.contains(uid) || namespace_gone_) return;
    CHECK_FALSE(known.owners.empty());
    for (const std::string& owner : known.owners) CHECK_FALSE(is_solid(owner, known.ns));
  }

  Dice dice_;
  std::unique_ptr<ApiServer> server_;
  std::unique_ptr<TestWatch> watch_;
  std::map<std::string, Known> alive_;  // by uid
  std::set<std::string> ever_, asked_;
  std::map<std::string, std::size_t> order_;
  std::uint64_t heard_ = 0;
  bool namespace_gone_ = false;
};

// Returns the number of runs: TAB_RUNS, or 20.
int runs() {
  const char* text = std::getenv("TAB_RUNS");
  return text == nullptr ? 20 : std::atoi(text);
}

TEST_CASE("ownership: random histories of owners and finalizers") {
  for (int seed = 1; seed <= runs(); ++seed) {
    INFO("seed " << seed);
    World world(static_cast<std::uint64_t>(seed));
    for (int step = 0; step < kSteps; ++step) world.step();
    world.come_to_rest();
    world.delete_namespaces();
  }
}

}  // namespace
}  // namespace tabernetes::server
