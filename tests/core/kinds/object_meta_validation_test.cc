#include "registry/meta/object_meta_validation.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "codec/json_reader.h"
#include "rows.h"

namespace tabernetes::registry {
namespace {

const std::string kMetaSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const std::string kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const std::string kLabelValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const MetaRules kPods = meta_rules_of("", "pods", true);
const MetaRules kNodes = meta_rules_of("", "nodes", false);
const MetaRules kServices = meta_rules_of("", "services", true);
const MetaRules kBudgets = meta_rules_of("policy", "poddisruptionbudgets", true);
const MetaRules kLeases = meta_rules_of("coordination.k8s.io", "leases", true);

json::Value read(std::string_view text, json::Arena& arena) {
  const codec::JsonRead result = codec::read_json(text, arena);
  REQUIRE(result.error == "");
  return result.value;
}

using Lines = std::vector<std::string>;

Lines print(const field::ErrorList& errors) {
  Lines lines;
  for (const field::Error& error : errors) lines.push_back(error.field + ": " + error.message);
  return lines;
}

std::string invalid_meta(std::string_view field, std::string_view value, const std::string& text) {
  return "metadata." + std::string(field) + ": Invalid value: " + std::string(value) + ": " + text;
}

struct CreateCase {
  const char* name;
  const MetaRules& rules;
  std::string metadata;
  Lines errors;
};

void check_creates(const std::vector<CreateCase>& cases) {
  for (const CreateCase& c : cases) {
    DYNAMIC_SECTION(c.name) {
      json::Arena arena;
      CHECK(print(validate_object_meta(read(c.metadata, arena), c.rules)) == c.errors);
    }
  }
}

TEST_CASE("object_meta_validation: names and namespaces", "[registry]") {
  const std::string missing = "metadata.name: Required value: name or generateName is required";
  const std::string label =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
      "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
      "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  check_creates({
      {"fine", kPods, R"({"name":"p","namespace":"default","generation":1})", {}},
      {"no metadata at all", kNodes, "null", {missing}},
      {"neither name nor namespace", kPods, "{}", {missing, "metadata.namespace: Required value"}},
      {"bad name",
       kPods,
       R"({"name":"Web_1","namespace":"default"})",
       {invalid_meta("name", R"("Web_1")", kMetaSubdomain)}},
      {"dots in a Service's name",
       kServices,
       R"({"name":"a.b","namespace":"default"})",
       {invalid_meta("name", R"("a.b")", "must not contain dots")}},
      {"bad generateName",
       kPods,
       R"({"generateName":"Up_","name":"Up_jtq2q","namespace":"default"})",
       {invalid_meta("generateName", R"("Up_")", kMetaSubdomain),
        invalid_meta("name", R"("Up_jtq2q")", kMetaSubdomain)}},
      {"bad namespace",
       kPods,
       R"({"name":"p","namespace":"UPPER"})",
       {invalid_meta("namespace", R"("UPPER")", label)}},
      {"namespace of a cluster-wide kind",
       kNodes,
       R"({"name":"n","namespace":"default"})",
       {"metadata.namespace: Forbidden: not allowed on this type"}},
      {"negative generation",
       kNodes,
       R"({"name":"n","generation":-1})",
       {invalid_meta("generation", "-1", "must be greater than or equal to 0")}},
      {"a disruption budget may be called anything",
       kBudgets,
       R"({"name":"Web_1","namespace":"default"})",
       {}},
  });
}

TEST_CASE("object_meta_validation: labels and annotations", "[registry]") {
  const std::string long_text(64, 'x');
  check_creates({
      {"labels",
       kNodes,
       R"({"name":"n","labels":{"bad key":"v","ok":"not ok!","a/b/c":"x","long":")" + long_text +
           R"(","-x":"y","UPPER.example.com/x":"y","fine":""}})",
       {invalid_meta("labels", R"("bad key")", "name part " + kNameRule),
        invalid_meta("labels", R"("not ok!")", kLabelValue),
        invalid_meta(
            "labels", R"("a/b/c")",
            "a valid label key " + kNameRule +
                " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"),
        invalid_meta("labels", "\"" + long_text + "\"", "must be no more than 63 bytes"),
        invalid_meta("labels", R"("-x")", "name part " + kNameRule),
        invalid_meta("labels", R"("UPPER.example.com/x")", "prefix part " + kMetaSubdomain)}},
      {"annotations",
       kNodes,
       R"({"name":"n","annotations":{"bad key":"v","":"x","UPPER.example.com/x":"any thing"}})",
       {invalid_meta("annotations", R"("bad key")", "name part " + kNameRule),
        invalid_meta("annotations", R"("")", "name part must be non-empty"),
        invalid_meta("annotations", R"("")", "name part " + kNameRule)}},
      {"annotations of 256 KiB",
       kNodes,
       R"({"name":"n","annotations":{"a":")" + std::string(262143, 'x') + R"("}})",
       {}},
      {"annotations of more",
       kNodes,
       R"({"name":"n","annotations":{"a":")" + std::string(262144, 'x') + R"("}})",
       {"metadata.annotations: Too long: may not be more than 262144 bytes"}},
  });
}

