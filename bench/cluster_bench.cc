// A cluster of 100,000 pods as a whole (fork, memory, load), and the deletion of a namespace with
// 10,000 objects. Prints the rows of fork.mjs, memory.mjs, load.mjs or delete.mjs as JSON.
//
//   cluster_bench fork|memory|load|delete POD.json      the pod's name is ########
//
// Times are processor time, which other work on the machine disturbs least.
#include <malloc.h>
#include <yyjson.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "pods.h"
#include "tabernetes/api_server.h"
#include "tabernetes/options.h"

namespace {

using namespace tabernetes;

constexpr int kPods = 100'000;

struct Row {
  std::string measure;
  double value;
  const char* unit;
  double budget = 0;  // 0 if none
};

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Response ask(ApiServer& server, std::string method, std::string target, std::string body = {}) {
  Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.headers = {{"content-type", "application/json"}};
  request.body = std::move(body);
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  if (answer.status >= 400) std::fprintf(stderr, "%s\n", answer.body.flatten().c_str());
  return answer;
}

void load(ApiServer& server, const std::string& text) {
  for (const LoadFault& found : server.load(text)) {
    std::fprintf(stderr, "%s\n", found.fault.message.c_str());
  }
}

// Forks with a full history, which keeps 100,000 changes.
std::vector<Row> measure_fork(const std::string& pod) {
  ApiServer server;
  load(server, manifest_of(pod, kPods));
  constexpr int kForks = 200;
  double start = seconds();
  for (int i = 0; i < kForks; ++i) server.fork();
  const double fork = (seconds() - start) / kForks;

  start = seconds();
  for (int i = 0; i < kForks; ++i) {
    const std::unique_ptr<ApiServer> copy = server.fork();
    (void)ask(*copy, "DELETE", "/api/v1/namespaces/default/pods/pod-00050000?gracePeriodSeconds=0");
  }
  const double used = (seconds() - start) / kForks;

  const std::vector<std::shared_ptr<int>> pointers(kPods, std::make_shared<int>());
  start = seconds();
  for (int i = 0; i < kForks; ++i) const std::vector<std::shared_ptr<int>> copy = pointers;
  const double copied = (seconds() - start) / kForks;
  return {{"fork of 100,000 pods and as many changes", fork * 1e3, "ms", 1},
          {"the same, and a write to it", used * 1e3, "ms"},
          {"peer: copying 100,000 shared pointers", copied * 1e3, "ms"}};
}

std::size_t allocated() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

std::vector<Row> measure_memory(const std::string& pod) {
  const std::string text = manifest_of(pod, kPods);
  ApiServer server;
  (void)ask(server, "GET", "/api/v1/pods");
  const std::size_t before = allocated();
  load(server, text);
  const auto bytes_each = [&] { return static_cast<double>(allocated() - before) / kPods; };
  const double with_history = bytes_each();
  (void)server.compact();
  const double without = bytes_each();
  const auto json = static_cast<double>(
      ask(server, "GET", "/api/v1/namespaces/default/pods/pod-00000000").body.size());
  return {{"memory of a pod", without, "B", 1.2 * json + 300},
          {"its JSON", json, "B"},
          {"its creation in the history", with_history - without, "B"}};
}

std::vector<Row> measure_load(const std::string& pod) {
  const std::string text = manifest_of(pod, kPods);
  ApiServer server;
  double start = seconds();
  load(server, text);
  const double loaded = seconds() - start;
  start = seconds();
  const std::string document = server.snapshot();
  const double saved = seconds() - start;
  start = seconds();
  if (const auto done = server.restore(document); !done) {
    std::fprintf(stderr, "%s\n", done.fault().message.c_str());
  }
  const double restored = seconds() - start;
  start = seconds();
  yyjson_doc_free(yyjson_read(text.data(), text.size(), 0));
  const double parsed = seconds() - start;
  return {{"load of 100,000 pods", loaded, "s", 1},
          {"snapshot of them", saved, "s"},
          {"restore of that", restored, "s"},
          {"peer: yyjson reads the manifest and does nothing with it", parsed, "s"}};
}

constexpr int kContent = 10'000;

// Pairs of ConfigMaps in the namespace `full`: one that owns the other.
std::string content_manifest() {
  std::string list = R"({"apiVersion":"v1","kind":"List","items":[)";
  list += R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"full"}})";
  for (int i = 0; i < kContent; ++i) {
    const std::string name = std::to_string(i / 2 * 2);
    const std::string uid = "00000000-0000-4000-8000-" + std::string(12 - name.size(), '0') + name;
    list += R"(,{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"full","name":"c)";
    list += std::to_string(i) + "\",";
    list += i % 2 == 0 ? "\"uid\":\"" + uid + "\"}"
                       : R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"c)" +
                             name + R"(","uid":")" + uid + "\"}]}";
    list += R"(,"data":{"key":"value"}})";
  }
  return list + "]}";
}

std::vector<Row> measure_delete() {
  Options options;
  options.controllers = *parse_controllers("*");
  ApiServer server(options);
  double start = seconds();
  load(server, content_manifest());
  const double loaded = seconds() - start;
  const std::unique_ptr<ApiServer> other = server.fork();

  start = seconds();
  (void)ask(server, "DELETE", "/api/v1/namespaces/full");
  server.advance(server.time() + Duration::from_seconds(60));
  const double deleted = seconds() - start;
  if (ask(server, "GET", "/api/v1/namespaces").body.flatten().find("full") != std::string::npos) {
    std::fprintf(stderr, "the namespace is still there\n");
  }
  start = seconds();
  for (int i = 0; i < kContent; ++i) {
    (void)ask(*other, "DELETE", "/api/v1/namespaces/full/configmaps/c" + std::to_string(i));
  }
  const double one_by_one = seconds() - start;
  return {{"a namespace of 10,000 objects, half of them owned, deleted", deleted, "s", 1},
          {"loading them", loaded, "s"},
          {"peer: their DELETEs one by one", one_by_one, "s"}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view what = argv[1];
  std::ostringstream pod;
  pod << std::ifstream(argv[2]).rdbuf();
  std::vector<Row> rows;
  if (what == "fork") rows = measure_fork(pod.str());
  if (what == "memory") rows = measure_memory(pod.str());
  if (what == "delete") rows = measure_delete();
  if (what == "load") rows = measure_load(pod.str());
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::printf("%s{\"measure\":\"%s\",\"value\":%.6f,\"unit\":\"%s\"", i == 0 ? "" : ",",
                row.measure.c_str(), row.value, row.unit);
    if (row.budget != 0) std::printf(",\"budget\":%.6f", row.budget);
    std::printf("}");
  }
  std::printf("]\n");
  return 0;
}
