// One write fanned out to many watches in the core: the write, the wake-ups, and every watch
// reading its event. Writes a pod of about 2 KiB repeatedly. Prints the rows of watch.mjs as JSON.
#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tabernetes/api_server.h"

namespace {

using namespace tabernetes;

constexpr double kBudget = 1'000'000;  // deliveries per second

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Response ask(ApiServer& server, std::string method, std::string target, std::string body = {}) {
  Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.body = std::move(body);
  if (!request.body.empty()) {
    const bool patch = request.method == "PATCH";
    request.headers = {
        {"content-type", patch ? "application/merge-patch+json" : "application/json"}};
  }
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  if (answer.status >= 300) {
    std::fprintf(stderr, "%d %s\n", answer.status, answer.body.flatten().c_str());
    std::exit(1);
  }
  return answer;
}

// A cluster with watches that each read as soon as they are woken.
class Audience {
 public:
  Audience() {
    ask(server_, "POST", "/api/v1/namespaces/default/pods",
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","labels":{"app":"web"},)"
        R"("annotations":{"text":")" +
            std::string(1200, 'x') +
            R"("}},"spec":{"containers":[{"name":"web","image":"web"}]}})");
  }

  void add(int count, const std::string& query) {
    for (int i = 0; i < count; ++i) {
      auto watch = std::make_unique<Watch>();
      watch->stream = ask(server_, "GET",
                          "/api/v1/namespaces/default/pods?watch=1&sendInitialEvents=false"
                          "&resourceVersionMatch=NotOlderThan" +
                              query)
                          .stream;
      watches_.push_back(std::move(watch));
    }
    for (const auto& watch : watches_) read(*watch);
  }

  void write() {
    ask(server_, "PATCH", "/api/v1/namespaces/default/pods/web",
        R"({"metadata":{"annotations":{"n":")" + std::to_string(++writes_) + R"("}}})");
    for (Watch* watch : std::exchange(ready_, {})) read(*watch);
  }

  long deliveries() const { return deliveries_; }
  // Returns the number of distinct encodings among the deliveries since the last call.
  std::size_t encodings() { return std::exchange(owners_, {}).size(); }
  bool count_encodings = false;

 private:
  struct Watch {
    std::unique_ptr<Stream> stream;
  };

  void read(Watch& watch) {
    for (;;) {
      const Rope unit = watch.stream->next();
      if (unit.empty()) break;
      deliveries_ += static_cast<long>(unit.slices().size());
      if (count_encodings) {
        for (const Slice& slice : unit.slices()) owners_.insert(slice.view().data());
      }
    }
    watch.stream->on_ready([this, &watch] { ready_.push_back(&watch); });
  }

  ApiServer server_;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::vector<Watch*> ready_;
  std::set<const void*> owners_;
  long deliveries_ = 0;
  long writes_ = 0;
};

struct Row {
  std::string measure;
  double value;
  const char* unit;
  double budget = 0;  // 0 if none
  bool higher = false;
};

// Writes for about a second.
void measure(Audience& audience, const std::string& what, double budget, std::vector<Row>& rows) {
  audience.count_encodings = true;
  audience.write();
  const double encodings = static_cast<double>(audience.encodings());
  audience.count_encodings = false;
  const long before = audience.deliveries();
  const double start = seconds();
  int writes = 0;
  double elapsed = 0;
  while (elapsed < 1) {
    for (int i = 0; i < 10; ++i) audience.write();
    writes += 10;
    elapsed = seconds() - start;
  }
  const double deliveries = static_cast<double>(audience.deliveries() - before);
  rows.push_back({what + ": deliveries", deliveries / elapsed, "/s", budget, true});
  rows.push_back({what + ": a write with all of its deliveries", elapsed / writes * 1e6, "µs"});
  rows.push_back({what + ": encodings of a write", encodings, ""});
}

// Measures the limit of any fan-out: to copy a shared slice into a rope and to return it.
Row limit() {
  const Slice slice = Slice::from_string(std::string(2048, 'x'));
  std::vector<Rope> ropes(10'000);
  const double start = seconds();
  long copies = 0;
  while (seconds() - start < 0.5) {
    for (Rope& rope : ropes) {
      rope = Rope();
      rope.append(slice);
    }
    copies += static_cast<long>(ropes.size());
  }
  return {"limit: a shared slice into 10000 ropes", static_cast<double>(copies) / 0.5, "/s"};
}

// Measures the memory of an idle watch.
Row memory_of_idle_watch() {
  Audience audience;
  audience.add(1, "");
  const std::size_t before = mallinfo2().uordblks;
  audience.add(10'000, "");
  return {"memory of an idle watch", static_cast<double>(mallinfo2().uordblks - before) / 10'000,
          "B"};
}

std::vector<Row> measure_all() {
  std::vector<Row> rows = {limit(), memory_of_idle_watch()};
  for (const int count : {1, 100, 10'000}) {
    Audience audience;
    audience.add(count, "");
    measure(audience, std::to_string(count) + (count == 1 ? " watch" : " watches"),
            count == 10'000 ? kBudget : 0, rows);
  }
  Audience selective;
  for (int i = 0; i < 100; ++i) {
    selective.add(100, "&labelSelector=app%3Dweb,other!%3D" + std::to_string(i));
  }
  measure(selective, "100 selectors of 100 watches", 0, rows);
  return rows;
}

}  // namespace

int main() {
  const std::vector<Row> rows = measure_all();
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::printf("%s{\"measure\":\"%s\",\"value\":%.1f,\"unit\":\"%s\"", i == 0 ? "" : ",",
                row.measure.c_str(), row.value, row.unit);
    if (row.budget != 0) std::printf(",\"budget\":%.0f", row.budget);
    if (row.higher) std::printf(",\"higher\":true");
    std::printf("}");
  }
  std::printf("]\n");
  return 0;
}
