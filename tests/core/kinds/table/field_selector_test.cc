#include "registry/selectors/field_selector.h"

#include <catch2/catch_test_macros.hpp>

#include "kinds/table/kinds.h"

namespace tabernetes::registry {
namespace {

TEST_CASE("field_selector: selectors print in canonical form", "[registry]") {
  struct Case {
    std::string_view in, out;
  };
  static constexpr Case kCases[] = {
      {"", ""},
      {",,", ""},
      {"a=b", "a=b"},
      {"a==b", "a=b"},
      {"a!=b", "a!=b"},
      {"z=1,a=2", "a=2,z=1"},
      {"status.phase=A,", "status.phase=A"},
      {"a= b", "a= b"},
      {"a=", "a="},
      {"=b", "=b"},
      {R"(a=x\,y\=z\\)", R"(a=x\,y\=z\\)"},
      {"a=é", "a=é"},
      {"b==x,a=y", "a=y,b=x"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto selector = parse_field_selector(c.in);
      REQUIRE(selector);
      CHECK(selector->to_string() == c.out);
      CHECK(selector->empty() == c.out.empty());
      const auto again = parse_field_selector(c.out);
      REQUIRE(again);
      CHECK(again->to_string() == c.out);
    }
  }
}

TEST_CASE("field_selector: errors for invalid texts", "[registry]") {
  struct Case {
    std::string_view in, message;
  };
  static constexpr Case kCases[] = {
      {"foo", "invalid selector: 'foo'; can't understand 'foo'"},
      {"a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"},
      {"metadata.name>1",
       "invalid selector: 'metadata.name>1'; can't understand 'metadata.name>1'"},
      {R"(a=b\x)", R"(invalid field selector: invalid escape sequence: \x)"},
      {R"(a=b\é)", R"(invalid field selector: invalid escape sequence: \é)"},
      {R"(a=b\)", R"(invalid field selector: invalid escape sequence: \)"},
      {"a=b=c", "invalid field selector: unescaped character in value: 61"},
      {"a=b==c", "invalid field selector: unescaped character in value: 61"},
      {"a!==b", "invalid field selector: unescaped character in value: 61"},
      {"z,a=b=c", "invalid field selector: unescaped character in value: 61"},  // sorted first
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto selector = parse_field_selector(c.in);
      REQUIRE_FALSE(selector);
      CHECK(selector.error().code == 400);
      CHECK(selector.error().message == c.message);
    }
  }
}

TEST_CASE("field_selector: terms are compared exactly", "[registry]") {
  const auto value_of = [](std::string_view field) -> std::string_view {
    if (field == "metadata.name") return "a";
    if (field == "odd") return " x,y";
    return {};
  };
  struct Case {
    std::string_view in;
    bool matches;
  };
  static constexpr Case kCases[] = {
      {"", true},
      {"metadata.name=a", true},
      {"metadata.name=A", false},
      {"metadata.name!=a", false},
      {"metadata.name!=b", true},
      {"missing=", true},
      {"missing!=", false},
      {"missing!=x", true},
      {R"(odd= x\,y)", true},
      {"metadata.name=a,metadata.name=b", false},
      {"metadata.name=a,missing=", true},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto selector = parse_field_selector(c.in);
      REQUIRE(selector);
      CHECK(selector->matches(value_of) == c.matches);
    }
  }
}

TEST_CASE("field_selector: a field can be required to have one value", "[registry]") {
  const auto selector = parse_field_selector("b!=1,a=2,a=3,c=");
  REQUIRE(selector);
  CHECK(selector->requires_exact_match("a") == "2");
  CHECK(selector->requires_exact_match("c") == "");
  CHECK_FALSE(selector->requires_exact_match("b"));
  CHECK_FALSE(selector->requires_exact_match("d"));
}

TEST_CASE("field_selector: every resource supports its labels and rejects others with its message",
          "[registry]") {
  struct Case {
    std::string_view group, version, plural, in;
    std::string_view out;  // the canonical form, or the error message
  };
  static constexpr Case kCases[] = {
      {"", "v1", "pods", "spec.nodeName=n,metadata.name=a", "metadata.name=a,spec.nodeName=n"},
      {"", "v1", "pods", "spec.host=n", "spec.nodeName=n"},
      {"", "v1", "pods", "spec.nope=x", "field label not supported: spec.nope"},
      {"", "v1", "pods", "=x", "field label not supported: "},
      {"", "v1", "nodes", "spec.unschedulable=true", "spec.unschedulable=true"},
      {"", "v1", "nodes", "metadata.namespace=x", "field label not supported: metadata.namespace"},
      {"", "v1", "namespaces", "status.phase=Active", "status.phase=Active"},
      {"", "v1", "secrets", "type=x", "type=x"},
      {"", "v1", "services", "spec.type=a,spec.clusterIP=None", "spec.clusterIP=None,spec.type=a"},
      {"", "v1", "replicationcontrollers", "status.replicas=0", "status.replicas=0"},
      {"", "v1", "configmaps", "metadata.namespace=x", "metadata.namespace=x"},
      {"", "v1", "configmaps", "data.a=1",
       R"("data.a" is not a known field selector: only "metadata.name", "metadata.namespace")"},
      {"apps", "v1", "replicasets", "status.replicas=0",
       R"("status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace")"},
      {"", "v1", "events", "involvedObject.kind=Pod,reason=X,source=s",
       "involvedObject.kind=Pod,reason=X,source=s"},
      {"events.k8s.io", "v1", "events", "regarding.kind=Pod,reportingController=c",
       "involvedObject.kind=Pod,reportingComponent=c"},
      {"events.k8s.io", "v1", "events", "involvedObject.kind=Pod",
       "field label not supported: involvedObject.kind"},
      {"batch", "v1", "jobs", "status.successful=0", "status.successful=0"},
      {"batch", "v1", "jobs", "foo=0", R"(field label "foo" not supported for Job)"},
      {"certificates.k8s.io", "v1", "certificatesigningrequests", "spec.signerName=s",
       "spec.signerName=s"},
      {"resource.k8s.io", "v1", "resourceslices", "spec.driver=d", "spec.driver=d"},
      {"resource.k8s.io", "v1", "resourceslices", "foo=d",
       "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.plural << " " << c.in) {
      const schema::Resource* resource =
          schema::Catalogue::built_in().find_resource(c.group, c.version, c.plural);
      REQUIRE(resource != nullptr);
      const auto selector = parse_field_selector(c.in);
      REQUIRE(selector);
      const auto resolved = selector->resolve(
          *resource,
          kinds::find_kind(resource->group, resource->kind).strategy.unknown_field_label);
      CHECK((resolved ? resolved->to_string() : resolved.error().message) == c.out);
      CHECK((resolved || resolved.error().code == 400));
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry
