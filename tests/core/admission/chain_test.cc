// The chain with plugins of this test, under names of kube-apiserver's.
#include "admission/chain.h"

#include "admission/request.h"
#include "cluster.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using enum registry::Operation;

// The calls of the plugins: "mutate A CREATE x; ...". Each test clears it.
std::string& asked() {
  static std::string text;
  return text;
}

std::string_view name_of(registry::Operation operation) {
  static constexpr std::string_view kNames[] = {"CREATE", "UPDATE", "DELETE", "CONNECT"};
  return kNames[static_cast<int>(operation)];
}

void note(std::string_view phase, const AdmissionRequest& request) {
  asked()
      .append(asked().empty() ? "" : "; ")
      .append(phase)
      .append(" ")
      .append(name_of(request.operation))
      .append(" ")
      .append(request.type.resource->plural)
      .append(request.context.subresource.empty() ? "" : "/")
      .append(request.context.subresource)
      .append(" '")
      .append(request.name)
      .append("'");
}

template <char kName>
Result<void> mutate(const AdmissionRequest& request, PluginState&) {
  note(std::string("mutate ") + kName, request);
  return {};
}
template <char kName>
Result<void> validate(const AdmissionRequest& request, PluginState&) {
  note(std::string("validate ") + kName, request);
  return {};
}
Result<void> refuse(const AdmissionRequest& request, PluginState&) {
  return refusal(request, "no");
}

constexpr Operations kAll{kCreate, kUpdate, kDelete, kConnect};
constexpr Target kConfigMapsOnly[] = {{"", "configmaps"}};

std::string configure(TestCluster& cluster, std::string_view meta = "'name':'a'") {
  return cluster.create(TestCluster::kConfigMaps, "default",
                        "{'metadata':{" + std::string(meta) + "}}");
}

TEST_CASE("chain: all plugins mutate, in order, before the first one validates", "[admission]") {
  static constexpr Plugin kTable[] = {
      {.name = "NamespaceLifecycle",
       .operations = kAll,
       .mutate = &mutate<'A'>,
       .validate = &validate<'A'>},
      {.name = "LimitRanger", .operations = kAll, .validate = &validate<'B'>},
      {.name = "AlwaysDeny", .operations = kAll, .mutate = &refuse},  // disabled
      {.name = "Priority",
       .operations = {kCreate},
       .mutate = &mutate<'C'>,
       .validate = &validate<'C'>}};
  TestCluster cluster(kTable);
  asked().clear();
  REQUIRE(configure(cluster).starts_with("{"));
  CHECK(asked() ==
        "mutate A CREATE configmaps 'a'; mutate C CREATE configmaps 'a'; "
        "validate A CREATE configmaps 'a'; validate B CREATE configmaps 'a'; "
        "validate C CREATE configmaps 'a'");
  asked().clear();
  REQUIRE(cluster.remove(TestCluster::kConfigMaps, "default", "a") == "gone");
  CHECK(asked() ==
        "mutate A DELETE configmaps 'a'; validate A DELETE configmaps 'a'; "
        "validate B DELETE configmaps 'a'");
}

TEST_CASE("chain: a plugin runs for its targets, and only if there are objects that configure it",
          "[admission]") {
  static constexpr Plugin kTable[] = {{.name = "LimitRanger",
                                       .operations = kAll,
                                       .targets = kConfigMapsOnly,
                                       .mutate = &mutate<'A'>},
                                      {.name = "Priority",
                                       .operations = kAll,
                                       .configured_by = {"", "v1", "limitranges"},
                                       .mutate = &mutate<'B'>}};
  TestCluster cluster(kTable);
  asked().clear();
  REQUIRE(
      cluster.create(TestCluster::kNamespaces, "", "{'metadata':{'name':'n'}}").starts_with("{"));
  CHECK(asked().empty());
  REQUIRE(configure(cluster).starts_with("{"));
  CHECK(asked() == "mutate A CREATE configmaps 'a'");

  // Subresources are not among its targets.
  registry::WriteContext context = cluster.context();
  context.subresource = "part";
  Value object = cluster.read("{}");
  asked().clear();
  REQUIRE(cluster.objects.mutate({cluster.objects, context, kCreate,
                                  cluster.type(TestCluster::kConfigMaps),
                                  registry::Subresource::kNone, "default", "a", object}));
  CHECK(asked().empty());

  REQUIRE(cluster.create({"", "v1", "limitranges"}, "default", "{'metadata':{'name':'l'}}")
              .starts_with("{"));
  asked().clear();
  REQUIRE(configure(cluster, "'name':'b'").starts_with("{"));
  CHECK(asked() == "mutate A CREATE configmaps 'b'; mutate B CREATE configmaps 'b'");
}

