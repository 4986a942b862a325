// Defaults computed from other fields; the simple ones are in the recordings.

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "hook_fixture.h"
#include "kinds/table/kinds.h"

namespace tabernetes::registry::kinds {
namespace {

// Kinds whose defaults are rules.
void set_role_binding_defaults(const HookContext& context, json::Value& object) {
  find_kind("rbac.authorization.k8s.io", "RoleBinding").defaults->apply(object, context.arena);
}
void set_network_policy_defaults(const HookContext& context, json::Value& object) {
  find_kind("networking.k8s.io", "NetworkPolicy").defaults->apply(object, context.arena);
}
void set_admission_policy_defaults(const HookContext& context, json::Value& object) {
  find_kind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy")
      .defaults->apply(object, context.arena);
}
void set_flow_schema_defaults(const HookContext& context, json::Value& object) {
  find_kind("flowcontrol.apiserver.k8s.io", "FlowSchema").defaults->apply(object, context.arena);
}
void set_priority_level_defaults(const HookContext& context, json::Value& object) {
  find_kind("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration")
      .defaults->apply(object, context.arena);
}
void set_deployment_defaults(const HookContext& context, json::Value& object) {
  find_kind("apps", "Deployment").defaults->apply(object, context.arena);
}
void set_stateful_set_defaults(const HookContext& context, json::Value& object) {
  find_kind("apps", "StatefulSet").defaults->apply(object, context.arena);
}
void set_replica_set_defaults(const HookContext& context, json::Value& object) {
  find_kind("apps", "ReplicaSet").defaults->apply(object, context.arena);
}

// Kinds with a hook.
void set_secret_defaults(const HookContext& context, json::Value& object) {
  find_kind("", "Secret").strategy.set_defaults(context, object);
}
void set_limit_range_defaults(const HookContext& context, json::Value& object) {
  find_kind("", "LimitRange").strategy.set_defaults(context, object);
}
void set_node_defaults(const HookContext& context, json::Value& object) {
  find_kind("", "Node").strategy.set_defaults(context, object);
}
void set_autoscaler_defaults(const HookContext& context, json::Value& object) {
  find_kind("autoscaling", "HorizontalPodAutoscaler").strategy.set_defaults(context, object);
}
void set_job_defaults(const HookContext& context, json::Value& object) {
  find_kind("batch", "Job").strategy.set_defaults(context, object);
}

struct Case {
  std::string_view name;
  void (*set_defaults)(const HookContext&, json::Value&);
  std::string_view object, expected;
};

TEST_CASE("defaults: computed from other fields", "[registry]") {
  static constexpr Case kCases[] = {
      {"a secret's texts win over its data", &set_secret_defaults,
       R"({"data":{"b":"b2xk","z":"eg=="},"stringData":{"b":"new","a":""}})",
       R"({"data":{"a":"","b":"bmV3","z":"eg=="},"type":"Opaque"})"},
      {"a secret's type stays", &set_secret_defaults, R"({"type":"x/y"})", R"({"type":"x/y"})"},
      {"limits of containers follow one another", &set_limit_range_defaults,
       R"({"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"1","memory":"1Gi"}},{"type":"Pod","max":{"cpu":"2"}}]}})",
       R"({"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"min":{"cpu":"1","memory":"1Gi"},"default":{"cpu":"2"},"defaultRequest":{"cpu":"2","memory":"1Gi"}},{"type":"Pod","max":{"cpu":"2"}}]}})"},
      {"users and groups are of RBAC's group, service accounts of the core",
       &set_role_binding_defaults,
       R"({"roleRef":{"apiGroup":""},"subjects":[{"kind":"User"},{"kind":"ServiceAccount"}]})",
       R"({"roleRef":{"apiGroup":"rbac.authorization.k8s.io"},"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io"},{"kind":"ServiceAccount"}]})"},
      {"policy types follow the rules", &set_network_policy_defaults,
       R"({"spec":{"egress":[{"ports":[{"port":1}]}]}})",
       R"({"spec":{"egress":[{"ports":[{"port":1,"protocol":"TCP"}]}],"policyTypes":["Ingress","Egress"]}})"},
      {"policy types without egress", &set_network_policy_defaults, R"({"spec":{}})",
       R"({"spec":{"policyTypes":["Ingress"]}})"},
      {"a node's ranges, by the old field", &set_node_defaults,
       R"({"spec":{"podCIDR":"10.1.0.0/24"}})",
       R"({"spec":{"podCIDR":"10.1.0.0/24","podCIDRs":["10.1.0.0/24"]}})"},
      {"a node's range, by the new field", &set_node_defaults,
       R"({"spec":{"podCIDRs":["10.1.0.0/24","fd00::/64"]}})",
       R"({"spec":{"podCIDRs":["10.1.0.0/24","fd00::/64"],"podCIDR":"10.1.0.0/24"}})"},
      {"an autoscaler of v1 has no metrics", &set_autoscaler_defaults,
       R"({"apiVersion":"autoscaling/v1","spec":{}})",
       R"({"apiVersion":"autoscaling/v1","spec":{"minReplicas":1,"targetCPUUtilizationPercentage":80},"metadata":{}})"},
      {"rules of scaling are filled member by member", &set_autoscaler_defaults,
       R"({"spec":{"minReplicas":2,"metrics":[{}],"behavior":{"scaleUp":{"policies":[]},"scaleDown":{"selectPolicy":"Min"}}}})",
       R"({"spec":{"minReplicas":2,"metrics":[{}],"behavior":{"scaleUp":{"policies":[],"stabilizationWindowSeconds":0,"selectPolicy":"Max"},"scaleDown":{"selectPolicy":"Min","policies":[{"type":"Percent","value":100,"periodSeconds":15}]}}}})"},
      {"a policy matches by what it names", &set_admission_policy_defaults,
       R"({"spec":{"matchConstraints":{"resourceRules":[{}]}}})",
       R"({"spec":{"matchConstraints":{"resourceRules":[{"scope":"*"}],"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{}},"failurePolicy":"Fail"}})"},
      {"a flow schema's zero is none", &set_flow_schema_defaults,
       R"({"spec":{"matchingPrecedence":0}})", R"({"spec":{"matchingPrecedence":1000}})"},
      {"a level's zero is one", &set_priority_level_defaults,
       R"({"spec":{"limited":{"nominalConcurrencyShares":0,"lendablePercent":null}}})",
       R"({"spec":{"limited":{"nominalConcurrencyShares":0,"lendablePercent":0}}})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      HookFixture fixture;
      json::Value object = fixture.object(c.object);
      c.set_defaults(fixture.context, object);
      CHECK(fixture.text(object) == c.expected);
      c.set_defaults(fixture.context, object);
      CHECK(fixture.text(object) == c.expected);
    }
  }
}

