// The managedFields entries that are cached for the next write to the same object.
#include "registry/ownership/managed_fields_cache.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "kinds/table/built_in_kind.h"
#include "patch/field_manager.h"
#include "registry/life/registry.h"
#include "registry/life/scale.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// A registry with one Deployment.
class World {
 public:
  World() {
    create("", "v1", "namespaces", "", R"({"metadata":{"name":"default"}})");
    record = create(
        "apps", "v1", "deployments", "default",
        R"({"metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},)"
        R"("template":{"metadata":{"labels":{"a":"b"}},)"
        R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  }
  // A fork.
  World(const World& other)
      : resources(other.resources),
        store(other.store.fork()),
        objects(other.objects, store, entropy),
        record(other.record) {}
  World& operator=(const World&) = delete;

  const ResourceType& type() const { return *resources->find("apps", "v1", "deployments"); }
  ObjectRef ref() const { return {&type(), "default", "web"}; }

  store::RecordPtr create(const char* group, const char* version, const char* plural,
                          const char* ns, const std::string& text) {
    const ResourceType& type = *resources->find(group, version, plural);
    json::Arena arena;
    const Value body = codec::read_json(text, arena).value;
    auto made = objects.create(context(arena, "creator"), type, ns,
                               schema::decode_typed(*type.resource->type, body, arena).value);
    REQUIRE(made);
    return *made;
  }

  static WriteContext context(json::Arena& arena, const char* manager) {
    WriteContext context{arena, Time::from_unix_milliseconds(1'780'315'200'000)};
    context.manager = manager;
    return context;
  }

  // Sets a label, like a PATCH.
  void label(const char* value, bool dry_run = false) {
    json::Arena arena;
    WriteContext context = World::context(arena, "labeller");
    context.dry_run = dry_run;
    update(context, Subresource::kNone, [&](const Value* stored) -> Result<Value> {
      Value object = stored->clone(arena);
      Value labels = Value::object(arena);
      labels.append(arena, "a", Value::string(value));
      object.find("metadata")->set(arena, "labels", labels);
      return object;
    });
  }

  void observe() {
    json::Arena arena;
    WriteContext context = World::context(arena, "controller");
    context.subresource = "status";
    update(context, Subresource::kStatus, [&](const Value* stored) -> Result<Value> {
      Value object = stored->clone(arena);
      const std::int64_t before = stored->at({"status"})->find("observedGeneration") == nullptr
                                      ? 0
                                      : stored->at({"status", "observedGeneration"})->as_int();
      object.find("status")->set(arena, "observedGeneration", Value::integer(before + 1));
      return object;
    });
  }

  void scale(std::int64_t replicas) {
    json::Arena arena;
    WriteContext context = World::context(arena, "scaler");
    context.subresource = "scale";
    context.tracks_fields = false;
    const Scaling scaling{objects, context, ref(),
                          *type().resource->find_subresource("scale")->type};
    update(context, Subresource::kNone, [&](const Value* stored) -> Result<Value> {
      Value scale = *scale_with_managed_fields(scaling, *stored);
      scale.find("spec")->set(arena, "replicas", Value::integer(replicas));
      return apply_scale(scaling, *stored, scale);
    });
  }

  void apply(const char* value) {
    json::Arena arena;
    WriteContext context = World::context(arena, "applier");
    context.tracks_fields = false;
    context.applies = true;
    const std::string config =
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)"
        R"("annotations":{"applied":")" +
        std::string(value) + "\"}}}";
    update(context, Subresource::kNone, [&](const Value* stored) -> Result<Value> {
      TAB_TRY(patch::ManagedFields entries,
              decode_entries(*stored, "", &objects.managed_fields_cache()));
      TAB_TRY(patch::Applied applied,
              patch::apply_configuration(ObjectVersions(type(), *resources, nullptr),
                                         without_managed_fields(*stored, arena),
                                         codec::read_json(config, arena).value, std::move(entries),
                                         writer_of(context, type()), false, arena));
      Value object = schema::decode_typed(*type().resource->type, applied.object, arena).value;
      set_entries(object, std::move(applied.managed), arena, &objects.managed_fields_cache());
      return object;
    });
  }

  void update(const WriteContext& context, Subresource subresource, const Transform& transform) {
    auto updated = objects.update(context, ref(), subresource, transform);
    REQUIRE(updated);
    record = updated->record;
  }

  // Return the entries as read through the cache, and as read from the record.
  std::string at_hand() { return texts(&objects.managed_fields_cache()); }
  std::string written() { return texts(nullptr); }

  std::shared_ptr<const ResourceTable> resources = built_in_resources();
  store::Store store;
  Entropy entropy{nullptr, 1};
  schema::GatedFields gated_fields{schema::FeatureGates()};
  Registry objects{resources, gated_fields, store, entropy};
  store::RecordPtr record;  // of the Deployment now

 private:
  std::string texts(ManagedFieldsCache* cache) {
    json::Arena arena;
    const Value object = read_object(type(), *record, arena);
    std::optional<ManagedFieldsCache::Write> write;
    if (cache != nullptr) write.emplace(*cache, record, object);
    patch::ManagedFields entries = managed_fields_of(object, cache);
    std::string text;
    codec::write_json(patch::write_managed_fields(entries, arena), text);
    return text;
  }
};

