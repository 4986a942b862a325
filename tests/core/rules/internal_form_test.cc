#include "rules/internal_form.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"

namespace tabernetes::registry::validation {
namespace {

std::string printed(std::string_view json, std::string_view type) {
  json::Arena arena;
  const json::Value value = codec::read_json(json, arena).value;
  field::ErrorList errors;
  return print_internal(Field(value, errors), type);
}

TEST_CASE("internal forms: all fields with their Go names, unset ones as null or zero",
          "[registry]") {
  CHECK(printed("{}", "apps.v1.DeploymentStrategy") == R"({"Type":"","RollingUpdate":null})");
  CHECK(
      printed(R"({"rollingUpdate":{"maxSurge":"25%"},"type":"x"})", "apps.v1.DeploymentStrategy") ==
      R"({"Type":"x","RollingUpdate":{"MaxUnavailable":null,"MaxSurge":"25%"}})");
  CHECK(printed(R"({"key":"a","operator":"In"})", "core.v1.NodeSelectorRequirement") ==
        R"({"Key":"a","Operator":"In","Values":null})");
}

TEST_CASE("internal forms: maps are sorted, quantities and lists are unchanged", "[registry]") {
  CHECK(printed(R"({"limits":{"memory":"1Gi","cpu":"1"},"claims":[{"name":"c"}]})",
                "core.v1.ResourceRequirements") ==
        R"({"Limits":{"cpu":"1","memory":"1Gi"},"Requests":null,)"
        R"("Claims":[{"Name":"c","Request":""}]})");
}

TEST_CASE("internal forms: types of apimachinery keep their JSON names", "[registry]") {
  CHECK(printed(R"({"labelSelector":{"matchLabels":{"a":"b"}},"topologyKey":"z"})",
                "core.v1.PodAffinityTerm")
            .starts_with(R"({"LabelSelector":{"matchLabels":{"a":"b"}},)"));
}

TEST_CASE("internal forms: a pod's host namespaces are in its security context", "[registry]") {
  const std::string text =
      printed(R"({"hostNetwork":true,"securityContext":{"runAsUser":1}})", "core.v1.PodSpec");
  CHECK(text.starts_with(R"({"Volumes":null,"InitContainers":null,"Containers":null,)"));
  CHECK(text.find(R"("SecurityContext":{"HostNetwork":true,"HostPID":false,"HostIPC":false,)"
                  R"("ShareProcessNamespace":null,"HostUsers":null,)") != std::string::npos);
  CHECK(text.find(R"("RunAsUser":1,)") != std::string::npos);
  CHECK(text.find("hostNetwork") == std::string::npos);
}

TEST_CASE("internal forms: on many lines", "[registry]") {
  json::Arena arena;
  const json::Value value =
      codec::read_json(R"({"accessModes":["ReadWriteOnce"],"resources":{}})", arena).value;
  CHECK(print_internal_indented(value, "core.v1.PersistentVolumeClaimSpec")
            .starts_with("{\n \"AccessModes\": [\n  \"ReadWriteOnce\"\n ],\n \"Selector\": null,\n "
                         "\"Resources\": {\n  \"Limits\": null,\n  \"Requests\": null\n },\n"));
  CHECK(print_internal_indented(json::Value::object(arena), "no.such.Type") == "null");
}

}  // namespace
}  // namespace tabernetes::registry::validation
