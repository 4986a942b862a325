// Creates, replacements, patches and deletes of single objects: their answers, the versions they
// use, and what stays unchanged. Invariants 1 to 3, 6, 8, 43 and 44.

#include "mutation.h"
#include "removal.h"
#include "world.h"

namespace tabernetes::property {
namespace {

constexpr const char* kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

std::string not_found(const Kind& kind, const std::string& name) {
  return std::string(kind.resource) + " \"" + name + "\" not found";
}

std::string conflict(std::string_view what, const std::string& name, const std::string& why) {
  return "Operation cannot be fulfilled on " + std::string(what) + " \"" + name + "\": " + why;
}

// The target of a request, which may or may not exist.
struct Place {
  const Kind* kind;
  std::string ns, name;
  ObjectPtr object;

  std::string path() const { return kind->item(ns, name); }
};

Place random_place(World& world, Random& random) {
  Place place;
  place.kind = &random_kind(random);
  const Model::State& objects = world.model.state(*place.kind);
  if (!objects.empty() && random.chance(90)) {
    place.object =
        std::next(objects.begin(), static_cast<std::ptrdiff_t>(random.below(objects.size())))
            ->second;
    place.ns = place.object->ns;
    place.name = place.object->name;
    return place;
  }
  place.name = random.pick(names());
  if (place.kind->namespaced) place.ns = random.pick(namespaces());
  place.object =
      world.model.find(*place.kind, place.ns.empty() ? place.name : place.ns + "/" + place.name);
  return place;
}

// Records a write that stored something and checks that a GET shows it.
void note_stored(World& world, const ObjectPtr& stored, const std::string& path) {
  world.model.put(stored);
  expect_version(world);
  const Answer now = world.probe.call("GET", path);
  expect_equal("status of a get after a write", static_cast<std::uint64_t>(now.status), 200);
  expect_same("get after a write", *read_object(*stored->kind, now.body), *stored);
}

void expect_written(const Object& actual, const Object& wanted) {
  if (actual.labels != wanted.labels) fail("labels are not as written: " + actual.content);
  if (actual.finalizers != wanted.finalizers) fail("finalizers not as written: " + actual.content);
  if (actual.fields != wanted.fields) fail("fields are not as written: " + actual.content);
}

// Checks the result of a successful update: stored, or unchanged, or the object is deleted because
// its last finalizer is gone.
void note_update(World& world, const Place& place, const Answer& answer, const Mutation& mutation,
                 bool dry_run) {
  expect_equal("status of an update to " + answer.body, static_cast<std::uint64_t>(answer.status),
               200);
  const ObjectPtr shown = read_object(*place.kind, answer.body);
  const Object wanted = mutation.applied(*place.object);
  expect_written(*shown, wanted);
  const bool changed = mutation.changes(*place.object);
  const bool released =
      wanted.terminating && wanted.grace_seconds == 0 && wanted.finalizers.empty();
  if (dry_run || (!changed && !released)) {
    if (!changed) expect_same("an update without change", *shown, *place.object);
    return expect_version(world);
  }
  if (!released) return note_stored(world, shown, place.path());
  world.model.remove(place.object);
  expect_version(world);
  expect_status(world.probe.call("GET", place.path()), 404, not_found(*place.kind, place.name));
}

// Returns a resourceVersion for a body: none, a random one, or the stored one.
std::string random_body_version(World& world, Random& random, const Object& object) {
  switch (random.below(5)) {
    case 0:
    case 1:
      return "";
    case 2:
      return std::to_string(random.between(1, world.model.now()));
    default:
      return std::to_string(object.version);
  }
}

// The error of a rejected update; empty if it succeeds.
struct WriteRefusal {
  int code = 0;
  std::string message;
};

WriteRefusal refusal_of(const Place& place, const std::string& version, bool patch) {
  const Kind& kind = *place.kind;
  if (version.empty()) {
    if (patch || kind.unconditional_update) return {};
    return {422, std::string(kind.resource) + " \"" + place.name +
                     "\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified "
                     "for an update"};
  }
  if (version == std::to_string(place.object->version)) return {};
  return {409, conflict(kind.resource, place.name, kModified)};
}

std::string write_target(const std::string& path, bool dry_run) {
  return dry_run ? path + "?dryRun=All" : path;
}

// Sends a PUT of a missing name, which creates an object of some kinds.
void replace_missing(World& world, Random& random, const Place& place) {
  const Kind& kind = *place.kind;
  const std::string body = new_object(random, kind, place.ns, place.name, "");
  const Answer answer = world.client.call("PUT", place.path(), body);
  if (!kind.create_on_update) {
    expect_status(answer, 404, not_found(kind, place.name));
    return expect_version(world);
  }
  expect_equal("status of a PUT that creates", static_cast<std::uint64_t>(answer.status), 201);
  note_stored(world, read_object(kind, answer.body), place.path());
}

// Returns the object as the server has it, or null.
ObjectPtr look(World& world, const Place& place) {
  const Answer answer = world.probe.call("GET", place.path());
  if (answer.status == 200) return read_object(*place.kind, answer.body);
  expect_status(answer, 404, not_found(*place.kind, place.name));
  return nullptr;
}

void note_removal(World& world, const Place& place, const Answer& answer, const Removal& removal) {
  if (removal.marked && !removal.gone) {
    const ObjectPtr marked = look(world, place);
    expect(marked != nullptr && marked->terminating, "a held deletion is not to be seen");
    world.model.put(marked);
  } else if (removal.marked) {
    // The answer contains the intermediate version, under the version of the deletion.
    const ObjectPtr last = read_object(*place.kind, answer.body);
    expect_equal("version that a DELETE shows", last->version, world.model.now() + 2);
    world.model.put(at_version(last, world.model.now() + 1));
  }
  if (removal.gone) {
    world.model.remove(world.model.find(*place.kind, place.object->key));
    expect(look(world, place) == nullptr, "a deleted object is still there");
  }
  expect_version(world);
}

}  // namespace

void create_object(World& world, Random& random) {
  const Kind& kind = random_kind(random);
  const std::string ns = kind.namespaced ? random.pick(namespaces()) : "";
  const std::string name = random.pick(names());
  const ObjectPtr there = world.model.find(kind, ns.empty() ? name : ns + "/" + name);
  const bool dry_run = random.chance(10);
  const bool versioned = random.chance(5);
  const Answer answer = world.client.call("POST", write_target(kind.collection(ns), dry_run),
                                          new_object(random, kind, ns, name, versioned ? "5" : ""));
  if (versioned && !dry_run) {
    expect_status(answer, 500, "resourceVersion should not be set on objects to be created");
  } else if (there != nullptr) {
    expect_status(answer, 409,
                  std::string(there->terminating ? "object is being deleted: " : "") +
                      std::string(kind.resource) + " \"" + name + "\" already exists");
  } else {
    expect_equal("status of a POST with " + answer.body, static_cast<std::uint64_t>(answer.status),
                 201);
    if (!dry_run) return note_stored(world, read_object(kind, answer.body), kind.item(ns, name));
  }
  expect_version(world);
}

void replace_object(World& world, Random& random) {
  const Place place = random_place(world, random);
  if (place.object == nullptr) return replace_missing(world, random, place);
  const bool status = place.kind->in_status && random.chance(50);
  const bool dry_run = random.chance(10);
  const Mutation mutation = random_mutation(random, *place.object, status);
  const std::string version = random_body_version(world, random, *place.object);
  const Answer answer =
      world.client.call("PUT", write_target(place.path() + (status ? "/status" : ""), dry_run),
                        mutation.replacement(*place.object, version));
  const WriteRefusal refusal = refusal_of(place, version, false);
  if (refusal.code == 0) return note_update(world, place, answer, mutation, dry_run);
  expect_status(answer, refusal.code, refusal.message);
  expect_version(world);
}

void patch_object(World& world, Random& random) {
  const Place place = random_place(world, random);
  const bool merge = random.chance(60);
  const Headers headers = {
      {"content-type", merge ? "application/merge-patch+json" : "application/json-patch+json"}};
  if (place.object == nullptr) {
    const Answer answer = world.client.call("PATCH", place.path(), merge ? "{}" : "[]", headers);
    return expect_status(answer, 404, not_found(*place.kind, place.name));
  }
  const bool status = place.kind->in_status && random.chance(60);
  const bool dry_run = random.chance(10);
  const Mutation mutation = random_mutation(random, *place.object, status);
  std::string version;
  if (merge && random.chance(40)) version = random_body_version(world, random, *place.object);
  const Answer answer = world.client.call(
      "PATCH", write_target(place.path() + (status ? "/status" : ""), dry_run),
      merge ? mutation.merge_patch(*place.kind, version) : mutation.json_patch(*place.object),
      headers);
  const WriteRefusal refusal = refusal_of(place, version, true);
  if (refusal.code == 0) return note_update(world, place, answer, mutation, dry_run);
  expect_status(answer, refusal.code, refusal.message);
  expect_version(world);
}

void delete_object(World& world, Random& random) {
  const Place place = random_place(world, random);
  const bool dry_run = random.chance(10);
  std::optional<std::int64_t> grace;
  if (random.chance(30)) grace = static_cast<std::int64_t>(random.below(40));
  if (random.chance(20)) grace = 0;
  Target target(place.path());
  if (dry_run) target.add("dryRun", "All");
  if (grace) target.add("gracePeriodSeconds", std::to_string(*grace));
  std::string wanted;
  if (place.object != nullptr && random.chance(30)) {
    wanted = random_body_version(world, random, *place.object);
    target.add_if("resourceVersion", wanted);
  }
  const Answer answer = world.client.call("DELETE", target.text());
  if (place.object == nullptr) {
    expect_status(answer, 404, not_found(*place.kind, place.name));
  } else if (!wanted.empty() && wanted != std::to_string(place.object->version)) {
    expect_status(answer, 409,
                  conflict(place.kind->group_kind, place.name,
                           "the ResourceVersion in the precondition (" + wanted +
                               ") does not match the ResourceVersion in record (" +
                               std::to_string(place.object->version) +
                               "). The object might have been modified"));
  } else {
    expect(answer.status == 200 || answer.status == 202, "a delete is refused");
    if (!dry_run) return note_removal(world, place, answer, removal_of(*place.object, grace));
  }
  expect_version(world);
}

}  // namespace tabernetes::property
