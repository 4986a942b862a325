// Watches with the same content share their events; each still receives every one once.
#include "server/watch/watch_group.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "../watching.h"

namespace tabernetes::server {
namespace {

const void* bytes_of(const std::vector<Slice>& slices) {
  REQUIRE(slices.size() == 1);
  return slices[0].view().data();
}

TEST_CASE("watch group: watches that show the same get the same bytes", "[server]") {
  ApiServer server;
  const std::string from = "&resourceVersion=" + version_of(server);
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  TestWatch first(server, config_maps(from + "&labelSelector=a%3Db,c"));
  TestWatch same(server, config_maps(from + "&labelSelector=c,a%3Db&timeoutSeconds=9"));
  TestWatch with_bookmarks(server,
                           config_maps(from + "&labelSelector=c,a%3Db&allowWatchBookmarks=1"));
  TestWatch other_selector(server, config_maps(from + "&labelSelector=a%3Db"));
  TestWatch other_scope(server, "/api/v1/configmaps?watch=1&labelSelector=c,a%3Db" + from);
  TestWatch protobuf(server, config_maps(from + "&labelSelector=c,a%3Db"),
                     {{"accept", "application/vnd.kubernetes.protobuf"}});
  TestWatch metadata(server, config_maps(from + "&labelSelector=c,a%3Db"),
                     {{"accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}});
  TestWatch rows(server, config_maps(from + "&labelSelector=c,a%3Db"), {{"accept", table}});
  TestWatch bare_rows(server, config_maps(from + "&labelSelector=c,a%3Db&includeObject=None"),
                      {{"accept", table}});
  create(server, "x", R"("labels":{"a":"b","c":"d"})");
  const std::vector<Slice> seen = first.read_slices();
  CHECK(text_after(seen.at(0).view(), "\"name\":\"") == "x");
  CHECK(bytes_of(same.read_slices()) == bytes_of(seen));
  CHECK(bytes_of(with_bookmarks.read_slices()) == bytes_of(seen));
  for (TestWatch* other :
       {&other_selector, &other_scope, &protobuf, &metadata, &rows, &bare_rows}) {
    CHECK(bytes_of(other->read_slices()) != bytes_of(seen));
  }
}

TEST_CASE("watch group: watches that come back share what they missed", "[server]") {
  ApiServer server;
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  create(server, "a");
  create(server, "b");
  TestWatch first(server, from);
  TestWatch second(server, from);
  const std::vector<Slice> seen = first.read_slices();
  const std::vector<Slice> same = second.read_slices();
  REQUIRE(seen.size() == 2);
  REQUIRE(same.size() == 2);
  CHECK(seen[0].view().data() == same[0].view().data());
  CHECK(seen[1].view().data() == same[1].view().data());
}

TEST_CASE("watch group: a watch from before the log replays and then joins", "[server]") {
  ApiServer server;
  const std::string from = "&resourceVersion=" + version_of(server);
  create(server, "a");
  create(server, "b");
  TestWatch now(server, config_maps("&resourceVersion=" + version_of(server)));
  CHECK(now.read_short() == "");
  TestWatch past(server, config_maps(from));
  const std::string b = version_of(server);
  create(server, "c");
  const std::vector<Slice> of_now = now.read_slices();
  const std::vector<Slice> of_past = past.read_slices();
  REQUIRE(of_past.size() == 3);
  CHECK(text_after(of_past[0].view(), "\"name\":\"") == "a");
  CHECK(text_after(of_past[1].view(), "\"name\":\"") == "b");
  CHECK(of_past[2].view().data() == bytes_of(of_now));
}

TEST_CASE("watch group: only what shows wakes, once, when the call is over", "[server]") {
  ApiServer server;
  const std::string from = "&resourceVersion=" + version_of(server);
  TestWatch all(server, config_maps(from));
  TestWatch labelled(server, config_maps(from + "&labelSelector=a"));
  TestWatch named(server, config_maps(from + "&fieldSelector=metadata.name%3Dc"));
  TestWatch elsewhere(server, "/api/v1/namespaces/default/secrets?watch=1" + from);
  for (TestWatch* watch : {&all, &labelled, &named, &elsewhere}) CHECK(watch->read() == "");
  create(server, "a");
  CHECK(all.wakes == 1);
  CHECK(labelled.wakes == 0);
  create(server, "b", R"("labels":{"a":""})");
  create(server, "c");
  // It was woken, and has not read since.
  CHECK(all.wakes == 1);
  CHECK(labelled.wakes == 1);
  CHECK(named.wakes == 1);
  CHECK(elsewhere.wakes == 0);
  CHECK(all.read_slices().size() == 3);
  CHECK(labelled.read_slices().size() == 1);
  // One call with many writes.
  CHECK(ask(server, "DELETE", kConfigMaps).status == 200);
  CHECK(all.wakes == 2);
  CHECK(all.read_slices().size() == 3);
  CHECK(labelled.read_short() ==
        "DELETED b@" + [&] { return std::to_string(std::stoi(version_of(server)) - 1); }());
}

TEST_CASE("watch group: a reader behind the log misses and doubles nothing", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  TestWatch quick(server, from);
  TestWatch slow(server, from);
  TestWatch idle(server, from);
  CHECK(idle.read() == "");
  std::string all;
  std::vector<Slice> taken;
  // Four times the capacity of a log.
  for (int i = 0; i < 400; ++i) {
    patch(server, "a", R"({"data":{"x":")" + std::to_string(i) + std::string(10'000, 'x') + "\"}}");
    all += quick.read();
    // Reads a unit now and then: from the log, behind it, and from it again.
    if (i % 40 == 39) {
      const std::vector<Slice> unit = slow.next();
      taken.insert(taken.end(), unit.begin(), unit.end());
    }
  }
  const std::vector<Slice> rest = slow.read_slices();
  taken.insert(taken.end(), rest.begin(), rest.end());
  std::string text;
  for (const Slice& slice : taken) text += slice.view();
  CHECK(taken.size() == 400);
  CHECK((text == all));
  CHECK(idle.wakes == 1);
  CHECK((idle.read() == all));
}

TEST_CASE("watch group: a compaction takes nothing from open watches", "[server]") {
  ApiServer server;
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  TestWatch waiting(server, from);
  TestWatch unread(server, from);
  TestWatch alone(server, from + "&labelSelector=!no");
  CHECK(waiting.read() == "");
  create(server, "a");
  create(server, "b");
  CHECK(server.compact(""));
  create(server, "c");
  for (TestWatch* watch : {&waiting, &unread, &alone}) CHECK(watch->read_slices().size() == 3);
}

TEST_CASE("watch group: a watch that is not read for longer than the history lasts", "[server]") {
  ApiServer server;
  TestWatch unread(server, config_maps("&timeoutSeconds=3000"));
  create(server, "a");
  advance(server, 1000);
  create(server, "b");
  advance(server, 1000);
  const std::string b = version_of(server);
  CHECK(unread.read_short() == "ADDED a@" + std::to_string(std::stoi(b) - 1) + " ADDED b@" + b);
}

TEST_CASE("watch group: a reader behind the history is ended without an error", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  TestWatch quick(server, from);
  TestWatch slow(server, from);
  // More than the capacity of a log.
  for (int i = 0; i < 200; ++i) {
    patch(server, "a", R"({"data":{"x":")" + std::to_string(i) + std::string(10'000, 'x') + "\"}}");
    CHECK(quick.read_slices().size() == 1);
  }
  CHECK(server.compact(""));
  CHECK(slow.read() == "");
  CHECK(slow.ended());
  create(server, "b");
  CHECK(quick.read_slices().size() == 1);
}

TEST_CASE("watch group: watches leave in any order", "[server]") {
  ApiServer server;
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  std::vector<std::unique_ptr<TestWatch>> watches;
  for (int i = 0; i < 5; ++i) {
    watches.push_back(std::make_unique<TestWatch>(server, from));
    CHECK(watches.back()->read() == "");
  }
  watches.erase(watches.begin() + 1);
  create(server, "a");
  for (const auto& watch : watches) CHECK(watch->wakes == 1);
  CHECK(watches[0]->read_slices().size() == 1);
  watches.erase(watches.begin());
  watches.pop_back();
  create(server, "b");
  for (const auto& watch : watches) CHECK(watch->read_slices().size() == 2);
  watches.clear();
  create(server, "c");
  TestWatch late(server, from);
  CHECK(late.read_slices().size() == 3);
}

TEST_CASE("watch group: another state of the store ends all watches", "[server]") {
  ApiServer server;
  server.mark_initial_state();
  const std::string from = config_maps("&resourceVersion=" + version_of(server));
  TestWatch waiting(server, from);
  TestWatch unread(server, config_maps(""));
  CHECK(waiting.read() == "");
  const std::string unreached =
      std::string("&sendInitialEvents=1&resourceVersion=99") + "&resourceVersionMatch=NotOlderThan";
  TestWatch refused(server, "/api/v1/events?watch=1" + unreached);
  create(server, "a");
  CHECK(ask(server, "POST", "/-/tabernetes/reset").status == 200);
  CHECK(waiting.wakes == 1);
  CHECK(waiting.read() == "");
  CHECK(waiting.ended());
  CHECK(unread.read() == "");
  CHECK(unread.ended());
  // An error for one watch is still delivered.
  CHECK(refused.read_short().starts_with("ERROR Timeout: Too large resource version: 99, current"));
  // Later watches with the same content form a new group.
  TestWatch next(server, config_maps("&resourceVersion=" + version_of(server)));
  create(server, "b");
  CHECK(next.read_slices().size() == 1);
}

}  // namespace
}  // namespace tabernetes::server
