// The actions of a cluster's host: time, compaction, reset. Invariants 18, 31, 32 and 34.

#include "world.h"

namespace tabernetes::property {

const Kind& random_kind(Random& random) { return random.pick(kinds()); }

Scope random_scope(Random& random, const Kind& kind) {
  Scope scope{&kind, ""};
  if (kind.namespaced && random.chance(60)) scope.ns = random.pick(namespaces());
  return scope;
}

Version random_past_version(World& world, Random& random) {
  const Version oldest = random.chance(85) ? world.model.floor() : 1;
  const Version now = world.model.now();
  // Clients mostly know recent versions.
  const Version reach = random.chance(60) ? std::min<Version>(now - oldest, 20) : now - oldest;
  return now - random.below(reach + 1);
}

void expect_version(World& world) {
  const Answer nothing = world.probe.call("GET", "/apis/apps/v1/namespaces/none/deployments");
  const Document list(nothing.body);
  const json::Value* metadata = list.root.find("metadata");
  expect(metadata != nullptr, "a list without metadata");
  expect_equal("version of the cluster", version_of(metadata->string_at("resourceVersion")),
               world.model.now());
}

void let_time_pass(World& world, Random& random) {
  static const std::vector<std::int64_t> kMilliseconds = {100,   900,    1'000,  2'000,
                                                          3'000, 10'000, 20'000, 61'000};
  std::int64_t span = random.pick(kMilliseconds);
  if (random.chance(3)) span = 1'900'000;
  // Events end after an hour, which the model does not know.
  constexpr std::int64_t kLongest = 3'500'000;
  const std::int64_t passed =
      (world.now.unix_nanoseconds - world.begun.unix_nanoseconds) / 1'000'000;
  span = std::min(span, kLongest - passed);
  world.now = world.now + Duration::from_milliseconds(span);
  world.client.note("advance by " + std::to_string(span) + " ms");
  world.server->advance(world.now);
  world.model.advance(world.now);
}

void compact(World& world, Random& random) {
  if (!random.chance(15)) return;
  const Version floor = world.model.floor();
  const Version now = world.model.now();
  const bool wrong = random.chance(10);
  Version version = floor + random.below(now - floor + 1);
  if (wrong) version = now + 1;
  std::string body = R"({"resourceVersion":")" + std::to_string(version) + "\"}";
  if (!wrong && random.chance(10)) {
    version = now;
    body.clear();
  }
  const Answer answer = world.client.call("POST", "/-/tabernetes/compact", body);
  expect_equal("status of a compaction", static_cast<std::uint64_t>(answer.status),
               wrong ? 400 : 200);
  if (!wrong) world.model.raise_floor(version);
  expect_version(world);
}

void record_everything(World& world) {
  world.recorders.clear();
  for (const Kind& kind : kinds()) world.recorders.push_back(record(world, kind));
}

void before_restart(World& world) {
  for (const auto& watch : world.watches) watch->interrupted(world);
  world.recorders.clear();
  world.pagers.clear();
}

void after_restart(World& world) {
  expect_version(world);
  record_everything(world);
}

void reset(World& world, Random& random) {
  if (!random.chance(15)) return;
  before_restart(world);
  const Answer answer = world.client.call("POST", "/-/tabernetes/reset");
  expect_equal("status of a reset", static_cast<std::uint64_t>(answer.status), 200);
  world.model.reset();
  after_restart(world);
}

}  // namespace tabernetes::property
