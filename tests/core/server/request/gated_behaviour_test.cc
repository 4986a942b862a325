// What feature gates change besides fields: validation, defaults, rights, documents.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

using Gates = std::map<std::string, bool>;

// Returns "201", or the code and message of a Status.
std::string outcome(const Response& response) {
  const std::string body = response.body.flatten();
  std::string text = std::to_string(response.status);
  constexpr std::string_view kMark = R"("message":")";
  const std::size_t at = body.find(kMark);
  if (response.status < 400 || at == std::string::npos) return text;
  const std::size_t from = at + kMark.size();
  return text + " " + body.substr(from, body.find(R"(","reason")", from) - from);
}

std::string outcome_of(ApiServer& server, std::string_view method, std::string_view target,
                       std::string_view body) {
  return outcome(ask(server, method, target, body));
}

ApiServer gated_server(const Gates& gates) {
  Options options;
  options.feature_gates = gates;
  return ApiServer(options);
}

constexpr std::string_view kPodPath = "/api/v1/namespaces/default/pods";
constexpr std::string_view kServicePath = "/api/v1/namespaces/default/services";
constexpr std::string_view kIngressPath = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
constexpr std::string_view kScalerPath =
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

// Returns a pod `p`; `metadata` and `spec` are JSON that follows other members.
std::string pod_text(std::string_view metadata, std::string_view spec) {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p")" + std::string(metadata) +
         R"(},"spec":{"containers":[{"name":"c","image":"i"}])" + std::string(spec) + "}}";
}

std::string scaler_text(std::string_view spec) {
  return R"({"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v2","metadata":{"name":"h"},)"
         R"("spec":{"scaleTargetRef":{"kind":"Deployment","apiVersion":"apps/v1","name":"d"},)"
         R"("maxReplicas":3,)" +
         std::string(spec) + "}}";
}

std::string ingress_text(std::string_view service) {
  return R"({"kind":"Ingress","apiVersion":"networking.k8s.io/v1","metadata":{"name":"i"},"spec":)"
         R"({"defaultBackend":{"service":{"name":")" +
         std::string(service) + R"(","port":{"number":80}}}}})";
}

constexpr std::string_view kDigitService =
    R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"1st"},"spec":{"ports":[{"port":80}]}})";
constexpr std::string_view kGeneratedService =
    R"({"kind":"Service","apiVersion":"v1","metadata":{"generateName":"1st-"},)"
    R"("spec":{"ports":[{"port":80}]}})";
#define TAB_NO_1035                                                                               \
  R"(a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an )" \
  R"(alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or )"         \
  R"('abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'))"
constexpr std::string_view kExternalMetric =
    R"("metrics":[{"type":"External","external":{"metric":{"name":"m"},)"
    R"("target":{"type":"Value","value":"1"}}}])";
constexpr std::string_view kSpread =
    R"(,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
    R"("whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["a"],)"
    R"("labelSelector":{"matchLabels":{"a":"b"}}}])";

