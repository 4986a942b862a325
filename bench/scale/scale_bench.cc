// Measures the constants of the model in docs/scale.md at small sizes, and holds what the model
// says for larger ones against the real core at those sizes: memory and processor time as they are,
// and several servers in simulated time over an etcd with simulated latencies. Prints the rows of
// ../scale.mjs as JSON.
//
//   scale_bench POD.json      the pod's name is ########
//
// Processor time is this thread's, which other work on the machine disturbs least.
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "simulated_etcd.h"
#include "tabernetes/api_server.h"
#include "tabernetes/options.h"

namespace {

using namespace tabernetes;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

struct Row {
  std::string measure, unit;
  double value = 0;
  double model = -1;  // what the model says; below 0: nothing, the value is a constant of it
};

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double allocated() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

std::string named(const std::string& pod, int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 8 - digits.size(), '0');
  std::string text = pod;
  return text.replace(text.find("########"), 8, digits);
}

Request request_of(std::string method, std::string target, std::string body = {}) {
  Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.headers = {{"content-type", "application/json"}};
  request.body = std::move(body);
  return request;
}

Response ask(ApiServer& server, std::string method, std::string target, std::string body = {}) {
  Response answer;
  server.handle(request_of(std::move(method), std::move(target), std::move(body)),
                [&](Response response) { answer = std::move(response); });
  if (answer.status >= 400) {
    std::fprintf(stderr, "%s\n", answer.body.flatten().c_str());
    std::exit(1);
  }
  return answer;
}

// One server's costs, in seconds of processor time and bytes.
struct Costs {
  double empty = 0;  // bytes of a cluster without objects of a user
  double object = 0, create = 0, get = 0, listed = 0;
  double watcher = 0, delivery = 0;
};

Options options_of(std::shared_ptr<store::Backend> backend = nullptr, std::uint64_t seed = 1) {
  Options options;
  options.seed = seed;
  options.disable_admission_plugins = {"ServiceAccount"};
  options.backend = std::move(backend);
  return options;
}

Costs measure_costs(const std::string& pod, int objects, int watchers) {
  Costs costs;
  const double nothing = allocated();
  ApiServer server(options_of());
  costs.empty = allocated() - nothing;
  std::vector<std::string> bodies;
  for (int i = 0; i < objects; ++i) bodies.push_back(named(pod, i));
  const double before = allocated();
  double start = seconds();
  for (const std::string& body : bodies) ask(server, "POST", std::string(kPods), body);
  costs.create = (seconds() - start) / objects;
  costs.object = (allocated() - before) / objects;

  constexpr int kGets = 20'000;
  const std::string one = std::string(kPods) + "/pod-00000007";
  start = seconds();
  for (int i = 0; i < kGets; ++i) ask(server, "GET", one);
  costs.get = (seconds() - start) / kGets;
  constexpr int kLists = 20;
  start = seconds();
  for (int i = 0; i < kLists; ++i) ask(server, "GET", std::string(kPods));
  costs.listed = (seconds() - start) / kLists / objects;

  // Each watch has a client of its own, and all see all.
  const double without = allocated();
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < watchers; ++i) {
    streams.push_back(ask(server, "GET",
                          std::string(kPods) + "?watch=1&sendInitialEvents=false"
                                               "&resourceVersionMatch=NotOlderThan")
                          .stream);
  }
  const auto read = [&] {
    for (const auto& stream : streams) {
      while (!stream->next().empty()) {
      }
      stream->on_ready([] {});
    }
  };
  read();
  costs.watcher = (allocated() - without) / watchers;
  constexpr int kWrites = 20;
  start = seconds();
  for (int i = 0; i < kWrites; ++i) {
    ask(server, "POST", std::string(kPods), named(pod, objects + i));
    read();
  }
  costs.delivery = std::max(0.0, (seconds() - start) / kWrites - costs.create) / watchers;
  return costs;
}

// Returns the processor time that a server needs to take in an object of another one.
double measure_foreign(const std::string& pod, int objects) {
  scale::Events events;
  scale::SimulatedEtcd etcd(events, {});
  ApiServer writer(options_of(std::make_shared<scale::SimulatedEtcd::Backend>(etcd)));
  for (int i = 0; i < objects; ++i) ask(writer, "POST", std::string(kPods), named(pod, i));
  const double start = seconds();
  const ApiServer other(options_of(std::make_shared<scale::SimulatedEtcd::Backend>(etcd), 2));
  return (seconds() - start) / objects;
}

