// PriorityClass: the kind that docs/adding-a-kind.md goes through.
#include "../kind_fixture.h"

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("PriorityClass: what is stored, and what is refused", "[kinds]") {
  KindFixture classes("scheduling.k8s.io", "v1", "priorityclasses");
  CHECK(classes.create(R"({"metadata":{"name":"a"},"value":7})") == "");
  CHECK(classes.stored("a", "preemptionPolicy") == R"("PreemptLowerPriority")");
  CHECK(classes.stored("a", "metadata.generation") == "1");
  CHECK(classes.create(R"({"metadata":{"name":"b"},"value":7,"preemptionPolicy":"Always"})") ==
        R"(PriorityClass.scheduling.k8s.io "b" is invalid: preemptionPolicy: Unsupported value: )"
        R"("Always": supported values: "PreemptLowerPriority", "Never")");
  CHECK(
      classes.update(R"({"metadata":{"name":"a"},"value":8})") ==
      R"(PriorityClass.scheduling.k8s.io "a" is invalid: value: Forbidden: may not be changed in )"
      R"(an update.)");
}

TEST_CASE("PriorityClass: its row in a table", "[kinds]") {
  KindFixture classes("scheduling.k8s.io", "v1", "priorityclasses");
  REQUIRE(classes.create(R"({"metadata":{"name":"a"},"value":7})") == "");
  CHECK(classes.cells("a") == R"(["a",7,false,"0s","PreemptLowerPriority"])");
}

}  // namespace
}  // namespace tabernetes::registry::kinds