TEST_CASE("object_meta_validation: owners", "[registry]") {
  const std::string owners =
      R"([{"apiVersion":"v1","kind":"X","name":"","uid":""},)"
      R"({"apiVersion":"","kind":"","name":"a","uid":"u"},)"
      R"({"apiVersion":"v1","kind":"A","name":"a","uid":"1","controller":true},)"
      R"({"apiVersion":"v1","kind":"B","name":"b","uid":"2","controller":true}])";
  const auto with = [](const std::string& list) {
    return R"({"name":"n","ownerReferences":)" + list + "}";
  };
  check_creates({
      {"every fault",
       kNodes,
       with(owners),
       {invalid_meta("ownerReferences.name", R"("")", "must not be empty"),
        invalid_meta("ownerReferences.uid", R"("")", "must not be empty"),
        invalid_meta("ownerReferences.apiVersion", R"("")", "version must not be empty"),
        invalid_meta("ownerReferences.kind", R"("")", "must not be empty"),
        invalid_meta("ownerReferences", owners,
                     R"(Only one reference can have Controller set to true. Found "true" in )"
                     R"(references for A/a and B/b)")}},
      {"members print in the order of the struct",
       kNodes,
       with(R"([{"blockOwnerDeletion":false,"uid":"1","name":"a","kind":"Event",)"
            R"("apiVersion":"v1","controller":true}])"),
       {invalid_meta("ownerReferences",
                     R"({"apiVersion":"v1","kind":"Event","name":"a","uid":"1","controller":true,)"
                     R"("blockOwnerDeletion":false})",
                     "/v1, Kind=Event is disallowed from being an owner")}},
      {"apiVersion of three parts",
       kNodes,
       with(R"([{"apiVersion":"a/b/c","kind":"A","name":"a","uid":"1"}])"),
       {invalid_meta("ownerReferences.apiVersion", R"("a/b/c")", "version must not be empty")}},
      {"group without version",
       kNodes,
       with(R"([{"apiVersion":"apps/","kind":"A","name":"a","uid":"1"}])"),
       {invalid_meta("ownerReferences.apiVersion", R"("apps/")", "version must not be empty")}},
      {"one controller is fine",
       kNodes,
       with(R"([{"apiVersion":"apps/v1","kind":"A","name":"a","uid":"1","controller":true},)"
            R"({"apiVersion":"apps/v1","kind":"A","name":"b","uid":"2","controller":false}])"),
       {}},
  });
}

TEST_CASE("object_meta_validation: finalizers", "[registry]") {
  const auto with = [](const std::string& list) {
    return R"({"name":"n","namespace":"d","finalizers":)" + list + "}";
  };
  check_creates({
      {"qualified and standard ones",
       kPods,
       with(R"(["example.com/a","kubernetes","foregroundDeletion"])"),
       {}},
      {"bad and unqualified ones",
       kPods,
       with(R"(["nodomain","bad name/x"])"),
       {invalid_meta("finalizers", R"("bad name/x")", "prefix part " + kMetaSubdomain),
        invalid_meta("finalizers[0]", R"("nodomain")",
                     "name is neither a standard finalizer name nor is it fully qualified")}},
      {"kinds with the library's check take unqualified ones",
       kLeases,
       with(R"(["nodomain"])"),
       {}},
      {"orphan and foreground exclude each other",
       kPods,
       with(R"(["orphan","foregroundDeletion"])"),
       {invalid_meta("finalizers", R"(["orphan","foregroundDeletion"])",
                     "finalizer orphan and foregroundDeletion cannot be both set")}},
  });
}

