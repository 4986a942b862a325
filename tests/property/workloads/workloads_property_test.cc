// Workload controllers under random histories, against what each promises: bounds of rollouts,
// order of ordinals, one controller per pod, and rest.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../core/controllers/apps/apps_fixture.h"
#include "../versions/random.h"
#include "controllers/loop/loop_host.h"

namespace tabernetes::controllers {
namespace {

using property::Random;

constexpr int kRuns = 12;
constexpr int kSteps = 60;

// A cluster whose random steps make pods ready, remove and delete them, and change workloads.
class RandomCluster : public AppsFixture {
 public:
  RandomCluster(std::initializer_list<std::string_view> loops, std::uint64_t seed)
      : AppsFixture(loops), seed_(seed) {
    set_host(&host_);
  }

  Random random() { return {seed_, ++step_}; }

  // Does a part of a kubelet's work: for each pod by chance.
  void play_some(Random& random) {
    for (const std::string& name : pods()) {
      if (!random.chance(40)) continue;
      if (is_terminating(name)) {
        remove(kAppPods, "default", name);
      } else if (!is_ready(name)) {
        run_pod(name, true, "n" + std::to_string(random.below(3)));
      }
    }
  }
  // Lets one reconciliation or all of them happen.
  void react(Random& random) {
    if (random.chance(30)) {
      run(Duration::from_milliseconds(1));
    } else {
      settle();
    }
  }
  void check_owners() {
    for (const std::string& name : pods()) {
      int controllers = 0;
      const json::Value pod = registry.find_object(kAppPods, "default", name, arena);
      for (const json::Value& owner : items_at(pod, {"metadata", "ownerReferences"})) {
        controllers += bool_at(owner, {"controller"}) ? 1 : 0;
      }
      CHECK(controllers <= 1);
    }
  }
  // Ends the history: everything becomes ready, and then nothing happens any more.
  void check_rest() {
    live();
    const store::Revision before = store.revision();
    run(Duration::from_seconds(3600));
    settle();
    CHECK(store.revision() == before);
    CHECK(settled());
  }

 private:
  std::uint64_t seed_, step_ = 0;
  // The end of Events is no work of the loops here.
  const LoopHost host_{
      .sign_certificate = {}, .root_certificate = {}, .access = {}, .storage_expires = true};
};

std::int64_t sum_of_spec(RandomCluster& cluster, std::string_view member) {
  std::int64_t sum = 0;
  cluster.registry.each_object(kDeploymentSets, cluster.arena, [&](const json::Value& set) {
    sum += member == "replicas" ? number_at(set, {"spec", "replicas"})
                                : number_at(set, {"status", member});
  });
  return sum;
}

std::int64_t ready_and_live(const RandomCluster& cluster) {
  const std::vector<std::string> pods = cluster.live_pods();
  return std::count_if(pods.begin(), pods.end(),
                       [&](const std::string& pod) { return cluster.is_ready(pod); });
}

TEST_CASE("workloads: a rollout never has more pods than surge allows, nor fewer than it may lack",
          "[property]") {
  constexpr LoopFixture::Resource kRolled{"apps", "v1", "deployments"};
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    INFO("seed " << seed);
    RandomCluster cluster({"deployment-controller", "replicaset-controller"}, seed);
    Random start = cluster.random();
    const auto replicas = static_cast<std::int64_t>(start.between(1, 6));
    const auto surge = static_cast<std::int64_t>(start.below(3));
    const auto lacking = static_cast<std::int64_t>(surge == 0 ? 1 : start.below(3));
    REQUIRE(cluster.create(kRolled, "default",
                           AppsFixture::workload(R"("replicas":)" + std::to_string(replicas) +
                                                 R"(,"strategy":{"rollingUpdate":{"maxSurge":)" +
                                                 std::to_string(surge) + R"(,"maxUnavailable":)" +
                                                 std::to_string(lacking) + "}},")) == "");
    cluster.live();
    for (int step = 0; step < kSteps; ++step) {
      Random random = cluster.random();
      if (random.chance(10)) {
        cluster.set_image(kRolled, "nginx:" + std::to_string(random.below(4)));
      }
      cluster.play_some(random);
      cluster.react(random);
      CHECK(sum_of_spec(cluster, "replicas") <= replicas + surge);
      CHECK(static_cast<std::int64_t>(cluster.live_pods().size()) <= replicas + surge);
      CHECK(ready_and_live(cluster) >= replicas - std::min(lacking, replicas));
      cluster.check_owners();
    }
    cluster.check_rest();
    CHECK(static_cast<std::int64_t>(cluster.live_pods().size()) == replicas);
  }
}

TEST_CASE("workloads: whatever users do to a deployment, it comes to rest as wanted",
          "[property]") {
  constexpr LoopFixture::Resource kChanged{"apps", "v1", "deployments"};
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    INFO("seed " << seed);
    RandomCluster cluster({"deployment-controller", "replicaset-controller"}, seed);
    REQUIRE(cluster.create(kChanged, "default", AppsFixture::workload(R"("replicas":3,)")) == "");
    std::int64_t replicas = 3;
    for (int step = 0; step < kSteps; ++step) {
      Random random = cluster.random();
      if (random.chance(10)) {
        replicas = static_cast<std::int64_t>(random.below(8));
        cluster.scale(kChanged, replicas);
      }
      if (random.chance(10)) {
        cluster.set_image(kChanged, "nginx:" + std::to_string(random.below(3)));
      }
      if (random.chance(10)) {
        cluster.edit(kChanged, "web", [&](json::Value& object) {
          object.find("spec")->set(cluster.arena, "paused",
                                   json::Value::boolean(random.chance(50)));
        });
      }
      const std::vector<std::string> pods = cluster.live_pods();
      if (!pods.empty() && random.chance(15)) {
        REQUIRE(cluster.erase(kAppPods, "default", random.pick(pods)) == "");
      }
      cluster.play_some(random);
      cluster.react(random);
      cluster.check_owners();
    }
    cluster.edit(kChanged, "web", [&](json::Value& object) {
      object.find("spec")->set(cluster.arena, "paused", json::Value::boolean(false));
    });
    cluster.check_rest();
    CHECK(static_cast<std::int64_t>(cluster.live_pods().size()) == replicas);
    CHECK(number_at(cluster.registry.find_object(kChanged, "default", "web", cluster.arena),
                    {"status", "updatedReplicas"}) == replicas);
  }
}