TEST_CASE("managed fields cache: every kind of write caches the entries of its record",
          "[registry]") {
  const std::function<void(World&)> writes[] = {
      [](World& world) { world.label("1"); },
      [](World& world) { world.observe(); },
      [](World& world) { world.apply("1"); },
      [](World& world) { world.scale(5); },
      [](World& world) {
        json::Arena arena;
        const auto same = [](const Value* stored) -> Result<Value> { return *stored; };
        world.update(World::context(arena, "labeller"), Subresource::kNone, same);
      },
  };
  int number = 0;
  for (const auto& write : writes) {
    CAPTURE(number++);
    World world;
    CHECK_FALSE(world.objects.managed_fields_cache().has(world.record));
    world.label("0");
    const store::RecordPtr before = world.record;
    REQUIRE(world.objects.managed_fields_cache().has(before));
    write(world);
    CHECK(world.objects.managed_fields_cache().has(world.record));
    CHECK(world.objects.managed_fields_cache().has(before) == (world.record == before));
    CHECK(world.objects.managed_fields_cache().objects() == 1);
    CHECK(world.at_hand() == world.written());
  }
}

TEST_CASE("managed fields cache: a terminating object keeps its entries", "[registry]") {
  World world;
  json::Arena arena;
  world.label("0");
  DeleteOptions options;
  options.propagation = Propagation::kForeground;
  const auto deleted = world.objects.remove(World::context(arena, "x"), world.ref(), options);
  REQUIRE(deleted);
  REQUIRE_FALSE(deleted->gone);
  CHECK(world.objects.managed_fields_cache().has(deleted->record));
}

TEST_CASE("managed fields cache: writes without changes and dry runs keep the entries",
          "[registry]") {
  World world;
  world.apply("1");
  const store::RecordPtr before = world.record;
  const std::size_t bytes = world.objects.managed_fields_cache().bytes();
  world.apply("1");
  REQUIRE(world.record == before);
  world.label("2", true);
  CHECK(world.objects.managed_fields_cache().has(before));
  CHECK(world.objects.managed_fields_cache().objects() == 1);
  CHECK(world.objects.managed_fields_cache().bytes() == bytes);
}

TEST_CASE("managed fields cache: an apply without changes caches the entries", "[registry]") {
  World world;
  world.apply("1");
  world.objects.on_state_replaced();
  CHECK_FALSE(world.objects.managed_fields_cache().has(world.record));
  world.apply("1");
  CHECK(world.objects.managed_fields_cache().has(world.record));
}

