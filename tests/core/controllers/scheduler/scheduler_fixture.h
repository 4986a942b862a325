// A cluster with the scheduler, and short ways to make nodes and pods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../loop_fixture.h"

namespace tabernetes::controllers {

class SchedulerFixture : public LoopFixture {
 public:
  static constexpr Resource kPods{"", "v1", "pods"};
  static constexpr Resource kNodes{"", "v1", "nodes"};
  static constexpr Resource kEvents{"", "v1", "events"};

  SchedulerFixture() : LoopFixture(Beside::kScheduler) {}

  // Stores a node with 4 CPUs, 8 GiB and room for 110 pods. `more` are members of its metadata and
  // its spec, as JSON.
  void put_node(std::string_view name, std::string_view labels = "", std::string_view spec = "",
                std::string_view allocatable = R"("cpu":"4","memory":"8Gi","pods":"110")") {
    const std::string own = R"("kubernetes.io/hostname":")" + std::string(name) + '"';
    put(kNodes, "",
        R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{)" + own +
            (labels.empty() ? "" : ",") + std::string(labels) + R"(}},"spec":{)" +
            std::string(spec) + R"(},"status":{"allocatable":{)" + std::string(allocatable) +
            "}}}");
  }
  // Creates a pod. `spec` and `metadata` are more members, as JSON.
  void add_pod(std::string_view name, std::string_view spec = "", std::string_view metadata = "",
               std::string_view requests = "") {
    REQUIRE(create(kPods, "default", pod(name, spec, metadata, requests)) == "");
  }
  static std::string pod(std::string_view name, std::string_view spec, std::string_view metadata,
                         std::string_view requests) {
    return R"({"metadata":{"name":")" + std::string(name) + '"' + (metadata.empty() ? "" : ",") +
           std::string(metadata) + R"(},"spec":{)" + std::string(spec) + (spec.empty() ? "" : ",") +
           R"("containers":[{"name":"c","image":"nginx:1","resources":{"requests":{)" +
           std::string(requests) + "}}}]}}";
  }
  // Stores a pod that runs on a node.
  void put_running(std::string_view name, std::string_view node, std::string_view spec = "",
                   std::string_view metadata = "", std::string_view requests = "") {
    put(kPods, "default",
        pod(name,
            R"("nodeName":")" + std::string(node) + '"' + (spec.empty() ? "" : ",") +
                std::string(spec),
            metadata.empty() ? R"("uid":")" + std::string(name) + '"'
                             : R"("uid":")" + std::string(name) + R"(",)" + std::string(metadata),
            requests));
  }

  // Returns the node of a pod; else the message of its condition PodScheduled in parentheses.
  std::string place(std::string_view name) {
    const json::Value found = registry.find_object(kPods, "default", name, arena);
    const std::string_view node = text_at(found, {"spec", "nodeName"});
    if (!node.empty()) return std::string(node);
    for (const json::Value& condition : items_at(found, {"status", "conditions"})) {
      if (condition.string_at("type") != "PodScheduled") continue;
      return "(" + std::string(condition.string_at("message")) + ")";
    }
    return "()";
  }
  // Returns "REASON pod: note" of each event, in the order of names.
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + " " +
                      std::string(text_at(event, {"involvedObject", "name"})) + ": " +
                      std::string(event.string_at("message")));
    });
    return texts;
  }
};

// The end of the message where no pod could go so that another one fits.
inline std::string not_helpful(int nodes) {
  const std::string count = std::to_string(nodes);
  return " no new claims to deallocate, preemption: 0/" + count + " nodes are available: " + count +
         " Preemption is not helpful for scheduling.";
}
inline std::string no_victims(int nodes) {
  const std::string count = std::to_string(nodes);
  return " no new claims to deallocate, preemption: 0/" + count + " nodes are available: " + count +
         " No preemption victims found for incoming pod.";
}

}  // namespace tabernetes::controllers
