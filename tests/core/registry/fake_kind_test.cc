// The registry with kinds defined by this test.
#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/registry.h"

namespace tabernetes::registry {
namespace {

using json::Value;

constexpr std::string_view kAppraisal = "appraisal";

class Appraisal final : public PendingWork::Question {
 public:
  explicit Appraisal(std::string what) : Question(kAppraisal, std::move(what)) {}
};

class NoTable final : public TablePrinter {
 public:
  std::span<const schema::Column> columns() const override { return {}; }
  void print(const Value&, Row&) const override {}
};

// A kind whose objects have a `value`: 7 by default, never 13. Objects with a description are
// stored with their worth, which is the answer to a question.
class Jewel final : public KindBehaviour {
 public:
  explicit Jewel(const ResourceType& type) : type_(type) {}

  schema::DecodeResult decode(const Value& raw, json::Arena&, DecodeFor) const override {
    return {.value = raw};
  }
  void apply_defaults(const HookContext& context, Value& object) const override {
    if (object.find("value") == nullptr) object.set(context.arena, "value", Value::integer(7));
  }
  Result<void> check_creatable(std::string_view name) const override {
    if (name != "hope") return {};
    return errors::forbidden(type_.group_resource(), name, "there is one already");
  }
  bool check_identity(const Value& object, field::ErrorList& errors) const override {
    if (object.string_at("description") != "a pebble") return true;
    errors.push_back(field::invalid(field::Path("description"), "\"a pebble\"", "is no jewel"));
    return false;
  }
  void validate(const Change& change, field::ErrorList& errors,
                std::vector<std::string>*) const override {
    const Value* value = change.object.find("value");
    if (value->as_int() == 13) {
      errors.push_back(field::invalid(field::Path("value"), "13", "brings bad luck"));
    }
  }
  void warn(const Change& change, Warnings& out) const override {
    out.add({change.old == nullptr ? "handle with care" : "was touched"});
  }
  GroupResource kind_of(const Value&) const override { return {"jewels", "Jewel"}; }
  EncodedObject to_storage(const Value& object, VersionMember version, json::Arena& arena,
                           PendingWork* pending) const override {
    Value stored = object.shallow_copy(arena);
    const std::string_view gem = object.string_at("description");
    if (!gem.empty() && pending != nullptr) {
      const auto* answer = pending->ask(std::make_unique<const Appraisal>(std::string(gem)));
      if (answer != nullptr && !answer->error.empty()) pending->fail(answer->error);
      if (answer != nullptr) stored.set(arena, "worth", Value::string(arena.copy(answer->text)));
    }
    EncodedObject encoded = encode_sorted(stored, version);
    encoded.places.form = type_.id;
    return encoded;
  }
  Value from_storage(const store::Record&, json::Arena&, PendingWork*) const override { return {}; }
  Value convert(const Value& object, const ResourceType&, json::Arena&,
                PendingWork*) const override {
    return object;
  }
  patch::Shape shape() const override { return patch::Shape::of_type(*type_.resource->type); }
  bool may_need_webhook() const override { return true; }
  const ResourceType& version_of(const store::Record&) const override { return type_; }
  const TablePrinter& table() const override { return table_; }
  std::string_view deprecation() const override { return {}; }
  std::string scale_selector(const Value&) const override { return {}; }

 private:
  const ResourceType& type_;
  NoTable table_;
};

class Jewels final : public BuiltInKinds {
 public:
  const Strategy& strategy(const schema::Resource&) const override {
    static constexpr Strategy kRow{};
    return kRow;
  }
  std::optional<Resource> stored_as(const schema::Resource&) const override { return {}; }
  std::unique_ptr<const KindBehaviour> behaviour(const ResourceType& type) const override {
    return std::make_unique<const Jewel>(type);
  }
};

const Jewels kJewels;

// A registry of jewels, under the name of a built-in resource.
struct Box {
  Box()
      : resources(std::make_shared<const ResourceTable>(schema::Catalogue::built_in(), kJewels)),
        registry(resources, gated_fields, store, entropy),
        type(*resources->find("scheduling.k8s.io", "v1", "priorityclasses")) {
    // Like a kind whose objects are stored whole.
    type.form = {.typed = false, .protobuf = false, .strategic_merge = false};
  }

