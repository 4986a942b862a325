#include "controllers/kubelet/behaviour_reader.h"

#include <algorithm>
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

// A Stage with what stands below its spec, on a line each.
std::string stage(std::string_view name, std::string_view spec) {
  return "---\napiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata: {name: " +
         std::string(name) + "}\nspec:\n  resourceRef: {apiGroup: v1, kind: Pod}\n" +
         std::string(spec);
}

std::string pod_with(std::string_view annotations, std::string_view uid = "1") {
  return R"({"metadata":{"name":"web","uid":")" + std::string(uid) +
         R"(","creationTimestamp":"2026-01-01T00:00:00Z","annotations":{)" +
         std::string(annotations) + R"(}},"spec":{"containers":[{"name":"app"}]}})";
}

constexpr std::string_view kDeleted =
    "  delay:\n"
    "    durationMilliseconds: 1000\n"
    "    durationFrom: {expressionFrom: '.metadata.annotations[\"delay\"]'}\n"
    "    jitterDurationFrom: {jq: {expression: '.metadata.annotations[\"jitter\"]'}}\n"
    "  next: {delete: true}\n";

TEST_CASE("behaviour: pods say how long a stage waits", "[controllers]") {
  Reading reading(stage("pod-delete", kDeleted));
  CHECK(reading.warnings.empty());
  const auto stop_of = [&](std::string_view annotations) {
    return reading.behaviour(pod_with(annotations)).stop;
  };
  CHECK(stop_of("") == Duration::from_seconds(1));
  CHECK(stop_of(R"("delay":"7s")") == Duration::from_seconds(7));
  CHECK(stop_of(R"("delay":"2026-01-01T00:00:09Z")") == Duration::from_seconds(9));
  CHECK(stop_of(R"("delay":"soon")") == Duration{});
  CHECK(stop_of(R"("delay":"")") == Duration{});
  CHECK(stop_of(R"("delay":"-5s")") == Duration{});
  CHECK(stop_of(R"("jitter":"500ms")") == Duration::from_milliseconds(500));
  Duration least = Duration::from_seconds(9), most;
  for (int i = 0; i < 200; ++i) {
    const std::string pod = pod_with(R"("jitter":"3s")", std::to_string(i));
    const Duration stop = reading.behaviour(pod).stop;
    CHECK(stop == reading.behaviour(pod).stop);
    least = std::min(least, stop);
    most = std::max(most, stop);
  }
  CHECK_FALSE(least < Duration::from_seconds(1));
  CHECK(least < Duration::from_milliseconds(1100));
  CHECK(Duration::from_milliseconds(2900) < most);
  CHECK(most < Duration::from_seconds(3));
}

TEST_CASE("behaviour: of stages for one step, the weights decide", "[controllers]") {
  const auto ends = [](std::string_view name, std::string_view weight, int code) {
    return stage(name, std::string(weight) +
                           "  next:\n    statusTemplate: |\n      containerStatuses:\n"
                           "      - state: \n          terminated:\n            exitCode: " +
                           std::to_string(code) + "\n");
  };
  const auto share_of_one = [](Reading& reading, std::string_view annotations) {
    int ones = 0;
    for (int i = 0; i < 400; ++i) {
      const auto exit = reading.behaviour(pod_with(annotations, std::to_string(i))).exit;
      REQUIRE(exit);
      ones += exit->code == 1 ? 1 : 0;
    }
    return ones;
  };
  Reading fixed(ends("a", "  weight: 3\n", 1) + ends("b", "  weight: 1\n", 2));
  const int three_quarters = share_of_one(fixed, "");
  CHECK(three_quarters > 260);
  CHECK(three_quarters < 340);
  Reading from(ends("a", "", 1) +
               ends("b", "  weightFrom: {expressionFrom: '.metadata.annotations[\"w\"]'}\n", 2));
  CHECK(share_of_one(from, R"("w":"1")") == 0);
  CHECK(share_of_one(from, R"("w":"none")") == 400);
  const int half = share_of_one(from, "");
  CHECK(half > 150);
  CHECK(half < 250);
}

