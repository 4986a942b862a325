// The calls of admission during the life of an object, with their attributes.
#include "admission/request.h"
#include "cluster.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/scale.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using enum registry::Operation;

struct Seen {
  std::vector<std::string> mutated, validated;
  bool refuses = false;
};
Seen& seen() {
  static Seen one;
  return one;
}

// Returns "CREATE '' {metadata of the object} <- {metadata of the old one}".
std::string shown(const AdmissionRequest& request) {
  static constexpr std::string_view kNames[] = {"CREATE", "UPDATE", "DELETE", "CONNECT"};
  const auto meta = [](const Value& object) {
    std::string text;
    for (const std::string_view field : {"name", "uid", "deletionTimestamp"}) {
      const std::string_view value = text_at(object, {"metadata", field});
      if (value.empty()) continue;
      text += (text.empty() ? "" : " ") + std::string(field == "name" ? value : field);
    }
    return "{" + text + "}";
  };
  std::string text(kNames[static_cast<int>(request.operation)]);
  text += " '" + std::string(request.name) + "'";
  if (request.object.is_object()) text += " " + meta(request.object);
  if (request.old != nullptr) text += " <- " + meta(*request.old);
  return text;
}

Result<void> see_first(const AdmissionRequest& request, PluginState&) {
  seen().mutated.push_back(shown(request));
  if (seen().refuses) return refusal(request, "no");
  return {};
}
Result<void> see_last(const AdmissionRequest& request, PluginState&) {
  seen().validated.push_back(shown(request));
  return {};
}

constexpr Plugin kWitness[] = {{.name = "LimitRanger",
                                .operations = {kCreate, kUpdate, kDelete, kConnect},
                                .mutate = &see_first,
                                .validate = &see_last}};

struct Watched : TestCluster {
  Watched() : TestCluster(kWitness) { seen() = {}; }
};

using Texts = std::vector<std::string>;

TEST_CASE("create: a name is generated after the mutating phase", "[admission]") {
  Watched cluster;
  REQUIRE(cluster.create(TestCluster::kConfigMaps, "default", "{'metadata':{'generateName':'g-'}}")
              .starts_with("{"));
  CHECK(seen().mutated == Texts{"CREATE '' {}"});
  REQUIRE(seen().validated.size() == 1);
  const std::string& last = seen().validated[0];
  CHECK(last.starts_with("CREATE 'g-"));
  CHECK(has(last, "{g-"));
  CHECK(has(last, " uid}"));
}

TEST_CASE("create: another generated name is tried without mutating again", "[admission]") {
  Watched cluster;
  // A cluster with the same seed generates the same names.
  std::string names[2];
  {
    TestCluster twin(kWitness);
    for (std::string& name : names) {
      const Value made = twin.read(
          twin.create(TestCluster::kConfigMaps, "default", "{'metadata':{'generateName':'g-'}}"));
      name = text_at(made, {"metadata", "name"});
    }
  }
  REQUIRE(names[0] != names[1]);
  const Entropy before = cluster.entropy;
  REQUIRE(
      cluster
          .create(TestCluster::kConfigMaps, "default", "{'metadata':{'name':'" + names[0] + "'}}")
          .starts_with("{"));
  cluster.entropy = before;
  seen() = {};
  REQUIRE(cluster.create(TestCluster::kConfigMaps, "default", "{'metadata':{'generateName':'g-'}}")
              .starts_with("{"));
  CHECK(seen().mutated == Texts{"CREATE '' {}"});
  REQUIRE(seen().validated.size() == 2);
  CHECK(seen().validated[0].starts_with("CREATE '" + names[0] + "'"));
  CHECK_FALSE(seen().validated[1].starts_with("CREATE '" + names[0] + "'"));
}

TEST_CASE("create: plugins mutate an invalid object, but do not validate it", "[admission]") {
  Watched cluster;
  CHECK(has(cluster.create(TestCluster::kConfigMaps, "default", "{'metadata':{'name':'-'}}"),
            "is invalid"));
  CHECK(seen().mutated == Texts{"CREATE '-' {-}"});
  CHECK(seen().validated.empty());
}

