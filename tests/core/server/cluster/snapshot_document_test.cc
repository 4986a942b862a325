#include "server/cluster/snapshot_document.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../../faults.h"
#include "../requests.h"
#include "base/time/rfc3339.h"
#include "kinds/table/built_in_kind.h"

namespace tabernetes::server {
namespace {

Options fixed() {
  Options options;
  options.now = *parse_rfc3339("2026-01-01T00:00:00Z");
  options.seed = 7;
  return options;
}

std::shared_ptr<const registry::ResourceTable> resources() {
  return registry::built_in_resources();
}

std::string error_of(std::string_view document) {
  const auto read = read_snapshot(resources(), document);
  return read ? "" : read.error();
}

// Returns a valid document with the given head and objects.
std::string document(std::string_view objects, std::string_view version = "20",
                     std::string_view more = "") {
  return R"({"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v1","resourceVersion":")" +
         std::string(version) + R"(","clock":"2026-01-01T00:00:00Z",)" + std::string(more) +
         R"("objects":[)" + std::string(objects) + "]}";
}

std::string config_map_line(std::string_view name, std::string_view version,
                            std::string_view metadata = "") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default","uid":"u","resourceVersion":")" + std::string(version) +
         R"(","creationTimestamp":"2026-01-01T00:00:00Z")" + std::string(metadata) + "}}";
}

