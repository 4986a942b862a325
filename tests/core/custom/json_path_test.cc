#include "custom/schema/json_path.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::registry::custom {
namespace {

constexpr std::string_view kObject = R"({
  "metadata": {"name": "a", "labels": {"app.kubernetes.io/name": "web"}},
  "spec": {"n": 3, "f": 1.5, "on": true, "list": [1, 2, 3], "none": null,
           "map": {"b": {"x": 2}, "a": {"x": 1}}},
  "status": {"conditions": [
    {"type": "Synced", "status": "False"},
    {"type": "Ready", "status": "True", "count": 5}]}})";

// Returns the first value at the path as JSON; "" if there is none, "bad" for an invalid path.
std::string at(std::string_view text) {
  const auto path = JsonPath::parse(text);
  if (!path) return "bad";
  json::Arena arena;
  const json::Value object = codec::read_json(kObject, arena).value;
  const json::Value* found = path->find(object);
  std::string out;
  if (found != nullptr) codec::write_json(*found, out);
  return out;
}

TEST_CASE("columns follow simple paths") {
  CHECK(at(".metadata.name") == R"("a")");
  CHECK(at(".spec.n") == "3");
  CHECK(at("['spec']['on']") == "true");
  CHECK(at(R"(.metadata.labels.app\.kubernetes\.io/name)") == R"("web")");
  CHECK(at(".spec.none") == "null");
  CHECK(at(".spec.missing.deeper").empty());
  CHECK(at(".spec.n.deeper").empty());
}

TEST_CASE("columns select items of lists") {
  CHECK(at(".spec.list[0]") == "1");
  CHECK(at(".spec.list[-1]") == "3");
  CHECK(at(".spec.list[1:]") == "2");
  CHECK(at(".spec.list[*]") == "1");
  CHECK(at(".spec.list[2,0]") == "3");
  CHECK(at(".spec.list[3]").empty());
  CHECK(at(".spec.map[0]").empty());
  CHECK(at(".spec.map.*.x") == "2");
  CHECK(at("..x") == "2");
}

TEST_CASE("columns filter lists") {
  CHECK(at(R"(.status.conditions[?(@.type=="Ready")].status)") == R"("True")");
  CHECK(at(R"(.status.conditions[?(@.type == 'Ready')].status)") == R"("True")");
  CHECK(at(R"(.status.conditions[?(@.type!="Ready")].status)") == R"("False")");
  CHECK(at(".status.conditions[?(@.count)].type") == R"("Ready")");
  CHECK(at(".status.conditions[?(@.count>4)].type") == R"("Ready")");
  CHECK(at(".status.conditions[?(@.count>5)].type").empty());
  // Values of different types cannot be compared.
  CHECK(at(".status.conditions[?(@.type==1)].type").empty());
}

TEST_CASE("columns: invalid paths are detected") {
  for (const std::string_view text :
       {".a[", ".a[x]", ".a[?(@.b]", ".a[?(@.b==)", "!", ".a['b", "'a"}) {
    INFO(text);
    CHECK(at(text) == "bad");
  }
  std::string deep = "x";
  for (int i = 0; i < 100; ++i) deep = "[?(" + deep + ")]";
  CHECK(at(deep) == "bad");
}

}  // namespace
}  // namespace tabernetes::registry::custom
