#include "registry/kinds/immutable_fields.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "hook_fixture.h"

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("immutable fields: what an update says of them", "[registry]") {
  struct Case {
    std::string_view name;
    void (*keep)(const validation::Field&, const validation::Field&);
    std::string_view old, object, expected;
  };
  static constexpr Case kCases[] = {
      {"the same selector in another order", &keep_selector,
       R"({"spec":{"selector":{"a":1,"b":2}}})", R"({"spec":{"selector":{"b":2,"a":1}}})", ""},
      {"another selector", &keep_selector, R"({"spec":{"selector":{"matchLabels":{"a":"b"}}}})",
       R"({"spec":{"selector":{"matchLabels":{"a":"c"}}}})",
       R"(spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable)"},
      {"a selector that is gone", &keep_selector, R"({"spec":{"selector":{}}})", R"({"spec":{}})",
       "spec.selector: Invalid value: null: field is immutable"},
      {"a stateful set's replicas", &keep_stateful_set,
       R"({"spec":{"replicas":1,"serviceName":""}})", R"({"spec":{"replicas":2,"serviceName":""}})",
       ""},
      {"a field that a stateful set gains", &keep_stateful_set, R"({"spec":{}})",
       R"({"spec":{"selector":{}}})",
       "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
       "'template', 'updateStrategy', 'revisionHistoryLimit', "
       "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"},
      {"a field that a stateful set loses", &keep_stateful_set, R"({"spec":{"selector":{}}})",
       R"({"spec":{}})",
       "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
       "'template', 'updateStrategy', 'revisionHistoryLimit', "
       "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"},
      {"a job's mode", &keep_job, R"({"spec":{"completionMode":"Indexed"}})",
       R"({"spec":{"completionMode":"NonIndexed"}})",
       R"(spec.completionMode: Invalid value: "NonIndexed": field is immutable)"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      HookFixture fixture;
      field::ErrorList errors;
      const json::Value object = fixture.object(c.object);
      const json::Value old = fixture.object(c.old);
      c.keep(validation::Field(object, errors), validation::Field(old, errors));
      CHECK(field::aggregate(errors) == c.expected);
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry::kinds
