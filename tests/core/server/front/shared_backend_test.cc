// Holds the core to the contract about shared storage at the head of tabernetes/backend.h, with a
// model of it in memory: it numbers by itself, and others write to it, too.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../requests.h"
#include "../watching.h"
#include "tabernetes/api_server.h"
#include "tabernetes/backend.h"

namespace tabernetes::server {
namespace {

using store::Batch;
using store::Change;
using store::Outcome;
using store::StoredChange;

constexpr std::string_view kSharedMaps = "/api/v1/namespaces/default/configmaps";
constexpr Time kSharedStart = Time::from_unix_milliseconds(1'767'225'600'000);

// What all servers write to.
class SharedStorage {
 public:
  struct Kept {
    std::string value;
    std::uint64_t revision = 0;
  };

  std::uint64_t put(const std::string& key, std::string value) {
    keys[key] = {value, ++revision};
    log.push_back({key, revision, {}, std::move(value)});
    return revision;
  }
  std::uint64_t remove(const std::string& key) {
    keys.erase(key);
    log.push_back({key, ++revision, {}, std::nullopt});
    return revision;
  }
  std::uint64_t revision_of(const std::string& key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? 0 : found->second.revision;
  }

  std::map<std::string, Kept> keys;
  std::vector<StoredChange> log;
  std::uint64_t revision = 1;
};

class SharedBackend final : public store::Backend {
 public:
  explicit SharedBackend(std::shared_ptr<SharedStorage> shared) : storage(std::move(shared)) {}

  std::shared_ptr<SharedStorage> storage;
  bool answers_at_once = true;
  bool reachable = true;
  bool refuses = false;  // stores nothing
  std::string fault;     // fails with it, if not empty
  bool silent = false;   // leaves questions without an answer
  int questions = 0;     // calls of catch_up()
  HealthTold tell_health;
  std::vector<Change> last;

  std::optional<store::Stored> take_stored() override {
    store::Stored stored;
    for (const auto& [key, kept] : storage->keys) {
      stored.changes.push_back({key, kept.revision, {}, kept.value});
    }
    stored.revision = stored.oldest = storage->revision;
    seen_ = storage->log.size();
    return stored;
  }
  void propose(Batch batch, Done done) override {
    CHECK_FALSE(under_way());
    CHECK_FALSE(batch.whole);
    batch_ = std::move(batch);
    done_ = std::move(done);
    if (answers_at_once) answer();
  }
  bool shared() const override { return true; }
  void listen(const std::function<void()>& changed) override { changed_ = changed; }
  store::News take_news() override {
    CHECK_FALSE(under_way());
    store::News news;
    news.changes.assign(storage->log.begin() + static_cast<std::ptrdiff_t>(seen_),
                        storage->log.end());
    news.revision = storage->revision;
    seen_ = storage->log.size();
    return news;
  }
  void catch_up(const CaughtUp& done) override {
    ++questions;
    if (silent) return;
    if (!reachable) return done(Fault{"etcdserver: request timed out"});
    done(std::nullopt);
  }

  void watch_health(const HealthTold& told) override { tell_health = told; }

  bool under_way() const { return done_ != nullptr; }
  const Batch& batch() const { return batch_; }
  void tell() { changed_(); }

  // Gives the outcome of the batch under way. What others wrote until then came first.
  void answer() {
    const Done done = std::exchange(done_, nullptr);
    last = batch_.changes;
    if (!fault.empty()) {
      return done({.kind = Outcome::Kind::kFailed, .fault = {fault}, .others = {}});
    }
    Outcome outcome;
    outcome.others.assign(storage->log.begin() + static_cast<std::ptrdiff_t>(seen_),
                          storage->log.end());
    std::map<std::uint64_t, std::uint64_t> given;  // by tentative revision
    for (const Change& change : batch_.changes) {
      CHECK(change.revision >= store::kFirstTentative);
      std::uint64_t replaces = change.replaces;
      if (replaces >= store::kFirstTentative) replaces = given[replaces];
      const bool fits = !refuses && storage->revision_of(change.key) == replaces;
      std::uint64_t revision = 0;
      if (fits && change.value) revision = storage->put(change.key, change.value->flatten());
      if (fits && !change.value) revision = storage->remove(change.key);
      given[change.revision] = revision;
      outcome.revisions.push_back(revision);
    }
    outcome.revision = storage->revision;
    seen_ = storage->log.size();
    done(std::move(outcome));
  }