TEST_CASE("workloads: ordinals come in order, and go in order", "[property]") {
  constexpr LoopFixture::Resource kOrdered{"apps", "v1", "statefulsets"};
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    INFO("seed " << seed);
    RandomCluster cluster({"statefulset-controller"}, seed);
    REQUIRE(cluster.create(kOrdered, "default",
                           AppsFixture::workload(R"("serviceName":"db","replicas":3,)")) == "");
    std::int64_t replicas = 3;
    std::set<std::string> before;
    for (int step = 0; step < kSteps; ++step) {
      Random random = cluster.random();
      if (random.chance(10)) {
        replicas = static_cast<std::int64_t>(random.below(5));
        cluster.scale(kOrdered, replicas);
      }
      if (random.chance(5)) {
        cluster.set_image(kOrdered, "nginx:" + std::to_string(random.below(3)));
      }
      std::set<std::string> ready;
      cluster.play_some(random);
      for (const std::string& pod : cluster.pods()) {
        if (cluster.is_ready(pod) && !cluster.is_terminating(pod)) ready.insert(pod);
      }
      cluster.run(Duration::from_milliseconds(1));
      for (const std::string& pod : cluster.pods()) {
        if (before.contains(pod)) continue;
        // A new one: all below it were ready.
        for (int i = 0; i < std::stoi(pod.substr(4)); ++i) {
          INFO(pod << " needs web-" << i);
          CHECK(ready.contains("web-" + std::to_string(i)));
        }
      }
      const std::vector<std::string> pods = cluster.pods();
      before = {pods.begin(), pods.end()};
      cluster.check_owners();
    }
    cluster.check_rest();
    CHECK(static_cast<std::int64_t>(cluster.pods().size()) == replicas);
  }
}

TEST_CASE("workloads: loops that begin in the middle come to the same end", "[property]") {
  constexpr LoopFixture::Resource kResumed{"apps", "v1", "deployments"};
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    INFO("seed " << seed);
    RandomCluster cluster({"deployment-controller", "replicaset-controller"}, seed);
    REQUIRE(cluster.create(kResumed, "default", AppsFixture::workload(R"("replicas":4,)")) == "");
    cluster.live();
    for (int step = 0; step < kSteps / 2; ++step) {
      Random random = cluster.random();
      if (random.chance(20)) {
        cluster.set_image(kResumed, "nginx:" + std::to_string(random.below(3)));
      }
      if (random.chance(20)) cluster.start_anew();
      cluster.play_some(random);
      cluster.react(random);
    }
    cluster.check_rest();
    CHECK(cluster.live_pods().size() == 4);
  }
}

}  // namespace
}  // namespace tabernetes::controllers
