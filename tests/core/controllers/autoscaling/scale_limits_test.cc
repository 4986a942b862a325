#include "controllers/autoscaling/scale_limits.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::controllers {
namespace {

Time second(std::int64_t number) { return Time::from_unix_milliseconds(number * 1000); }

std::string text_of_scale(const LimitedScale& scale) {
  return std::to_string(scale.replicas) + " " + std::string(scale.able_reason) + " " +
         std::string(scale.limit_reason);
}

TEST_CASE("scale limits: without a behaviour", "[controllers]") {
  struct Case {
    ScaleWish wish;
    std::string_view scale;
  };
  const Case cases[] = {
      {{2, 2, 1, 10}, "2 ReadyForNewScale DesiredWithinRange"},
      {{2, 4, 1, 10}, "4 ReadyForNewScale DesiredWithinRange"},
      {{3, 9, 1, 10}, "6 ReadyForNewScale ScaleUpLimit"},
      {{1, 9, 1, 10}, "4 ReadyForNewScale ScaleUpLimit"},
      {{8, 19, 1, 10}, "10 ReadyForNewScale TooManyReplicas"},
      {{3, 1, 2, 10}, "2 ReadyForNewScale TooFewReplicas"},
  };
  for (const Case& c : cases) {
    ScaleHistory history;
    CHECK(text_of_scale(limit_scale(c.wish, nullptr, second(1000), history)) == c.scale);
  }
}

TEST_CASE("scale limits: what was recommended in the last five minutes holds against less",
          "[controllers]") {
  ScaleHistory history;
  CHECK(limit_scale({2, 4, 1, 10}, nullptr, second(1000), history).replicas == 4);
  CHECK(text_of_scale(limit_scale({4, 1, 1, 10}, nullptr, second(1100), history)) ==
        "4 ScaleDownStabilized DesiredWithinRange");
  CHECK(limit_scale({4, 1, 1, 10}, nullptr, second(1301), history).replicas == 1);
}

TEST_CASE("scale limits: policies of a behaviour", "[controllers]") {
  json::Arena arena;
  const codec::JsonRead behaviour = codec::read_json(
      R"({"scaleUp":{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[)"
      R"({"type":"Pods","value":3,"periodSeconds":60},{"type":"Percent","value":50,)"
      R"("periodSeconds":60}]},"scaleDown":{"stabilizationWindowSeconds":0,"selectPolicy":"Min",)"
      R"("policies":[{"type":"Pods","value":1,"periodSeconds":60},)"
      R"({"type":"Percent","value":50,"periodSeconds":60}]}})",
      arena);
  REQUIRE(behaviour.ok());
  ScaleHistory history;
  CHECK(text_of_scale(limit_scale({4, 20, 1, 30}, &behaviour.value, second(1000), history)) ==
        "7 ReadyForNewScale ScaleUpLimit");
  history.note(4, 7, second(1000));
  // The three of this minute count.
  CHECK(limit_scale({7, 20, 1, 30}, &behaviour.value, second(1030), history).replicas == 7);
  CHECK(limit_scale({7, 20, 1, 30}, &behaviour.value, second(1061), history).replicas == 11);
  CHECK(text_of_scale(limit_scale({10, 2, 1, 30}, &behaviour.value, second(2000), history)) ==
        "9 ReadyForNewScale ScaleDownLimit");
  // A window of zero seconds holds against nothing, not even the recommendation of this moment.
  history.recommendations.push_back({second(3000), 10});
  CHECK(text_of_scale(limit_scale({10, 2, 1, 30}, &behaviour.value, second(3000), history)) ==
        "9 ReadyForNewScale ScaleDownLimit");
}

}  // namespace
}  // namespace tabernetes::controllers
