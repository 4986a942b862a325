// Expected texts: upstream 1.36 component-base, featuregate/feature_gate.go.
#include "schema/feature_gates.h"

#include <catch2/catch_test_macros.hpp>

#include "../faults.h"
#include "tabernetes/options.h"

namespace tabernetes::schema {
namespace {

using Gates = std::map<std::string, bool>;

std::string fault_of(std::string_view text) {
  const Expected<Gates> gates = parse_feature_gates(text);
  return gates ? tests::message_of(check_feature_gates(*gates)) : gates.fault().message;
}

TEST_CASE("feature gates: a list is read as kube-apiserver reads it", "[schema]") {
  const struct {
    std::string_view text;
    Gates gates;
  } cases[] = {
      {"", {}},
      {",WatchList=false,", {{"WatchList", false}}},
      {" WatchList = F , OpenAPIEnums=TRUE", {{"WatchList", false}, {"OpenAPIEnums", true}}},
      {"WatchList=1,WatchList=0", {{"WatchList", false}}},
      {"kube:WatchList=t, kube : OpenAPIEnums=True", {{"WatchList", true}, {"OpenAPIEnums", true}}},
      {":WatchList=true,OpenAPIEnums=false", {{"WatchList", true}, {"OpenAPIEnums", false}}},
      {"AllAlpha=false,AllBeta=true", {{"AllAlpha", false}, {"AllBeta", true}}},
      {"CustomResourceFieldSelectors=true", {{"CustomResourceFieldSelectors", true}}},
  };
  for (const auto& c : cases) {
    DYNAMIC_SECTION(c.text) {
      const Expected<Gates> gates = parse_feature_gates(c.text);
      REQUIRE(gates);
      CHECK(*gates == c.gates);
    }
  }
}

TEST_CASE("feature gates: what is wrong is told in kube-apiserver's words", "[schema]") {
  const struct {
    std::string_view text, fault;
  } cases[] = {
      {"WatchList", "missing bool value for WatchList"},
      {"WatchList=maybe",
       "invalid value of WatchList=maybe, err: strconv.ParseBool: parsing \"maybe\": invalid "
       "syntax"},
      {"WatchList=a=b",
       "invalid value of WatchList=a=b, err: strconv.ParseBool: parsing \"a=b\": invalid syntax"},
      {"NoSuchGate=true", "unrecognized feature gate: NoSuchGate"},
      {"=true", "unrecognized feature gate: "},
      {"watchlist=true", "unrecognized feature gate: watchlist"},
      {"ConsistentListFromCache=false",
       "cannot set feature gate ConsistentListFromCache to false, feature is locked to true"},
      {"GitRepoVolumeDriver=true",
       "cannot set feature gate GitRepoVolumeDriver to true, feature is locked to false"},
      {"GitRepoVolumeDriver=true,WinDSR=false",
       "[cannot set feature gate GitRepoVolumeDriver to true, feature is locked to false, cannot "
       "set feature gate WinDSR to false, feature is locked to true]"},
      {"ClusterTrustBundleProjection=true",
       "ClusterTrustBundleProjection is enabled, but depends on features that are disabled: "
       "[ClusterTrustBundle]"},
      {"PodLevelResources=false,NodeDeclaredFeatures=false,ExtendWebSocketsToKubelet=false,"
       "RestartAllContainersOnContainerExits=false,"
       "InPlacePodVerticalScalingInitContainers=false",
       "InPlacePodLevelResourcesVerticalScaling is enabled, but depends on features that are "
       "disabled: [PodLevelResources NodeDeclaredFeatures]"},
      {"wardle:WatchList=true", "component not registered: wardle"},
      {"kube:WatchList=true,OpenAPIEnums=true",
       "set kube feature gates with default empty prefix or kube: prefix consistently, do not mix "
       "use"},
  };
  for (const auto& c : cases) {
    DYNAMIC_SECTION(c.text) { CHECK(fault_of(c.text) == c.fault); }
  }
}

TEST_CASE("feature gates: all of a stage, but for those that are named", "[schema]") {
  const FeatureGates usual;
  CHECK(usual.enabled("WatchList"));
  CHECK_FALSE(usual.enabled("CBORServingAndStorage"));
  CHECK_FALSE(usual.enabled("ClusterTrustBundle"));
  CHECK_FALSE(usual.enabled("AllAlpha"));

  const FeatureGates some({{"AllAlpha", true}, {"CBORServingAndStorage", false}});
  CHECK(some.enabled("AllAlpha"));
  CHECK(some.enabled("ContainerStopSignals"));
  CHECK_FALSE(some.enabled("CBORServingAndStorage"));
  CHECK_FALSE(some.enabled("ClusterTrustBundle"));
  CHECK_FALSE(some.enabled("AllBeta"));

  const FeatureGates none({{"AllBeta", false}, {"WatchList", true}});
  CHECK(none.enabled("WatchList"));
  CHECK_FALSE(none.enabled("OpenAPIEnums"));
  CHECK(none.enabled("DynamicResourceAllocation"));
  CHECK(FeatureGates({{"AllBeta", true}}).enabled("ClusterTrustBundle"));

  for (const Gates& all : {Gates{{"AllAlpha", true}}, Gates{{"AllBeta", true}},
                           Gates{{"AllAlpha", true}, {"AllBeta", true}}}) {
    CHECK(check_feature_gates(all));
  }
}

}  // namespace
}  // namespace tabernetes::schema