TEST_CASE("gated behaviour: what is valid with a gate, and without", "[server]") {
  struct Case {
    std::string_view gate;
    std::string_view path;
    std::string body, on, off;
  };
  const Case cases[] = {
      {"PodDeletionCost", kPodPath,
       pod_text(R"(,"annotations":{"controller.kubernetes.io/pod-deletion-cost":"x"})", ""),
       R"(422 Pod \"p\" is invalid: )"
       R"(metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: )"
       R"(\"x\": must be a 32bit integer)",
       "201"},
      {"UserNamespacesHostNetworkSupport", kPodPath,
       pod_text("", R"(,"hostUsers":false,"hostNetwork":true)"), "201",
       R"(422 Pod \"p\" is invalid: spec.hostNetwork: Forbidden: when `hostUsers` is false)"},
      {"MatchLabelKeysInPodTopologySpreadSelectorMerge", kPodPath, pod_text("", kSpread), "201",
       R"(422 Pod \"p\" is invalid: spec.topologySpreadConstraints[0].matchLabelKeys[0]: )"
       R"(Invalid value: \"a\": exists in both matchLabelKeys and labelSelector)"},
      {"RelaxedServiceNameValidation", kServicePath, std::string(kDigitService), "201",
       R"(422 Service \"1st\" is invalid: metadata.name: Invalid value: \"1st\": )" TAB_NO_1035},
      {"RelaxedServiceNameValidation", kIngressPath, ingress_text("1st"), "201",
       R"(422 Ingress.networking.k8s.io \"i\" is invalid: spec.defaultBackend.service.name: )"
       R"(Invalid value: \"1st\": )" TAB_NO_1035},
      {"RelaxedServiceNameValidation", kIngressPath, ingress_text(""),
       R"(422 Ingress.networking.k8s.io \"i\" is invalid: spec.defaultBackend.service.name: )"
       "Required value",
       R"(422 Ingress.networking.k8s.io \"i\" is invalid: spec.defaultBackend.service.name: )"
       "Required value"},
      {"StrictIPCIDRValidation", kPodPath,
       pod_text("", R"(,"hostAliases":[{"ip":"010.0.0.1"},{"ip":"::ffff:1.2.3.4"},{"ip":"x"}])"),
       R"(422 Pod \"p\" is invalid: [spec.hostAliases[0].ip: Invalid value: \"010.0.0.1\": )"
       R"(must not have leading 0s, spec.hostAliases[1].ip: Invalid value: )"
       R"(\"::ffff:1.2.3.4\": must not be an IPv4-mapped IPv6 address, )"
       R"(spec.hostAliases[2].ip: Invalid value: \"x\": must be a valid IP address, )"
       R"((e.g. 10.9.8.7 or 2001:db8::ffff)])",
       R"(422 Pod \"p\" is invalid: spec.hostAliases[2].ip: Invalid value: \"x\": )"
       R"(must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))"},
      {"StrictIPCIDRValidation", kServicePath,
       R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"s"},"spec":{"type":)"
       R"("LoadBalancer","ports":[{"port":80}],"externalIPs":["010.1.1.1"],)"
       R"("loadBalancerSourceRanges":["10.0.0.1/8"]}})",
       R"(422 Service \"s\" is invalid: [spec.externalIPs[0]: Invalid value: \"010.1.1.1\": )"
       R"(must not have leading 0s, spec.LoadBalancerSourceRanges[0]: Invalid value: )"
       R"(\"10.0.0.1/8\": must not have bits set beyond the prefix length])",
       "201"},
      {"HPAScaleToZero", kScalerPath,
       scaler_text(R"("minReplicas":0,)" + std::string(kExternalMetric)), "201",
       R"(422 HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec.minReplicas: )"
       "Invalid value: 0: must be greater than or equal to 1"},
      {"HPAScaleToZero", kScalerPath,
       scaler_text(R"("minReplicas":-1,)" + std::string(kExternalMetric)),
       R"(422 HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec.minReplicas: )"
       "Invalid value: -1: must be greater than or equal to 0",
       R"(422 HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec.minReplicas: )"
       "Invalid value: -1: must be greater than or equal to 1"},
      {"HPAScaleToZero", kScalerPath,
       scaler_text(R"("minReplicas":0,"metrics":[{"type":"Resource","resource":{"name":"cpu",)"
                   R"("target":{"type":"Utilization","averageUtilization":50}}}])"),
       R"(422 HorizontalPodAutoscaler.autoscaling \"h\" is invalid: spec.metrics: Forbidden: )"
       "must specify at least one Object or External metric to support scaling to zero replicas",
       R"(422 HorizontalPodAutoscaler.autoscaling \"h\" is invalid: [spec.minReplicas: )"
       "Invalid value: 0: must be greater than or equal to 1, spec.metrics: Forbidden: must "
       "specify at least one Object or External metric to support scaling to zero replicas]"},
  };
  for (const Case& c : cases) {
    for (const bool on : {true, false}) {
      INFO(c.gate << (on ? " on: " : " off: ") << c.body);
      ApiServer server = gated_server({{std::string(c.gate), on}});
      CHECK(outcome_of(server, "POST", c.path, c.body) == (on ? c.on : c.off));
    }
  }
}

