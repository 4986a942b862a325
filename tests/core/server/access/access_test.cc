// Options::authorization, which conformance cases cannot cover with one cluster each.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"
#include "base/text/base64.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kRoles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
constexpr std::string_view kBindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
constexpr std::string_view kAllPods = "/api/v1/pods";
constexpr std::string_view kTokens =
    "admin,admin,1,system:masters\n"
    "viewer,viewer,2\n";

Options with_roles() {
  Options options;
  options.authorization = {Authorization::kRbac};
  options.token_file = kTokens;
  return options;
}

Request from(std::string_view token, std::string_view method, std::string_view target,
             std::string_view body = {}) {
  Request request = request_of(method, target, body);
  request.headers.emplace_back("authorization", "Bearer " + std::string(token));
  return request;
}

Response ask_as(ApiServer& server, const Request& request) {
  Response answer;
  server.handle(request, [&](Response response) { answer = std::move(response); });
  return answer;
}

void let_viewer_view(ApiServer& server) {
  const Response bound = ask_as(
      server,
      from(
          "admin", "POST", kBindings,
          R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",)"
          R"("kind":"ClusterRole","name":"system:aggregate-to-view"},)"
          R"("subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"viewer"}]})"));
  REQUIRE(bound.status == 201);
}

int viewer_status(ApiServer& server) {
  return ask_as(server, from("viewer", "GET", kAllPods)).status;
}

TEST_CASE("access: roles count from the next request on, and in forks only there", "[server]") {
  ApiServer server(with_roles());
  CHECK(viewer_status(server) == 403);
  auto before = server.fork();
  let_viewer_view(server);
  CHECK(viewer_status(server) == 200);
  CHECK(viewer_status(*before) == 403);

  auto after = server.fork();
  CHECK(ask_as(server, from("admin", "DELETE", std::string(kBindings) + "/b")).status == 200);
  CHECK(viewer_status(server) == 403);
  CHECK(viewer_status(*after) == 200);

  const std::string saved = after->snapshot();
  REQUIRE(server.restore(saved));
  CHECK(viewer_status(server) == 200);
  server.reset();
  CHECK(viewer_status(server) == 403);
}

TEST_CASE("access: a view judges by the roles of its state", "[server]") {
  ApiServer server(with_roles());
  const auto before = server.view();
  let_viewer_view(server);
  const auto after = server.view();
  const Request request = from("viewer", "GET", kAllPods);
  CHECK(before->answer(request, {})->status == 403);
  CHECK(after->answer(request, {})->status == 200);
  CHECK(before->answer(from("who", "GET", "/version"), {})->status == 401);
}

TEST_CASE("access: a cluster begins with Kubernetes' own roles", "[server]") {
  ApiServer server(with_roles());
  const auto count = [&](std::string_view target) {
    const std::string list = text_of(ask_as(server, from("admin", "GET", target)));
    std::size_t found = 0;
    for (std::size_t at = list.find("\"uid\""); at != std::string::npos;
         at = list.find("\"uid\"", at + 1)) {
      ++found;
    }
    return found;
  };
  CHECK(count(kRoles) == 69);
  CHECK(count(kBindings) == 50);
  CHECK(count("/apis/rbac.authorization.k8s.io/v1/roles") == 7);
  CHECK(count("/apis/rbac.authorization.k8s.io/v1/rolebindings") == 7);

  ApiServer open(Options{});
  CHECK(get(open, kRoles).find("\"items\":[]") != std::string::npos);
}