 private:
  Batch batch_;
  Done done_;
  std::function<void()> changed_;
  std::size_t seen_ = 0;  // of the log
};

Options shared_options(const std::shared_ptr<SharedBackend>& backend, std::uint64_t seed = 7) {
  Options options;
  options.now = kSharedStart;
  options.seed = seed;
  options.backend = backend;
  return options;
}

std::string shared_map(std::string_view name, std::string_view value = "1") {
  return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" +
         std::string(name) + "\",\"namespace\":\"default\"},\"data\":{\"a\":\"" +
         std::string(value) + "\"}}";
}

std::string path_of_map(std::string_view name) {
  return std::string(kSharedMaps) + "/" + std::string(name);
}

std::string version_in(const Response& response) {
  const std::string body = response.body.flatten();
  const std::size_t at = body.find("\"resourceVersion\":\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + 19;
  return body.substr(begin, body.find('"', begin) - begin);
}

Pending create_shared(ApiServer& server, std::string_view name, std::string_view value = "1") {
  return begin(server, "POST", kSharedMaps, shared_map(name, value));
}

TEST_CASE("shared: the storage numbers, and answers, reads and watches show its numbers",
          "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  TestWatch watch(server, std::string(kSharedMaps) + "?watch=1");
  CHECK(watch.read().empty());
  for (int i = 0; i < 50; ++i) storage->put("elsewhere/" + std::to_string(i), "x");

  const Pending made = create_shared(server, "a");
  REQUIRE(*made);
  CHECK((*made)->status == 201);
  const std::string expected = std::to_string(storage->revision_of("configmaps/default/a"));
  CHECK(version_in(**made) == expected);
  CHECK(version_in(ask(server, "GET", path_of_map("a"))) == expected);
  CHECK(watch.read().find("\"resourceVersion\":\"" + expected + "\"") != std::string::npos);
  // An update that names this version succeeds, one that names an older one does not.
  const std::string body =
      "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
      "\"resourceVersion\":\"" +
      expected + "\"},\"data\":{\"a\":\"2\"}}";
  CHECK(ask(server, "PUT", path_of_map("a"), body).status == 200);
  CHECK(ask(server, "PUT", path_of_map("a"), body).status == 409);
}

TEST_CASE("shared: other representations of an answer have the storage's number, too", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  for (int i = 0; i < 9; ++i) storage->put("elsewhere/" + std::to_string(i), "x");
  Request request = request_of("POST", std::string(kSharedMaps) + "?pretty=true", shared_map("b"));
  request.headers.push_back({"accept", "application/yaml"});
  std::optional<Response> answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  REQUIRE(answer);
  const std::string expected = std::to_string(storage->revision_of("configmaps/default/b"));
  CHECK(answer->body.flatten().find("resourceVersion: \"" + expected + "\"") != std::string::npos);

  // The last state of a deleted object has the version of the deletion.
  const Response gone = ask(server, "DELETE", "/api/v1/namespaces/default/pods/none");
  CHECK(gone.status == 404);
}

TEST_CASE("shared: a deleted collection has the version at which it was read", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  for (const char* name : {"a", "b"})
    CHECK(ask(server, "POST", kSharedMaps, shared_map(name)).status == 201);
  const std::string expected = version_in(ask(server, "GET", kSharedMaps));
  CHECK(version_in(ask(server, "DELETE", std::string(kSharedMaps) + "?dryRun=All")) == expected);
  CHECK(version_in(ask(server, "DELETE", kSharedMaps)) == expected);
  CHECK(ask(server, "GET", path_of_map("a")).status == 404);
}

TEST_CASE("shared: a change of others comes first, and the request is done again", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  REQUIRE((*create_shared(server, "a"))->status == 201);

  backend->answers_at_once = false;
  Request patch = request_of("PATCH", path_of_map("a"), R"({"data":{"b":"mine"}})");
  patch.headers = {{"content-type", "application/merge-patch+json"}};
  const Pending mine = std::make_shared<std::unique_ptr<Response>>();
  server.handle(std::move(patch), [mine](Response response) {
    *mine = std::make_unique<Response>(std::move(response));
  });
  CHECK_FALSE(*mine);
  storage->put("configmaps/default/a", shared_map("a", "theirs"));
  backend->answer();
  CHECK_FALSE(*mine);  // its change was refused, and is proposed again
  REQUIRE(backend->under_way());
  backend->answer();
  REQUIRE(*mine);
  CHECK((*mine)->status == 200);
  const std::string body = (*mine)->body.flatten();
  CHECK(body.find("\"data\":{\"a\":\"theirs\",\"b\":\"mine\"}") != std::string::npos);
}

TEST_CASE("shared: of several requests in a batch only those that conflict are done again",
          "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  backend->answers_at_once = false;
  const Pending first = create_shared(server, "first");
  // Held until the batch has an outcome.
  const Pending a = create_shared(server, "a"), b = create_shared(server, "b");
  CHECK(backend->batch().changes.size() == 1);
  backend->answer();
  REQUIRE(*first);
  CHECK((*first)->status == 201);
  REQUIRE(backend->batch().changes.size() == 2);
  storage->put("configmaps/default/b", shared_map("b", "theirs"));
  backend->answer();
  REQUIRE(*a);
  CHECK((*a)->status == 201);
  REQUIRE(*b);
  CHECK((*b)->status == 409);
  CHECK((*b)->body.flatten().find("configmaps \\\"b\\\" already exists") != std::string::npos);
  CHECK(version_in(**a) == std::to_string(storage->revision_of("configmaps/default/a")));
  CHECK_FALSE(backend->under_way());
}

TEST_CASE("shared: changes of others are watched and read", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  TestWatch watch(server, std::string(kSharedMaps) + "?watch=1");
  watch.read();
  storage->put("configmaps/default/theirs", shared_map("theirs"));
  backend->tell();
  const std::string event = watch.read();
  CHECK(event.find("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\"") == 0);
  CHECK(event.find("\"name\":\"theirs\"") != std::string::npos);
  storage->remove("configmaps/default/theirs");
  backend->tell();
  CHECK(watch.read().find("{\"type\":\"DELETED\"") == 0);
  // What was not told of yet is fetched by a read that must be fresh, but not by one that need not.
  storage->put("configmaps/default/later", shared_map("later"));
  CHECK(ask(server, "GET", path_of_map("later") + "?resourceVersion=0").status == 404);
  CHECK(ask(server, "GET", path_of_map("later")).status == 200);
  CHECK(ask(server, "GET", path_of_map("later") + "?resourceVersion=0").status == 200);
  // A refusal must not rest on an old state either.
  storage->remove("configmaps/default/later");
  CHECK((*create_shared(server, "later"))->status == 201);
}

TEST_CASE("shared: an earlier state answers what may be stale while the storage is not reached",
          "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  REQUIRE((*create_shared(server, "a"))->status == 201);
  backend->reachable = false;
  backend->fault = "etcdserver: request timed out";
  CHECK(ask(server, "GET", path_of_map("a") + "?resourceVersion=0").status == 200);
  const Response fresh = ask(server, "GET", path_of_map("a"));
  CHECK(fresh.status == 500);
  CHECK(fresh.body.flatten().find("etcdserver: request timed out") != std::string::npos);
  CHECK((*create_shared(server, "b"))->status == 500);
  CHECK(ask(server, "GET", "/readyz").status == 500);
  backend->reachable = true;
  backend->fault.clear();
  CHECK((*create_shared(server, "b"))->status == 201);
  CHECK(ask(server, "GET", "/readyz").status == 200);
}

constexpr std::string_view kOutOfTime =
    "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Timeout: request did not complete "
    "within "
    "the allotted timeout\",\"reason\":\"Timeout\",\"details\":{},\"code\":504}\n";

TEST_CASE("shared: who waits for the storage is told after as long as by kube-apiserver",
          "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  REQUIRE((*create_shared(server, "a"))->status == 201);
  backend->answers_at_once = false;
  backend->silent = true;
  const Pending under_way = create_shared(server, "b");
  const Pending held = create_shared(server, "c");
  const Pending hurried = begin(server, "DELETE", path_of_map("a") + "?timeout=4s", "");
  const Pending read = begin(server, "GET", path_of_map("a"), "");
  const Pending many = begin(server, "DELETE", std::string(kSharedMaps), "");
  server.advance(kSharedStart + Duration::from_seconds(3));
  CHECK_FALSE(*hurried);
  server.advance(kSharedStart + Duration::from_seconds(4));
  REQUIRE(*hurried);
  CHECK((*hurried)->status == 504);
  CHECK((*hurried)->body.flatten() == kOutOfTime);
  server.advance(kSharedStart + Duration::from_seconds(33));
  CHECK_FALSE(*under_way);
  CHECK_FALSE(*held);
  server.advance(kSharedStart + Duration::from_seconds(34));
  for (const Pending& write : {under_way, held}) {
    REQUIRE(*write);
    CHECK((*write)->status == 504);
    CHECK((*write)->body.flatten() ==
          "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
          "\"message\":\"Timeout: request did not complete within requested timeout - context "
          "deadline exceeded\",\"reason\":\"Timeout\",\"details\":{},\"code\":504}\n");
  }
  CHECK_FALSE(*read);
  CHECK_FALSE(*many);
  server.advance(kSharedStart + Duration::from_seconds(60));
  for (const Pending& other : {read, many}) {
    REQUIRE(*other);
    CHECK((*other)->status == 504);
    CHECK((*other)->body.flatten() == kOutOfTime);
  }
  // What was under way may still be stored; what was only held is not.
  backend->answers_at_once = true;
  backend->answer();
  CHECK(storage->revision_of("configmaps/default/b") != 0);
  CHECK(storage->revision_of("configmaps/default/c") == 0);
  CHECK(storage->revision_of("configmaps/default/a") != 0);
}

TEST_CASE("shared: what is given back is done again for those who still wait", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  REQUIRE((*create_shared(server, "a"))->status == 201);
  backend->answers_at_once = false;
  backend->tell_health(Fault{"etcd is not reached"});
  const Pending hurried = begin(server, "DELETE", path_of_map("a") + "?timeout=4s", "");
  const Pending patient = create_shared(server, "b");
  REQUIRE(backend->under_way());
  backend->refuses = true;
  backend->answer();
  CHECK_FALSE(*hurried);
  REQUIRE(backend->under_way());
  CHECK(backend->batch().changes[0].key == "configmaps/default/a");
  CHECK(ask(server, "GET", "/livez").status == 500);  // nothing was stored
  server.advance(kSharedStart + Duration::from_seconds(4));
  REQUIRE(*hurried);
  CHECK((*hurried)->status == 504);
  backend->answer();
  REQUIRE(backend->under_way());
  REQUIRE(backend->batch().changes.size() == 1);
  CHECK(backend->batch().changes[0].key == "configmaps/default/b");
  backend->refuses = false;
  backend->answer();
  REQUIRE(*patient);
  CHECK((*patient)->status == 201);
  CHECK(storage->revision_of("configmaps/default/a") != 0);
  CHECK(ask(server, "GET", "/livez").status == 200);
}

TEST_CASE("shared: the checks of etcd fail while it does not answer", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  const auto text = [&](std::string_view path) { return ask(server, "GET", path).body.flatten(); };
  CHECK(text("/readyz/etcd-readiness") == "ok");
  CHECK(text("/readyz?verbose")
            .starts_with("[+]ping ok\n[+]log ok\n[+]etcd ok\n"
                         "[+]etcd-readiness ok\n[+]informer-sync ok\n"));
  backend->tell_health(Fault{"etcd is not reached"});
  CHECK(ask(server, "GET", "/readyz").status == 500);
  CHECK(
      text("/readyz").starts_with("[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n"
                                  "[-]etcd-readiness failed: reason withheld\n"));
  CHECK(text("/readyz").ends_with("[+]shutdown ok\nreadyz check failed\n"));
  CHECK(ask(server, "GET", "/livez").status == 500);
  CHECK(ask(server, "GET", "/livez?exclude=etcd").status == 200);
  CHECK(ask(server, "GET", "/livez/ping").status == 200);
  CHECK(ask(server, "GET", "/livez/etcd-readiness").status == 404);
  CHECK(ask(server, "GET", "/livez/etcd").status == 500);
  CHECK(text("/livez/etcd") ==
        "internal server error: error getting data from etcd: context deadline exceeded\n");
  backend->tell_health(std::nullopt);
  CHECK(text("/readyz") == "ok");
  CHECK(text("/livez") == "ok");
}

TEST_CASE("shared: what does not decode is corrupt, and foreign keys are left alone", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  storage->put("configmaps/default/bad", "garbage");
  storage->put("masterleases/10.0.0.1", "k8s");
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  CHECK(ask(server, "GET", path_of_map("bad")).status == 500);
  CHECK(ask(server, "PUT", path_of_map("bad"), shared_map("bad")).status == 500);
  CHECK(storage->keys["configmaps/default/bad"].value == "garbage");
  CHECK(storage->keys["masterleases/10.0.0.1"].value == "k8s");
}

TEST_CASE("shared: events have a lease, other objects none", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto backend = std::make_shared<SharedBackend>(storage);
  ApiServer server(shared_options(backend));
  const std::string event =
      R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"default"},)"
      R"("involvedObject":{"kind":"Pod","namespace":"default","name":"p"},"type":"Normal"})";
  CHECK(ask(server, "POST", "/api/v1/namespaces/default/events", event).status == 201);
  REQUIRE(backend->last.size() == 1);
  CHECK(backend->last[0].key == "events/default/e");
  CHECK(backend->last[0].ttl == 3600);
  CHECK((*create_shared(server, "a"))->status == 201);
  CHECK(backend->last[0].ttl == 0);
}

TEST_CASE("shared: two servers begin at the same time and see each other", "[server]") {
  const auto storage = std::make_shared<SharedStorage>();
  const auto left = std::make_shared<SharedBackend>(storage);
  const auto right = std::make_shared<SharedBackend>(storage);
  ApiServer one(shared_options(left, 1));
  ApiServer two(shared_options(right, 2));
  const std::size_t initial = storage->keys.size();
  REQUIRE((*create_shared(one, "a"))->status == 201);
  CHECK((*create_shared(two, "a"))->status == 409);
  CHECK((*create_shared(two, "b"))->status == 201);
  CHECK(ask(one, "GET", path_of_map("b")).status == 200);
  CHECK(storage->keys.size() == initial + 2);
}

}  // namespace
}  // namespace tabernetes::server