// Creates per second by `clients` that each wait for their answer, through `servers` over one etcd.
class Creating {
 public:
  Creating(const std::string& pod, int servers, int clients, scale::EtcdTimes times, double create,
           double foreign)
      : pod_(pod), etcd_(events_, times) {
    for (int i = 0; i < servers; ++i) {
      auto backend = std::make_shared<scale::SimulatedEtcd::Backend>(etcd_);
      servers_.push_back(
          std::make_unique<ApiServer>(options_of(backend, static_cast<std::uint64_t>(i) + 1)));
      backend->per_foreign_change = foreign;
      backend->busy = [create](std::size_t changes) {
        return static_cast<double>(changes) * create;
      };
    }
    for (int i = 0; i < clients; ++i) {
      events_.at(i * 1e-5, [this, i] { send(static_cast<std::size_t>(i) % servers_.size()); });
    }
  }

  double per_second(double warm, double time) {
    events_.run(warm);
    const int before = made_;
    events_.run(warm + time);
    return (made_ - before) / time;
  }

 private:
  void send(std::size_t server) {
    servers_[server]->handle(request_of("POST", std::string(kPods), named(pod_, sent_++)),
                             [this, server](const Response& response) {
                               if (response.status == 201) ++made_;
                               events_.at(events_.now(), [this, server] { send(server); });
                             });
  }

  const std::string pod_;
  scale::Events events_;
  scale::SimulatedEtcd etcd_;
  std::vector<std::unique_ptr<ApiServer>> servers_;
  int sent_ = 0, made_ = 0;
};

// What the model says. Of a server's clients one part is in the batch under way and the other waits
// for the next one, so a client waits for two batches. Servers take in the changes of the others.
double modelled_creates(int servers, int clients, scale::EtcdTimes times, double create,
                        double foreign) {
  const double all = clients, own = all / servers;
  const double round = 2 * times.way + own * (create + times.transaction) + (all - own) * foreign;
  return std::min(1 / times.transaction, all / round);
}

void print(const std::vector<Row>& rows) {
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::printf("%s\n{\"measure\":\"%s\",\"unit\":\"%s\",\"value\":%.6g", i == 0 ? "" : ",",
                row.measure.c_str(), row.unit.c_str(), row.value);
    if (row.model >= 0) std::printf(",\"model\":%.6g", row.model);
    std::printf("}");
  }
  std::printf("]\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  const std::string pod = text.str();

  constexpr int kObjects = 5'000, kWatchers = 500, kTimes = 20;
  (void)measure_costs(pod, 100, 10);  // what is made once
  const Costs small = measure_costs(pod, kObjects, kWatchers);
  const Costs large = measure_costs(pod, kTimes * kObjects, kTimes * kWatchers);
  std::vector<Row> rows;
  const auto compare = [&](const std::string& what, const char* unit, double times, double of_small,
                           double of_large) {
    rows.push_back({what, unit, of_small * times});
    rows.push_back({what + ", 20 times as many", unit, of_large * times, of_small * times});
  };
  compare("memory of an object", "B", 1, small.object, large.object);
  compare("processor time of a create", "µs", 1e6, small.create, large.create);
  compare("processor time of a GET", "µs", 1e6, small.get, large.get);
  compare("processor time of an object in a LIST", "µs", 1e6, small.listed, large.listed);
  compare("memory of a watcher", "B", 1, small.watcher, large.watcher);
  compare("processor time of a delivery", "µs", 1e6, small.delivery, large.delivery);
  const double foreign = measure_foreign(pod, kObjects);
  compare("processor time of another server's object", "µs", 1e6, foreign,
          measure_foreign(pod, kTimes * kObjects));
  rows.push_back({"memory of a cluster without objects", "KB", small.empty / 1e3});

  // What etcd 3.4 needs here: bench/etcd.mjs.
  constexpr scale::EtcdTimes kEtcd{.way = 0.003, .transaction = 1.0 / 2800};
  for (const int clients : {64, 640}) {
    for (const int servers : {1, 3, 6}) {
      Creating creating(pod, servers, clients, kEtcd, small.create, foreign);
      rows.push_back({"creates by " + std::to_string(clients) +
                          " clients, servers over one etcd: " + std::to_string(servers),
                      "/s", creating.per_second(1, 2),
                      modelled_creates(servers, clients, kEtcd, small.create, foreign)});
    }
  }
  print(rows);
}