TEST_CASE("access: roles gather the rules of others", "[server]") {
  Options options = with_roles();
  options.controllers = {"clusterrole-aggregation-controller"};
  ApiServer server(options);
  const auto has = [&](std::string_view role, std::string_view text) {
    const std::string target = std::string(kRoles) + "/" + std::string(role);
    return text_of(ask_as(server, from("admin", "GET", target))).find(text) != std::string::npos;
  };
  CHECK(has("view", R"("endpointslices")"));
  CHECK(has("view", R"("manager":"clusterrole-aggregation-controller","operation":"Apply")"));
  CHECK_FALSE(has("view", R"("secrets")"));
  CHECK(has("edit", R"("secrets")"));
  CHECK(has("admin", R"("localsubjectaccessreviews")"));

  const Response made = ask_as(
      server, from("admin", "POST", kRoles,
                   R"({"metadata":{"name":"x","labels":)"
                   R"({"rbac.authorization.k8s.io/aggregate-to-view":"true"}},"rules":)"
                   R"([{"verbs":["get"],"apiGroups":["example.com"],"resources":["things"]}]})"));
  REQUIRE(made.status == 201);
  constexpr std::string_view kRule =
      R"({"verbs":["get"],"apiGroups":["example.com"],"resources":["things"]})";
  CHECK_FALSE(has("view", kRule));
  server.advance(server.time() + Duration::from_seconds(1));
  for (const std::string_view role : {"view", "edit", "admin"}) CHECK(has(role, kRule));

  CHECK(ask_as(server, from("admin", "DELETE", std::string(kRoles) + "/x")).status == 200);
  server.advance(server.time() + Duration::from_seconds(1));
  for (const std::string_view role : {"view", "edit", "admin"}) CHECK_FALSE(has(role, kRule));
}