TEST_CASE("behaviour: stages of init containers leave the others alone", "[controllers]") {
  constexpr std::string_view kPodWithInit =
      R"({"metadata":{"name":"web","uid":"1"},"spec":{"initContainers":[{"name":"init"}],)"
      R"("containers":[{"name":"app"}]}})";
  Reading reading(stage("completed",
                        "  delay: {durationMilliseconds: 3000}\n"
                        "  next:\n    statusTemplate: |\n      initContainerStatuses:\n"
                        "      - state:\n          terminated:\n            exitCode: 0\n"
                        "      containerStatuses:\n"
                        "      - state:\n          waiting: {}\n") +
                  stage("running",
                        "  delay: {durationMilliseconds: 2000}\n"
                        "  next:\n    statusTemplate: |\n      initContainerStatuses:\n"
                        "      - state:\n          running: {}\n"));
  CHECK(reading.warnings.empty());
  const ContainerBehaviour init = reading.behaviour(kPodWithInit);
  CHECK(init.start == Duration::from_seconds(2));
  REQUIRE(init.exit);
  CHECK(init.exit->after == Duration::from_seconds(3));
  const ContainerBehaviour main = reading.behaviour(kPod);
  CHECK(main.start == Duration::from_milliseconds(100));
  CHECK_FALSE(main.exit);
}

// KWOK's own stage of the set for chaos, shortened.
TEST_CASE("behaviour: a stage fails the container that an annotation names", "[controllers]") {
  Reading reading(stage("pod-container-failed", R"(  next:
    statusTemplate: |
      {{ $annotations := .metadata.annotations }}
      {{ $failed := index $annotations "fail/name" }}
      {{ $exitCode := or (index $annotations "fail/exit-code") "4" }}
      containerStatuses:
      {{ range $index, $item := .spec.containers }}
      - name: {{ $item.name | Quote }}
        {{ if eq $item.name $failed }}
        state:
          terminated:
            exitCode: {{ $exitCode }}
        {{ else }}
        state:
          running: {}
        {{ end }}
      {{ end }}
      phase: Running
)"));
  const auto failed = reading.behaviour(pod_with(R"("fail/name":"app")")).exit;
  REQUIRE(failed);
  CHECK(failed->code == 4);
  const auto given = reading.behaviour(pod_with(R"("fail/name":"app","fail/exit-code":"9")")).exit;
  REQUIRE(given);
  CHECK(given->code == 9);
  CHECK_FALSE(reading.behaviour(pod_with(R"("fail/name":"other")")).exit);
}

TEST_CASE("behaviour: the newer form of stages, and what of it has no effect", "[controllers]") {
  Reading reading(stage("pod-create", R"(  selector:
    matchExpressions:
    - jq: {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - jq: {key: '.metadata.labels["app"]', operator: In, values: [web]}
    - cel: {expression: 'self.spec.hostNetwork'}
  delay:
    durationMilliseconds: 2000
    durationFrom: {jq: {expression: '.spec.containers[0].name'}}
  steps:
  - event: {type: Normal, reason: Started}
  - patch:
      root: status
      template: |
        containerStatuses:
        - state: {running: {}}
        phase: Running
)"));
  CHECK(reading.behaviour(kPod).start == Duration::from_seconds(2));
  CHECK(reading.behaviour(pod_with("")).start == Duration::from_milliseconds(100));
  CHECK(reading.warnings ==
        std::vector<std::string>{
            "Stage pod-create: spec.selector.matchExpressions: self.spec.hostNetwork has no effect",
            "Stage pod-create: the expression .spec.containers[0].name has no effect",
            "Stage pod-create: spec.steps.event has no effect"});
}

}  // namespace
}  // namespace tabernetes::controllers::kubelet
