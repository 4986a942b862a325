// Limits over a whole server. Rules of faults let requests take time.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "../requests.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kFlowMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kTooMany = "429 Too many requests, please try again later.\n";
constexpr std::string_view kFlowApi = "/apis/flowcontrol.apiserver.k8s.io/v1/";

Options limited(bool by_priority) {
  Options options;
  options.now = Time::from_unix_milliseconds(1'000'000);
  options.controllers = {};
  options.priority_and_fairness = by_priority;
  // By priority, one share is one seat.
  options.max_requests_inflight = by_priority ? 100 : 2;
  options.max_mutating_requests_inflight = by_priority ? 20 : 1;
  // Creates of users whose names begin with "slow" take a minute.
  options.faults =
      "[{match: {user: 'slow*', verb: create}, delay: 60s},"
      " {match: {user: 'slow*', verb: get}, delay: 60s}]";
  return options;
}

Request as(std::string_view user, Request request, std::string_view group = "") {
  request.host_identity = {{"impersonate-user", std::string(user)}};
  if (!group.empty()) request.host_identity.emplace_back("impersonate-group", std::string(group));
  return request;
}

Pending send(ApiServer& server, Request request) {
  auto pending = std::make_shared<std::unique_ptr<Response>>();
  server.handle(std::move(request), [pending](Response response) {
    *pending = std::make_unique<Response>(std::move(response));
  });
  return pending;
}

Request slow_create() {
  return request_of("POST", kFlowMaps, R"({"metadata":{"generateName":"a"}})");
}
Request list_maps(std::string_view query = "") {
  return request_of("GET", std::string(kFlowMaps) + std::string(query));
}

std::string answer_of(const Pending& pending) {
  return *pending ? text_of(**pending) : std::string("nothing yet");
}

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "none";
}

void advance(ApiServer& server, std::int64_t milliseconds) {
  server.advance(server.time() + Duration::from_milliseconds(milliseconds));
}

// Makes a level, of one seat unless there are more shares, and the flow schema that leads users to
// it whose names are given.
void make_level(ApiServer& server, std::string_view name, std::string_view response,
                std::string_view user, std::string_view borrowing = "0", int shares = 1) {
  const std::string level(name);
  REQUIRE(ask(server, "POST", std::string(kFlowApi) + "prioritylevelconfigurations",
              R"({"metadata":{"name":")" + level +
                  R"("},"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":)" +
                  std::to_string(shares) + R"(,"borrowingLimitPercent":)" + std::string(borrowing) +
                  R"(,"limitResponse":)" + std::string(response) + "}}}")
              .status == 201);
  REQUIRE(
      ask(server, "POST", std::string(kFlowApi) + "flowschemas",
          R"({"metadata":{"name":"for-)" + level +
              R"("},"spec":{"priorityLevelConfiguration":{"name":")" + level +
              R"("},"matchingPrecedence":50,"rules":[{"subjects":[{"kind":"User","user":{"name":")" +
              std::string(user) +
              R"("}}],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],)"
              R"("clusterScope":true,"namespaces":["*"]}],"nonResourceRules":[{"verbs":["*"],)"
              R"("nonResourceURLs":["*"]}]}]}})")
          .status == 201);
}

constexpr std::string_view kReject = R"({"type":"Reject"})";
constexpr std::string_view kQueueOfOne =
    R"({"type":"Queue","queuing":{"queues":1,"handSize":1,"queueLengthLimit":1}})";

