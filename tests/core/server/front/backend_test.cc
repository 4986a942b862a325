// Holds the core to the contract at the head of tabernetes/backend.h, with a backend in memory that
// answers at once, late, twice, with failures and with conflicts.
#include "tabernetes/backend.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../requests.h"
#include "../watching.h"
#include "registry/record/stored_value.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

using store::Batch;
using store::Change;
using store::Outcome;
using store::Stored;
using store::StoredChange;

constexpr std::string_view kBackendMaps = "/api/v1/namespaces/default/configmaps";
constexpr Time kBackendStart = Time::from_unix_milliseconds(1'767'225'600'000);
constexpr Duration kOneSecond = Duration::from_seconds(1);

// Keeps every version, as a database would.
class MemoryBackend final : public store::Backend {
 public:
  bool answers_at_once = true;
  bool answers_twice = false;
  std::string fault;                 // fails with it, if not empty
  std::vector<StoredChange> others;  // conflicts once with them, if not empty

  std::optional<Stored> take_stored() override {
    if (batches == 0) return std::nullopt;
    Stored stored = state_;
    for (const auto& [revision, version] : versions_) stored.changes.push_back(version);
    return stored;
  }

  void propose(Batch batch, Done done) override {
    CHECK_FALSE(under_way());
    batch_ = std::move(batch);
    done_ = std::move(done);
    if (answers_at_once) answer();
  }

  bool under_way() const { return done_ != nullptr; }
  const Batch& batch() const { return batch_; }

  // Gives the outcome of the batch under way.
  void answer() {
    REQUIRE(under_way());
    const Done done = std::exchange(done_, nullptr);
    Outcome outcome;
    if (!others.empty()) {
      outcome = {
          .kind = Outcome::Kind::kConflict, .fault = {}, .others = std::exchange(others, {})};
      for (const StoredChange& change : outcome.others) keep(change);
    } else if (!fault.empty()) {
      outcome = {.kind = Outcome::Kind::kFailed, .fault = {fault}, .others = {}};
    } else {
      apply();
    }
    done(outcome);
    if (answers_twice) done({.kind = Outcome::Kind::kFailed, .fault = {"twice"}, .others = {}});
  }

  int batches = 0;  // durable ones

 private:
  void keep(const StoredChange& change) {
    live_.erase(change.key);
    if (change.value) live_[change.key] = change.revision;
    versions_[change.revision] = change;
    state_.revision = change.revision;
  }

  void apply() {
    ++batches;
    if (batch_.whole) {
      versions_.clear();
      live_.clear();
      state_.oldest = batch_.revision;
    }
    for (const Change& change : batch_.changes) {
      if (!batch_.whole) {
        CHECK(change.revision > state_.revision);
        const auto live = live_.find(change.key);
        CHECK(change.replaces == (live == live_.end() ? 0 : live->second));
      }
      StoredChange stored{change.key, change.revision, change.time, std::nullopt};
      if (change.value) stored.value = change.value->flatten();
      keep(stored);
    }
    state_.revision = batch_.revision;
    state_.clock = batch_.clock;
    state_.random = batch_.random;
  }

  Batch batch_;
  Done done_;
  std::map<std::uint64_t, StoredChange> versions_;
  std::map<std::string, std::uint64_t> live_;
  Stored state_{.changes = {}, .revision = 0, .oldest = 1, .clock = {}, .random = {}};
};

Options options_with(const std::shared_ptr<MemoryBackend>& backend) {
  Options options;
  options.now = kBackendStart;
  options.seed = 7;
  options.backend = backend;
  return options;
}

std::string map_text(std::string_view name, std::string_view value = "1") {
  return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" +
         std::string(name) + "\"},\"data\":{\"a\":\"" + std::string(value) + "\"}}";
}

Pending create(ApiServer& server, std::string_view name) {
  return begin(server, "POST", kBackendMaps, map_text(name));
}

int status_of(ApiServer& server, std::string_view name) {
  return ask(server, "GET", std::string(kBackendMaps) + "/" + std::string(name)).status;
}

int viewed(ApiServer& server, std::string_view name) {
  return server.view()
      ->answer(request_of("GET", std::string(kBackendMaps) + "/" + std::string(name)),
               kBackendStart)
      ->status;
}

std::string failure(std::string_view why) {
  return "500 {\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
         "\"message\":\"the change was not stored: " +
         std::string(why) + "\",\"code\":500}\n";
}

