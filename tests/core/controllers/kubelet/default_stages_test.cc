// KWOK's default stages, whole: `pod-fast`, `node-fast`, `node-heartbeat`, and the form of
// `pod-general` that waits.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kubelet_fixture.h"

namespace tabernetes::controllers::kubelet {
namespace {

using Warnings = std::vector<std::string>;

std::string stage_of(std::string_view name, std::string_view kind, std::string_view spec) {
  return "---\napiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata: {name: " +
         std::string(name) + "}\nspec:\n  resourceRef: {apiGroup: v1, kind: " + std::string(kind) +
         "}\n" + std::string(spec);
}

constexpr std::string_view kFastReady = R"(  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.podIP', operator: DoesNotExist}
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - {type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }}}
      - lastTransitionTime: {{ $now | Quote }}
        status: "True"
        type: Ready
      - lastTransitionTime: {{ $now | Quote }}
        status: "True"
        type: ContainersReady
      {{ range .spec.readinessGates }}
      - lastTransitionTime: {{ $now | Quote }}
        status: "True"
        type: {{ .conditionType | Quote }}
      {{ end }}
      containerStatuses:
      {{ range .spec.containers }}
      - image: {{ .image | Quote }}
        name: {{ .name | Quote }}
        ready: true
        state:
          running:
            startedAt: {{ $now | Quote }}
      {{ end }}
      initContainerStatuses:
      {{ range .spec.initContainers }}
      - image: {{ .image | Quote }}
        name: {{ .name | Quote }}
        ready: true
        {{ if eq .restartPolicy "Always" }}
        state:
          running:
            startedAt: {{ $now | Quote }}
        {{ else }}
        state:
          terminated:
            exitCode: 0
            reason: Completed
        {{ end }}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName .spec.hostNetwork .metadata.uid | Quote }}
      phase: Running
      startTime: {{ $now | Quote }}
)";
constexpr std::string_view kFastComplete = R"(  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.phase', operator: In, values: [Running]}
    - {key: '.metadata.ownerReferences.[].kind', operator: In, values: [Job]}
  next:
    statusTemplate: |
      containerStatuses:
      {{ range $index, $item := .spec.containers }}
      - name: {{ $item.name | Quote }}
        ready: false
        state:
          terminated:
            exitCode: 0
            reason: Completed
      {{ end }}
      phase: Succeeded
)";
constexpr std::string_view kFastDelete = R"(  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: Exists}
  next:
    finalizers: {empty: true}
    delete: true
)";
constexpr std::string_view kNodeConditions = R"(    statusTemplate: |
      conditions:
      {{ range NodeConditions }}
      - lastHeartbeatTime: {{ Now | Quote }}
        reason: {{ .reason | Quote }}
        status: {{ .status | Quote }}
        type: {{ .type | Quote }}
      {{ end }}
)";
constexpr std::string_view kNotReadyYet = R"(  selector:
    matchExpressions:
    - key: '.status.conditions.[] | select( .type == "Ready" ) | .status'
      operator: NotIn
      values: ['True']
  next:
)";
constexpr std::string_view kHeartbeat = R"(  selector:
    matchExpressions:
    - {key: '.status.phase', operator: In, values: [Running]}
  delay: {durationMilliseconds: 20000, jitterDurationMilliseconds: 25000}
  immediateNextStage: true
  next:
)";

constexpr std::string_view kWholePod =
    R"("readinessGates":[{"conditionType":"example.com/ok"}],"initContainers":[)"
    R"({"name":"init","image":"busybox"},{"name":"side","image":"side","restartPolicy":"Always"}],)"
    R"("containers":[{"name":"app","image":"nginx"}])";