TEST_CASE("gated behaviour: a service's generated name is checked, and what it is made of",
          "[server]") {
  ApiServer relaxed = gated_server({});
  CHECK(outcome_of(relaxed, "POST", kServicePath, kGeneratedService) == "201");
  ApiServer strict = gated_server({{"RelaxedServiceNameValidation", false}});
  const std::string refused = outcome_of(strict, "POST", kServicePath, kGeneratedService);
  CHECK(refused.starts_with(R"(422 Service \"1st-)"));
  CHECK(refused.find(R"([metadata.generateName: Invalid value: \"1st-\": )" TAB_NO_1035
                     R"(, metadata.name: Invalid value: \"1st-)") != std::string::npos);
}

TEST_CASE("gated behaviour: what was valid before may stay without the gate", "[server]") {
  ApiServer before = gated_server({{"HPAScaleToZero", true}});
  const std::string scaler = scaler_text(R"("minReplicas":0,)" + std::string(kExternalMetric));
  REQUIRE(outcome_of(before, "POST", kScalerPath, scaler) == "201");
  REQUIRE(outcome_of(before, "POST", kIngressPath, ingress_text("1st")) == "201");

  ApiServer after = gated_server({{"RelaxedServiceNameValidation", false}});
  REQUIRE(after.restore(before.snapshot()));
  CHECK(outcome_of(after, "PUT", std::string(kScalerPath) + "/h", scaler) == "200");
  CHECK(outcome_of(after, "PUT", std::string(kIngressPath) + "/i", ingress_text("2nd")) == "200");
  // Not again.
  CHECK(outcome_of(after, "PUT", std::string(kScalerPath) + "/h",
                   scaler_text(R"("minReplicas":1)")) == "200");
  CHECK(outcome_of(after, "PUT", std::string(kScalerPath) + "/h", scaler)
            .starts_with("422 HorizontalPodAutoscaler"));
  CHECK(outcome_of(after, "PUT", std::string(kIngressPath) + "/i", ingress_text("third")) == "200");
  CHECK(outcome_of(after, "PUT", std::string(kIngressPath) + "/i", ingress_text("4th"))
            .starts_with("422 Ingress.networking.k8s.io"));
}