TEST_CASE("backend: nothing is seen before it is durable", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  TestWatch watch(server, std::string(kBackendMaps) + "?watch=1");
  CHECK(watch.read().empty());
  const std::string before = version_of(server);

  backend->answers_at_once = false;
  const Pending first = create(server, "first");
  CHECK_FALSE(*first);
  CHECK(backend->batch().changes.size() == 1);
  // Those that come meanwhile make the next batch, and see the first.
  const Pending second = create(server, "second");
  const Pending again = create(server, "first");
  CHECK_FALSE(*second);
  CHECK_FALSE(*again);
  CHECK(status_of(server, "first") == 404);
  CHECK(viewed(server, "first") == 404);
  CHECK(version_of(server) == before);
  CHECK(watch.wakes == 0);
  CHECK(watch.read().empty());
  TestWatch late(server, std::string(kBackendMaps) +
                             "?watch=1&sendInitialEvents=true&"
                             "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan");
  CHECK(late.read().find("first") == std::string::npos);

  backend->answer();
  REQUIRE(*first);
  CHECK((*first)->status == 201);
  CHECK_FALSE(*second);
  CHECK(status_of(server, "first") == 200);
  CHECK(viewed(server, "first") == 200);
  CHECK(viewed(server, "second") == 404);
  CHECK(watch.wakes == 1);
  CHECK(watch.read().find("\"name\":\"first\"") != std::string::npos);
  CHECK(late.read().find("\"name\":\"first\"") != std::string::npos);
  CHECK(backend->batch().changes.size() == 1);

  backend->answer();
  REQUIRE(*second);
  CHECK((*second)->status == 201);
  REQUIRE(*again);
  CHECK((*again)->status == 409);
  CHECK(watch.read().find("\"name\":\"second\"") != std::string::npos);
  CHECK_FALSE(backend->under_way());
}

TEST_CASE("backend: what fails is undone, and was never seen", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  REQUIRE((*create(server, "old"))->status == 201);
  TestWatch watch(server, std::string(kBackendMaps) + "?watch=1");
  watch.read();
  const std::string before = version_of(server);

  backend->answers_at_once = false;
  const Pending first = create(server, "new");
  const Pending second = create(server, "newer");
  const Pending third = begin(server, "DELETE", std::string(kBackendMaps) + "/old");
  // Writes nothing now, but after the failure.
  const Pending other = create(server, "new");
  backend->fault = "disk is full";
  backend->answer();
  for (const Pending& each : {first, second, third}) {
    REQUIRE(*each);
    CHECK(text_of(**each) == failure("disk is full"));
  }
  CHECK_FALSE(*other);
  CHECK(status_of(server, "new") == 404);
  CHECK(status_of(server, "old") == 200);
  CHECK(version_of(server) == before);
  const std::string ready = get(server, "/readyz");
  CHECK(ready.starts_with("500 [+]ping ok\n"));
  CHECK(ready.ends_with("[-]storage failed: disk is full\nreadyz check failed\n"));
  CHECK(get(server, "/readyz?exclude=storage") == "200 ok");
  CHECK(get(server, "/livez") == "200 ok");
  CHECK(server.view()->answer(request_of("GET", "/readyz"), kBackendStart)->status == 500);

  backend->fault.clear();
  backend->answer();
  REQUIRE(*other);
  CHECK((*other)->status == 201);
  CHECK(get(server, "/readyz") == "200 ok");
  CHECK_FALSE(watch.ended());
  const std::string events = watch.read();
  CHECK(events.find("\"name\":\"new\"") != std::string::npos);
  CHECK(events.find("newer") == std::string::npos);
  CHECK(events.find("DELETED") == std::string::npos);
}

TEST_CASE("backend: revisions of what was undone are not used again", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  backend->fault = "broken";
  CHECK((*create(server, "a"))->status == 500);
  const std::uint64_t undone = backend->batch().changes.back().revision;
  backend->fault.clear();
  CHECK((*create(server, "a"))->status == 201);
  CHECK(backend->batch().changes.front().revision > undone);
}

TEST_CASE("backend: an empty batch finds out that it works again", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  server.advance(kBackendStart + kOneSecond);
  backend->fault = "broken";
  CHECK((*create(server, "a"))->status == 500);
  REQUIRE(server.next_deadline());
  CHECK(*server.next_deadline() == kBackendStart + kOneSecond + kOneSecond);
  server.advance(*server.next_deadline());
  CHECK(ask(server, "GET", "/readyz").status == 500);
  backend->fault.clear();
  server.advance(*server.next_deadline());
  CHECK(backend->batch().changes.empty());
  CHECK(ask(server, "GET", "/readyz").status == 200);
}

