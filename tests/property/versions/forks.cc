// Clusters forked from one another, and clusters restored from snapshots. Invariant 40.

#include "world.h"

namespace tabernetes::property {

// Clients of the parent can continue with the child: versions, tokens, half-read lists.
void fork_cluster(World& world, Random& random) {
  if (!random.chance(30)) return;
  const std::string name = world.name + "." + std::to_string(++world.children);
  world.client.note("fork " + name);
  auto child = std::make_unique<World>(world.server->fork(), world.model, name, world.script);
  child->now = world.now;
  child->begun = world.begun;
  child->saved = world.saved;
  child->tokens = world.tokens;
  child->pagers = world.pagers;
  expect_version(*child);
  record_everything(*child);
  for (const auto& watch : world.watches) {
    if (random.chance(30)) resume(*child, *watch);
  }
  world.child = std::move(child);
}

void save_cluster(World& world, Random& random) {
  if (!random.chance(30)) return;
  world.client.note("snapshot");
  world.saved = std::make_shared<Saved>(Saved{world.server->snapshot(), world.model, world.now});
}

void restore_cluster(World& world, Random& random) {
  if (world.saved == nullptr || !random.chance(30)) return;
  const Saved& saved = *world.saved;
  before_restart(world);
  world.client.note("restore the snapshot of version " + std::to_string(saved.model.now()));
  const auto restored = world.server->restore(saved.document);
  expect_equal("restore", restored ? "" : restored.fault().message, "");
  world.model.restore(saved.model);
  world.now = std::max(world.now, saved.time);
  world.model.advance(world.now);
  expect(world.server->time() == world.now, "the clock after a restore");
  after_restart(world);
}

}  // namespace tabernetes::property
