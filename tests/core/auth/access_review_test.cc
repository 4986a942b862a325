#include "auth/access_review.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"

namespace tabernetes::auth {
namespace {

json::Value read_review(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  return read.value;
}

// Returns FIELD: MESSAGE for each error.
std::vector<std::string> faults_of(AccessReview kind, std::string_view review) {
  json::Arena arena;
  std::vector<std::string> faults;
  for (const field::Error& error : validate_access_review(kind, read_review(review, arena))) {
    faults.push_back(error.field + ": " + error.message);
  }
  return faults;
}

TEST_CASE("access review: exactly one action, of somebody", "[auth]") {
  struct Case {
    AccessReview kind;
    std::string_view spec;
    std::vector<std::string> faults;
  };
  const std::string nobody =
      R"(spec.user: Invalid value: "": at least one of user or group must be specified)";
  const std::string nothing =
      "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or "
      "resourceAttributes must be specified";
  const Case cases[] = {
      {AccessReview::kSubject, R"({"user":"anna","resourceAttributes":{}})", {}},
      {AccessReview::kSubject, R"({"groups":["staff"],"nonResourceAttributes":{}})", {}},
      {AccessReview::kSubject, R"({"resourceAttributes":{}})", {nobody}},
      {AccessReview::kSubject, R"({"groups":[],"resourceAttributes":{}})", {nobody}},
      {AccessReview::kSelf, R"({"resourceAttributes":{}})", {}},
      {AccessReview::kSelf, "{}", {nothing}},
      {AccessReview::kSubject, "{}", {nothing, nobody}},
      {AccessReview::kSelf,
       R"({"resourceAttributes":{},"nonResourceAttributes":{"path":"/a","verb":"get"}})",
       {R"(spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":"get"}: )"
        "cannot be specified in combination with resourceAttributes"}},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    CHECK(faults_of(c.kind, R"({"metadata":{},"spec":)" + std::string(c.spec) + "}") == c.faults);
  }
}

TEST_CASE("access review: metadata is empty but for what the kind needs", "[auth]") {
  const auto faults = [](AccessReview kind, std::string_view metadata) {
    return faults_of(kind,
                     R"({"metadata":)" + std::string(metadata) +
                         R"(,"spec":{"user":"anna","resourceAttributes":{"namespace":"a"}}})");
  };
  CHECK(faults(AccessReview::kSubject, R"({"managedFields":[]})").empty());
  CHECK(faults(AccessReview::kSubject, R"({"name":"x"})") ==
        std::vector<std::string>{R"(metadata: Invalid value: {"name":"x"}: must be empty)"});
  CHECK(faults(AccessReview::kSubject, R"({"namespace":"a"})") ==
        std::vector<std::string>{R"(metadata: Invalid value: {"namespace":"a"}: must be empty)"});
  CHECK(faults(AccessReview::kLocal, R"({"namespace":"a"})").empty());
  CHECK(
      faults(AccessReview::kLocal, R"({"namespace":"a","labels":{"b":"c"}})") ==
      std::vector<std::string>{R"(metadata: Invalid value: {"namespace":"a","labels":{"b":"c"}}: )"
                               "must be empty except for namespace"});
}

TEST_CASE("access review: a local one is about its namespace", "[auth]") {
  const auto faults = [](std::string_view spec) {
    return faults_of(
        AccessReview::kLocal,
        R"({"metadata":{"namespace":"a"},"spec":{"user":"anna",)" + std::string(spec) + "}}");
  };
  CHECK(faults(R"("resourceAttributes":{"namespace":"b"})") ==
        std::vector<std::string>{R"(spec.resourceAttributes.namespace: Invalid value: "b": )"
                                 "must match metadata.namespace"});
  CHECK(faults(R"("nonResourceAttributes":{"path":"/a"})") ==
        std::vector<std::string>{
            R"(spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":""}: )"
            "disallowed on this kind of request"});
}