TEST_CASE("defaults: the parts of workloads that depend on others", "[registry]") {
  struct Part {
    std::string_view name;
    void (*set_defaults)(const HookContext&, json::Value&);
    std::string_view spec, field, expected;
  };
  static constexpr Part kCases[] = {
      {"recreating needs no numbers", &set_deployment_defaults,
       R"({"strategy":{"type":"Recreate"}})", "strategy", R"({"type":"Recreate"})"},
      {"rolling does, each by itself", &set_deployment_defaults,
       R"({"strategy":{"rollingUpdate":{"maxSurge":0}}})", "strategy",
       R"({"rollingUpdate":{"maxSurge":0,"maxUnavailable":"25%"},"type":"RollingUpdate"})"},
      {"a stateful set that names no strategy has a partition", &set_stateful_set_defaults, "{}",
       "updateStrategy", R"({"type":"RollingUpdate","rollingUpdate":{"partition":0}})"},
      {"one that names it has none", &set_stateful_set_defaults,
       R"({"updateStrategy":{"type":"RollingUpdate"}})", "updateStrategy",
       R"({"type":"RollingUpdate"})"},
      {"a job is done once", &set_job_defaults, "{}", "completions", "1"},
      {"a job with an own policy replaces what failed", &set_job_defaults,
       R"({"podFailurePolicy":{"rules":[]}})", "podReplacementPolicy", R"("Failed")"},
      {"a job with a limit by index has no other", &set_job_defaults,
       R"({"backoffLimitPerIndex":1})", "backoffLimit", "2147483647"},
      {"no replicas are no replicas", &set_replica_set_defaults, R"({"replicas":0})", "replicas",
       "0"},
  };
  for (const Part& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      HookFixture fixture;
      json::Value object = fixture.object(R"({"spec":)" + std::string(c.spec) + "}");
      c.set_defaults(fixture.context, object);
      CHECK(fixture.text(*object.at({"spec", c.field})) == c.expected);
    }
  }
}

TEST_CASE("defaults: a work queue job has no completions", "[registry]") {
  HookFixture fixture;
  json::Value job = fixture.object(R"({"spec":{"parallelism":3}})");
  set_job_defaults(fixture.context, job);
  CHECK(job.at({"spec", "completions"}) == nullptr);
}

TEST_CASE("defaults: a new job selects its pods by its uid", "[registry]") {
  HookFixture fixture;
  json::Value job = fixture.object(
      R"({"metadata":{"name":"j","uid":"u"},"spec":{"template":{"metadata":{"labels":{"app":"x"}}}}})");
  find_kind("batch", "Job").strategy.prepare_for_create(fixture.context, job);
  static constexpr std::string_view kLabels =
      R"({"app":"x","batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"j","controller-uid":"u","job-name":"j"})";
  CHECK(fixture.text(*job.at({"spec", "template", "metadata", "labels"})) == kLabels);
  CHECK(fixture.text(*job.at({"metadata", "labels"})) == kLabels);
  CHECK(fixture.text(*job.at({"spec", "selector"})) ==
        R"({"matchLabels":{"batch.kubernetes.io/controller-uid":"u"}})");

  json::Value manual =
      fixture.object(R"({"metadata":{"name":"j"},"spec":{"manualSelector":true}})");
  find_kind("batch", "Job").strategy.prepare_for_create(fixture.context, manual);
  CHECK(manual.at({"spec", "selector"}) == nullptr);
}

}  // namespace
}  // namespace tabernetes::registry::kinds
