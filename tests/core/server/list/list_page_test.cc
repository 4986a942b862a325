// The objects on each page of a list, over a whole server.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kAll = "/api/v1/configmaps";

void create(ApiServer& server, const std::string& ns, const std::string& kind,
            const std::string& name, const std::string& labels = "{}") {
  const std::string plural = kind == "Event" ? "events" : "configmaps";
  const std::string more =
      kind == "Event" ? R"(,"involvedObject":{"kind":"Pod","namespace":")" + ns + "\"}" : "";
  const Response made = ask(server, "POST", "/api/v1/namespaces/" + ns + "/" + plural,
                            R"({"kind":")" + kind + R"(","apiVersion":"v1","metadata":{"name":")" +
                                name + R"(","labels":)" + labels + "}" + more + "}");
  INFO(made.body.flatten());
  REQUIRE(made.status == 201);
}

std::string member(const std::string& text, const std::string& name) {
  const std::string mark = "\"" + name + "\":";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos || at > text.find("\"items\"")) return {};
  const std::size_t begin = at + mark.size() + (text[at + mark.size()] == '"' ? 1 : 0);
  return text.substr(begin, text.find_first_of("\",}", begin) - begin);
}

struct Listed {
  int status = 0;
  std::string names, token, remaining, version, text;
};

Listed list(ApiServer& server, std::string_view path, const std::string& query) {
  const Response answer = ask(server, "GET", std::string(path) + "?" + query);
  Listed listed{.status = answer.status, .text = answer.body.flatten()};
  listed.token = member(listed.text, "continue");
  listed.remaining = member(listed.text, "remainingItemCount");
  listed.version = member(listed.text, "resourceVersion");
  const std::string mark = R"({"metadata":{"name":")";
  for (std::size_t at = listed.text.find(mark); at != std::string::npos;
       at = listed.text.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    if (!listed.names.empty()) listed.names += ' ';
    listed.names += listed.text.substr(begin, listed.text.find('"', begin) - begin);
  }
  return listed;
}

// The namespaces of a fresh cluster, in key order: a-b comes before a.
struct Cluster3 {
  Cluster3() {
    for (const char* name : {"a", "a-b"}) {
      REQUIRE(ask(server, "POST", "/api/v1/namespaces",
                  std::string(R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")") +
                      name + "\"}}")
                  .status == 201);
    }
    create(server, "a", "ConfigMap", "p", R"({"x":"1"})");
    create(server, "a", "ConfigMap", "q");
    create(server, "a", "ConfigMap", "r", R"({"x":"1"})");
    create(server, "a-b", "ConfigMap", "o", R"({"x":"1"})");
  }
  ApiServer server;
};

TEST_CASE("list: keys go in bytewise order of namespace and name with the slash between",
          "[server]") {
  Cluster3 c;
  CHECK(list(c.server, kAll, "").names == "o p q r");
}

TEST_CASE("list: a page tells what remains, and all pages are of one version", "[server]") {
  Cluster3 c;
  const Listed first = list(c.server, kAll, "limit=3");
  CHECK(first.names == "o p q");
  CHECK(first.remaining == "1");
  create(c.server, "a", "ConfigMap", "s");
  const Listed rest = list(c.server, kAll, "limit=3&continue=" + first.token);
  CHECK(rest.names == "r");
  CHECK(rest.version == first.version);
  CHECK(rest.token.empty());
  CHECK(rest.remaining.empty());
  const Listed unlimited = list(c.server, kAll, "continue=" + first.token);
  CHECK(unlimited.names == "r");
}

TEST_CASE("list: a page with a selector is full while there is a token, and counts nothing",
          "[server]") {
  Cluster3 c;
  const Listed first = list(c.server, kAll, "labelSelector=x&limit=2");
  CHECK(first.names == "o p");
  CHECK_FALSE(first.token.empty());
  CHECK(first.remaining.empty());
  const Listed last = list(c.server, kAll, "labelSelector=x&limit=2&continue=" + first.token);
  CHECK(last.names == "r");
  CHECK(last.token.empty());
  // More keys follow, though none is selected: the last page may be empty.
  const Listed one = list(c.server, kAll, "labelSelector=x%3D1,x&limit=2");
  const Listed none = list(c.server, kAll, "labelSelector=y&limit=2&continue=" + one.token);
  CHECK(none.status == 200);
  CHECK(none.names.empty());
  CHECK(none.token.empty());
}

