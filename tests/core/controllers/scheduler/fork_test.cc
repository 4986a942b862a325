#include "../../registry_fixture.h"
#include "controllers/run/control_loops.h"

namespace tabernetes::controllers {
namespace {

constexpr tests::RegistryFixture::Resource kForkPods{"", "v1", "pods"};

// Creates a pod in a cluster.
void add_pod(registry::Registry& registry, std::string_view name) {
  json::Arena arena;
  const registry::ResourceType& type = *registry.resources().find("", "v1", "pods");
  const std::string text =
      R"({"metadata":{"name":")" + std::string(name) +
      R"(","namespace":"default"},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}})";
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  const auto decoded = type.behaviour->decode(read.value, arena, registry::DecodeFor::kObject);
  REQUIRE(registry.create({.arena = arena, .now = Time{1}, .tracks_fields = false}, type, "default",
                          decoded.value));
}

// Runs the loops until nothing is due, and returns "pod@node" of all pods.
std::string settle(registry::Registry& registry, ControlLoops& loops) {
  const Time now{1'000'000'000};
  loops.on_change(now);
  while (loops.reconcile_due(now + kReactionDelay, now)) {
  }
  std::string text;
  json::Arena arena;
  registry.each_object(kForkPods, arena, [&](const json::Value& pod) {
    text.append(text_at(pod, {"metadata", "name"})).append("@");
    text.append(text_at(pod, {"spec", "nodeName"})).append(" ");
  });
  return text;
}

}  // namespace

TEST_CASE_METHOD(tests::RegistryFixture, "scheduler: forks go on apart", "[controllers]") {
  put({"", "v1", "nodes"}, "",
      R"({"metadata":{"name":"a"},"status":{"allocatable":{"cpu":"2","memory":"1Gi","pods":"9"}}})");
  ControlLoops loops(registry, {}, true);
  add_pod(registry, "first");
  CHECK(settle(registry, loops) == "first@a ");

  store::Store other_store = store.fork();
  Entropy other_entropy{nullptr, 2};
  registry::Registry other_registry(registry, other_store, other_entropy);
  ControlLoops other_loops(loops, other_registry);
  add_pod(registry, "second");
  add_pod(other_registry, "other");
  CHECK(settle(registry, loops) == "first@a second@a ");
  CHECK(settle(other_registry, other_loops) == "first@a other@a ");
  // Each has its own count of what is used.
  add_pod(registry, "third");
  add_pod(other_registry, "more");
  CHECK(settle(registry, loops) == "first@a second@a third@ ");
  CHECK(settle(other_registry, other_loops) == "first@a more@ other@a ");
}

}  // namespace tabernetes::controllers
