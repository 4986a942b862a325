#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../hook_fixture.h"
#include "kinds/core/service_allocation.h"

namespace tabernetes::registry::kinds {
namespace {

json::Value service(HookFixture& fixture, std::string_view spec) {
  return fixture.object(R"({"metadata":{"name":"web"},"spec":)" + std::string(spec) + "}");
}

// Creates a service like the registry does; returns the error message, or an empty text.
std::string create(HookFixture& fixture, json::Value& object) {
  set_service_defaults(fixture.context, object);
  prepare_service_for_create(fixture.context, object);
  const auto allocated = allocate_service(fixture.context, object, nullptr);
  if (!allocated) return allocated.error().message;
  service_stored(fixture.context, nullptr, &object);
  return {};
}

std::string update(HookFixture& fixture, json::Value& object, const json::Value& old) {
  set_service_defaults(fixture.context, object);
  prepare_service_for_update(fixture.context, object, old);
  const auto allocated = allocate_service(fixture.context, object, &old);
  if (!allocated) return allocated.error().message;
  service_stored(fixture.context, &old, &object);
  return {};
}

std::string_view address_of(const json::Value& object) {
  return object.find("spec")->string_at("clusterIP");
}

TEST_CASE("services: allocation for new services", "[registry]") {
  struct Case {
    std::string_view name, spec, expected;
  };
  static constexpr Case kCases[] = {
      {"a name elsewhere has no address", R"({"type":"ExternalName","externalName":"a.b"})",
       R"({"type":"ExternalName","externalName":"a.b","sessionAffinity":"None"})"},
      {"headless with a selector", R"({"clusterIP":"None","selector":{"a":"b"}})",
       R"({"clusterIP":"None","selector":{"a":"b"},"sessionAffinity":"None","type":"ClusterIP","internalTrafficPolicy":"Cluster","clusterIPs":["None"],"ipFamilyPolicy":"SingleStack","ipFamilies":["IPv4"]})"},
      {"headless without a selector", R"({"clusterIP":"None"})",
       R"({"clusterIP":"None","sessionAffinity":"None","type":"ClusterIP","internalTrafficPolicy":"Cluster","clusterIPs":["None"],"ipFamilyPolicy":"RequireDualStack","ipFamilies":["IPv4","IPv6"]})"},
      {"an address and a port of its own choice",
       R"({"clusterIP":"10.96.0.9","type":"NodePort","ports":[{"port":80,"nodePort":30080}]})",
       R"({"clusterIP":"10.96.0.9","type":"NodePort","ports":[{"port":80,"nodePort":30080,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None","externalTrafficPolicy":"Cluster","internalTrafficPolicy":"Cluster","clusterIPs":["10.96.0.9"],"ipFamilyPolicy":"SingleStack","ipFamilies":["IPv4"]})"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      HookFixture fixture;
      json::Value object = service(fixture, c.spec);
      CHECK(create(fixture, object) == "");
      CHECK(fixture.text(*object.find("spec")) == c.expected);
    }
  }
}

TEST_CASE("services: values in use are rejected until they are released", "[registry]") {
  HookFixture fixture;
  fixture.stored.push_back(fixture.object(
      R"({"spec":{"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"ports":[{"port":1,"nodePort":30001}]}})"));
  json::Value same_address = service(fixture, R"({"clusterIP":"10.96.0.1"})");
  CHECK(
      create(fixture, same_address) ==
      R"(Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated)");
  json::Value same_port =
      service(fixture, R"({"type":"NodePort","ports":[{"port":80,"nodePort":30001}]})");
  CHECK(
      create(fixture, same_port) ==
      R"(Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated)");
  json::Value outside =
      service(fixture, R"({"type":"NodePort","ports":[{"port":80,"nodePort":80}]})");
  CHECK(
      create(fixture, outside) ==
      R"(Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767)");

  service_stored(fixture.context, &fixture.stored[0], nullptr);
  json::Value again = service(fixture, R"({"clusterIP":"10.96.0.1"})");
  CHECK(create(fixture, again) == "");
}

TEST_CASE("services: an update keeps allocated values; a change of type drops them", "[registry]") {
  HookFixture fixture;
  json::Value first = service(fixture, R"({"type":"NodePort","ports":[{"port":80}]})");
  REQUIRE(create(fixture, first) == "");
  const std::string address(address_of(first));
  const std::string port = fixture.text(*first.at({"spec", "ports"})->items()[0].find("nodePort"));

  json::Value second = service(fixture, R"({"type":"NodePort","ports":[{"port":80},{"port":81}]})");
  REQUIRE(update(fixture, second, first) == "");
  CHECK(address_of(second) == address);
  CHECK(fixture.text(*second.at({"spec", "ports"})->items()[0].find("nodePort")) == port);
  CHECK(fixture.text(*second.at({"spec", "ports"})->items()[1].find("nodePort")) != port);

  json::Value moved = service(fixture, R"({"clusterIP":"10.96.3.3","ports":[{"port":80}]})");
  CHECK(
      update(fixture, moved, second) ==
      R"(Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.3.3"]: may not change once set)");

  json::Value third = second.clone(fixture.arena);
  third.find("spec")->set(fixture.arena, "type", json::Value::string("ExternalName"));
  REQUIRE(update(fixture, third, second) == "");
  CHECK(
      fixture.text(*third.find("spec")) ==
      R"({"type":"ExternalName","ports":[{"port":80,"protocol":"TCP","targetPort":80},{"port":81,"protocol":"TCP","targetPort":81}],"sessionAffinity":"None"})");
  CHECK(allocations_of(fixture.context).addresses.state(address) == ServiceAddresses::State::kFree);
}

TEST_CASE("services: a port with two protocols shares its node port", "[registry]") {
  HookFixture fixture;
  json::Value dns = service(
      fixture,
      R"({"type":"NodePort","ports":[{"port":53,"protocol":"UDP"},{"port":53,"protocol":"TCP"}]})");
  REQUIRE(create(fixture, dns) == "");
  const auto ports = dns.at({"spec", "ports"})->items();
  CHECK(ports[0].find("nodePort")->as_int() == ports[1].find("nodePort")->as_int());
}

}  // namespace
}  // namespace tabernetes::registry::kinds