TEST_CASE("update: plugins mutate before the version is compared", "[admission]") {
  Watched cluster;
  REQUIRE(cluster.create(TestCluster::kConfigMaps, "default", "{'metadata':{'name':'a'}}")
              .starts_with("{"));
  seen() = {};
  const auto stale = [&](Value& object) {
    object.find("metadata")->set(cluster.arena, "resourceVersion", Value::string("1"));
  };
  CHECK(has(cluster.update(TestCluster::kConfigMaps, "default", "a", stale),
            "the object has been modified"));
  CHECK(seen().mutated == Texts{"UPDATE 'a' {a uid} <- {a uid}"});
  CHECK(seen().validated.empty());
  seen().refuses = true;
  CHECK(has(cluster.update(TestCluster::kConfigMaps, "default", "a", stale), "is forbidden: no"));
}

TEST_CASE("update: a missing object does not reach admission", "[admission]") {
  Watched cluster;
  const auto updated = cluster.objects.update(
      cluster.context(), {&cluster.type(TestCluster::kConfigMaps), "default", "a"},
      registry::Subresource::kNone,
      [&](const Value*) -> Result<Value> { return cluster.read("{'metadata':{'name':'a'}}"); });
  REQUIRE_FALSE(updated);
  CHECK(updated.error().code == 404);
  CHECK(seen().mutated.empty());
}

