#include "server/cluster/load.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"

namespace tabernetes::server {
namespace {

std::string config_map(std::string_view name, std::string_view ns = "default") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         R"(","namespace":")" + std::string(ns) + R"("}})";
}

std::string list_of(std::string_view items) {
  return R"({"apiVersion":"v1","kind":"List","items":[)" + std::string(items) + "]}";
}

// Prints "1: message | 1: message".
std::string errors_of(ApiServer& server, std::string_view manifest) {
  std::string out;
  for (const LoadFault& found : server.load(manifest)) {
    if (!out.empty()) out += " | ";
    out += std::to_string(found.document) + ": " + found.fault.message;
  }
  return out;
}

int status_of(ApiServer& server, std::string_view name, std::string_view ns = "default") {
  return ask(server, "GET",
             "/api/v1/namespaces/" + std::string(ns) + "/configmaps/" + std::string(name))
      .status;
}

TEST_CASE("load: the items of a JSON list, namespaces first", "[server]") {
  ApiServer server;
  CHECK(errors_of(server, list_of(config_map("a", "shop") + "," + config_map("b") +
                                  R"(,{"kind":"Namespace","apiVersion":"v1",)"
                                  R"("metadata":{"name":"shop"}})")) == "");
  CHECK(status_of(server, "a", "shop") == 200);
  CHECK(status_of(server, "b") == 200);
}

TEST_CASE("load: definitions are served before their objects come", "[server]") {
  const std::string widget =
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})";
  const std::string definition =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
      R"("metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com",)"
      R"("scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,)"
      R"("schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
  const std::string path = "/apis/example.com/v1/namespaces/default/widgets/w";
  SECTION("in one manifest") {
    ApiServer server;
    CHECK(errors_of(server, list_of(widget + "," + definition)) == "");
    CHECK(ask(server, "GET", path).status == 200);
  }
  SECTION("one after the other") {
    ApiServer server;
    CHECK(errors_of(server, definition) == "");
    CHECK(errors_of(server, widget) == "");
    CHECK(ask(server, "GET", path).status == 200);
  }
}

TEST_CASE("load: a wrong item does not keep the others out", "[server]") {
  ApiServer server;
  CHECK(errors_of(server, list_of(config_map("a") + R"(,{"kind":"Nothing","apiVersion":"v1"},)" +
                                  config_map("b"))) ==
        "1: no matches for kind \"Nothing\" in version \"v1\"");
  CHECK(status_of(server, "a") == 200);
  CHECK(status_of(server, "b") == 200);
}

TEST_CASE("load: of a list that cannot be read nothing is stored", "[server]") {
  const std::string items = config_map("a") + "," + config_map("b");
  for (const std::string& broken :
       {list_of(items).substr(0, 120), list_of(items + ",{\"a\" 1}"), list_of(items) + "]"}) {
    DYNAMIC_SECTION(broken) {
      ApiServer server;
      CHECK(server.load(broken).size() == 1);
      CHECK(status_of(server, "a") == 404);
    }
  }
}

TEST_CASE("load: a list in YAML and lists one after another", "[server]") {
  ApiServer server;
  CHECK(errors_of(server, "kind: List\napiVersion: v1\nitems:\n- " + config_map("a") + "\n") == "");
  CHECK(errors_of(server, list_of(config_map("b")) + "\n" + list_of(config_map("c"))) == "");
  for (const char* name : {"a", "b", "c"}) CHECK(status_of(server, name) == 200);
}

bool shows(ApiServer& server, std::string_view target, std::string_view text) {
  return get(server, target).find(text) != std::string::npos;
}

constexpr std::string_view kNode = "/api/v1/nodes/node-1";

Options with_node() {
  Options options;
  options.nodes = 1;
  return options;
}

TEST_CASE("load: replaces a node whole, with what an update may not change", "[server]") {
  ApiServer server(with_node());
  CHECK(errors_of(server, R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"},)"
                          R"("spec":{"podCIDR":"10.9.0.0/24"},)"
                          R"("status":{"phase":"Pending"}})") == "");
  CHECK(shows(server, kNode, R"("podCIDRs":["10.9.0.0/24"])"));
  CHECK(shows(server, kNode, R"("phase":"Pending")"));
  CHECK_FALSE(shows(server, kNode, R"("type":"Ready")"));
}

TEST_CASE("load: a manifest without a status leaves the status as it is", "[server]") {
  ApiServer server(with_node());
  CHECK(errors_of(server, R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"}})") ==
        "");
  CHECK(shows(server, kNode, R"("type":"Ready")"));
  CHECK_FALSE(shows(server, kNode, "podCIDRs"));
}

TEST_CASE("load: the uid of a dump replaces that of the cluster", "[server]") {
  ApiServer server;
  CHECK(errors_of(server, R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default",)"
                          R"("uid":"00000000-0000-0000-0000-000000000001"}})") == "");
  CHECK(shows(server, "/api/v1/namespaces/default",
              R"("uid":"00000000-0000-0000-0000-000000000001")"));
}

TEST_CASE("load: replaces immutable data", "[server]") {
  ApiServer server;
  const std::string given = R"({"kind":"ConfigMap","apiVersion":"v1","immutable":true,)"
                            R"("metadata":{"name":"a"},"data":{"key":")";
  CHECK(errors_of(server, given + R"(1"}})") == "");
  CHECK(errors_of(server, given + R"(2"}})") == "");
  CHECK(shows(server, "/api/v1/namespaces/default/configmaps/a", R"("key":"2")"));
}

TEST_CASE("load: an object that is being deleted lives on", "[server]") {
  ApiServer server;
  const std::string path = "/api/v1/namespaces/default/configmaps/a";
  const std::string held = R"({"kind":"ConfigMap","apiVersion":"v1",)"
                           R"("metadata":{"name":"a","finalizers":["example.com/held"]}})";
  CHECK(errors_of(server, held) == "");
  CHECK(ask(server, "DELETE", path).status == 200);
  CHECK(shows(server, path, "deletionTimestamp"));
  CHECK(errors_of(server, config_map("a")) == "");
  CHECK(ask(server, "GET", path).status == 200);
  CHECK_FALSE(shows(server, path, "deletionTimestamp"));
}

TEST_CASE("load: what is wrong in itself does not replace anything", "[server]") {
  ApiServer server(with_node());
  CHECK(errors_of(server, R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"},)"
                          R"("spec":{"podCIDR":"nonsense"}})") != "");
  CHECK(shows(server, kNode, R"("type":"Ready")"));
}

}  // namespace
}  // namespace tabernetes::server
