#include "controllers/run/control_loops.h"

#include "../../registry_fixture.h"

namespace tabernetes::controllers {
namespace {

using tests::RegistryFixture;

constexpr RegistryFixture::Resource kThings{"", "v1", "configmaps"};
constexpr std::string_view kLostThing =
    R"({"metadata":{"name":"lost","uid":"ul","ownerReferences":[)"
    R"({"apiVersion":"v1","kind":"ConfigMap","name":"none","uid":"un"}]}})";

Time second(std::int64_t number) { return Time::from_unix_milliseconds(number * 1000); }

TEST_CASE("control loops: nothing is done before its time", "[controllers]") {
  RegistryFixture cluster;
  ControlLoops loops(cluster.registry, {"garbage-collector-controller"});
  cluster.store.advance(second(1));
  loops.on_change(second(1));
  CHECK_FALSE(loops.next());
  cluster.put(kThings, "default", kLostThing);
  CHECK_FALSE(loops.next());
  loops.on_change(second(1));
  CHECK(loops.next() == second(1) + kReactionDelay);
  CHECK_FALSE(loops.reconcile_due(second(1), second(1)));
  CHECK(cluster.exists(kThings, "default", "lost"));
  CHECK(loops.reconcile_due(second(2), second(2)));
  CHECK_FALSE(cluster.exists(kThings, "default", "lost"));
  CHECK_FALSE(loops.reconcile_due(second(9), second(9)));
}

TEST_CASE("control loops: what was there before they began is seen", "[controllers]") {
  RegistryFixture cluster;
  cluster.put(kThings, "default", kLostThing);
  ControlLoops loops(cluster.registry, {"garbage-collector-controller"});
  loops.on_change(second(1));
  CHECK(loops.reconcile_due(second(2), second(2)));
  CHECK_FALSE(cluster.exists(kThings, "default", "lost"));
}

TEST_CASE("control loops: those of a fork go on with what was queued, each for itself",
          "[controllers]") {
  RegistryFixture cluster;
  ControlLoops loops(cluster.registry, {"garbage-collector-controller"});
  loops.on_change(second(1));
  cluster.put(kThings, "default", kLostThing);
  loops.on_change(second(1));

  store::Store forked_store = cluster.store.fork();
  Entropy forked_entropy{nullptr, 2};
  registry::Registry forked(cluster.registry, forked_store, forked_entropy);
  ControlLoops forked_loops(loops, forked);
  const std::string key = cluster.type_of(kThings).key("default", "lost");
  CHECK(forked_loops.reconcile_due(second(2), second(2)));
  CHECK_FALSE(forked_store.get(key));
  CHECK(cluster.store.get(key));
  CHECK(loops.reconcile_due(second(2), second(2)));
  CHECK_FALSE(cluster.store.get(key));
}

TEST_CASE("control loops: only those that are named run, besides the server's own",
          "[controllers]") {
  RegistryFixture cluster;
  ControlLoops loops(cluster.registry, {"namespace-controller"});
  loops.on_change(second(1));
  cluster.put(kThings, "default", kLostThing);
  loops.on_change(second(1));
  CHECK_FALSE(loops.next());
}

}  // namespace
}  // namespace tabernetes::controllers