TEST_CASE("access: kubelets read what their pods refer to", "[server]") {
  Options options;
  options.authorization = {Authorization::kNode, Authorization::kRbac};
  options.token_file =
      "admin,admin,1,system:masters\n"
      "viewer,viewer,2\n"
      "kubelet,system:node:n1,3,system:nodes\n";
  ApiServer server(options);
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  for (const char* name : {"used", "unused"}) {
    const std::string secret = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
    REQUIRE(ask_as(server, from("admin", "POST", secrets, secret)).status == 201);
  }
  const auto used = [&] { return ask_as(server, from("kubelet", "GET", secrets + "/used")); };
  CHECK(used().status == 403);
  const Response made = ask_as(
      server, from("admin", "POST", "/api/v1/namespaces/default/pods",
                   R"({"metadata":{"name":"web"},"spec":{"nodeName":"n1","containers":)"
                   R"([{"name":"c","image":"i","envFrom":[{"secretRef":{"name":"used"}}]}]}})"));
  REQUIRE(made.status == 201);
  CHECK(used().status == 200);
  CHECK(text_of(ask_as(server, from("kubelet", "GET", secrets + "/unused")))
            .find(R"("message":"secrets \"unused\" is forbidden: User \"system:node:n1\" cannot )"
                  R"(get resource \"secrets\" in API group \"\" in the namespace \"default\": )"
                  R"(no relationship found between node 'n1' and this object","reason")") !=
        std::string::npos);
  CHECK(ask_as(server, from("kubelet", "GET", kAllPods)).status == 403);
  const std::string own = std::string(kAllPods) + "?fieldSelector=spec.nodeName%3Dn1";
  CHECK(ask_as(server, from("kubelet", "GET", own)).status == 200);
  CHECK(server.view()->answer(from("kubelet", "GET", secrets + "/used"), {})->status == 200);
  CHECK(viewer_status(server) == 403);
  let_viewer_view(server);
  CHECK(viewer_status(server) == 200);

  const auto may = [&](std::string_view selector) {
    const Response review =
        ask_as(server, from("kubelet", "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                            R"({"spec":{"user":"system:node:n1","groups":["system:nodes"],)"
                            R"("resourceAttributes":{"verb":"list","resource":"pods")" +
                                std::string(selector) + "}}}"));
    CHECK(review.status == 201);
    return text_of(review).find(R"("allowed":true)") != std::string::npos;
  };
  CHECK_FALSE(may(""));
  CHECK(may(R"(,"fieldSelector":{"rawSelector":"spec.nodeName=n1"})"));
  CHECK(may(R"(,"fieldSelector":{"requirements":)"
            R"([{"key":"spec.nodeName","operator":"In","values":["n1"]}]})"));
  CHECK_FALSE(may(R"(,"fieldSelector":{"requirements":)"
                  R"([{"key":"spec.nodeName","operator":"NotIn","values":["n1"]}]})"));
}

TEST_CASE("access: policies of a file, and rights to grant rights", "[server]") {
  Options options;
  options.authorization = {Authorization::kAlwaysDeny, Authorization::kAbac};
  options.token_file = "viewer,viewer,2\nwriter,writer,3\n";
  options.authorization_policy =
      R"({"user":"viewer","readonly":true})"
      "\n"
      R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy",)"
      R"("spec":{"user":"writer","namespace":"*","resource":"*","apiGroup":"*"}})";
  ApiServer server(options);
  CHECK(viewer_status(server) == 200);
  const std::string role = R"({"metadata":{"name":"r"},"rules":)"
                           R"([{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})";
  CHECK(text_of(ask_as(server, from("viewer", "POST", kRoles, role))) ==
        R"(403 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
        R"("clusterroles.rbac.authorization.k8s.io is forbidden: User \"viewer\" cannot create )"
        R"(resource \"clusterroles\" in API group \"rbac.authorization.k8s.io\" at the cluster )"
        R"(scope: Everything is forbidden.\nNo policy matched.","reason":"Forbidden","details":)"
        R"({"group":"rbac.authorization.k8s.io","kind":"clusterroles"},"code":403})"
        "\n");
  CHECK(ask_as(server, from("writer", "POST", kRoles, role)).status == 201);
}

TEST_CASE("access: callers without a token may be refused", "[server]") {
  Options options;
  options.anonymous_auth = false;
  options.token_file = kTokens;
  ApiServer server(options);
  const std::string refused =
      R"(401 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
      R"("message":"Unauthorized","reason":"Unauthorized","code":401})"
      "\n";
  CHECK(get(server, "/healthz") == refused);
  CHECK(text_of(ask_as(server, from("who", "GET", "/healthz"))) == refused);
  CHECK(text_of(ask_as(server, from("viewer", "GET", "/healthz"))) == "200 ok");
}

// Returns the text behind `"KEY":"` in an answer.
std::string text_in(const std::string& answer, std::string_view key) {
  const std::string mark = "\"" + std::string(key) + "\":\"";
  const std::size_t found = answer.find(mark);
  if (found == std::string::npos) return "";
  const std::size_t begin = found + mark.size();
  return answer.substr(begin, answer.find('"', begin) - begin);
}

TEST_CASE("access: a token in a Secret is one, and its use is noted", "[server]") {
  Options options;
  options.now = Time::from_unix_milliseconds(1'767'225'600'000);
  options.anonymous_auth = false;
  options.token_file = kTokens;
  options.controllers = {"serviceaccount-controller", "serviceaccount-token-controller"};
  ApiServer server(options);
  const std::string_view secrets = "/api/v1/namespaces/default/secrets";
  REQUIRE(ask_as(server, from("admin", "POST", secrets,
                              R"({"type":"kubernetes.io/service-account-token","metadata":{)"
                              R"("name":"key","annotations":{)"
                              R"("kubernetes.io/service-account.name":"default"}}})"))
              .status == 201);
  server.advance(server.time() + Duration::from_seconds(1));
  const std::string target = std::string(secrets) + "/key";
  const std::string data = text_in(text_of(ask_as(server, from("admin", "GET", target))), "token");
  const std::string token = base64_decode(data).value_or("");
  REQUIRE(token.starts_with("eyJ"));

  // Only the writer can note the first use of a day.
  const auto view = server.view();
  CHECK_FALSE(view->answer(from(token, "GET", "/healthz"), server.time()));
  const Response first = ask_as(server, from(token, "GET", target));
  CHECK(first.status == 200);
  CHECK(text_in(text_of(first), "kubernetes.io/legacy-token-last-used") == "2026-01-01");
  CHECK(server.view()->answer(from(token, "GET", "/healthz"), server.time()));
  CHECK(ask_as(server, from(token + "x", "GET", target)).status == 401);
}

Request named_by_host(std::string_view user, std::string_view group) {
  Request request = request_of("GET", kAllPods);
  request.host_identity = {{"impersonate-user", std::string(user)},
                           {"impersonate-group", std::string(group)}};
  return request;
}

TEST_CASE("access: a user that the host names needs no token, and roles count", "[server]") {
  Options options = with_roles();
  options.anonymous_auth = false;
  ApiServer server(std::move(options));
  CHECK(ask_as(server, named_by_host("jane", "system:masters")).status == 200);
  CHECK(ask_as(server, named_by_host("viewer", "people")).status == 403);
  let_viewer_view(server);
  CHECK(ask_as(server, named_by_host("viewer", "people")).status == 200);

  Request impersonates = named_by_host("viewer", "people");
  impersonates.headers.emplace_back("impersonate-user", "admin");
  CHECK(ask_as(server, impersonates).status == 403);
  CHECK(ask_as(server, request_of("GET", kAllPods)).status == 401);
}

}  // namespace
}  // namespace tabernetes::server
