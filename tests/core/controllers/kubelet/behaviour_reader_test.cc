#include "controllers/kubelet/behaviour_reader.h"

#include <catch2/catch_test_macros.hpp>

#include "../../faults.h"
#include "codec/json_reader.h"
#include "controllers/kubelet/containers.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

TEST_CASE("behaviour: what is no rule is refused, with its place", "[controllers]") {
  struct Case {
    std::string_view document, message;
  };
  const Case cases[] = {
      {"[1]", "rules[0]: must be an object"},
      {"[{}, {exti: 1}]",
       "rules[1].exti: unknown; there are match, pull, start, ready, exit, unhealthy, stop, usage, "
       "node"},
      {"[{pull: soon}]", "rules[0].pull: must be a duration such as 1.5s or 2m"},
      {"[{pull: {time: 5}}]", "rules[0].pull.time: must be a duration such as 1.5s or 2m"},
      {"[{match: {labels: [a]}}]", "rules[0].match.labels: must be an object of texts"},
      {"[{match: {labels: {a: 1}}}]", "rules[0].match.labels.a: must be a text"},
      {"[{exit: {code: -1}}]", "rules[0].exit.code: must be a whole number"},
      {"[{exit: {code: 256}}]", "rules[0].exit.code: must be at most 255"},
      {"[{ready: {up: 1s}}]", "rules[0].ready: up and down belong together"},
      {"[{usage: []}]", "rules[0].usage: must not be empty"},
      {"[{usage: {cpu: much}}]", "rules[0].usage.cpu: must be a quantity such as 250m or 64Mi"},
      {"[{usage: [{after: 1s}, {after: 1s}]}]",
       "rules[0].usage[1].after: must be later than that of the point before"},
      {"[{node: off}]", "rules[0].node: must be gone, not ready or ready"},
      {"[{match: {image: a}, node: gone}]",
       "rules[0].node: a rule for nodes matches by name, node, labels and annotations"},
      {"rules: 1", "rules: must be a list"},
  };
  for (const Case& c : cases) {
    INFO(c.document);
    CHECK(tests::message_of(read_behaviour(c.document)) == c.message);
  }
}

class Reading {
 public:
  explicit Reading(std::string_view document) {
    auto read = read_behaviour(document);
    REQUIRE(read);
    rules_ = (*read).rules;
    warnings = (*read).warnings;
  }
  ContainerBehaviour behaviour(std::string_view pod) {
    return rules_->behaviour_of(parse(pod), first(pod));
  }
  UsagePoint usage(std::string_view pod, std::int64_t seconds) {
    return rules_->usage_of(parse(pod), first(pod), Duration::from_seconds(seconds));
  }
  std::vector<std::string> warnings;

 private:
  json::Value parse(std::string_view pod) { return codec::read_json(pod, arena_).value; }
  Container first(std::string_view pod) {
    pod_ = parse(pod);
    return read_containers(pod_).front();
  }

  json::Arena arena_;
  json::Value pod_;
  std::shared_ptr<const BehaviourRules> rules_;
};

constexpr std::string_view kPod =
    R"({"metadata":{"name":"web-1","namespace":"shop","labels":{"app":"web"},"annotations":)"
    R"({"a.b/c":"d"},"ownerReferences":[{"kind":"Job","name":"nightly"}]},"spec":{"nodeName":"n1",)"
    R"("containers":[{"name":"app","image":"nginx:1"}]}})";

TEST_CASE("behaviour: the first rule that matches decides", "[controllers]") {
  const std::string_view matching[] = {
      "{}",
      "namespace: shop",
      "namespace: s*",
      "name: web-*",
      "name: '*-1'",
      "node: n1",
      "labels: {app: web}",
      "labels: {app: '*'}",
      "annotations: {a.b/c: d}",
      "owner: Job",
      "owner: Job/night*",
      "image: nginx:*",
      "image: docker.io/library/nginx:1",
      "container: app",
  };
  for (const std::string_view match : matching) {
    INFO(match);
    const std::string text(match == "{}" ? match : "{" + std::string(match) + "}");
    Reading reading("[{match: {name: other}, stop: 1s}, {match: " + text +
                    ", stop: 7s}, {stop: 9s}]");
    CHECK(reading.behaviour(kPod).stop == Duration::from_seconds(7));
  }
  const std::string_view others[] = {
      "namespace: sh",     "name: web",        "node: n2",
      "labels: {app: db}", "labels: {b: '*'}", "owner: ReplicaSet",
      "owner: Job/other",  "image: nginx:2",   "container: b",
  };
  for (const std::string_view match : others) {
    INFO(match);
    Reading reading("[{match: {" + std::string(match) + "}, stop: 7s}, {stop: 9s}]");
    CHECK(reading.behaviour(kPod).stop == Duration::from_seconds(9));
  }
}

TEST_CASE("behaviour: usage over time", "[controllers]") {
  Reading reading(
      "[{usage: [{after: 10s, cpu: 100m, memory: 10Mi}, {after: 20s, cpu: 300m, memory: 30Mi}]}]");
  CHECK(reading.usage(kPod, 0).cpu == 100'000'000);
  CHECK(reading.usage(kPod, 15).cpu == 200'000'000);
  CHECK(reading.usage(kPod, 15).memory == 20 << 20);
  CHECK(reading.usage(kPod, 99).memory == 30 << 20);
}

// KWOK's own stages, shortened.
constexpr std::string_view kStages = R"(
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-ready}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.podIP', operator: DoesNotExist}
  delay: {durationMilliseconds: 5000}
  next:
    statusTemplate: |
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        ready: true
        state:
          running: {}
      {{ end }}
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-complete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.status.phase', operator: In, values: [Running]}
    - {key: '.metadata.ownerReferences.[].kind', operator: In, values: [Job]}
  delay: {durationMilliseconds: 2000}
  next:
    statusTemplate: |
      containerStatuses:
      - state:
          terminated:
            exitCode: 3
            reason: Broken
      phase: Failed
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-delete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  delay: {durationMilliseconds: 4000}
  next: {delete: true, finalizers: {empty: true}}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: lease}
spec: {resourceRef: {kind: Lease}}
)";

TEST_CASE("behaviour: KWOK's stages say what happens when", "[controllers]") {
  Reading reading(kStages);
  const ContainerBehaviour behaviour = reading.behaviour(kPod);
  CHECK(behaviour.start == Duration::from_seconds(5));
  CHECK(behaviour.pull == Duration{});
  REQUIRE(behaviour.exit);
  CHECK(behaviour.exit->after == Duration::from_seconds(2));
  CHECK(behaviour.exit->code == 3);
  CHECK(behaviour.exit->reason == "Broken");
  CHECK(behaviour.stop == Duration::from_seconds(4));
  CHECK(reading.warnings ==
        std::vector<std::string>{"Stage pod-delete: spec.next.finalizers has no effect",
                                 "Stage lease: stages of Lease have no effect"});
}

}  // namespace
}  // namespace tabernetes::controllers::kubelet
