// Lists read page by page, with a different limit for each page, while the cluster changes.
// Invariants 9, 12, 14 and 18.

#include "world.h"

namespace tabernetes::property {
namespace {

std::string random_limit(Random& random) {
  return random.chance(10) ? "" : std::to_string(random.between(1, 5));
}

void keep(Pager& pager, const ExpectedList& page) {
  for (const ObjectPtr& object : page.items) {
    if (!pager.read.empty()) {
      expect(pager.read.back()->key < object->key, "a page repeats what an earlier one had");
    }
    pager.read.push_back(object);
  }
}

// Checks that all pages together are the list at the version of the first one.
void check_whole(const World& world, const Pager& pager) {
  if (pager.version == 0 || pager.version < world.model.floor()) return;
  const auto all =
      matching(world.model, pager.request.scope, pager.request.selector, pager.version);
  expect_equal("objects on all pages", pager.read.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_same("object on a page", *pager.read[i], *all[i]);
  }
}

// Processes a page; returns whether there are more.
bool go_on(World& world, Pager& pager, const ExpectedList& page) {
  if (page.fresh_token) {
    pager.version = 0;
    pager.request.token = page.fresh_token;
    return true;
  }
  expect(page.code == 200, "a page is refused");
  keep(pager, page);
  pager.request.token = page.token;
  if (page.token) return true;
  check_whole(world, pager);
  return false;
}

}  // namespace

void open_pager(World& world, Random& random) {
  Pager pager;
  pager.request.scope = random_scope(random, random_kind(random));
  pager.request.selector = random_selector(random, *pager.request.scope.kind);
  pager.request.limit = random_limit(random);
  if (random.chance(30)) {
    pager.request.version = std::to_string(world.model.now());
    pager.request.match = random.pick({"Exact", "NotOlderThan", ""});
  }
  const ExpectedList page = send_list(world, pager.request);
  pager.version = page.version;
  pager.request.version.clear();
  pager.request.match.clear();
  if (go_on(world, pager, page)) world.pagers.push_back(std::move(pager));
}

void turn_page(World& world, Random& random) {
  if (world.pagers.empty()) return open_pager(world, random);
  const std::size_t at = random.below(world.pagers.size());
  Pager& pager = world.pagers[at];
  pager.request.limit = random_limit(random);
  const ExpectedList page = send_list(world, pager.request);
  if (go_on(world, pager, page)) return;
  world.pagers.erase(world.pagers.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace tabernetes::property
