// Objects served in two versions: an object written in one version can be read in the other.
#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "kinds/table/kinds.h"
#include "schema/decode.h"

namespace tabernetes::registry {
namespace {

std::string converted(std::string_view text,
                      json::Value (*convert)(const json::Value&, json::Arena&),
                      std::string_view type) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  const schema::Type* target = schema::Catalogue::built_in().find_type(type);
  REQUIRE(target != nullptr);
  const auto decoded = schema::decode_typed(*target, convert(read.value, arena), arena);
  REQUIRE(decoded.error.empty());
  CHECK(decoded.strict_errors.empty());
  std::string out;
  codec::write_json(decoded.value, out);
  return out;
}

TEST_CASE("conversions: events have two sets of field names", "[registry]") {
  const auto events = kinds::find_kind("events.k8s.io", "Event").converted_versions;
  REQUIRE(events.size() == 1);
  constexpr std::string_view kCore =
      R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"a"},"involvedObject":{"kind":"Pod"},"reason":"R","message":"m","source":{"component":"c"},"firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:01Z","count":3,"type":"Normal","eventTime":null,"reportingComponent":"rc","reportingInstance":"ri"})";
  constexpr std::string_view kEvents =
      R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"a"},"eventTime":null,"reportingController":"rc","reportingInstance":"ri","reason":"R","regarding":{"kind":"Pod"},"note":"m","type":"Normal","deprecatedSource":{"component":"c"},"deprecatedFirstTimestamp":"2026-01-01T00:00:00Z","deprecatedLastTimestamp":"2026-01-01T00:00:01Z","deprecatedCount":3})";
  CHECK(converted(kCore, events[0].from_storage, "io.k8s.api.events.v1.Event") == kEvents);
  CHECK(converted(kEvents, events[0].to_storage, "io.k8s.api.core.v1.Event") == kCore);
}

TEST_CASE("conversions: autoscaling/v1 keeps in annotations the fields it does not have",
          "[registry]") {
  const auto scalers =
      kinds::find_kind("autoscaling", "HorizontalPodAutoscaler").converted_versions;
  REQUIRE(scalers.size() == 1);
  constexpr std::string_view kSecond =
      R"({"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v2","metadata":{"name":"a"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"d"},"maxReplicas":3,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},{"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"i"},"target":{"type":"Value","value":"2k"},"metric":{"name":"rps"}}},{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"q":"1"}}},"target":{"type":"AverageValue","averageValue":"30"}}}],"behavior":{"scaleDown":{"stabilizationWindowSeconds":60,"policies":[{"type":"Pods","value":4,"periodSeconds":60}]}}},"status":{"currentReplicas":2,"desiredReplicas":2,"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":55}}}],"conditions":[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
  const std::string first = converted(kSecond, scalers[0].from_storage,
                                      "io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler");
  CHECK(
      first ==
      R"({"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1","metadata":{"name":"a","annotations":{"autoscaling.alpha.kubernetes.io/behavior":"{\"ScaleUp\":null,\"ScaleDown\":{\"StabilizationWindowSeconds\":60,\"SelectPolicy\":null,\"Policies\":[{\"Type\":\"Pods\",\"Value\":4,\"PeriodSeconds\":60}],\"Tolerance\":null}}","autoscaling.alpha.kubernetes.io/conditions":"[{\"type\":\"AbleToScale\",\"status\":\"True\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]","autoscaling.alpha.kubernetes.io/current-metrics":"[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"currentAverageUtilization\":55,\"currentAverageValue\":\"0\"}}]","autoscaling.alpha.kubernetes.io/metrics":"[{\"type\":\"Object\",\"object\":{\"target\":{\"kind\":\"Ingress\",\"name\":\"i\"},\"metricName\":\"rps\",\"targetValue\":\"2k\"}},{\"type\":\"External\",\"external\":{\"metricName\":\"queue\",\"metricSelector\":{\"matchLabels\":{\"q\":\"1\"}},\"targetAverageValue\":\"30\"}}]"}},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"d"},"maxReplicas":3,"targetCPUUtilizationPercentage":60},"status":{"currentReplicas":2,"desiredReplicas":2,"currentCPUUtilizationPercentage":55}})");
  const std::string second =
      converted(first, scalers[0].to_storage, "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler");
  // The CPU metric becomes the last one, and gets the raw value that v1 always writes.
  constexpr std::string_view kBack =
      R"({"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v2","metadata":{"name":"a"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"d"},"maxReplicas":3,"metrics":[{"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"i"},"target":{"type":"Value","value":"2k"},"metric":{"name":"rps"}}},{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"q":"1"}}},"target":{"type":"AverageValue","averageValue":"30"}}},{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}],"behavior":{"scaleDown":{"stabilizationWindowSeconds":60,"policies":[{"type":"Pods","value":4,"periodSeconds":60}]}}},"status":{"currentReplicas":2,"desiredReplicas":2,"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"0","averageUtilization":55}}}],"conditions":[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
  CHECK(second == kBack);
}

}  // namespace
}  // namespace tabernetes::registry