TEST_CASE("update: plugins mutate a status as sent, and validate it as stored", "[admission]") {
  static std::string specs;
  static constexpr Plugin kSpecs[] = {
      {.name = "LimitRanger",
       .operations = {kUpdate},
       .mutate =
           [](const AdmissionRequest& request, PluginState&) {
             specs += " " + std::to_string(number_at(request.object, {"spec", "minReadySeconds"}));
             return Result<void>();
           },
       .validate =
           [](const AdmissionRequest& request, PluginState&) {
             specs += "," + std::to_string(number_at(request.object, {"spec", "minReadySeconds"}));
             return Result<void>();
           }}};
  TestCluster cluster(kSpecs);
  constexpr TestCluster::Resource kDeployments{"apps", "v1", "deployments"};
  REQUIRE(cluster
              .create(kDeployments, "default",
                      "{'metadata':{'name':'a'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                      "'template':{'metadata':{'labels':{'a':'b'}},"
                      "'spec':{'containers':[{'name':'c','image':'i'}]}}}}")
              .starts_with("{"));
  specs.clear();
  registry::WriteContext context = cluster.context();
  context.subresource = "status";
  REQUIRE(cluster.objects.update(
      context, {&cluster.type(kDeployments), "default", "a"}, registry::Subresource::kStatus,
      [&](const Value* stored) -> Result<Value> {
        Value object = stored->clone(cluster.arena);
        object.find("spec")->set(cluster.arena, "minReadySeconds", Value::integer(7));
        return object;
      }));
  CHECK(specs == " 7,0");
}

TEST_CASE("update: admission of a scale sees the Scale", "[admission]") {
  static std::vector<std::string> scales;
  static constexpr Plugin kScales[] = {
      {.name = "LimitRanger",
       .operations = {kUpdate},
       .mutate =
           [](const AdmissionRequest& request, PluginState&) {
             scales.push_back(json_text(*request.object.find("spec")) + " <- " +
                              json_text(*request.old->find("spec")));
             json::Arena& arena = request.context.arena;
             object_or_new(request.object, "spec", arena).set(arena, "replicas", Value::integer(5));
             return Result<void>();
           },
       .validate =
           [](const AdmissionRequest& request, PluginState&) {
             scales.push_back(std::string(request.object.string_at("kind")) + " " +
                              json_text(*request.object.find("spec")));
             return Result<void>();
           }}};
  TestCluster cluster(kScales);
  constexpr TestCluster::Resource kDeployments{"apps", "v1", "deployments"};
  REQUIRE(cluster
              .create(kDeployments, "default",
                      "{'metadata':{'name':'a'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                      "'template':{'metadata':{'labels':{'a':'b'}},"
                      "'spec':{'containers':[{'name':'c','image':'i'}]}}}}")
              .starts_with("{"));
  registry::WriteContext context = cluster.context();
  context.subresource = "scale";
  const registry::ResourceType& type = cluster.type(kDeployments);
  const registry::ObjectRef ref{&type, "default", "a"};
  const registry::Scaling scaling{cluster.objects, context, ref,
                                  *type.resource->find_subresource("scale")->type};
  const auto updated = cluster.objects.update(
      context, ref, registry::Subresource::kNone, [&](const Value* stored) -> Result<Value> {
        TAB_TRY(Value scale, registry::scale_with_managed_fields(scaling, *stored));
        scale.find("spec")->set(cluster.arena, "replicas", Value::integer(3));
        return registry::apply_scale(scaling, *stored, scale);
      });
  REQUIRE(updated);
  CHECK(scales == Texts{R"({"replicas":3} <- {"replicas":1})", R"(Scale {"replicas":5})"});
  CHECK(has(updated->record->bytes, R"("replicas":5)"));
}

TEST_CASE("delete: existence and preconditions are checked before admission", "[admission]") {
  Watched cluster;
  seen().refuses = true;
  CHECK(has(cluster.remove(TestCluster::kConfigMaps, "default", "a"), "not found"));
  seen().refuses = false;
  REQUIRE(cluster.create(TestCluster::kConfigMaps, "default", "{'metadata':{'name':'a'}}")
              .starts_with("{"));
  seen() = {.refuses = true};
  CHECK(has(
      cluster.remove(TestCluster::kConfigMaps, "default", "a", {.preconditions = {.uid = "other"}}),
      "the UID in the precondition (other)"));
  CHECK(seen().mutated.empty());
  CHECK(cluster.remove(TestCluster::kConfigMaps, "default", "a") ==
        "configmaps \"a\" is forbidden: no");
  CHECK(cluster.remove(TestCluster::kConfigMaps, "default", "a", {.from_collection = true}) ==
        "configmaps \"Unknown\" is forbidden: no");
  CHECK(seen().mutated == Texts{"DELETE 'a' <- {a uid}", "DELETE '' <- {a uid}"});
}

TEST_CASE("delete: a terminating object is not admitted again", "[admission]") {
  Watched cluster;
  REQUIRE(cluster.create_pod("a", "'nodeName':'n'").starts_with("{"));
  seen() = {};
  CHECK(cluster.remove(TestCluster::kPods, "default", "a") == "kept");
  CHECK(seen().mutated == Texts{"DELETE 'a' <- {a uid}"});
  CHECK(seen().validated == seen().mutated);

  seen() = {.refuses = true};
  CHECK(cluster.remove(TestCluster::kPods, "default", "a") == "kept");
  CHECK(cluster.remove(TestCluster::kPods, "default", "a", {.grace_period_seconds = 60}) == "kept");
  CHECK(seen().mutated.empty());
  CHECK(has(cluster.remove(TestCluster::kPods, "default", "a", {.grace_period_seconds = 5}),
            "is forbidden: no"));

  // Marked, then deleted: admission runs for each.
  seen() = {};
  CHECK(cluster.remove(TestCluster::kPods, "default", "a", {.grace_period_seconds = 0}) == "gone");
  CHECK(seen().mutated == Texts{"DELETE 'a' <- {a uid deletionTimestamp}",
                                "DELETE 'a' <- {a uid deletionTimestamp}"});
}

TEST_CASE("delete: an object admitted as part of another request is not admitted again",
          "[admission]") {
  Watched cluster;
  REQUIRE(cluster.create_pod("a").starts_with("{"));
  seen() = {.refuses = true};
  CHECK(cluster.remove(TestCluster::kPods, "default", "a", {.admitted = true}) == "gone");
  CHECK(seen().mutated.empty());
}

TEST_CASE("delete: a terminating namespace waits for its content without admission",
          "[admission]") {
  Watched cluster;
  REQUIRE(
      cluster.create(TestCluster::kNamespaces, "", "{'metadata':{'name':'n'}}").starts_with("{"));
  seen() = {};
  CHECK(cluster.remove(TestCluster::kNamespaces, "", "n") == "kept");
  CHECK(seen().mutated == Texts{"DELETE 'n' <- {n uid}"});
  seen() = {.refuses = true};
  CHECK(cluster.remove(TestCluster::kNamespaces, "", "n") == "kept");
  CHECK(seen().mutated.empty());
}

}  // namespace
}  // namespace tabernetes::admission
