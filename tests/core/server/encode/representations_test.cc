// One object, or many, in every representation: each is encoded once, and assembling cached parts
// gives the same bytes as encoding the whole.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "../requests.h"
#include "codec/cbor_writer.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "kinds/table/built_in_table.h"
#include "registry/table/partial_metadata.h"
#include "registry/table/table.h"
#include "server/cluster/bootstrap.h"
#include "server/cluster/cluster.h"
#include "server/front/view.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::string_view kCbor = "application/cbor";
constexpr Time kStart = Time::from_unix_milliseconds(1'767'225'600'000);

std::string as(std::string_view encoding, std::string_view transform) {
  return std::string(encoding) + ";as=" + std::string(transform) + ";g=meta.k8s.io;v=v1";
}

Options with_cbor() {
  Options options;
  options.now = kStart;
  options.feature_gates["CBORServingAndStorage"] = true;
  return options;
}

// A cluster that exposes its encoding cache.
struct PodServer {
  PodServer() : PodServer(with_cbor()) {}
  explicit PodServer(Options options) : cluster(std::move(options)) {
    create_initial_objects(cluster);
  }

  void add_pods(int count) {
    const registry::ResourceType& pods = *cluster.registry.resources().find("", "v1", "pods");
    for (int i = 0; i < count; ++i) {
      json::Arena arena;
      const std::string text = R"({"metadata":{"name":"p)" + std::to_string(10'000 + i) +
                               R"(","annotations":{"a":"<b>\n"}},"spec":{"containers":[{)"
                               R"("name":"c","image":"i:1","args":["yes","0777"]}]}})";
      Value pod = codec::read_json(text, arena).value;
      const registry::WriteContext context{.arena = arena, .now = cluster.now, .dry_run = false};
      REQUIRE(cluster.registry.create(context, pods, "default", pod));
    }
  }

  Response ask(std::string_view target, std::string_view accept) {
    Request request = request_of("GET", target);
    request.headers.emplace_back("accept", accept);
    std::optional<Response> answer = make_view(cluster)->answer(request, cluster.now);
    REQUIRE(answer);
    CHECK(answer->status == 200);
    return std::move(*answer);
  }
  std::uint64_t kept() const { return cluster.server->encoded.kept(); }

  Cluster cluster;
};

