// The start, the events and the end of watches. Source: spec/list-watch.md 4.
#include "server/watch/watch_stream.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "../watching.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kState = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
constexpr std::string_view kNoState = "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";

std::string at(const std::string& version) { return "&resourceVersion=" + version; }

TEST_CASE("watch: an update that enters or leaves the selector adds or deletes", "[server]") {
  ApiServer server;
  const std::string from = at(version_of(server));
  TestWatch labelled(server, config_maps(from + "&labelSelector=on%3Dyes"));
  create(server, "a", R"("labels":{"on":"no"})");
  CHECK(labelled.read_short() == "");
  patch(server, "a", R"({"metadata":{"labels":{"on":"yes"}}})");
  CHECK(labelled.read_short() == "ADDED a@" + version_of(server));
  patch(server, "a", R"({"data":{"x":"y"}})");
  CHECK(labelled.read_short() == "MODIFIED a@" + version_of(server));
  patch(server, "a", R"({"metadata":{"labels":{"on":"no"}},"data":{"x":"z"}})");
  // The previous state, at the version of the write.
  const std::string left = labelled.read();
  CHECK(text_after(left, "{\"type\":\"") == "DELETED");
  CHECK(text_after(left, "\"resourceVersion\":\"") == version_of(server));
  CHECK(text_after(left, "\"on\":\"") == "yes");
  CHECK(text_after(left, "\"x\":\"") == "y");
  remove(server, "a");
  CHECK(labelled.read_short() == "");
  create(server, "a", R"("labels":{"on":"yes"})");
  const std::string added = version_of(server);
  remove(server, "a");
  CHECK(labelled.read_short() == "ADDED a@" + added + " DELETED a@" + version_of(server));
}

TEST_CASE("watch: without the gate WatchList there are no streaming lists", "[server]") {
  Options options;
  options.feature_gates["WatchList"] = false;
  ApiServer server(options);
  create(server, "a");
  const Response refused =
      ask(server, "GET", config_maps(std::string(kState) + "&allowWatchBookmarks=true"));
  CHECK(text_of(refused) ==
        R"(422 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
        R"("ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: )"
        R"(sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",)"
        R"("reason":"Invalid","details":{"group":"meta.k8s.io","kind":"ListOptions","causes":[{)"
        R"("reason":"FieldValueForbidden","message":"Forbidden: sendInitialEvents is forbidden )"
        R"(for watch unless the WatchList feature gate is enabled","field":"sendInitialEvents"}]})"
        R"(,"code":422})"
        "\n");
  TestWatch plain(server, config_maps("&allowWatchBookmarks=true&resourceVersion=0"));
  CHECK(plain.read_short() == "ADDED a@" + version_of(server));  // and no bookmark at the end
}

TEST_CASE("watch: one name, by path and by field, and one namespace of all", "[server]") {
  ApiServer server;
  const std::string from = at(version_of(server));
  TestWatch by_field(server, config_maps(from + "&fieldSelector=metadata.name%3Da"));
  TestWatch by_path(server, "/api/v1/watch/namespaces/default/configmaps/a?watch=1" + from);
  TestWatch others(server, config_maps(from + "&fieldSelector=metadata.name!%3Da"));
  TestWatch of_namespace(
      server, "/api/v1/configmaps?watch=1&fieldSelector=metadata.namespace%3Ddefault" + from);
  TestWatch of_no_namespace(
      server, "/api/v1/configmaps?watch=1&fieldSelector=metadata.namespace%3D" + from);
  TestWatch of_no_name(server, config_maps(from + "&fieldSelector=metadata.name%3D"));
  TestWatch of_other(server, "/api/v1/namespaces/defaul/configmaps?watch=1" + from);
  create(server, "a");
  const std::string a = "ADDED a@" + version_of(server);
  create(server, "ab");
  const std::string ab = "ADDED ab@" + version_of(server);
  CHECK(by_field.read_short() == a);
  CHECK(by_path.read_short() == a);
  CHECK(others.read_short() == ab);
  CHECK(of_namespace.read_short() == a + " " + ab);
  CHECK(of_no_namespace.read_short() == "");
  CHECK(of_no_name.read_short() == "");
  CHECK(of_other.read_short() == "");
  TestWatch state(server, config_maps("&fieldSelector=metadata.name%3Da"));
  CHECK(state.read_short() == a);
}

