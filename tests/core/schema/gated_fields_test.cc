// What writes keep of fields whose gates are off. Expected: upstream 1.36, dropDisabledFields of
// the kinds.
#include "schema/gated_fields.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::schema {
namespace {

constexpr std::string_view kPod = "io.k8s.api.core.v1.Pod";
constexpr std::string_view kClaim = "io.k8s.api.core.v1.PersistentVolumeClaim";
constexpr std::string_view kSet = "io.k8s.api.apps.v1.StatefulSet";
constexpr std::string_view kLease = "io.k8s.api.coordination.v1.Lease";
constexpr std::string_view kSlice = "io.k8s.api.resource.v1.ResourceSlice";

struct Case {
  std::string_view name, type, object, old, kept;
};

std::string text_of(const json::Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

std::string kept_by(const FeatureGates& gates, const Case& c) {
  json::Arena arena;
  json::Value object = codec::read_json(c.object, arena).value;
  const json::Value before = object;
  json::Value old;
  if (!c.old.empty()) old = codec::read_json(c.old, arena).value;
  GatedFields(gates).drop(*Catalogue::built_in().find_type(c.type), object,
                          c.old.empty() ? nullptr : &old, arena);
  CHECK(text_of(before) == c.object);
  return text_of(object);
}

TEST_CASE("gated fields: what is off by default is dropped", "[schema]") {
  static constexpr Case kCases[] = {
      {"in a list", kPod,
       R"({"spec":{"containers":[{"name":"c","lifecycle":{"preStop":{},"stopSignal":"SIGHUP"}}]}})",
       "", R"({"spec":{"containers":[{"name":"c","lifecycle":{"preStop":{}}}]}})"},
      {"with what it leaves empty", kPod,
       R"({"spec":{"containers":[{"lifecycle":{"stopSignal":"SIGHUP"}},{"lifecycle":{}}]}})", "",
       R"({"spec":{"containers":[{},{"lifecycle":{}}]}})"},
      {"elsewhere what it leaves empty stays", kPod,
       R"({"spec":{"volumes":[{"name":"v","projected":{"sources":[{"clusterTrustBundle":{"path":"p"}}]}}]}})",
       "", R"({"spec":{"volumes":[{"name":"v","projected":{"sources":[{}]}}]}})"},
      {"not if it was in use", kPod,
       R"({"spec":{"initContainers":[{"lifecycle":{"stopSignal":"SIGHUP"}}]}})",
       R"({"spec":{"containers":[{"lifecycle":{"stopSignal":"SIGINT"}}]}})",
       R"({"spec":{"initContainers":[{"lifecycle":{"stopSignal":"SIGHUP"}}]}})"},
      {"another gate's use is no use", kPod,
       R"({"spec":{"schedulingGroup":{},"containers":[{"lifecycle":{"stopSignal":"SIGHUP"}}]}})",
       R"({"spec":{"schedulingGroup":{}}})",
       R"({"spec":{"schedulingGroup":{},"containers":[{}]}})"},
      {"another field's use is no use of one that stands alone", kLease,
       R"({"spec":{"strategy":"OldestEmulationVersion","preferredHolder":"h"}})",
       R"({"spec":{"strategy":"OldestEmulationVersion"}})",
       R"({"spec":{"strategy":"OldestEmulationVersion"}})"},
      {"its own use is", kLease, R"({"spec":{"preferredHolder":"h"}})",
       R"({"spec":{"preferredHolder":"i"}})", R"({"spec":{"preferredHolder":"h"}})"},
      {"in a map", kSlice,
       R"({"spec":{"devices":[{"attributes":{"a":{"ints":[1]},"b":{"int":1}}}]}})", "",
       R"({"spec":{"devices":[{"attributes":{"a":{},"b":{"int":1}}}]}})"},
      {"with what holds it", kClaim,
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n","namespace":"other"}}})", "",
       R"({"spec":{}})"},
      {"what holds it stays without it", kClaim,
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n","namespace":""}}})", "",
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n","namespace":""}}})"},
      {"what holds it was in use", kClaim,
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n","namespace":"other"}}})",
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n"}}})",
       R"({"spec":{"dataSourceRef":{"kind":"A","name":"n","namespace":"other"}}})"},
      {"templates of claims are not looked at", kSet,
       R"({"spec":{"volumeClaimTemplates":[{"spec":{"dataSourceRef":{"namespace":"o"}}}],"updateStrategy":{"rollingUpdate":{"maxUnavailable":1}}}})",
       "",
       R"({"spec":{"volumeClaimTemplates":[{"spec":{"dataSourceRef":{"namespace":"o"}}}],"updateStrategy":{"rollingUpdate":{}}}})"},
      {"a template of pods", kSet,
       R"({"spec":{"template":{"spec":{"schedulingGroup":{},"containers":[]}}}})", "",
       R"({"spec":{"template":{"spec":{"containers":[]}}}})"},
      {"a status", kPod,
       R"({"status":{"containerStatuses":[{"stopSignal":"SIGINT","volumeMounts":[{"name":"v","volumeStatus":{"image":{}}}]}]}})",
       "",
       R"({"status":{"containerStatuses":[{"stopSignal":"SIGINT","volumeMounts":[{"name":"v"}]}]}})"},
      {"null", kPod, R"({"spec":{"containers":null,"schedulingGroup":null}})", "",
       R"({"spec":{"containers":null,"schedulingGroup":null}})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(kept_by(FeatureGates(), c) == c.kept); }
  }
}

TEST_CASE("gated fields: gates that are switched", "[schema]") {
  const Case stop = {"", kPod, R"({"spec":{"containers":[{"lifecycle":{"stopSignal":"SIGHUP"}}]}})",
                     "", ""};
  CHECK(kept_by(FeatureGates({{"ContainerStopSignals", true}}), stop) == stop.object);
  CHECK(kept_by(FeatureGates({{"AllAlpha", true}}), stop) == stop.object);

  const Case level = {
      "", kPod, R"({"spec":{"resources":{"limits":{"cpu":"1"}},"hostnameOverride":"h"}})", "", ""};
  CHECK(kept_by(FeatureGates(), level) == level.object);
  CHECK(kept_by(FeatureGates({{"PodLevelResources", false}}), level) ==
        R"({"spec":{"hostnameOverride":"h"}})");
  CHECK(kept_by(FeatureGates({{"AllBeta", false}}), level) == R"({"spec":{}})");

  const Case binding = {"", kSlice, R"({"spec":{"devices":[{"name":"d","bindsToNode":true}]}})", "",
                        ""};
  for (const char* gate : {"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"}) {
    CHECK(kept_by(FeatureGates({{gate, false}}), binding) ==
          R"({"spec":{"devices":[{"name":"d"}]}})");
  }
}

}  // namespace
}  // namespace tabernetes::schema
