#include "server/limits/flow_schemas.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

using Kind = FlowSchemaSpec::Subject::Kind;

FlowSchemaSpec schema_for(FlowSchemaSpec::Subject subject) {
  FlowSchemaSpec schema{.name = "s", .uid = {}, .level = "l"};
  schema.rules = {{.subjects = {std::move(subject)},
                   .resources = {{{"*"}, {"*"}, {"*"}, {"*"}, true}},
                   .paths = {{{"*"}, {"*"}}}}};
  return schema;
}

FlowSchemaSpec schema_with(FlowSchemaSpec::ResourceRule rule) {
  FlowSchemaSpec schema = schema_for({Kind::kUser, {}, "*"});
  schema.rules.front().resources = {std::move(rule)};
  return schema;
}

FlowSchemaSpec schema_of_paths(FlowSchemaSpec::PathRule rule) {
  FlowSchemaSpec schema = schema_for({Kind::kUser, {}, "*"});
  schema.rules.front().paths = {std::move(rule)};
  return schema;
}

const auth::User kJane{.name = "jane", .uid = {}, .groups = {"viewers"}, .extra = {}};
const auth::User kBot{.name = "system:serviceaccount:team:bot",
                      .uid = {},
                      .groups = {"system:serviceaccounts"},
                      .extra = {}};

auth::Attributes pods_of(const auth::User& user) {
  auth::Attributes request{.user = user, .verb = "list"};
  request.version = "v1";
  request.resource = "pods";
  request.ns = "team";
  return request;
}

auth::Attributes path_of(std::string_view path) {
  auth::Attributes request{.user = kJane, .verb = "get", .on_resource = false};
  request.path = path;
  return request;
}

TEST_CASE("Subjects of a flow schema are users, groups and service accounts") {
  CHECK(covers(schema_for({Kind::kUser, {}, "jane"}), pods_of(kJane)));
  CHECK_FALSE(covers(schema_for({Kind::kUser, {}, "joe"}), pods_of(kJane)));
  CHECK(covers(schema_for({Kind::kGroup, {}, "viewers"}), pods_of(kJane)));
  CHECK(covers(schema_for({Kind::kGroup, {}, "*"}), pods_of(kBot)));
  CHECK_FALSE(covers(schema_for({Kind::kGroup, {}, "jane"}), pods_of(kJane)));
  CHECK(covers(schema_for({Kind::kServiceAccount, "team", "bot"}), pods_of(kBot)));
  CHECK(covers(schema_for({Kind::kServiceAccount, "team", "*"}), pods_of(kBot)));
  CHECK_FALSE(covers(schema_for({Kind::kServiceAccount, "tea", "*"}), pods_of(kBot)));
  CHECK_FALSE(covers(schema_for({Kind::kServiceAccount, "team", "bo"}), pods_of(kBot)));
  CHECK_FALSE(covers(schema_for({Kind::kServiceAccount, "team", "*"}), pods_of(kJane)));
}

TEST_CASE("A rule of resources names verbs, groups, resources and namespaces") {
  CHECK(covers(schema_with({{"get", "list"}, {""}, {"pods"}, {"team"}, false}), pods_of(kJane)));
  CHECK_FALSE(covers(schema_with({{"get"}, {""}, {"pods"}, {"team"}, false}), pods_of(kJane)));
  CHECK_FALSE(covers(schema_with({{"*"}, {"apps"}, {"pods"}, {"team"}, false}), pods_of(kJane)));
  CHECK_FALSE(covers(schema_with({{"*"}, {""}, {"pods"}, {"other"}, false}), pods_of(kJane)));
  // Everything is meant only by a list of nothing else.
  CHECK_FALSE(covers(schema_with({{"*", "get"}, {""}, {"pods"}, {"team"}, false}), pods_of(kJane)));
}

TEST_CASE("A rule of resources names subresources with their resource") {
  auth::Attributes status = pods_of(kJane);
  status.subresource = "status";
  CHECK_FALSE(covers(schema_with({{"*"}, {"*"}, {"pods"}, {"*"}, true}), status));
  CHECK(covers(schema_with({{"*"}, {"*"}, {"pods/status"}, {"*"}, true}), status));
  CHECK_FALSE(covers(schema_with({{"*"}, {"*"}, {"pods-status"}, {"*"}, true}), status));
  CHECK(covers(schema_with({{"*"}, {"*"}, {"*"}, {"*"}, true}), status));
}

TEST_CASE("What is in no namespace needs clusterScope") {
  auth::Attributes everywhere = pods_of(kJane);
  everywhere.ns = {};
  CHECK_FALSE(covers(schema_with({{"*"}, {"*"}, {"*"}, {"*"}, false}), everywhere));
  CHECK(covers(schema_with({{"*"}, {"*"}, {"*"}, {}, true}), everywhere));
}

TEST_CASE("A rule of paths covers what is below a path, with or without a star") {
  const FlowSchemaSpec health = schema_of_paths({{"get"}, {"/healthz"}});
  CHECK(covers(health, path_of("/healthz")));
  CHECK(covers(health, path_of("/healthz/ping")));
  CHECK_FALSE(covers(health, path_of("/healthzz")));
  const FlowSchemaSpec apis = schema_of_paths({{"*"}, {"/apis/*"}});
  CHECK(covers(apis, path_of("/apis/apps")));
  CHECK_FALSE(covers(apis, path_of("/apis")));
  CHECK_FALSE(covers(apis, path_of("/api")));
}

TEST_CASE("The first flow that covers a request is its flow, or else the catch-all") {
  const auto flow_of = [](std::string name, std::string user) {
    Flow flow;
    flow.schema = schema_for({Kind::kUser, {}, std::move(user)});
    flow.schema.name = std::move(name);
    return flow;
  };
  FlowTable table;
  table.flows.push_back(flow_of("bots", kBot.name));
  table.flows.push_back(flow_of("catch-all", "nobody"));
  table.flows.push_back(flow_of("late", "jill"));
  CHECK(table.classify(pods_of(kBot)).schema.name == "bots");
  CHECK(table.classify(pods_of(kJane)).schema.name == "catch-all");
}

}  // namespace
}  // namespace tabernetes::server
