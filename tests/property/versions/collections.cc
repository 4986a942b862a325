// DELETE of a collection is n single deletes in the order of the list. Invariants 41 and 42.

#include "removal.h"
#include "world.h"

namespace tabernetes::property {
namespace {

struct CollectionOptions {
  std::optional<std::int64_t> grace;
  std::string precondition;  // a resourceVersion
  bool dry_run = false;

  std::string body() const {
    std::string json = R"({"kind":"DeleteOptions","apiVersion":"v1")";
    if (grace) json += ",\"gracePeriodSeconds\":" + std::to_string(*grace);
    if (!precondition.empty()) {
      json += R"(,"preconditions":{"resourceVersion":")" + precondition + "\"}";
    }
    if (dry_run) json += R"(,"dryRun":["All"])";
    return json + "}";
  }
};

ListRequest random_request(World& world, Random& random) {
  ListRequest request;
  request.scope.kind = &random_kind(random);
  if (request.scope.kind->namespaced) request.scope.ns = random.pick(namespaces());
  request.selector = random_selector(random, *request.scope.kind);
  if (random.chance(60)) request.limit = std::to_string(random.between(1, 3));
  if (random.chance(15)) request.version = std::to_string(random_past_version(world, random));
  return request;
}

// Removes one listed object. The content of an intermediate version appears in no answer.
void remove_one(World& world, const ObjectPtr& object, const CollectionOptions& options) {
  const Removal removal = removal_of(*object, options.grace);
  if (removal.marked) {
    auto marked = std::make_shared<Object>(*object);
    marked->version = world.model.now() + 1;
    marked->terminating = true;
    marked->content.clear();
    world.model.put(marked);
  }
  if (removal.gone) world.model.remove(world.model.find(*object->kind, object->key));
}

// Reads the content of objects that were marked for deletion and still exist.
void read_marked(World& world, const std::vector<ObjectPtr>& objects) {
  for (const ObjectPtr& object : objects) {
    const ObjectPtr known = world.model.find(*object->kind, object->key);
    if (known == nullptr || !known->content.empty()) continue;
    const Answer now = world.probe.call("GET", known->kind->item(known->ns, known->name));
    const ObjectPtr shown = read_object(*known->kind, now.body);
    expect_same("marked object", *shown, *known);
    expect(shown->terminating, "a held deletion is not to be seen");
    world.model.learn(shown);
  }
}

}  // namespace

void delete_collection(World& world, Random& random) {
  const ListRequest request = random_request(world, random);
  CollectionOptions options;
  if (random.chance(40)) options.grace = static_cast<std::int64_t>(random.below(2) * 20);
  options.dry_run = random.chance(10);
  const ExpectedList page = expected_list(world.model, request);
  if (!page.items.empty() && random.chance(15)) {
    options.precondition = std::to_string(random.pick(page.items)->version);
  }
  const Answer answer = world.client.call("DELETE", request.target(), options.body());
  bool refused = false;
  for (const ObjectPtr& listed : page.items) {
    const ObjectPtr object = world.model.find(*listed->kind, listed->key);
    if (object == nullptr) continue;  // existed at an earlier version only
    refused =
        !options.precondition.empty() && options.precondition != std::to_string(object->version);
    if (refused) break;
    if (!options.dry_run) remove_one(world, object, options);
  }
  if (refused) {
    expect_status(answer, 409, "Operation cannot be fulfilled on …");
  } else {
    check_list(world, request, answer, page);
  }
  expect_version(world);
  read_marked(world, page.items);
}

}  // namespace tabernetes::property