TEST_CASE("A level without queues refuses what has no seat, others go on") {
  ApiServer server(limited(true));
  make_level(server, "reject-one", kReject, "slow");
  const Pending slow = send(server, as("slow", slow_create()));
  CHECK(answer_of(slow) == "nothing yet");
  const Pending refused = send(server, as("slow", list_maps()));
  REQUIRE(answer_of(refused) == kTooMany);
  CHECK(header_of(**refused, "Retry-After") == "1");
  CHECK(header_of(**refused, "Content-Type") == "text/plain; charset=utf-8");
  CHECK(header_of(**refused, "X-Content-Type-Options") == "nosniff");
  CHECK(header_of(**refused, "X-Kubernetes-Pf-Flowschema-Uid").size() == 36);
  CHECK(answer_of(send(server, as("slow", list_maps("?watch=1&timeoutSeconds=1")))) == kTooMany);
  CHECK(answer_of(send(server, as("slow", request_of("GET", "/version")))) == kTooMany);
  CHECK((*send(server, as("other", list_maps())))->status == 200);
  advance(server, 60'000);
  CHECK((*slow)->status == 201);
  CHECK((*send(server, as("slow", list_maps())))->status == 200);
}

TEST_CASE("A view leaves what a full level has to decide to the writer") {
  Options options = limited(true);
  options.faults = {};  // views answer nothing while there are any
  ApiServer server(options);
  make_level(server, "reject-one", kReject, "slow");
  const auto answers = [&](std::string_view user) {
    return server.view()->answer(as(user, list_maps()), server.time()).has_value();
  };
  CHECK(answers("slow"));
  const Pending slow = send(server, as("slow", list_maps("?resourceVersion=999999")));
  CHECK(answer_of(slow) == "nothing yet");
  CHECK_FALSE(answers("slow"));
  CHECK(answers("other"));
  advance(server, 3'000);
  CHECK((*slow)->status == 504);
  CHECK(answers("slow"));
}

// As limited(), with a seat for each share of the usual levels and of one more level.
Options limited_for(int shares) {
  Options options = limited(true);
  options.max_mutating_requests_inflight = 245 - options.max_requests_inflight + shares;
  return options;
}

// Makes ConfigMaps of about 450 kB together.
void make_large_maps(ApiServer& server) {
  const std::string data(150'000, 'x');
  for (const std::string_view name : {"a", "b", "c"}) {
    REQUIRE(ask(server, "POST", kFlowMaps,
                R"({"metadata":{"name":")" + std::string(name) + R"("},"data":{"a":")" + data +
                    R"("}})")
                .status == 201);
  }
}

TEST_CASE("A list of large objects takes several seats") {
  ApiServer server(limited_for(6));
  make_large_maps(server);
  make_level(server, "reject", kReject, "slow", "0", 6);
  CHECK((*send(server, as("slow", list_maps())))->status == 200);
  const Pending first = send(server, as("slow", slow_create()));
  CHECK((*send(server, as("slow", list_maps())))->status == 200);
  const Pending second = send(server, as("slow", slow_create()));
  CHECK(answer_of(send(server, as("slow", list_maps()))) == kTooMany);
  CHECK((*send(server, as("slow", list_maps("?limit=1"))))->status == 200);
  CHECK((*send(server, as("slow", list_maps("?fieldSelector=metadata.name%3Da"))))->status == 200);
  const std::string page = get(server, "/metrics");
  const std::string seats = "apiserver_flowcontrol_work_estimated_seats_";
  const std::string labels = "{flow_schema=\"for-reject\",priority_level=\"reject\"} ";
  CHECK(page.find(seats + "count" + labels + "7\n") != std::string::npos);
  CHECK(page.find(seats + "sum" + labels + "21\n") != std::string::npos);
  CHECK(page.find("apiserver_flowcontrol_current_executing_seats" + labels + "2\n") !=
        std::string::npos);
}

TEST_CASE("A view counts the seats of what it answers, and leaves wide lists to the writer") {
  Options options = limited_for(6);
  options.faults = {};
  ApiServer server(options);
  make_large_maps(server);
  make_level(server, "reject", kReject, "slow", "0", 6);
  const auto answers = [&](std::string_view query) {
    return server.view()->answer(as("slow", list_maps(query)), server.time()).has_value();
  };
  CHECK(answers(""));
  const Pending first = send(server, as("slow", list_maps("?resourceVersion=999999&limit=1")));
  CHECK(answer_of(first) == "nothing yet");
  CHECK_FALSE(answers(""));  // the first one is expected to take two seats
  CHECK(answers("?limit=1"));
  const std::string page = get(server, "/metrics");
  CHECK(page.find("apiserver_flowcontrol_work_estimated_seats_sum{flow_schema=\"for-reject\","
                  "priority_level=\"reject\"} 9\n") != std::string::npos);
}

