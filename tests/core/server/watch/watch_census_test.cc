#include "server/watch/watch_census.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <utility>

namespace tabernetes::server {
namespace {

TEST_CASE("A write is heard by watches of its resource, its namespace and its object") {
  WatchCensus census;
  CHECK(census.hearers({"", "pods", "a", "x"}) == 0);
  const auto watch = [&](WatchCensus::Subject subject) {
    return WatchCensus::Entry(census, WatchCensus::key_of(subject));
  };
  const auto everything = watch({"", "pods", "", ""});
  const auto same = watch({"", "pods", "", ""});
  const auto in_namespace = watch({"", "pods", "a", ""});
  std::optional<WatchCensus::Entry> of_object = watch({"", "pods", "a", "x"});
  const auto elsewhere = watch({"apps", "deployments", "", ""});
  const auto of_node = watch({"", "nodes", "", "n"});
  CHECK(census.hearers({"", "pods", "a", "x"}) == 4);
  CHECK(census.hearers({"", "pods", "a", ""}) == 3);
  CHECK(census.hearers({"", "pods", "b", "x"}) == 2);
  CHECK(census.hearers({"apps", "deployments", "a", "x"}) == 1);
  CHECK(census.hearers({"", "nodes", "", "n"}) == 1);
  WatchCensus::Entry moved = std::move(*of_object);
  of_object.reset();
  CHECK(census.hearers({"", "pods", "a", "x"}) == 4);
  moved = {};
  CHECK(census.hearers({"", "pods", "a", "x"}) == 3);
}

}  // namespace
}  // namespace tabernetes::server
