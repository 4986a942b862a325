// Random nodes and pods: what must hold whatever the scheduler decides.

#include <map>
#include <set>

#include "scheduler_fixture.h"

namespace tabernetes::controllers {
namespace {

// A pod as it was asked for, and where it is.
struct Asked {
  std::string name;
  int cpu = 0;  // thousandths
  int port = 0;
  bool alone = false;  // apart from others that want to be alone
  std::string zone;    // demanded
};

class RandomCluster : public SchedulerFixture {
 public:
  explicit RandomCluster(std::uint64_t seed) : random_(nullptr, seed) {}

  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  void add_node() {
    const std::string name = "n" + std::to_string(nodes_.size());
    const int cpu = 500 * (1 + below(6));
    const std::string zone = zone_name();
    put_node(name, R"("zone":")" + zone + '"', "",
             R"("cpu":")" + std::to_string(cpu) + R"(m","memory":"8Gi","pods":"8")");
    nodes_[name] = {cpu, zone};
  }
  void add_random_pod() {
    Asked pod;
    pod.name = "p" + std::to_string(pods_.size());
    pod.cpu = 100 * below(8);
    pod.port = below(4) == 0 ? 80 + below(2) : 0;
    pod.alone = below(4) == 0;
    if (below(4) == 0) pod.zone = zone_name();
    REQUIRE(create(kPods, "default", text_of(pod)) == "");
    pods_.push_back(pod);
  }
  void remove_random_pod() {
    if (pods_.empty()) return;
    const auto victim = pods_.begin() + below(static_cast<int>(pods_.size()));
    if (exists(kPods, "default", victim->name)) remove(kPods, "default", victim->name);
  }

  // Checks that no node has more than it can take.
  void check() {
    std::map<std::string, std::vector<const Asked*>> placed;
    for (const Asked& pod : pods_) {
      if (!exists(kPods, "default", pod.name)) continue;
      const std::string node = place(pod.name);
      if (!node.starts_with("(")) placed[node].push_back(&pod);
    }
    for (const auto& [name, pods] : placed) {
      INFO(name);
      CHECK(pods.size() <= 8);
      int cpu = 0;
      int alone = 0;
      std::set<int> ports;
      for (const Asked* pod : pods) {
        cpu += pod->cpu;
        alone += pod->alone ? 1 : 0;
        if (pod->port != 0) CHECK(ports.insert(pod->port).second);
        if (!pod->zone.empty()) CHECK(pod->zone == nodes_[name].zone);
      }
      CHECK(cpu <= nodes_[name].cpu);
      CHECK(alone <= 1);
    }
    for (const Asked& pod : pods_) {
      if (!exists(kPods, "default", pod.name) || !place(pod.name).starts_with("(")) continue;
      INFO(pod.name);
      for (const auto& [name, node] : nodes_) CHECK_FALSE(fits(pod, name, placed[name]));
    }
  }

 private:
  struct Node {
    int cpu = 0;
    std::string zone;
  };
  std::string zone_name() { return std::string(1, static_cast<char>('x' + below(3))); }

  bool fits(const Asked& pod, const std::string& name, const std::vector<const Asked*>& others) {
    int cpu = pod.cpu;
    for (const Asked* other : others) {
      cpu += other->cpu;
      if (pod.alone && other->alone) return false;
      if (pod.port != 0 && pod.port == other->port) return false;
    }
    return cpu <= nodes_[name].cpu && others.size() < 8 &&
           (pod.zone.empty() || pod.zone == nodes_[name].zone);
  }
  static std::string text_of(const Asked& pod) {
    std::string text = R"({"metadata":{"name":")" + pod.name + '"';
    if (pod.alone) text += R"(,"labels":{"alone":"yes"})";
    text += R"(},"spec":{)";
    if (!pod.zone.empty()) text += R"("nodeSelector":{"zone":")" + pod.zone + R"("},)";
    if (pod.alone) {
      text +=
          R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"alone":"yes"}},"topologyKey":"kubernetes.io/hostname"}]}},)";
    }
    text += R"("containers":[{"name":"c","image":"i")";
    if (pod.port != 0) {
      const std::string port = std::to_string(pod.port);
      text += R"(,"ports":[{"containerPort":)" + port + R"(,"hostPort":)" + port + "}]";
    }
    return text + R"(,"resources":{"requests":{"cpu":")" + std::to_string(pod.cpu) + R"(m"}}}]}})";
  }

  Entropy random_;
  std::map<std::string, Node> nodes_;
  std::vector<Asked> pods_;
};

}  // namespace

TEST_CASE("scheduler: nodes take no more than they can, and pods that fit are bound",
          "[controllers]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    INFO("seed " << seed);
    RandomCluster cluster(seed);
    for (int step = 0; step < 120; ++step) {
      const int choice = cluster.below(10);
      if (choice == 0) {
        cluster.add_node();
      } else if (choice <= 2) {
        cluster.remove_random_pod();
      } else {
        cluster.add_random_pod();
      }
      if (cluster.below(5) == 0) cluster.run();
    }
    cluster.run();
    cluster.check();
  }
}

}  // namespace tabernetes::controllers