TEST_CASE("chain: the first rejection ends the request", "[admission]") {
  static constexpr Plugin kTable[] = {
      {.name = "LimitRanger", .operations = kAll, .mutate = &refuse},
      {.name = "Priority", .operations = kAll, .mutate = &mutate<'A'>}};
  TestCluster cluster(kTable);
  asked().clear();
  CHECK(configure(cluster) == "configmaps \"a\" is forbidden: no");
  CHECK(configure(cluster, "'generateName':'g-'") == "configmaps \"g-\" is forbidden: no");
  CHECK(asked().empty());
}

TEST_CASE("chain: plugins run for manifests only if they are marked so", "[admission]") {
  static constexpr Plugin kTable[] = {
      {.name = "LimitRanger", .operations = kAll, .mutate = &mutate<'A'>},
      {.name = "Priority", .operations = kAll, .loads = true, .mutate = &mutate<'B'>}};
  TestCluster cluster(kTable);
  cluster.origin = registry::Origin::kManifest;
  asked().clear();
  REQUIRE(configure(cluster).starts_with("{"));
  REQUIRE(cluster.update(TestCluster::kConfigMaps, "default", "a", [](Value&) {}).starts_with("{"));
  CHECK(asked() == "mutate B CREATE configmaps 'a'; mutate B UPDATE configmaps 'a'");
}

// --- Answers from outside

constexpr std::string_view kOracle = "oracle";

class Prophecy final : public registry::PendingWork::Question {
 public:
  explicit Prophecy(std::string about) : Question(kOracle, std::move(about)) {}
};

// Writes the oracle's answer into the object.
Result<void> consult(const AdmissionRequest& request, PluginState&) {
  registry::PendingWork* pending = request.context.pending;
  const auto* answer = pending->ask(std::make_unique<const Prophecy>(std::string(request.name)));
  if (answer == nullptr) return pending->may_persist();
  if (!answer->error.empty()) return refusal(request, answer->error);
  json::Arena& arena = request.context.arena;
  object_or_new(request.object, "data", arena).set(arena, "fate", Value::string(answer->text));
  return {};
}

TEST_CASE("chain: a plugin that waits runs again, and later ones see its changes", "[admission]") {
  static constexpr Plugin kTable[] = {
      {.name = "MutatingAdmissionWebhook", .operations = {kCreate}, .mutate = &consult},
      {.name = "ValidatingAdmissionPolicy",
       .operations = {kCreate},
       .mutate = &mutate<'A'>,
       .validate =
           [](const AdmissionRequest& request, PluginState&) {
             asked() += " with " + std::string(text_at(request.object, {"data", "fate"}));
             return Result<void>();
           }},
  };
  TestCluster cluster(kTable);
  asked().clear();
  const store::Revision before = cluster.store.revision();
  CHECK_FALSE(configure(cluster).starts_with("{"));
  CHECK(asked().empty());
  CHECK(cluster.store.revision() == before);
  const auto questions = cluster.pending.take(kOracle);
  REQUIRE(questions.size() == 1);
  CHECK(questions[0]->key() == "a");

  cluster.pending.answer(*questions[0], {"a long journey", ""});
  CHECK(has(configure(cluster), "\"fate\":\"a long journey\""));
  CHECK(asked() == "mutate A CREATE configmaps 'a' with a long journey");

  (void)configure(cluster, "'name':'b'");
  cluster.pending.answer(*cluster.pending.take(kOracle).at(0), {"", "ask later"});
  CHECK(configure(cluster, "'name':'b'") == "configmaps \"b\" is forbidden: ask later");
}

}  // namespace
}  // namespace tabernetes::admission