TEST_CASE("managed fields cache: entries of another state of the store are not used",
          "[registry]") {
  World world;
  world.label("1");
  const store::Snapshot then = world.store.snapshot();
  const store::RecordPtr first = world.record;
  world.label("2");
  world.store.restore({then.tree, world.store.revision() + 1});
  world.objects.on_state_replaced();
  world.record = first;
  CHECK(world.objects.managed_fields_cache().objects() == 0);
  world.apply("1");
  CHECK(world.at_hand() == world.written());
}

TEST_CASE("managed fields cache: forks have caches of their own", "[registry]") {
  World world;
  world.label("1");
  World fork(world);
  CHECK(fork.objects.managed_fields_cache().objects() == 0);
  fork.apply("fork");
  world.observe();
  CHECK(fork.at_hand() == fork.written());
  CHECK(world.at_hand() == world.written());
  CHECK_FALSE(world.objects.managed_fields_cache().has(fork.record));
  CHECK_FALSE(fork.objects.managed_fields_cache().has(world.record));
}

// A stored object whose entry has `fields` fields.
struct Item {
  explicit Item(int fields) : record(std::make_shared<store::Record>()) {
    for (int i = 0; i < fields; ++i) {
      entry.fields.insert({patch::PathElement::index(i)});
    }
    entry.api_version = "v1";
    object = Value::object(arena);
    object.set(arena, "metadata", Value::object(arena));
  }

  void keep_in(ManagedFieldsCache& cache) {
    const ManagedFieldsCache::Write write(cache, record, object);
    set_entries(object, {entry}, arena, &cache);
    cache.keep(record, record, object);
  }

  store::RecordPtr record;
  json::Arena arena;
  patch::ManagedFieldsEntry entry;
  Value object;
};

TEST_CASE("managed fields cache: the oldest of many objects are evicted", "[registry]") {
  ManagedFieldsCache cache;
  std::vector<std::unique_ptr<Item>> items;
  for (std::size_t i = 0; i < ManagedFieldsCache::kMostObjects + 10; ++i) {
    items.push_back(std::make_unique<Item>(1));
    items.back()->keep_in(cache);
    REQUIRE(cache.has(items.back()->record));
  }
  CHECK(cache.objects() == ManagedFieldsCache::kMostObjects);
  for (std::size_t i = 0; i < items.size(); ++i) CHECK(cache.has(items[i]->record) == (i >= 10));
}

TEST_CASE("managed fields cache: the oldest of many fields are evicted", "[registry]") {
  ManagedFieldsCache cache;
  std::vector<std::unique_ptr<Item>> items;
  for (int i = 0; i < 50; ++i) {
    items.push_back(std::make_unique<Item>(1000));
    items.back()->keep_in(cache);
    REQUIRE(cache.has(items.back()->record));
    REQUIRE(cache.bytes() <= ManagedFieldsCache::kMostBytes);
  }
  CHECK(cache.objects() > 10);
  CHECK_FALSE(cache.has(items.front()->record));
  Item large(static_cast<int>(ManagedFieldsCache::kMostBytes / 40));
  large.keep_in(cache);
  CHECK_FALSE(cache.has(large.record));
  CHECK(cache.objects() == 0);
  CHECK(cache.bytes() == 0);
}

TEST_CASE("managed fields cache: a new record at the address of a freed one is not found",
          "[registry]") {
  ManagedFieldsCache cache;
  Item first(1), second(2);
  store::Record place;
  first.record = store::RecordPtr(std::make_shared<int>(), &place);
  first.keep_in(cache);
  REQUIRE(cache.has(first.record));
  second.record = store::RecordPtr(std::make_shared<int>(), &place);
  CHECK_FALSE(cache.has(second.record));
  second.keep_in(cache);
  CHECK(cache.has(second.record));
}

}  // namespace
}  // namespace tabernetes::registry