  Value read(std::string_view text) {
    const codec::JsonRead read = codec::read_json(text, arena);
    REQUIRE(read.ok());
    return read.value;
  }
  WriteContext context() {
    return {.arena = arena,
            .now = Time{},
            .warnings = &warnings,
            .tracks_fields = false,
            .pending = &pending};
  }
  // Returns the stored bytes, or the error message.
  std::string create(std::string_view text) {
    pending.begin();
    const auto made = registry.create(context(), type, {}, read(text));
    return made ? (*made)->bytes : made.error().message;
  }

  json::Arena arena;
  Entropy entropy{nullptr, 1};
  store::Store store{store::History::Limits{}};
  std::shared_ptr<const ResourceTable> resources;
  schema::GatedFields gated_fields{schema::FeatureGates()};
  Registry registry;
  ResourceType type;
  std::vector<std::string> warnings;
  PendingWork pending;
};

bool has(const std::string& text, std::string_view subresource) {
  return text.find(subresource) != std::string::npos;
}

TEST_CASE("registry: a kind sets defaults, is checked, warns and is stored in its own form",
          "[registry]") {
  Box box;
  const std::string stored = box.create(R"({"metadata":{"name":"a"}})");
  CHECK(has(stored, R"("value":7)"));
  CHECK(box.warnings == std::vector<std::string>{"handle with care"});
  CHECK(box.store.revision() == 2);
  CHECK(box.create(R"({"metadata":{"name":"b"},"value":13})") ==
        R"(Jewel.jewels "b" is invalid: value: Invalid value: 13: brings bad luck)");
  CHECK(has(box.create(R"({"metadata":{"name":"hope"}})"), "there is one already"));
  CHECK(box.store.revision() == 2);
}

TEST_CASE("registry: an object of another kind is not checked further", "[registry]") {
  Box box;
  CHECK(box.create(R"({"metadata":{"name":"-"},"description":"a pebble","value":13})") ==
        R"(Jewel.jewels "-" is invalid: description: Invalid value: "a pebble": is no jewel)");
}

TEST_CASE("registry: a kind's questions are answered before anything is written", "[registry]") {
  Box box;
  constexpr std::string_view kRuby = R"({"metadata":{"name":"a"},"description":"ruby"})";
  (void)box.create(kRuby);
  CHECK(box.store.revision() == 1);
  REQUIRE(box.pending.lacks(kAppraisal));
  const auto questions = box.pending.take(kAppraisal);
  REQUIRE(questions.size() == 1);
  CHECK(questions[0]->key() == "ruby");

  // Again, with the answer.
  box.pending.answer(*questions[0], {"3000", ""});
  CHECK(has(box.create(kRuby), R"("worth":"3000")"));
  CHECK(box.store.revision() == 2);
}

TEST_CASE("registry: nothing is written after a failed answer", "[registry]") {
  Box box;
  constexpr std::string_view kGlass = R"({"metadata":{"name":"a"},"description":"glass"})";
  (void)box.create(kGlass);
  box.pending.answer(*box.pending.take(kAppraisal).at(0), {"", "that is glass"});
  CHECK(box.create(kGlass) == "that is glass");
  CHECK(box.store.revision() == 1);
}

TEST_CASE("registry: an update passes the old object to the kind", "[registry]") {
  Box box;
  (void)box.create(R"({"metadata":{"name":"a"}})");
  box.warnings.clear();
  const auto updated = box.registry.update(box.context(), {&box.type, {}, "a"}, Subresource::kNone,
                                           [&](const Value* stored) -> Result<Value> {
                                             Value wanted = stored->clone(box.arena);
                                             wanted.set(box.arena, "value", Value::integer(8));
                                             return wanted;
                                           });
  REQUIRE(updated);
  CHECK(has(updated->record->bytes, R"("value":8)"));
  CHECK(box.warnings == std::vector<std::string>{"was touched"});
}

}  // namespace
}  // namespace tabernetes::registry