TEST_CASE("backend: control loops rest while nothing can be stored, and catch up", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  Options options = options_with(backend);
  options.controllers = *parse_controllers("serviceaccount-controller");
  ApiServer server(std::move(options));
  server.advance(kBackendStart + kOneSecond);
  backend->answers_at_once = false;
  const Pending made = begin(server, "POST", "/api/v1/namespaces",
                             R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"n"}})");
  backend->answer();
  REQUIRE(*made);
  CHECK((*made)->status == 201);
  backend->fault = "broken";
  backend->answers_at_once = true;
  for (int i = 2; i < 5; ++i) server.advance(kBackendStart + Duration::from_seconds(i));
  const std::string account = "/api/v1/namespaces/n/serviceaccounts/default";
  CHECK(ask(server, "GET", account).status == 404);
  backend->fault.clear();
  for (int i = 5; i < 9; ++i) server.advance(kBackendStart + Duration::from_seconds(i));
  CHECK(ask(server, "GET", account).status == 200);
}

TEST_CASE("backend: after a conflict, others have come first", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  REQUIRE((*create(server, "mine"))->status == 201);
  const Change mine = backend->batch().changes.front();
  const std::string value = mine.value->flatten();
  TestWatch watch(server, std::string(kBackendMaps) + "?watch=1");
  watch.read();

  // Another server has created `theirs` and deleted `mine`.
  const auto others = [&](std::uint64_t after) {
    std::string key = mine.key;
    key.replace(key.size() - 4, 4, "theirs");
    return std::vector<StoredChange>{{key, after + 10, kBackendStart, value},
                                     {mine.key, after + 11, kBackendStart, std::nullopt}};
  };
  backend->answers_at_once = false;
  const Pending created = create(server, "theirs");
  const Pending replaced =
      begin(server, "PUT", std::string(kBackendMaps) + "/mine", map_text("mine", "2"));
  const Pending independent = create(server, "independent");
  backend->others = others(backend->batch().revision);
  backend->answer();
  REQUIRE(*created);
  CHECK((*created)->status == 409);
  CHECK_FALSE(*independent);
  backend->answer();
  REQUIRE(*independent);
  CHECK((*independent)->status == 201);
  REQUIRE(*replaced);
  CHECK((*replaced)->status == 404);
  CHECK(status_of(server, "theirs") == 200);
  CHECK(status_of(server, "mine") == 404);
  const std::string events = watch.read_short();
  CHECK(events.find("ADDED") == 0);
  CHECK(events.find("DELETED mine@") != std::string::npos);
  CHECK(events.find("ADDED independent@") != std::string::npos);
}

TEST_CASE("backend: a second outcome is ignored", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  backend->answers_twice = true;
  ApiServer server(options_with(backend));
  backend->answers_at_once = false;
  const Pending first = create(server, "a");
  const Pending second = create(server, "b");
  backend->answer();
  CHECK((*first)->status == 201);
  backend->answer();
  REQUIRE(*second);
  CHECK((*second)->status == 201);
  CHECK(get(server, "/readyz") == "200 ok");
}

TEST_CASE("backend: a cluster goes on where the last one ended", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  std::string token, list, version;
  {
    ApiServer server(options_with(backend));
    for (const char* name : {"a", "b", "c"}) REQUIRE((*create(server, name))->status == 201);
    version = version_of(server);
    REQUIRE(ask(server, "DELETE", std::string(kBackendMaps) + "/b").status == 200);
    REQUIRE(ask(server, "PUT", std::string(kBackendMaps) + "/a", map_text("a", "2")).status == 200);
    REQUIRE(ask(server, "POST", "/api/v1/namespaces/default/services",
                R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"s"},)"
                R"("spec":{"clusterIP":"10.96.0.9","ports":[{"port":80}]}})")
                .status == 201);
    list = get(server, "/api/v1/configmaps");
  }
  const int stored = backend->batches;
  ApiServer server(options_with(backend));
  CHECK(backend->batches == stored);  // starting writes nothing
  CHECK(get(server, "/api/v1/configmaps") == list);
  // The past, too.
  const std::string then =
      get(server, "/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion=" + version);
  CHECK(then.find("\"name\":\"b\"") != std::string::npos);
  CHECK(then.find("\"a\":\"2\"") == std::string::npos);
  TestWatch watch(server, std::string(kBackendMaps) + "?watch=1&resourceVersion=" + version);
  const std::string events = watch.read_short();
  CHECK(events.find("DELETED b@") == 0);
  CHECK(events.find("MODIFIED a@") != std::string::npos);
  // Addresses that were given out stay so.
  CHECK(ask(server, "POST", "/api/v1/namespaces/default/services",
            R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"t"},)"
            R"("spec":{"clusterIP":"10.96.0.9","ports":[{"port":80}]}})")
            .status == 422);
  CHECK((*create(server, "d"))->status == 201);
  CHECK(watch.read_short().find("ADDED d@") == 0);
}