TEST_CASE("snapshot: one object a line, with its version", "[server]") {
  ApiServer server(fixed());
  create_config_map(server, "a");
  const std::string text = server.snapshot();
  const std::string_view head =
      "{\"kind\":\"ClusterSnapshot\",\"apiVersion\":\"tabernetes.dev/v1\",\n"
      "\"resourceVersion\":\"60\",\n"
      "\"clock\":\"2026-01-01T00:00:00.000000Z\",\n"
      "\"random\":\"";
  CHECK(text.substr(0, head.size()) == head);
  CHECK(text.find("\n{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"
                  "\"default\",\"uid\":\"") != std::string::npos);
  CHECK(text.find("\"resourceVersion\":\"60\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}") !=
        std::string::npos);
  CHECK(text.ends_with("\n]}\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 54);  // 48 objects
}

TEST_CASE("snapshot: with the host's randomness there is no place to go on from", "[server]") {
  Options options = fixed();
  options.entropy = [](unsigned char* bytes, std::size_t size) { std::fill_n(bytes, size, 'x'); };
  ApiServer server(options);
  CHECK(server.snapshot().find("\"random\"") == std::string::npos);
  CHECK(ApiServer(fixed()).restore(server.snapshot()));
}

TEST_CASE("snapshot: a good document reads back", "[server]") {
  CHECK(error_of(document("")) == "");
  CHECK(error_of(document("", "1", R"("random":"18446744073709551615",)")) == "");
  const auto read = read_snapshot(
      resources(), document(config_map_line("b", "20") + "," + config_map_line("a", "3")));
  REQUIRE(read);
  CHECK(read->objects.revision == 20);
  CHECK(read->objects.tree.size() == 2);
  const store::RecordPtr a = read->objects.tree.find("core/configmaps/default/a");
  REQUIRE(a);
  CHECK(a->revision == 3);
  CHECK(a->bytes ==
        R"(,{"metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"3",)"
        R"("creationTimestamp":"2026-01-01T00:00:00Z"}})");
  CHECK_FALSE(read->random);
}

TEST_CASE("snapshot: what is no snapshot", "[server]") {
  struct Case {
    std::string document, error;
  };
  const std::string good = config_map_line("a", "3");
  const auto without = [&](std::string_view part) {
    std::string object = good;
    object.replace(object.find(part), part.size(), "");
    return document(object);
  };
  const Case cases[] = {
      {"", "unexpected end of JSON input"},
      {"{", "unexpected end of JSON input"},
      {document("") + "x", "invalid character 'x' after top-level value"},
      {"[]", "the document is no object"},
      {R"({"kind":"List","apiVersion":"v1","items":[]})",
       "the document is no ClusterSnapshot of tabernetes.dev/v1"},
      {R"({"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v2"})",
       "the document is no ClusterSnapshot of tabernetes.dev/v1"},
      {R"({"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v1"})",
       "resourceVersion: strconv.ParseUint: parsing \"\": invalid syntax"},
      {document("", "007"), "resource version is not well formed: 007"},
      {document("", "0"), "resource version is not well formed: 0"},
      {document("", "99999999999999999999"),
       "resourceVersion: strconv.ParseUint: parsing \"99999999999999999999\": value out of range"},
      {document("", "20", R"("more":1,)"), "unknown field \"more\""},
      {document("", "20", R"("clock":"2026-01-01T00:00:00Z",)"), "duplicate field \"clock\""},
      {document("", "20", R"("random":7,)"),
       "random: strconv.ParseUint: parsing \"\": invalid syntax"},
      {R"({"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v1","resourceVersion":"1"})",
       "clock is no time"},
      {R"({"kind":"ClusterSnapshot","apiVersion":"tabernetes.dev/v1","resourceVersion":"1",)"
       R"("clock":"2026-01-01T00:00:00Z","objects":{}})",
       "objects is no array"},
      {document("3"), "objects[0]: the document is no object"},
      {document(R"({"kind":"Nothing","apiVersion":"v1"})"),
       "objects[0]: no matches for kind \"Nothing\" in version \"v1\""},
      {document(R"({"kind":"ConfigMap","apiVersion":"v1","data":[]})"),
       "objects[0]: json: cannot unmarshal array into Go struct field ConfigMap.data of type "
       "map[string]string"},
      {document(R"({"kind":"ConfigMap","apiVersion":"v1","extra":1})"),
       "objects[0]: strict decoding error: unknown field \"extra\""},
      {document(R"({"kind":"ConfigMap","apiVersion":"v1"})"),
       "objects[0]: metadata.uid: Required value"},
      {without(R"("uid":"u",)"), "objects[0]: metadata.uid: Required value"},
      {without(R"(,"creationTimestamp":"2026-01-01T00:00:00Z")"),
       "objects[0]: metadata.creationTimestamp: Required value"},
      {without(R"("namespace":"default",)"), "objects[0]: metadata.namespace: Required value"},
      {without(R"("resourceVersion":"3",)"),
       "objects[0]: metadata.resourceVersion: strconv.ParseUint: parsing \"\": invalid syntax"},
      {document(good + "," + config_map_line("b", "21")),
       "objects[1]: metadata.resourceVersion is newer than the cluster"},
      {document(good + "," + config_map_line("b", "3")),
       "objects[1]: another object has its resourceVersion"},
      {document(good + "," + config_map_line("a", "4")), "objects[1]: it is there twice"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.document) { CHECK(error_of(c.document) == c.error); }
  }
}

TEST_CASE("snapshot: names that cannot be keys are refused", "[server]") {
  const std::string error = error_of(document(config_map_line("a/../b", "3")));
  CHECK(error.starts_with("objects[0]: metadata.name: Invalid value: \"a/../b\": "));
}

TEST_CASE("snapshot: a bad document changes nothing", "[server]") {
  ApiServer server(fixed());
  create_config_map(server, "a");
  Response watch = ask(server, "GET", "/api/v1/configmaps?watch=1&resourceVersion=39");
  const std::string before = server.snapshot();
  const std::string bad =
      before.substr(0, before.size() - 4) + "," + config_map_line("b", "60") + "]}";
  CHECK(tests::message_of(server.restore(bad)) ==
        "objects[48]: another object has its resourceVersion");
  CHECK(server.snapshot() == before);
  REQUIRE(watch.stream);
  create_config_map(server, "b");
  CHECK_FALSE(watch.stream->next().empty());
}

}  // namespace
}  // namespace tabernetes::server