TEST_CASE("watch: all ways to begin", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string a = version_of(server);
  create(server, "b");
  const std::string b = version_of(server);
  const std::string state = "ADDED a@" + a + " ADDED b@" + b;
  const std::string end = " BOOKMARK(end) @" + b;
  struct Case {
    std::string query, shown;
  };
  const Case cases[] = {
      {"", state},
      {"&resourceVersion=0", state},
      {"&allowWatchBookmarks=true", state + end},
      {"&resourceVersion=0&allowWatchBookmarks=true", state + end},
      {std::string(kState), state},
      {std::string(kState) + "&allowWatchBookmarks=true", state + end},
      {std::string(kState) + "&allowWatchBookmarks=true" + at(a), state + end},
      {std::string(kState) + "&allowWatchBookmarks=true&labelSelector=none", end.substr(1)},
      {std::string(kNoState) + "&allowWatchBookmarks=true", ""},
      {std::string(kNoState) + "&resourceVersion=0", ""},
      {std::string(kNoState) + at(a), "ADDED b@" + b},
      {at(a), "ADDED b@" + b},
      {at(a) + "&allowWatchBookmarks=true", "ADDED b@" + b},
      {at(b), ""},
      {at("00" + a), "ADDED b@" + b},
      {at(a) + "&limit=1&continue=no-token", "ADDED b@" + b},
  };
  for (const Case& c : cases) {
    INFO(c.query);
    TestWatch watch(server, config_maps(c.query));
    CHECK(watch.read_short() == c.shown);
    CHECK(!watch.ended());
  }
  // On the deprecated path there is no bookmark after the initial state, and no defaults apply.
  TestWatch by_path(server, "/api/v1/watch/namespaces/default/configmaps?allowWatchBookmarks=true");
  CHECK(by_path.read_short() == state);
  TestWatch by_path_from(server,
                         "/api/v1/watch/namespaces/default/configmaps?resourceVersion=" + a);
  CHECK(by_path_from.read_short() == "ADDED b@" + b);
}

TEST_CASE("watch: a version that is gone", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string a = version_of(server);
  create(server, "b");
  const std::string b = version_of(server);
  CHECK(server.compact(b));
  TestWatch open(server, config_maps(at(a)));
  const Headers& headers = open.response.headers;
  REQUIRE(headers.size() == 5);
  CHECK(headers == Headers{{"Cache-Control", "no-cache, private"},
                           {"Content-Type", "application/json"},
                           {"X-Kubernetes-Pf-Flowschema-Uid", headers.at(2).second},
                           {"X-Kubernetes-Pf-Prioritylevel-Uid", headers.at(3).second},
                           {"Audit-Id", headers.at(4).second}});
  CHECK(
      open.read() ==
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: )" +
          a + " (" + b + R"_()","reason":"Expired","code":410}})_" + "\n");
  CHECK(open.ended());
  TestWatch events(server, "/api/v1/events?watch=1" + at(a));
  CHECK(events.read_short() == "ERROR The resourceVersion for the provided watch is too old.");
  CHECK(events.ended());
  // The version is only a lower bound for the state.
  TestWatch state(server, config_maps(std::string(kState) + at(a)));
  CHECK(state.read_short() == "ADDED a@" + a + " ADDED b@" + b);
  TestWatch last(server, config_maps(at(b)));
  CHECK(last.read_short() == "");
  CHECK(!last.ended());
}

TEST_CASE("watch: a version that is not reached", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string a = version_of(server);
  const auto later = [&](int count) { return std::to_string(std::stoi(a) + count); };
  TestWatch silent(server, config_maps(at(later(2)) + "&allowWatchBookmarks=1"));
  TestWatch state(server,
                  config_maps(std::string(kState) + at(later(2)) + "&allowWatchBookmarks=true"));
  TestWatch too_late(server, config_maps(std::string(kState) + at(later(9))));
  TestWatch events(server, "/api/v1/events?watch=1" + std::string(kState) + at(later(9)));
  const std::string too_large =
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: )" +
      later(9) + ", current: ";
  const std::string details =
      R"(","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}})"
      "\n";
  for (TestWatch* watch : {&silent, &state, &too_late}) CHECK(watch->read() == "");
  CHECK(events.read() == too_large + a + details);
  CHECK(events.ended());

  create(server, "b");
  CHECK(state.wakes == 0);
  CHECK(state.read() == "");
  advance(server, 1);
  create(server, "c");
  CHECK(state.wakes == 1);
  const std::string shown = "ADDED a@" + a + " ADDED b@" + later(1) + " ADDED c@" + later(2);
  CHECK(state.read_short() == shown + " BOOKMARK(end) @" + later(2));
  advance(server, 1.999);
  CHECK(too_late.wakes == 0);
  advance(server, 0.001);
  CHECK(too_late.wakes == 1);
  CHECK(too_late.read() == too_large + later(2) + details);
  CHECK(too_late.ended());

  CHECK(silent.read_short() == "");
  create(server, "d");
  CHECK(silent.read_short() == "ADDED d@" + later(3));
  CHECK(state.read_short() == "ADDED d@" + later(3));
}

TEST_CASE("watch: the end of a watch that waits for its version", "[server]") {
  ApiServer server;
  TestWatch watch(server, config_maps(std::string(kState) + at("99999") + "&timeoutSeconds=1"));
  CHECK(watch.read() == "");
  advance(server, 1);
  CHECK(watch.wakes == 1);
  CHECK(watch.read() == "");
  CHECK(watch.ended());
  advance(server, 9);
  CHECK(server.next_deadline() == std::nullopt);
  // A closed watch is no longer waited for.
  { TestWatch leaves(server, config_maps(std::string(kState) + at("99999"))); }
  CHECK(server.next_deadline() == std::nullopt);
}

TEST_CASE("watch: bookmarks each minute and before the end", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string a = version_of(server);
  TestWatch watch(server, config_maps(at(a) + "&allowWatchBookmarks=true&timeoutSeconds=150"));
  TestWatch without(server, config_maps(at(a) + "&timeoutSeconds=150"));
  CHECK(watch.read() == "");
  CHECK(without.read() == "");
  // No version beyond its first.
  advance(server, 60);
  CHECK(watch.read() == "");
  // A write to another resource.
  CHECK(ask(server, "POST", "/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})")
            .status == 201);
  advance(server, 59.999);
  CHECK(watch.read() == "");
  advance(server, 0.001);
  const std::string s = version_of(server);
  CHECK(watch.read() == R"({"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1",)"
                        R"("metadata":{"resourceVersion":")" +
                            s + "\"}}}\n");
  // Events are delivered in order.
  create(server, "b");
  advance(server, 27.999);
  CHECK(watch.wakes == 3);
  CHECK(watch.read_short() == "ADDED b@" + version_of(server));
  advance(server, 0.001);
  CHECK(watch.read_short() == "BOOKMARK @" + version_of(server));
  CHECK(!watch.ended());
  advance(server, 2);
  CHECK(watch.read() == "");
  CHECK(watch.ended());
  CHECK(without.read_short() == "ADDED b@" + version_of(server));
  CHECK(without.ended());
  CHECK(server.next_deadline() == std::nullopt);
}

TEST_CASE("watch: of events, no bookmark but where the state ends", "[server]") {
  ApiServer server;
  const std::string version = version_of(server);
  TestWatch watch(server, "/api/v1/events?watch=1&allowWatchBookmarks=true&timeoutSeconds=150");
  CHECK(watch.read_short() == "BOOKMARK(end) @" + version);
  create(server, "a");
  advance(server, 100);
  CHECK(watch.read() == "");
  advance(server, 50);
  CHECK(watch.read() == "");
  CHECK(watch.ended());
}

TEST_CASE("watch: no bookmark before the state was given", "[server]") {
  ApiServer server;
  for (const char* name : {"a", "b", "c"}) create(server, name, "", 200'000);
  TestWatch watch(server, config_maps("&allowWatchBookmarks=true"));
  const std::string state = version_of(server);
  create(server, "d");
  CHECK(watch.next().size() == 2);
  advance(server, 60);
  CHECK(watch.read_short() == "ADDED c@" + state + " BOOKMARK(end) @" + state + " ADDED d@" +
                                  version_of(server) + " BOOKMARK @" + version_of(server));
}

TEST_CASE("watch: at its end it gives what happened before, and nothing later", "[server]") {
  ApiServer server;
  create(server, "a");
  const std::string a = version_of(server);
  TestWatch unread(server, config_maps("&timeoutSeconds=5"));
  TestWatch woken(server, config_maps(at(a) + "&timeoutSeconds=5"));
  CHECK(woken.read() == "");
  advance(server, 4.999);
  create(server, "b");
  const std::string b = "ADDED b@" + version_of(server);
  CHECK(!woken.ended());
  advance(server, 0.001);
  create(server, "c");
  CHECK(woken.wakes == 1);
  CHECK(woken.read_short() == b);
  CHECK(woken.ended());
  CHECK(unread.read_short() == "ADDED a@" + a + " " + b);
  CHECK(unread.ended());
  CHECK(server.next_deadline() == std::nullopt);
}

TEST_CASE("watch: it lasts between half an hour and an hour, and uids do not change", "[server]") {
  ApiServer server({.seed = 7});
  ApiServer unwatched({.seed = 7});
  std::vector<std::int64_t> lengths;
  for (int i = 0; i < 20; ++i) {
    const TestWatch watch(server, config_maps(i % 2 == 0 ? "" : "&timeoutSeconds=0"));
    const auto end = server.next_deadline();
    REQUIRE(end);
    lengths.push_back((*end - server.time()).nanoseconds);
    CHECK(lengths.back() >= Duration::from_seconds(1800).nanoseconds);
    CHECK(lengths.back() < Duration::from_seconds(3600).nanoseconds);
  }
  std::sort(lengths.begin(), lengths.end());
  CHECK(std::adjacent_find(lengths.begin(), lengths.end()) == lengths.end());
  create(server, "a");
  create(unwatched, "a");
  const std::string path = std::string(kConfigMaps) + "/a";
  CHECK(get(server, path) == get(unwatched, path));
}

TEST_CASE("watch: absurd lengths", "[server]") {
  ApiServer server;
  for (const char* seconds : {"9223372036854775807", "-1", "-9223372036854775808"}) {
    INFO(seconds);
    TestWatch watch(server,
                    config_maps("&allowWatchBookmarks=1&timeoutSeconds=" + std::string(seconds)));
    const auto next = server.next_deadline();
    REQUIRE(next);
    CHECK(*next == server.time() + Duration::from_seconds(60));
  }
  server.advance(Time{INT64_MAX});
  TestWatch watch(server, config_maps("&allowWatchBookmarks=1"));
  CHECK(watch.read_short().starts_with("BOOKMARK(end) @"));
}

TEST_CASE("watch: a large state comes in units, from one snapshot", "[server]") {
  ApiServer server;
  std::string state;
  for (int i = 100; i < 400; ++i) {
    const std::string name = "c" + std::to_string(i);
    create(server, name, "", 4000);
    state += (state.empty() ? "ADDED " : " ADDED ") + name + "@" + version_of(server);
  }
  const std::string revision = version_of(server);
  TestWatch watch(server, config_maps("&allowWatchBookmarks=true"));
  std::vector<std::vector<Slice>> units = {watch.next()};
  // Neither of these is part of the initial state.
  remove(server, "c399");
  create(server, "c400");
  std::string shown;
  for (;;) {
    for (const Slice& event : units.back()) {
      if (!shown.empty()) shown += ' ';
      shown.append(text_after(event.view(), "{\"type\":\"")).append(" ");
      shown.append(text_after(event.view(), "\"name\":\"")).append("@");
      shown.append(text_after(event.view(), "\"resourceVersion\":\""));
    }
    units.push_back(watch.next());
    if (units.back().empty()) break;
  }
  const std::string now = version_of(server);
  const std::string before = std::to_string(std::stoi(now) - 1);
  CHECK(shown ==
        state + " BOOKMARK @" + revision + " DELETED c399@" + before + " ADDED c400@" + now);
  CHECK(units.size() == 7);
  for (const std::vector<Slice>& unit : units) {
    std::size_t size = 0;
    for (const Slice& event : unit) size += event.size();
    CHECK(size < 256 * 1024 + 4500);
  }
}

TEST_CASE("watch: the columns of a table come with the first event alone", "[server]") {
  ApiServer server;
  const Headers table = {{"accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}};
  const std::string from = config_maps(at(version_of(server)));
  TestWatch early(server, from, table);
  TestWatch also(server, from, table);
  create(server, "a");
  const auto first = early.read_slices();
  REQUIRE(first.size() == 1);
  CHECK(first[0].view().find("\"columnDefinitions\":[{\"name\":\"Name\"") !=
        std::string_view::npos);
  CHECK(also.read_slices().at(0).view().data() == first[0].view().data());
  TestWatch state(server, config_maps("&allowWatchBookmarks=true"), table);
  create(server, "b");
  const auto second = early.read_slices();
  const auto all = state.read_slices();
  REQUIRE(all.size() == 3);
  CHECK(all[0].view() == first[0].view());
  CHECK(all[1].view().find("\"columnDefinitions\":null") != std::string_view::npos);
  CHECK(all[2].view().data() == second.at(0).view().data());
  CHECK(second[0].view().find("\"columnDefinitions\":null") != std::string_view::npos);
  // A Status is not a table.
  CHECK(server.compact(""));
  TestWatch expired(server, from, table);
  CHECK(expired.read_short().starts_with("ERROR too old resource version: "));
}

}  // namespace
}  // namespace tabernetes::server