TEST_CASE("object_meta_validation: updates list each fault as often as the real server",
          "[registry]") {
  struct Case {
    const char* name;
    const MetaRules& rules;
    std::string metadata, old;
    std::map<std::string, int> errors;  // with their counts
  };
  const std::string immutable = "field is immutable";
  const Case cases[] = {
      {"nothing changed", kPods, R"({"name":"a","uid":"1"})", R"({"name":"a","uid":"1"})", {}},
      {"what the server owns",
       kPods,
       R"({"name":"b","namespace":"y","uid":"2","deletionTimestamp":"2030-01-01T00:00:00Z",)"
       R"("deletionGracePeriodSeconds":3})",
       R"({"name":"a","namespace":"x","uid":"1"})",
       {{invalid_meta("name", R"("b")", immutable), 2},
        {invalid_meta("namespace", R"("y")", immutable), 2},
        {invalid_meta("uid", R"("2")", immutable), 2},
        {invalid_meta("deletionTimestamp", R"("2030-01-01T00:00:00Z")", immutable), 2},
        {invalid_meta("deletionGracePeriodSeconds", "3", immutable), 2}}},
      {"grace period taken away",
       kPods,
       "{}",
       R"({"deletionGracePeriodSeconds":3})",
       {{invalid_meta("deletionGracePeriodSeconds", "null", immutable), 2}}},
      {"an empty and a missing name are one", kPods, R"({"namespace":""})", "{}", {}},
      {"bad annotation",
       kPods,
       R"({"annotations":{"m~n":""}})",
       "{}",
       {{invalid_meta("annotations", R"("m~n")", "name part " + kNameRule), 4}}},
      {"bad owner",
       kPods,
       R"({"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"x","uid":""}]})",
       "{}",
       {{invalid_meta("ownerReferences.uid", R"("")", "must not be empty"), 4}}},
      {"new finalizers while it is deleted",
       kPods,
       R"({"deletionTimestamp":"t","finalizers":["c/d","a/b","x/y","a/b"]})",
       R"({"deletionTimestamp":"t","finalizers":["x/y"]})",
       {{R"(metadata.finalizers: Forbidden: no new finalizers can be added if the object is )"
         R"(being deleted, found new finalizers []string{"a/b", "c/d"})",
         2}}},
      {"new finalizers while it is not", kPods, R"({"finalizers":["c/d"]})", "{}", {}},
      {"finalizers taken away while it is deleted",
       kPods,
       R"({"deletionTimestamp":"t"})",
       R"({"deletionTimestamp":"t","finalizers":["x/y"]})",
       {}},
      {"a kind without a check of its own",
       kBudgets,
       R"({"uid":"2","labels":{"-":""}})",
       R"({"uid":"1"})",
       {{invalid_meta("uid", R"("2")", immutable), 1},
        {invalid_meta("labels", R"("-")", "name part " + kNameRule), 2}}},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) {
      json::Arena arena;
      std::map<std::string, int> counts;
      for (const std::string& line : print(validate_object_meta_update(
               read(c.metadata, arena), read(c.old, arena), c.rules, Subresource::kNone))) {
        ++counts[line];
      }
      CHECK(counts == c.errors);
    }
  }
}

TEST_CASE("object_meta_validation: two changes are listed one after the other, twice",
          "[registry]") {
  json::Arena arena;
  const field::ErrorList errors = validate_object_meta_update(
      read(R"({"uid":"2","name":"b"})", arena), read(R"({"uid":"1","name":"a"})", arena), kPods,
      Subresource::kNone);
  Lines fields;
  for (const field::Error& error : errors) fields.push_back(error.field);
  CHECK(fields == Lines{"metadata.name", "metadata.uid", "metadata.name", "metadata.uid"});
}

TEST_CASE("object_meta_validation: a kind checks its metadata in its own order", "[registry]") {
  struct Case {
    std::string_view group, plural;
    Subresource subresource;
    std::string_view order;
  };
  // L: invalid label, f: invalid finalizer, F: unqualified finalizer, U: changed uid.
  static constexpr Case kCases[] = {
      {"", "configmaps", Subresource::kNone, "LfULULFLfF"},
      {"", "services", Subresource::kNone, "LfULULF"},
      {"", "nodes", Subresource::kNone, "LfULLfFULF"},
      {"", "nodes", Subresource::kStatus, "LfULULF"},
      {"", "persistentvolumes", Subresource::kNone, "LfULLfFLfF"},
      {"", "limitranges", Subresource::kNone, "LfULLfF"},
      {"", "events", Subresource::kNone, "LfUL"},
      {"apps", "deployments", Subresource::kNone, "LfULULF"},
      {"batch", "cronjobs", Subresource::kStatus, "LfUL"},
      {"certificates.k8s.io", "certificatesigningrequests", Subresource::kApproval, "LfULLfFULF"},
      {"node.k8s.io", "runtimeclasses", Subresource::kNone, "LfULLfUL"},
      {"apiregistration.k8s.io", "apiservices", Subresource::kNone, "LfULULLf"},
      {"coordination.k8s.io", "leases", Subresource::kNone, "LfULUL"},
      {"stable.example.com", "crontabs", Subresource::kNone, "LfULUL"},
      {"stable.example.com", "crontabs", Subresource::kStatus, "LfULUL"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.plural << " " << static_cast<int>(c.subresource)) {
      json::Arena arena;
      std::string order;
      for (const field::Error& error : validate_object_meta_update(
               read(R"({"uid":"2","labels":{"-":""},"finalizers":["-"]})", arena),
               read(R"({"uid":"1"})", arena), meta_rules_of(c.group, c.plural, true),
               c.subresource)) {
        order += error.field == "metadata.labels"       ? 'L'
                 : error.field == "metadata.uid"        ? 'U'
                 : error.field == "metadata.finalizers" ? 'f'
                                                        : 'F';
      }
      CHECK(order == c.order);
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry
