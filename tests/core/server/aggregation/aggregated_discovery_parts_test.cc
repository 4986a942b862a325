#include "server/aggregation/aggregated_discovery_parts.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::server {
namespace {

using json::Value;

// A group of this server, of which only name and priority count.
schema::Group group_of(std::string_view name, int priority, bool custom = false) {
  schema::Group group;
  group.name = name;
  group.priority = priority;
  group.custom = custom;
  return group;
}

AggregatedPart part_of(std::string group, std::string version, int group_priority,
                       int version_priority = 10) {
  AggregatedPart part;
  part.group = std::move(group);
  part.version = std::move(version);
  part.group_priority = group_priority;
  part.version_priority = version_priority;
  part.available = true;
  return part;
}

struct Documents {
  json::Arena arena;
  schema::Group apps = group_of("apps", 17'800);
  schema::Group custom = group_of("shop.example", 0, true);
  SchemaGroups groups{&apps, &custom};

  Value read(std::string_view text) { return codec::read_json(text, arena).value; }

  // Returns the names of the groups of an APIGroupList, in order.
  std::string names_with(const AggregatedParts& parts) {
    Value list = read(R"({"groups":[{"name":"apps","versions":[]},)"
                      R"({"name":"shop.example","versions":[]}]})");
    add_to_group_list(list, groups, parts, arena);
    std::string names;
    for (const Value& group : list.find("groups")->items()) {
      names += (names.empty() ? "" : " ") + std::string(group.string_at("name"));
    }
    return names;
  }
};

TEST_CASE("AggregatedParts: groups stand by priority, then by name") {
  Documents documents;
  CHECK(documents.names_with({}) == "apps shop.example");
  CHECK(documents.names_with({part_of("a.example", "v1", 2000)}) == "apps a.example shop.example");
  CHECK(documents.names_with({part_of("a.example", "v1", 20'000)}) ==
        "a.example apps shop.example");
  CHECK(documents.names_with({part_of("a.example", "v1", 10)}) == "apps shop.example a.example");
  // As all groups of custom resources have: then the name counts.
  CHECK(
      documents.names_with({part_of("t.example", "v1", 1000), part_of("a.example", "v1", 1000)}) ==
      "apps a.example shop.example t.example");
}

TEST_CASE("AggregatedParts: a group has its versions once, those of higher priority first") {
  Documents documents;
  Value list = documents.read(R"({"groups":[]})");
  const AggregatedParts parts{part_of("a.example", "v1", 10, 5), part_of("a.example", "v2", 10, 9),
                              part_of("a.example", "v2", 10, 9)};
  add_to_group_list(list, {}, parts, documents.arena);
  CHECK(codec::json_text(list) ==
        R"({"groups":[{"name":"a.example","versions":[)"
        R"({"groupVersion":"a.example/v2","version":"v2"},)"
        R"({"groupVersion":"a.example/v1","version":"v1"}],)"
        R"("preferredVersion":{"groupVersion":"a.example/v2","version":"v2"}}]})");
}

TEST_CASE("AggregatedParts: of versions of equal priority the more mature and newer is preferred") {
  Documents documents;
  const AggregatedParts parts{part_of("a.example", "v1alpha1", 10),
                              part_of("a.example", "v1beta1", 10),
                              part_of("a.example", "v1beta2", 10)};
  CHECK(codec::json_text(with_parts(Value(), "a.example", parts, documents.arena)) ==
        R"({"kind":"APIGroup","apiVersion":"v1","name":"a.example",)"
        R"("versions":[{"groupVersion":"a.example/v1beta2","version":"v1beta2"},)"
        R"({"groupVersion":"a.example/v1beta1","version":"v1beta1"},)"
        R"({"groupVersion":"a.example/v1alpha1","version":"v1alpha1"}],)"
        R"("preferredVersion":{"groupVersion":"a.example/v1beta2","version":"v1beta2"}})");
}

TEST_CASE("AggregatedParts: the APIGroup of a group that both servers have keeps its preference") {
  Documents documents;
  const Value ours =
      documents.read(R"({"kind":"APIGroup","apiVersion":"v1","name":"shop.example",)"
                     R"("versions":[{"groupVersion":"shop.example/v1","version":"v1"}],)"
                     R"("preferredVersion":{"groupVersion":"shop.example/v1","version":"v1"}})");
  const AggregatedParts parts{part_of("shop.example", "v2", 10), part_of("other", "v1", 10)};
  CHECK(codec::json_text(with_parts(ours, "shop.example", parts, documents.arena)) ==
        R"({"kind":"APIGroup","apiVersion":"v1","name":"shop.example",)"
        R"("versions":[{"groupVersion":"shop.example/v1","version":"v1"},)"
        R"({"groupVersion":"shop.example/v2","version":"v2"}],)"
        R"("preferredVersion":{"groupVersion":"shop.example/v1","version":"v1"}})");
  CHECK(codec::json_text(with_parts(Value(), "other", parts, documents.arena)) ==
        R"({"kind":"APIGroup","apiVersion":"v1","name":"other",)"
        R"("versions":[{"groupVersion":"other/v1","version":"v1"}],)"
        R"("preferredVersion":{"groupVersion":"other/v1","version":"v1"}})");
  CHECK(with_parts(Value(), "nobody", parts, documents.arena).is_null());
}

TEST_CASE("AggregatedParts: aggregated discovery says what is known, and how fresh it is") {
  Documents documents;
  Value list = documents.read(R"({"items":[]})");
  AggregatedPart known = part_of("a.example", "v1", 10);
  known.entry = R"({"version":"v1","resources":[{"resource":"apples"}],"freshness":"Current"})";
  known.available = false;
  const AggregatedPart unknown = part_of("a.example", "v2", 10, 5);
  add_to_discovery(list, {}, {known, unknown}, documents.arena);
  CHECK(codec::json_text(list) == R"({"items":[{"metadata":{"name":"a.example"},"versions":[)"
                                  R"({"version":"v1","freshness":"Stale"},)"
                                  R"({"version":"v2","freshness":"Current"}]}]})");
}

TEST_CASE("AggregatedParts: a version is found in a server's own discovery") {
  constexpr std::string_view kDiscovery =
      R"({"items":[{"metadata":{"name":"a.example"},"versions":[{"version":"v1"},)"
      R"({"version":"v2","resources":[]}]},{"metadata":{"name":"b.example"},"versions":[]}]})";
  CHECK(entry_of_discovery(kDiscovery, "a.example", "v2") == R"({"version":"v2","resources":[]})");
  CHECK(entry_of_discovery(kDiscovery, "a.example", "v3").empty());
  CHECK(entry_of_discovery(kDiscovery, "b.example", "v1").empty());
  CHECK(entry_of_discovery("no JSON", "a.example", "v1").empty());
  CHECK(entry_of_discovery("[1]", "a.example", "v1").empty());
}

TEST_CASE("AggregatedParts: an APIResourceList becomes an entry, subresources below their parent") {
  CHECK(entry_of_resource_list(
            R"({"resources":[{"name":"apples/status","kind":"Apple","verbs":["get"]},)"
            R"({"name":"apples","singularName":"apple","namespaced":true,"kind":"Apple",)"
            R"("verbs":["get","list"],"shortNames":["ap"],"categories":["all"]},)"
            R"({"name":"orphans/scale","kind":"Scale","verbs":["get"]}]})",
            "v1") ==
        R"({"version":"v1","resources":[{"resource":"apples",)"
        R"("responseKind":{"group":"","version":"","kind":"Apple"},"scope":"Namespaced",)"
        R"("singularResource":"apple","verbs":["get","list"],"shortNames":["ap"],)"
        R"("categories":["all"],"subresources":[{"subresource":"status",)"
        R"("responseKind":{"group":"","version":"","kind":"Apple"},"verbs":["get"]}]}]})");
  CHECK(entry_of_resource_list("null", "v1").empty());
  CHECK(entry_of_resource_list("{", "v1").empty());
}

}  // namespace
}  // namespace tabernetes::server
