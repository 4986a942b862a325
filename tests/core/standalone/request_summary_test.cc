#include <catch2/catch_test_macros.hpp>

#include "tabernetes/http.h"

namespace tabernetes {
namespace {

TEST_CASE("request summary: verbs and resources as kube-apiserver's log has them", "[server]") {
  struct Case {
    const char *method, *target, *verb, *resource;
  };
  static constexpr Case kCases[] = {
      {"GET", "/", "GET", ""},
      {"GET", "", "GET", ""},
      {"GET", "/healthz?verbose", "GET", ""},
      {"GET", "/api/v1", "GET", ""},
      {"GET", "/apis/apps/v1", "GET", ""},
      {"GET", "/api/v1/pods", "LIST", "pods"},
      {"HEAD", "/api/v1/pods", "LIST", "pods"},
      {"GET", "/api/v1/pods?watch", "WATCH", "pods"},
      {"GET", "/api/v1/pods?limit=1&watch=1", "WATCH", "pods"},
      {"GET", "/api/v1/pods?watch=false", "LIST", "pods"},
      {"GET", "/api/v1/pods?watch=0&watch=1", "LIST", "pods"},
      {"GET", "/api/v1/pods?watching=1", "LIST", "pods"},
      {"GET", "/api/v1/watch/pods", "LIST", "pods"},
      {"GET", "/api/v1/namespaces/a/pods/b", "GET", "pods"},
      {"GET", "/api/v1/namespaces/a/pods/b/log", "CONNECT", "pods/log"},
      {"POST", "/api/v1/namespaces/a/pods/b/exec?command=ls", "CONNECT", "pods/exec"},
      {"GET", "/api/v1/namespaces", "LIST", "namespaces"},
      {"GET", "/api/v1/namespaces/a", "GET", "namespaces"},
      {"PUT", "/api/v1/namespaces/a/finalize", "PUT", "namespaces/finalize"},
      {"DELETE", "//apis/apps/v1/namespaces/a/deployments/", "DELETE", "deployments.apps"},
      {"GET", "/apis/apps/v1/namespaces/a/deployments/b%2Fscale", "GET", "deployments.apps/scale"},
      {"PATCH", "/apis/apps/v1/namespaces/a/deployments/b/scale", "PATCH",
       "deployments.apps/scale"},
      {"OPTIONS", "/api/v1/pods", "OPTIONS", "pods"},
  };
  for (const Case& c : kCases) {
    INFO(c.method << " " << c.target);
    const RequestSummary summary = summarize_request(c.method, c.target, "application/json");
    CHECK(summary.verb == c.verb);
    CHECK(summary.resource == c.resource);
  }
}

TEST_CASE("request summary: an apply is told by its media type", "[server]") {
  const auto verb = [](const char* media_type) {
    return summarize_request("PATCH", "/api/v1/namespaces/a", media_type).verb;
  };
  CHECK(verb("application/apply-patch+yaml") == "APPLY");
  CHECK(verb("application/merge-patch+json") == "PATCH");
}

}  // namespace
}  // namespace tabernetes