TEST_CASE("access review: selectors are whole, or raw", "[auth]") {
  struct Case {
    std::string_view selectors;
    std::vector<std::string> faults;
  };
  const std::string at = "spec.resourceAttributes.";
  const std::string labels = at + "labelSelector.requirements[0].";
  const std::string fields = at + "fieldSelector.requirements[0].";
  const Case cases[] = {
      {R"("labelSelector":{"rawSelector":"a=b"},"fieldSelector":{"rawSelector":"c=d"})", {}},
      {R"("labelSelector":{})",
       {at + "labelSelector.requirements: Required value: when " + at +
        "labelSelector is specified, requirements or rawSelector is required"}},
      {R"("fieldSelector":{"rawSelector":"a=b","requirements":[{"key":"a","operator":"Exists"}]})",
       {at + R"(fieldSelector.rawSelector: Invalid value: "a=b": )"
             "may not specified at the same time as requirements"}},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"In"}]})",
       {labels + "values: Required value: must be specified when `operator` is 'In' or 'NotIn'"}},
      {R"("fieldSelector":{"requirements":[{"key":"","operator":"Exists","values":["x"]}]})",
       {fields + "key: Required value: must be specified",
        fields + "values: Forbidden: may not be specified when `operator` is 'Exists' or "
                 "'DoesNotExist'"}},
      // An operator of a later version is passed on.
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Near","values":["x"]}]})", {}},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"In","values":["x","-"]}]})",
       {labels +
        R"(values[1]: Invalid value: "-": a valid label must be an empty string or consist of )"
        "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
        "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
        "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"}},
  };
  for (const Case& c : cases) {
    INFO(c.selectors);
    CHECK(faults_of(AccessReview::kSelf, R"({"metadata":{},"spec":{"resourceAttributes":{)" +
                                             std::string(c.selectors) + "}}}") == c.faults);
  }
}

TEST_CASE("access review: what of valid selectors is ignored", "[auth]") {
  struct Case {
    std::string_view selectors, ignored;
  };
  const Case cases[] = {
      {"", ""},
      {R"("labelSelector":{"rawSelector":"a in (b),c"})", ""},
      {R"("labelSelector":{"rawSelector":"a in"})",
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Exists"}]})", ""},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Near"}]})",
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Near"},
          {"key":"a","operator":"Exists"}]})",
       "spec.resourceAttributes.labelSelector partially ignored due to parse error"},
      // Field selectors know `=` and `!=` only.
      {R"("fieldSelector":{"requirements":[{"key":"a","operator":"In","values":["x"]}]})", ""},
      {R"("fieldSelector":{"requirements":[{"key":"a","operator":"In","values":["x","y"]}]})",
       "spec.resourceAttributes.fieldSelector ignored due to parse error"},
      {R"("fieldSelector":{"requirements":[{"key":"a","operator":"Exists"},
          {"key":"a","operator":"NotIn","values":["x"]}]},"labelSelector":{"rawSelector":"!"})",
       "spec.resourceAttributes.fieldSelector partially ignored due to parse error; "
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
  };
  for (const Case& c : cases) {
    INFO(c.selectors);
    json::Arena arena;
    CHECK(ignored_selectors(read_review(
              R"({"resourceAttributes":{)" + std::string(c.selectors) + "}}", arena)) == c.ignored);
  }
  json::Arena arena;
  CHECK(ignored_selectors(read_review(R"({"nonResourceAttributes":{"path":"/"}})", arena)) == "");
}

TEST_CASE("access review: the subject and the action of a spec", "[auth]") {
  json::Arena arena;
  const json::Value spec = read_review(
      R"({"user":"anna","uid":"u1","groups":["a","b"],"extra":{"k":["v","w"],"none":null},)"
      R"("resourceAttributes":{"verb":"get","group":"apps","resource":"deployments",)"
      R"("subresource":"scale","namespace":"n","name":"web"}})",
      arena);
  const User user = subject_of(spec);
  CHECK(user.name == "anna");
  CHECK(user.uid == "u1");
  CHECK(user.groups == std::vector<std::string>{"a", "b"});
  CHECK(user.extra == std::vector<std::pair<std::string, std::vector<std::string>>>{
                          {"k", {"v", "w"}}, {"none", {}}});
  const Attributes resource = attributes_of(user, spec);
  CHECK(resource.on_resource);
  CHECK(resource.verb == "get");
  CHECK(resource.group == "apps");
  CHECK(resource.version == "*");
  CHECK(resource.resource == "deployments");
  CHECK(resource.subresource == "scale");
  CHECK(resource.ns == "n");
  CHECK(resource.name == "web");
  const json::Value other =
      read_review(R"({"nonResourceAttributes":{"verb":"put","path":"/a"}})", arena);
  const Attributes path = attributes_of(user, other);
  CHECK_FALSE(path.on_resource);
  CHECK(path.verb == "put");
  CHECK(path.path == "/a");
}

}  // namespace
}  // namespace tabernetes::auth