TEST_CASE("A wide list waits for its seats, and the pages show them") {
  ApiServer server(limited_for(20));
  make_large_maps(server);
  // A request gets 15 % of 20 seats at most.
  make_level(server, "queue", kQueueOfOne, "slow", "0", 20);
  std::vector<Pending> slow;
  for (int i = 0; i < 18; ++i) slow.push_back(send(server, as("slow", slow_create())));
  const Pending list = send(server, as("slow", list_maps()));
  CHECK(answer_of(list) == "nothing yet");
  const std::string base = "/debug/api_priority_and_fairness/";
  CHECK(get(server, base + "dump_queues").find("1,               18,                18,") !=
        std::string::npos);
  CHECK(get(server, base + "dump_requests").find("3,            0,          0s,") !=
        std::string::npos);
  const std::string page = get(server, "/metrics");
  const std::string labels = "{flow_schema=\"for-queue\",priority_level=\"queue\"} ";
  CHECK(page.find("current_inqueue_seats" + labels + "3\n") != std::string::npos);
  CHECK(page.find("request_dispatch_no_accommodation_total" + labels + "1\n") != std::string::npos);
  CHECK(page.find("demand_seats_high_watermark{priority_level=\"queue\"}") != std::string::npos);
  advance(server, 60'000);
  CHECK((*list)->status == 429);  // 15 s were too few
  CHECK((*send(server, as("slow", list_maps())))->status == 200);
}

TEST_CASE("A write that many watches hear of takes seats by their number") {
  ApiServer server(limited_for(6));
  make_level(server, "reject", kReject, "slow", "0", 6);
  std::vector<Pending> watches;
  for (int i = 0; i < 25; ++i) {
    watches.push_back(send(
        server,
        as("other",
           list_maps("?watch=1" + std::string(i < 20 ? "" : "&fieldSelector=metadata.name%3Dx")))));
  }
  const Pending first = send(server, as("slow", slow_create()));
  const std::string base = "/debug/api_priority_and_fairness/";
  CHECK(get(server, base + "dump_requests").find("1,            2,          5ms,") !=
        std::string::npos);
  const Pending second = send(server, as("slow", slow_create()));
  const std::string labels = "{flow_schema=\"for-reject\",priority_level=\"reject\"} ";
  std::string page = get(server, "/metrics");
  CHECK(page.find("watch_count_samples_sum" + labels + "40\n") != std::string::npos);
  CHECK(page.find("current_executing_seats" + labels + "4\n") != std::string::npos);
  watches.clear();
  CHECK(answer_of(send(server, as("slow", request_of("DELETE", "/api/v1/namespaces/x")))) !=
        kTooMany);
  const Pending third = send(server, as("slow", slow_create()));
  page = get(server, "/metrics");
  CHECK(page.find("current_executing_seats" + labels + "5\n") != std::string::npos);
}

TEST_CASE("A queue holds a request until there is a seat, or for a quarter of its time") {
  ApiServer server(limited(true));
  make_level(server, "queue-one", kQueueOfOne, "slow");
  const Pending slow = send(server, as("slow", slow_create()));
  const Pending hurried = send(server, as("slow", list_maps("?timeout=2s")));
  CHECK(answer_of(send(server, as("slow", list_maps()))) == kTooMany);  // the queue is full
  advance(server, 499);
  CHECK(answer_of(hurried) == "nothing yet");
  advance(server, 1);
  CHECK(answer_of(hurried) == kTooMany);
  const Pending patient = send(server, as("slow", list_maps()));
  advance(server, 14'999);
  CHECK(answer_of(patient) == "nothing yet");
  advance(server, 1);
  CHECK(answer_of(patient) == kTooMany);
  advance(server, 30'000);
  const Pending lucky = send(server, as("slow", list_maps()));
  CHECK(answer_of(lucky) == "nothing yet");
  advance(server, 14'500);
  CHECK((*slow)->status == 201);
  REQUIRE(*lucky);
  CHECK((*lucky)->status == 200);
}

TEST_CASE("The time limit of requests is an option") {
  Options options = limited(true);
  options.request_timeout = Duration::from_seconds(8);
  ApiServer server(options);
  make_level(server, "queue-one", kQueueOfOne, "slow");
  const Pending slow = send(server, as("slow", slow_create()));
  const Pending waits = send(server, as("slow", list_maps("?timeout=1h")));
  advance(server, 1'999);
  CHECK(answer_of(waits) == "nothing yet");
  advance(server, 1);
  CHECK(answer_of(waits) == kTooMany);
}

TEST_CASE("A level borrows the seats that others do not need") {
  Options options = limited(true);
  options.max_requests_inflight = 400;
  options.max_mutating_requests_inflight = 1;
  ApiServer server(options);
  make_level(server, "borrower", kQueueOfOne, "slow", "100000");
  std::vector<Pending> slow;
  for (int i = 0; i < 3; ++i) slow.push_back(send(server, as("slow", slow_create())));
  const std::string page = get(server, "/metrics");
  CHECK(page.find("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"borrower\"} 2\n") !=
        std::string::npos);
  CHECK(page.find("apiserver_flowcontrol_upper_limit_seats{priority_level=\"borrower\"} 2002\n") !=
        std::string::npos);
  // What it could use is known after a period.
  advance(server, 10'000);
  const Pending more = send(server, as("slow", slow_create()));
  advance(server, 50'000);
  for (const Pending& each : slow) CHECK((*each)->status == 201);
  CHECK(answer_of(more) == "nothing yet");
  advance(server, 10'000);
  REQUIRE(*more);
  CHECK((*more)->status == 201);
}

TEST_CASE("Without priorities reads and writes have a limit each") {
  ApiServer server(limited(false));
  const Pending slow = send(server, as("slow", slow_create()));
  CHECK(answer_of(send(server, as("other", slow_create()))) == kTooMany);
  CHECK(answer_of(send(server, as("other", request_of("DELETE", kFlowMaps)))) == kTooMany);
  CHECK((*send(server, as("other", list_maps())))->status == 200);
  CHECK((*send(server, as("root", slow_create(), "system:masters")))->status == 201);
  const std::string one = std::string(kFlowMaps) + "/one";
  const Pending first = send(server, as("slow", request_of("GET", one)));
  const Pending second = send(server, as("slow", request_of("GET", one)));
  const Pending third = send(server, as("other", request_of("GET", "/healthz")));
  REQUIRE(answer_of(third) == kTooMany);
  CHECK(header_of(**third, "X-Kubernetes-Pf-Flowschema-Uid") == "none");
  CHECK_FALSE(server.view()->answer(as("other", list_maps()), server.time()).has_value());
  CHECK((*send(server, as("other", list_maps("?watch=1&timeoutSeconds=1"))))->status == 200);
  advance(server, 60'000);
  CHECK((*slow)->status == 201);
  CHECK((*first)->status == 404);
  CHECK((*send(server, as("other", slow_create())))->status == 201);
}

TEST_CASE("The pages of priority and fairness show what runs and waits") {
  ApiServer server(limited(true));
  make_level(server, "queue-one", kQueueOfOne, "slow");
  const Pending slow = send(server, as("slow", slow_create()));
  const Pending waits = send(server, as("slow", list_maps()));
  const std::string base = "/debug/api_priority_and_fairness/";
  const std::string levels = get(server, base + "dump_priority_levels");
  CHECK(levels.find("queue-one,         1,            false,  false,       1,               1,  "
                    "               1,                  0,                0,                0\n") !=
        std::string::npos);
  const std::string queues = get(server, base + "dump_queues");
  CHECK(queues.find("queue-one,         0,      1,               1,                 1,          "
                    "0.00300000ss,  1,               1,           0.00300000ss\n") !=
        std::string::npos);
  const std::string requests = get(server, base + "dump_requests?includeRequestDetails=1");
  CHECK(requests.find("slow,") != std::string::npos);
  CHECK(requests.find("/api/v1/namespaces/default/configmaps") != std::string::npos);
  CHECK(requests.find("0001-01-01T00:00:00Z") != std::string::npos);
  CHECK(get(server, base + "nope").starts_with("404 "));
  ApiServer plain(limited(false));
  CHECK(get(plain, base + "dump_queues") == "404 404 page not found\n");
}

TEST_CASE("A fork has seats of its own, and a server with waiting requests can be dropped") {
  ApiServer server(limited(true));
  make_level(server, "queue-one", kQueueOfOne, "slow");
  const Pending slow = send(server, as("slow", slow_create()));
  const Pending waits = send(server, as("slow", list_maps()));
  CHECK(answer_of(waits) == "nothing yet");
  const auto fork = server.fork();
  CHECK((*send(*fork, as("slow", list_maps())))->status == 200);
}

TEST_CASE("Limits that leave no seat are refused") {
  CHECK(check_limits(true, 1, 0));
  CHECK(check_limits(false, 0, 0));
  CHECK(check_limits(true, 0, 0).fault().message ==
        "invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they "
        "must add up to something positive");
  CHECK(check_limits(false, -1, 0).fault().message == "can not be negative value");
}

}  // namespace
}  // namespace tabernetes::server
