// A cluster with simulated nodes, whose kubelets alone run.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../../registry_fixture.h"
#include "base/time/rfc3339.h"
#include "controllers/kubelet/behaviour_reader.h"
#include "controllers/kubelet/kubelets.h"
#include "controllers/run/control_loops.h"

namespace tabernetes::controllers::kubelet {

inline constexpr tests::RegistryFixture::Resource kPods{"", "v1", "pods"};
inline constexpr tests::RegistryFixture::Resource kNodes{"", "v1", "nodes"};
inline constexpr tests::RegistryFixture::Resource kEvents{"", "v1", "events"};
inline constexpr tests::RegistryFixture::Resource kLeases{"coordination.k8s.io", "v1", "leases"};

// Has node `n1` from the start.
class KubeletFixture : public tests::RegistryFixture {
 public:
  KubeletFixture() : loops_(registry, {"kubelet"}) {
    now = *parse_rfc3339("2026-01-01T00:00:00Z");
    store.advance(now);
    put({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"kube-node-lease"}})");
    put_node("n1", "10.1.0.0/24");
    run(Duration::from_milliseconds(10));
  }

  void put_node(std::string_view name, std::string_view subnet,
                std::string_view mark = R"("tabernetes.dev/node":"simulated")") {
    put(kNodes, "",
        R"({"metadata":{"name":")" + std::string(name) + R"(","uid":"u-)" + std::string(name) +
            R"(","annotations":{)" + std::string(mark) + R"(}},"spec":{"podCIDR":")" +
            std::string(subnet) + R"("}})");
  }
  // Creates a pod on node `n1`; `spec` is what follows nodeName.
  void create_pod(std::string_view name, std::string_view spec, std::string_view metadata = "",
                  std::string_view node = "n1") {
    REQUIRE(create(kPods, "default",
                   R"({"metadata":{"name":")" + std::string(name) + '"' + std::string(metadata) +
                       R"(},"spec":{"nodeName":")" + std::string(node) + R"(",)" +
                       std::string(spec) + "}}") == "");
  }
  void behave(std::string_view rules) {
    const auto read = read_behaviour(rules);
    REQUIRE(read);
    loops_.set_behaviour((*read).rules, now);
  }

  // Lets time pass, and everything happen at its own time. Returns how often a kubelet was busy.
  int run(Duration time) {
    const Time until = now + time;
    int count = 0;
    loops_.on_change(now);
    for (auto due = loops_.next(); due && *due <= until; due = loops_.next()) {
      if (*due > now) now = *due;
      store.advance(now);
      REQUIRE(loops_.reconcile_due(now, now));
      ++count;
    }
    now = until;
    store.advance(now);
    return count;
  }
  int run_seconds(std::int64_t seconds) { return run(Duration::from_seconds(seconds)); }
  // Returns true if only periodic work is left.
  bool settled() {
    loops_.on_change(now);
    return !loops_.next_once();
  }

  // Returns "Running app=running,ready init=Completed": the phase and the state of each container.
  std::string state(std::string_view name, std::string_view ns = "default") {
    const json::Value pod = registry.find_object(kPods, ns, name, arena);
    if (pod.is_null()) return "gone";
    std::string text(text_at(pod, {"status", "phase"}));
    for (const std::string_view list :
         {"initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"}) {
      for (const json::Value& status : items_at(pod, {"status", list})) {
        text.append(" ").append(status.string_at("name")).append("=");
        for (const json::Member& member : members_at(status, {"state"})) {
          const std::string_view reason = member.value.string_at("reason");
          text.append(reason.empty() ? member.key : reason);
        }
        if (bool_at(status, {"ready"})) text += ",ready";
        const std::int64_t restarts = number_at(status, {"restartCount"});
        if (restarts > 0) text += "*" + std::to_string(restarts);
      }
    }
    return text;
  }
  // Returns "Ready=False:ContainersNotReady:containers with …".
  std::string condition(std::string_view name, std::string_view type) {
    const json::Value pod = registry.find_object(kPods, "default", name, arena);
    for (const json::Value& condition : items_at(pod, {"status", "conditions"})) {
      if (condition.string_at("type") != type) continue;
      std::string text(condition.string_at("status"));
      for (const std::string_view key : {"reason", "message"}) {
        if (!condition.string_at(key).empty()) text.append(":").append(condition.string_at(key));
      }
      return text;
    }
    return "";
  }
  // Returns REASON: MESSAGE of each event, in the order in which they were written.
  std::vector<std::string> events() {
    std::vector<std::string> texts;
    registry.each_object(kEvents, arena, [&](const json::Value& event) {
      texts.push_back(std::string(event.string_at("reason")) + ": " +
                      std::string(event.string_at("message")));
      const std::int64_t count = number_at(event, {"count"});
      if (count > 1) texts.back() += " x" + std::to_string(count);
    });
    return texts;
  }
  ControlLoops& loops() { return loops_; }

 private:
  ControlLoops loops_;
};

inline constexpr std::string_view kApp = R"("containers":[{"name":"app","image":"nginx"}])";

}  // namespace tabernetes::controllers::kubelet