TEST_CASE("backend: custom resources come back as they were", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  constexpr std::string_view kThings = "/apis/example.com/v1/namespaces/default/things";
  std::string list;
  {
    ApiServer server(options_with(backend));
    REQUIRE(ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
{"type":"object","properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}})")
                .status == 201);
    server.advance(kBackendStart + kOneSecond);
    REQUIRE(ask(server, "POST", kThings,
                R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},)"
                R"("spec":{"n":3}})")
                .status == 201);
    list = get(server, kThings);
  }
  ApiServer server(options_with(backend));
  CHECK(get(server, kThings) == list);
  CHECK(ask(server, "DELETE", std::string(kThings) + "/x").status == 200);
}

TEST_CASE("backend: reset and restore replace all that is stored", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  std::string list;
  {
    ApiServer server(options_with(backend));
    REQUIRE((*create(server, "a"))->status == 201);
    const std::string snapshot = server.snapshot();
    CHECK(ask(server, "POST", "/-/tabernetes/reset").status == 200);
    CHECK(backend->batch().whole);
    CHECK(status_of(server, "a") == 404);
    REQUIRE((*create(server, "b"))->status == 201);
    backend->fault = "broken";
    CHECK(text_of(ask(server, "PUT", "/-/tabernetes/snapshot", snapshot)) == failure("broken"));
    CHECK(status_of(server, "a") == 404);
    CHECK(status_of(server, "b") == 200);
    backend->fault.clear();
    CHECK(ask(server, "PUT", "/-/tabernetes/snapshot", snapshot).status == 200);
    CHECK(status_of(server, "a") == 200);
    CHECK(status_of(server, "b") == 404);
    list = get(server, "/api/v1/configmaps");
  }
  ApiServer server(options_with(backend));
  CHECK(get(server, "/api/v1/configmaps") == list);
}

TEST_CASE("backend: a fork is in memory alone", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  const int stored = backend->batches;
  const std::unique_ptr<ApiServer> fork = server.fork();
  CHECK((*create(*fork, "a"))->status == 201);
  CHECK(status_of(*fork, "a") == 200);
  CHECK(status_of(server, "a") == 404);
  CHECK(backend->batches == stored);
}

TEST_CASE("backend: an object whose value cannot be read is a corrupt one", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  std::string key;
  std::uint64_t revision = 0;
  {
    ApiServer server(options_with(backend));
    REQUIRE((*create(server, "a"))->status == 201);
    key = backend->batch().changes.front().key;
    revision = backend->batch().revision;
    // As a damaged disk would, by another's change.
    backend->others = {{key, revision + 5, kBackendStart, "garbage"}};
    CHECK((*create(server, "b"))->status == 201);
  }
  ApiServer server(options_with(backend));
  CHECK(get(server, std::string(kBackendMaps) + "/a") ==
        "500 {\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
        "\"message\":\"illegal base64 data at input byte 3\",\"code\":500}\n");
  CHECK(status_of(server, "b") == 200);
}

TEST_CASE("backend: values are as documented", "[server]") {
  const auto backend = std::make_shared<MemoryBackend>();
  ApiServer server(options_with(backend));
  REQUIRE(
      ask(server, "POST", kBackendMaps,
          R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","labels":{"k":"v"}}})")
          .status == 201);
  const Change& change = backend->batch().changes.front();
  CHECK(change.key == "core/configmaps/default/a");
  CHECK(change.replaces == 0);
  const std::string value = change.value->flatten();
  CHECK(value[0] == 1);
  CHECK(value[1] == 0);
  CHECK(value.substr(30).starts_with(R"(,{"metadata":{"name":"a","namespace":"default","uid":)"));
  CHECK(value.find(R"("resourceVersion":"","creationTimestamp")") != std::string::npos);
  const registry::ReadValue read = registry::read_stored_value(value, 1234);
  REQUIRE(read.record);
  CHECK(registry::labels_of(*read.record) == R"({"k":"v"})");
  CHECK(read.record->bytes.find(R"("resourceVersion":"1234","creationTimestamp")") !=
        std::string::npos);
  CHECK(registry::write_stored_value(read.record).flatten() == value);
  for (std::size_t size = 0; size < 34; ++size) {
    CHECK_FALSE(registry::read_stored_value(value.substr(0, size), 1).record);
  }
}

}  // namespace
}  // namespace tabernetes::server