std::string body_of(ApiServer& server, std::string_view method, std::string_view target,
                    std::string_view body = {}) {
  return ask(server, method, target, body).body.flatten();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("gated behaviour: a pod's labels become terms of its spread selectors", "[server]") {
  for (const bool on : {true, false}) {
    ApiServer server = gated_server({{"MatchLabelKeysInPodTopologySpreadSelectorMerge", on}});
    const std::string pod =
        pod_text(R"(,"labels":{"a":"b"})",
                 R"(,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
                 R"("whenUnsatisfiable":"DoNotSchedule","matchLabelKeys":["a"],)"
                 R"("labelSelector":{"matchLabels":{"c":"d"}}}])");
    CHECK(contains(body_of(server, "POST", kPodPath, pod),
                   R"("matchExpressions":[{"key":"a","operator":"In","values":["b"]}])") == on);
  }
}

TEST_CASE("gated behaviour: a binding clears the nominated node", "[server]") {
  for (const bool on : {true, false}) {
    ApiServer server = gated_server({{"ClearingNominatedNodeNameAfterBinding", on}});
    REQUIRE(outcome_of(server, "POST", kPodPath, pod_text("", "")) == "201");
    const std::string pod = std::string(kPodPath) + "/p";
    std::string nominated = body_of(server, "GET", pod);
    constexpr std::string_view kStatus = R"("status":{)";
    nominated.insert(nominated.find(kStatus) + kStatus.size(), R"("nominatedNodeName":"n",)");
    REQUIRE(outcome_of(server, "PUT", pod + "/status", nominated) == "200");
    REQUIRE(outcome_of(server, "POST", pod + "/binding",
                       R"({"kind":"Binding","apiVersion":"v1","metadata":{"name":"p"},)"
                       R"("target":{"kind":"Node","name":"m"}})") == "201");
    const std::string bound = body_of(server, "GET", pod);
    CHECK(contains(bound, R"("nodeName":"m")"));
    CHECK(contains(bound, R"("nominatedNodeName":"n")") == !on);
  }
}

TEST_CASE("gated behaviour: discovery tells the hashes of storage versions", "[server]") {
  for (const bool on : {true, false}) {
    ApiServer server = gated_server({{"StorageVersionHash", on}});
    CHECK(contains(body_of(server, "GET", "/apis/apps/v1"), R"("storageVersionHash":")") == on);
  }
}

TEST_CASE("gated behaviour: a token request may name the uid of its account", "[server]") {
  for (const bool on : {true, false}) {
    ApiServer server = gated_server({{"TokenRequestServiceAccountUIDValidation", on}});
    constexpr std::string_view kAccounts = "/api/v1/namespaces/default/serviceaccounts";
    REQUIRE(outcome_of(server, "POST", kAccounts,
                       R"({"kind":"ServiceAccount","apiVersion":"v1",)"
                       R"("metadata":{"name":"bot"}})") == "201");
    const std::string asked =
        outcome_of(server, "POST", std::string(kAccounts) + "/bot/token",
                   R"({"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1",)"
                   R"("metadata":{"uid":"x"},"spec":{}})");
    if (on) {
      CHECK(asked.starts_with("409 "));
      CHECK(contains(asked, "the UID in the token request (x) does not match the UID of"));
    } else {
      CHECK(asked == "201");
    }
  }
}

ApiServer server_with_roles(const Gates& gates) {
  Options options;
  options.feature_gates = gates;
  options.authorization = {Authorization::kRbac};
  options.token_file = "admin,admin,1,system:masters\nann,ann,2\n";
  return ApiServer(options);
}

// Gives ann a role with `rules`, which is JSON without brackets.
void permit_ann(ApiServer& server, std::string_view rules) {
  const auto make = [&](std::string_view plural, const std::string& body) {
    const std::string target = "/apis/rbac.authorization.k8s.io/v1/" + std::string(plural);
    Request request = request_of("POST", target, body);
    request.headers.emplace_back("authorization", "Bearer admin");
    int status = 0;
    server.handle(request, [&](const Response& response) { status = response.status; });
    REQUIRE(status == 201);
  };
  make("clusterroles", R"({"metadata":{"name":"r"},"rules":[)" + std::string(rules) + "]}");
  make("clusterrolebindings",
       R"({"metadata":{"name":"r"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",)"
       R"("kind":"ClusterRole","name":"r"},"subjects":[{"apiGroup":)"
       R"("rbac.authorization.k8s.io","kind":"User","name":"ann"}]})");
}

std::string outcome_for_ann(ApiServer& server, std::string_view target,
                            std::vector<std::pair<std::string, std::string>> headers = {}) {
  Request request = request_of("GET", target);
  request.headers.emplace_back("authorization", "Bearer ann");
  for (auto& header : headers) request.headers.push_back(std::move(header));
  std::string text;
  server.handle(request, [&](const Response& response) { text = outcome(response); });
  return text;
}

TEST_CASE("gated behaviour: rights to impersonate for some verbs", "[server]") {
  constexpr std::string_view kRules =
      R"({"verbs":["impersonate:user-info"],"apiGroups":["authentication.k8s.io"],)"
      R"("resources":["users"]},{"verbs":["impersonate-on:user-info:get"],"apiGroups":[""],)"
      R"("resources":["nodes"]})";
  for (const bool on : {true, false}) {
    ApiServer server = server_with_roles({{"ConstrainedImpersonation", on}});
    permit_ann(server, kRules);
    // The first 403 is of the impersonated user, the second of ann.
    CHECK(
        outcome_for_ann(server, "/api/v1/nodes/n", {{"impersonate-user", "bob"}}) ==
        (on ? R"(403 nodes \"n\" is forbidden: User \"bob\" cannot get resource \"nodes\" in API )"
              R"(group \"\" at the cluster scope)"
            : R"(403 users \"bob\" is forbidden: User \"ann\" cannot impersonate resource )"
              R"(\"users\" in API group \"\" at the cluster scope)"));
  }
}

TEST_CASE("gated behaviour: a GET that opens a stream to a pod needs the right to create",
          "[server]") {
  constexpr std::string_view kRules =
      R"({"verbs":["get"],"apiGroups":[""],"resources":["pods/exec"]})";
  for (const bool on : {true, false}) {
    ApiServer server = server_with_roles({{"AuthorizePodWebsocketUpgradeCreatePermission", on}});
    permit_ann(server, kRules);
    CHECK(outcome_for_ann(server, std::string(kPodPath) + "/none/exec?command=ls").substr(0, 3) ==
          (on ? "403" : "404"));
  }
}

}  // namespace
}  // namespace tabernetes::server