// Returns the whole body, also of a stream.
std::string body_of(Response response) {
  if (!response.stream) return response.body.flatten();
  CHECK(response.body.empty());
  CHECK(response.stream->finite());
  std::string body;
  while (!response.stream->ended()) {
    const std::string piece = response.stream->next().flatten();
    CHECK(piece.size() < 200'000);
    body += piece;
  }
  CHECK(body.size() > 128u << 10);
  return body;
}

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

// The expected list of pods in a form, encoded as one tree.
struct Expected {
  explicit Expected(PodServer& server) : text(body_of(server.ask(kPods, kJson))) {
    list = codec::read_json(text, arena).value;
    for (const Value& item : list.find("items")->items()) {
      Value pod = Value::object(arena);
      pod.append(arena, "kind", Value::string("Pod"));
      pod.append(arena, "apiVersion", Value::string("v1"));
      for (const json::Member& member : item.members()) pod.append(arena, member.key, member.value);
      pods.push_back(arena, pod);
    }
  }

  Value table(registry::IncludeObject include) {
    return registry::make_table(registry::BuiltInTable("", "Pod"), pods.items(),
                                *list.find("metadata"), {.include_object = include}, kStart, arena);
  }
  Value metadata() {
    return registry::partial_metadata_list(nullptr, pods.items(), *list.find("metadata"), "v1",
                                           arena);
  }

  json::Arena arena;
  std::string text;
  Value list;
  Value pods = Value::array(arena);
};

std::string to_yaml(const Value& tree) {
  std::string text;
  REQUIRE(codec::write_yaml(tree, text));
  return text;
}
std::string to_json(const Value& tree) {
  std::string text;
  codec::write_json(tree, text);
  return text + "\n";
}
std::string to_pretty(const Value& tree) {
  std::string text;
  codec::write_json_pretty(tree, text);
  return text;
}
std::string to_protobuf(const Value& tree) {
  std::string bytes;
  REQUIRE(codec::write_protobuf(catalogue(), tree, bytes));
  return bytes;
}

std::string to_cbor(const Value& tree) {
  std::string bytes;
  codec::write_cbor(catalogue(), tree, bytes);
  return bytes;
}

// Compares without CHECK, as the texts may be long.
void check_same(std::string_view what, const std::string& got, const std::string& wanted) {
  INFO(what);
  std::size_t at = 0;
  while (at < got.size() && at < wanted.size() && got[at] == wanted[at]) ++at;
  const std::size_t from = at < 60 ? 0 : at - 60;
  INFO("got    ..." << got.substr(from, 120));
  INFO("wanted ..." << wanted.substr(from, 120));
  CHECK((got == wanted));
}

void check_lists(PodServer& server) {
  using registry::IncludeObject;
  Expected expected(server);
  const auto got = [&](std::string_view accept, std::string_view query = "") {
    return body_of(server.ask(std::string(kPods) + std::string(query), accept));
  };
  for (const char* round : {"cold", "warm"}) {
    INFO(round);
    check_same("pretty", got(kJson, "?pretty=1"), to_pretty(expected.list));
    check_same("yaml", got(kYaml), to_yaml(expected.list));
    check_same("protobuf", got(kProtobuf), to_protobuf(expected.list));
    const std::string list = "PartialObjectMetadataList";
    check_same("metadata", got(as(kJson, list)), to_json(expected.metadata()));
    check_same("metadata, pretty", got(as(kJson, list), "?pretty=1"),
               to_pretty(expected.metadata()));
    check_same("metadata, yaml", got(as(kYaml, list)), to_yaml(expected.metadata()));
    check_same("metadata, protobuf", got(as(kProtobuf, list)), to_protobuf(expected.metadata()));
    check_same("cbor", got(kCbor), to_cbor(expected.list));
    check_same("metadata, cbor", got(as(kCbor, list)), to_cbor(expected.metadata()));
    for (const auto& [query, include] :
         {std::pair{"?includeObject=Metadata", IncludeObject::kMetadata},
          std::pair{"?includeObject=Object", IncludeObject::kObject},
          std::pair{"?includeObject=None", IncludeObject::kNone}}) {
      const Value table = expected.table(include);
      check_same(query, got(as(kJson, "Table"), query), to_json(table));
      check_same(query, got(as(kJson, "Table"), std::string(query) + "&pretty=1"),
                 to_pretty(table));
      check_same(query, got(as(kYaml, "Table"), query), to_yaml(table));
    }
  }
}

TEST_CASE("representations: a list goes item by item to the bytes of the whole", "[server]") {
  PodServer server;
  server.add_pods(3);
  check_lists(server);
}

TEST_CASE("representations: a long list goes in pieces to the bytes of the whole", "[server]") {
  PodServer server;
  server.add_pods(500);
  CHECK(server.ask(kPods, kYaml).stream);
  check_lists(server);
}

TEST_CASE("representations: the same without room to keep anything", "[server]") {
  Options options = with_cbor();
  options.encoded_bytes = 0;
  PodServer server(options);
  server.add_pods(300);
  check_lists(server);
  CHECK(server.cluster.server->encoded.bytes() == 0);
}

TEST_CASE("representations: one object is the list's item, whole", "[server]") {
  PodServer server;
  server.add_pods(1);
  Expected expected(server);
  const Value pod = expected.pods.items()[0];
  const std::string target = std::string(kPods) + "/p10000";
  const auto got = [&](std::string_view accept, std::string_view query = "") {
    return body_of(server.ask(target + std::string(query), accept));
  };
  const Value partial = registry::partial_metadata(nullptr, pod, "v1", expected.arena);
  const Value table = registry::make_table(
      registry::BuiltInTable("", "Pod"), json::Range<Value>(&expected.pods.items()[0], 1),
      registry::table_metadata(pod, expected.arena), {}, kStart, expected.arena);
  for (const char* round : {"cold", "warm"}) {
    INFO(round);
    check_same("json", got(kJson), to_json(pod));
    check_same("pretty", got(kJson, "?pretty=1"), to_pretty(pod));
    check_same("yaml", got(kYaml), to_yaml(pod));
    check_same("protobuf", got(kProtobuf), to_protobuf(pod));
    check_same("metadata", got(as(kJson, "PartialObjectMetadata")), to_json(partial));
    check_same("metadata, yaml", got(as(kYaml, "PartialObjectMetadata")), to_yaml(partial));
    check_same("metadata, protobuf", got(as(kProtobuf, "PartialObjectMetadata")),
               to_protobuf(partial));
    check_same("cbor", got(kCbor), to_cbor(pod));
    check_same("metadata, cbor", got(as(kCbor, "PartialObjectMetadata")), to_cbor(partial));
    check_same("table", got(as(kJson, "Table")), to_json(table));
    check_same("table, pretty", got(as(kJson, "Table"), "?pretty=1"), to_pretty(table));
    check_same("table, yaml", got(as(kYaml, "Table")), to_yaml(table));
  }
}

TEST_CASE("representations: each is encoded once, for get, list and forks alike", "[server]") {
  PodServer server;
  server.add_pods(5);
  const auto made = [&](const std::string& target, std::string_view accept) {
    const std::uint64_t before = server.kept();
    body_of(server.ask(target, accept));
    return server.kept() - before;
  };
  const std::string list(kPods), one = list + "/p10002", all = "/api/v1/pods";
  CHECK(made(list, kProtobuf) == 5);
  CHECK(made(list, kProtobuf) == 0);
  CHECK(made(all, kProtobuf) == 0);
  CHECK(made(one, kProtobuf) == 0);
  CHECK(made(list, as(kJson, "Table")) == 5);
  CHECK(made(one, as(kJson, "Table")) == 0);
  CHECK(made(list + "?includeObject=Object", as(kJson, "Table")) == 5);
  CHECK(made(list, as(kJson, "PartialObjectMetadataList")) == 0);  // part of the stored bytes
  CHECK(made(list, as(kProtobuf, "PartialObjectMetadataList")) == 5);
  CHECK(made(one, as(kProtobuf, "PartialObjectMetadata")) == 0);
  CHECK(made(list, kYaml) == 5);
  CHECK(made(list, kYaml) == 0);

  Cluster fork(server.cluster);
  Request request = request_of("GET", one);
  request.headers.emplace_back("accept", kProtobuf);
  const std::uint64_t before = server.kept();
  CHECK(make_view(fork)->answer(request, fork.now)->status == 200);
  CHECK(server.kept() == before);
}

TEST_CASE("representations: a table tells the age of the time it is asked at", "[server]") {
  PodServer server;
  server.add_pods(1);
  const auto age_of_row = [&](std::int64_t seconds) {
    server.cluster.now = kStart + Duration::from_seconds(seconds);
    const std::string text = body_of(server.ask(kPods, as(kJson, "Table")));
    const std::string mark = R"("0/1","Pending","0",")";
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return text.substr(at + mark.size(), text.find('"', at + mark.size()) - at - mark.size());
  };
  CHECK(age_of_row(0) == "0s");
  CHECK(age_of_row(1) == "1s");
  CHECK(age_of_row(0) == "0s");  // as seen by a fork whose time is behind
  CHECK(age_of_row(599) == "9m59s");
  CHECK(age_of_row(3600) == "60m");
  const std::uint64_t before = server.kept();
  CHECK(age_of_row(3659) == "60m");
  CHECK(server.kept() == before);
  CHECK(age_of_row(3660) == "61m");
  CHECK(server.kept() == before + 1);
}

TEST_CASE("representations: what was encoded of a replaced object is given back", "[server]") {
  PodServer server;
  server.add_pods(2);
  server.cluster.forget_replaced();
  body_of(server.ask(kPods, kProtobuf));
  const std::size_t both = server.cluster.server->encoded.bytes();
  json::Arena arena;
  const registry::WriteContext context{.arena = arena, .now = kStart, .dry_run = false};
  const registry::ObjectRef ref{server.cluster.registry.resources().find("", "v1", "pods"),
                                "default", "p10000"};
  registry::DeleteOptions at_once;
  at_once.grace_period_seconds = 0;
  REQUIRE(server.cluster.registry.remove(context, ref, at_once));
  server.cluster.forget_replaced();
  CHECK(server.cluster.server->encoded.bytes() < both / 2 + 100);
  CHECK(server.cluster.server->encoded.bytes() > 0);
}

}  // namespace
}  // namespace tabernetes::server