TEST_CASE("default stages: pods of stage-fast run, end and go at once", "[controllers]") {
  KubeletFixture cluster;
  const std::string stages =
      stage_of("pod-ready", "Pod", kFastReady) + stage_of("pod-complete", "Pod", kFastComplete) +
      stage_of("pod-delete", "Pod", kFastDelete) +
      stage_of("node-initialize", "Node",
               std::string(kNotReadyYet) + std::string(kNodeConditions)) +
      stage_of("node-heartbeat", "Node", std::string(kHeartbeat) + std::string(kNodeConditions));
  const auto read = read_behaviour(stages);
  REQUIRE(read);
  CHECK((*read).warnings == Warnings{"Stage pod-delete: spec.next.finalizers has no effect"});
  cluster.behave(stages);

  cluster.create_pod("p", kWholePod);
  cluster.create_pod("job", R"("restartPolicy":"Never","containers":[{"name":"c","image":"x"}])",
                     R"(,"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j",)"
                     R"("uid":"u","controller":true}])");
  cluster.run_seconds(2);
  CHECK(cluster.state("p") == "Running init=Completed,ready side=running,ready app=running,ready");
  CHECK(cluster.condition("p", "example.com/ok") == "True");
  CHECK(cluster.condition("p", "Ready") == "True");
  CHECK(cluster.state("job") == "Succeeded c=Completed");
  REQUIRE(cluster.erase(kPods, "default", "p") == "");
  cluster.run(Duration::from_milliseconds(10));
  CHECK(cluster.state("p") == "gone");
  CHECK(cluster.stored(kNodes, "", "n1", "status.conditions.3.type") == R"("Ready")");
}

TEST_CASE("default stages: those of stage-general wait as a pod's annotations say",
          "[controllers]") {
  constexpr std::string_view kSlowReady = R"(  selector:
    matchExpressions:
    - key: '.status.conditions.[] | select( .type == "Initialized" ) | .status'
      operator: In
      values: ['True']
    - {key: '.status.containerStatuses.[].state.running.startedAt', operator: DoesNotExist}
  weight: 1
  weightFrom:
    expressionFrom: '.metadata.annotations["pod-ready.stage.kwok.x-k8s.io/weight"]'
  delay:
    durationMilliseconds: 1000
    durationFrom:
      expressionFrom: '.metadata.annotations["pod-ready.stage.kwok.x-k8s.io/delay"]'
    jitterDurationMilliseconds: 5000
    jitterDurationFrom:
      expressionFrom: '.metadata.annotations["pod-ready.stage.kwok.x-k8s.io/jitter-delay"]'
  next:
    delete: false
    statusTemplate: |
      conditions:
      - status: "True"
        type: Ready
      - status: "True"
        type: example.com/Extra
      containerStatuses:
      {{ range $index, $item := .spec.containers }}
      - name: {{ $item.name | Quote }}
        ready: true
        state:
          running:
            startedAt: {{ Now | Quote }}
      {{ end }}
      phase: Running
)";
  constexpr std::string_view kSlowDelete = R"(  selector:
    matchExpressions:
    - jq: {key: .metadata.deletionTimestamp, operator: Exists}
    - jq: {key: .metadata.finalizers, operator: DoesNotExist}
  delay:
    durationMilliseconds: 2000
    jitterDurationFrom: {jq: {expression: .metadata.deletionTimestamp}}
  steps:
  - event: {message: 'Stopping container', reason: Killing, type: Normal}
  - delete: true
)";
  KubeletFixture cluster;
  const std::string stages =
      stage_of("pod-ready", "Pod", kSlowReady) + stage_of("pod-delete", "Pod", kSlowDelete);
  const auto read = read_behaviour(stages);
  REQUIRE(read);
  CHECK((*read).warnings ==
        Warnings{"Stage pod-ready: the condition example.com/Extra has no effect",
                 "Stage pod-delete: spec.steps.event has no effect"});
  cluster.behave(stages);
  cluster.create_pod("p", R"("containers":[{"name":"app","image":"nginx"}])",
                     R"(,"annotations":{"pod-ready.stage.kwok.x-k8s.io/delay":"8s",)"
                     R"("pod-ready.stage.kwok.x-k8s.io/jitter-delay":"8s"})");
  cluster.run_seconds(7);
  CHECK(cluster.state("p") == "Pending app=ContainerCreating");
  cluster.run_seconds(3);
  CHECK(cluster.state("p") == "Running app=running,ready");
  REQUIRE(cluster.erase(kPods, "default", "p") == "");
  cluster.run_seconds(1);
  CHECK(cluster.state("p") == "Running app=running,ready");
  cluster.run_seconds(30);
  CHECK(cluster.state("p") == "gone");
}

}  // namespace
}  // namespace tabernetes::controllers::kubelet