TEST_CASE("list: a namespace named by the selector narrows, its tokens are those of all",
          "[server]") {
  Cluster3 c;
  const std::string select = "fieldSelector=metadata.namespace%3Da&limit=1";
  const Listed first = list(c.server, kAll, select);
  CHECK(first.names == "p");
  const Listed second = list(c.server, kAll, select + "&continue=" + first.token);
  CHECK(second.names == "q");
  const Listed third = list(c.server, kAll, select + "&continue=" + second.token);
  CHECK(third.names == "r");
  CHECK(third.token.empty());  // end of that namespace
  // Without the selector the same token continues through all namespaces.
  CHECK(list(c.server, kAll, "continue=" + first.token).names == "q r");
  // A token for all namespaces continues with a selector.
  const Listed wide = list(c.server, kAll, "limit=1");
  CHECK(wide.names == "o");
  CHECK(list(c.server, kAll, "fieldSelector=metadata.namespace%3Da&continue=" + wide.token).names ==
        "p q r");
  CHECK(list(c.server, "/api/v1/namespaces/a-b/configmaps", "fieldSelector=metadata.namespace%3Da")
            .names.empty());
}

TEST_CASE("list: one object by name never pages", "[server]") {
  Cluster3 c;
  const std::string in_a = "/api/v1/namespaces/a/configmaps";
  const Listed one = list(c.server, in_a, "fieldSelector=metadata.name%3Dp&limit=1");
  CHECK(one.names == "p");
  CHECK(one.token.empty());
  CHECK(list(c.server, kAll, "fieldSelector=metadata.name%3Dp,metadata.namespace%3Da&limit=1")
            .token.empty());
  CHECK(list(c.server, in_a, "fieldSelector=metadata.name%3Dp&labelSelector=y").names.empty());
  // In all namespaces the name may match many objects.
  const Listed somewhere = list(c.server, kAll, "fieldSelector=metadata.name%3Dp&limit=1");
  CHECK(somewhere.names == "p");
  CHECK_FALSE(somewhere.token.empty());
}

TEST_CASE("list: a version without a word is exact where there is a limit", "[server]") {
  Cluster3 c;
  const std::string old = version_of(c.server);
  create(c.server, "a", "ConfigMap", "z");
  CHECK(list(c.server, kAll, "resourceVersion=" + old).names == "o p q r z");
  const Listed exact = list(c.server, kAll, "limit=9&resourceVersion=" + old);
  CHECK(exact.names == "o p q r");
  CHECK(exact.version == old);
  const Listed newer =
      list(c.server, kAll, "limit=9&resourceVersionMatch=NotOlderThan&resourceVersion=" + old);
  CHECK(newer.names == "o p q r z");
  REQUIRE(c.server.compact());
  const Listed gone = list(c.server, kAll, "limit=9&resourceVersion=" + old);
  CHECK(gone.status == 410);
  CHECK(list(c.server, kAll, "resourceVersion=" + old).status == 200);
  CHECK(list(c.server, kAll, "resourceVersionMatch=Exact&resourceVersion=" + version_of(c.server))
            .status == 200);
}

TEST_CASE("list: limits at version 0 count only without a watch cache", "[server]") {
  Cluster3 c;
  create(c.server, "a", "Event", "e1");
  create(c.server, "a", "Event", "e2");
  const Listed whole = list(c.server, kAll, "limit=1&resourceVersion=0");
  CHECK(whole.names == "o p q r");
  CHECK(whole.token.empty());
  CHECK(whole.remaining.empty());
  const std::string first = list(c.server, kAll, "limit=1").token;
  CHECK(list(c.server, kAll, "limit=1&resourceVersion=0&continue=" + first).names == "p q r");

  const std::string events = "/api/v1/events";
  const Listed page = list(c.server, events, "limit=1&resourceVersion=0");
  CHECK(page.names == "e1");
  CHECK(page.remaining == "1");
  const Listed next = list(c.server, events, "limit=1&resourceVersion=0&continue=" + page.token);
  CHECK(next.names == "e2");
}

TEST_CASE("list: absurd limits are none, or as good as none", "[server]") {
  Cluster3 c;
  for (const char* limit : {"-1", "0", "4294967296", "9223372036854775807"}) {
    const Listed all = list(c.server, kAll, std::string("limit=") + limit);
    CHECK(all.names == "o p q r");
    CHECK(all.token.empty());
  }
}

TEST_CASE("list: a token of a version to come waits for it", "[server]") {
  Cluster3 c;
  // {"v":"meta.k8s.io/v1","rv":99999999,"start":"/a/p\u0000"}
  const Pending pending =
      begin(c.server, "GET",
            "/api/v1/configmaps?continue="
            "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6OTk5OTk5OTksInN0YXJ0IjoiL2EvcFx1MDAwMCJ9");
  CHECK_FALSE(*pending);
  c.server.advance(c.server.time() + Duration::from_seconds(3));
  REQUIRE(*pending);
  CHECK((*pending)->status == 504);
}

}  // namespace
}  // namespace tabernetes::server
