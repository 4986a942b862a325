// Feature gates over a whole server: what writes keep, and what /metrics says of them.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

ApiServer server_with(std::map<std::string, bool> gates) {
  Options options;
  options.feature_gates = std::move(gates);
  return ApiServer(options);
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string gated_patch(ApiServer& server, std::string_view target, std::string_view body) {
  Request request = request_of("PATCH", target, body);
  request.headers = {{"content-type", "application/merge-patch+json"}};
  std::string answer;
  server.handle(request, [&](Response response) { answer = text_of(response); });
  return answer;
}

constexpr std::string_view kLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
constexpr std::string_view kLease =
    R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"l"},)"
    R"("spec":{"strategy":"OldestEmulationVersion","preferredHolder":"h"}})";

TEST_CASE("feature gates: writes lose fields whose gate is off", "[server]") {
  ApiServer usual = server_with({});
  const std::string created = text_of(ask(usual, "POST", kLeases, kLease));
  CHECK(created.starts_with("201 "));
  CHECK(mentions(created, R"("spec":{})"));
  CHECK(mentions(created, R"("f:strategy":{})"));  // owned before it is dropped
  const std::string updated = gated_patch(usual, std::string(kLeases) + "/l", kLease);
  CHECK(updated.starts_with("200 "));
  CHECK(mentions(updated, R"("spec":{})"));

  ApiServer coordinated = server_with({{"CoordinatedLeaderElection", true}});
  CHECK(mentions(text_of(ask(coordinated, "POST", kLeases, kLease)),
                 R"("spec":{"strategy":"OldestEmulationVersion","preferredHolder":"h"})"));
}

TEST_CASE("feature gates: what was there before stays", "[server]") {
  ApiServer before = server_with({{"CoordinatedLeaderElection", true}});
  REQUIRE(ask(before, "POST", kLeases, kLease).status == 201);
  ApiServer after = server_with({});
  REQUIRE(after.restore(before.snapshot()));
  CHECK(mentions(
      gated_patch(after, std::string(kLeases) + "/l", R"({"spec":{"preferredHolder":"i"}})"),
      R"("spec":{"strategy":"OldestEmulationVersion","preferredHolder":"i"})"));
}

constexpr std::string_view kGatedSets = "/apis/apps/v1/namespaces/default/statefulsets";
constexpr std::string_view kSet =
    R"({"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"s"},"spec":{)"
    R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
    R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})";
constexpr std::string_view kDrivers = "/apis/storage.k8s.io/v1/csidrivers";
constexpr std::string_view kDriver =
    R"({"kind":"CSIDriver","apiVersion":"storage.k8s.io/v1","metadata":{"name":"d"},"spec":{}})";

TEST_CASE("feature gates: defaults of fields come with their gates", "[server]") {
  ApiServer usual = server_with({});
  CHECK(mentions(text_of(ask(usual, "POST", kGatedSets, kSet)),
                 R"("rollingUpdate":{"partition":0})"));
  CHECK_FALSE(mentions(text_of(ask(usual, "POST", kDrivers, kDriver)), "preventPodScheduling"));
  ApiServer on = server_with({{"MaxUnavailableStatefulSet", true}, {"VolumeLimitScaling", true}});
  CHECK(mentions(text_of(ask(on, "POST", kGatedSets, kSet)),
                 R"("rollingUpdate":{"partition":0,"maxUnavailable":1})"));
  CHECK(mentions(text_of(ask(on, "POST", kDrivers, kDriver)),
                 R"("preventPodSchedulingIfMissing":false)"));
}

TEST_CASE("feature gates: /metrics tells each with its stage", "[server]") {
  ApiServer server = server_with({{"AllAlpha", true}, {"WatchList", false}});
  const std::string page = ask(server, "GET", "/metrics").body.flatten();
  CHECK(mentions(
      page,
      "# HELP kubernetes_feature_enabled [BETA] This metric records the data about the stage "
      "and enablement of a k8s feature.\n"
      "# TYPE kubernetes_feature_enabled gauge\n"
      "kubernetes_feature_enabled{name=\"APIResponseCompression\",stage=\"BETA\"} 1\n"));
  for (const char* line : {"{name=\"AllAlpha\",stage=\"ALPHA\"} 1",
                           "{name=\"CBORServingAndStorage\",stage=\"ALPHA\"} 1",
                           "{name=\"ConsistentListFromCache\",stage=\"\"} 1",
                           "{name=\"StorageNamespaceIndex\",stage=\"DEPRECATED\"} 1",
                           "{name=\"WatchList\",stage=\"BETA\"} 0"}) {
    CHECK(mentions(page, std::string("\nkubernetes_feature_enabled") + line + "\n"));
  }
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = page.find("\nkubernetes_feature_enabled{", at)) != page.npos;
       ++at) {
    ++lines;
  }
  CHECK(lines == 242);
}

}  // namespace
}  // namespace tabernetes::server
