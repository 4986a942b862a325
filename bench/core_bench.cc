// The core without a transport: the native side of wasm.mjs, which makes the same calls of the npm
// package in Node. Prints rows as JSON.
//
//   core_bench POD.json      the pod's name is ########, the value of its label `shard` is ####
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tabernetes/api_server.h"

namespace {

using namespace tabernetes;

constexpr int kMany = 100'000;
constexpr int kSome = 10'000;
constexpr int kPage = 500;
constexpr double kLeastSeconds = 0.5;

struct Row {
  std::string measure;
  double value;
  const char* unit;
};

// Returns processor time, which other programs do not affect.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Returns the seconds of one `work`, from many repetitions.
double seconds_each(const std::function<void()>& work) {
  int done = 0;
  const double start = seconds();
  double took = 0;
  do {
    work();
    ++done;
    took = seconds() - start;
  } while (took < kLeastSeconds);
  return took / done;
}

void put_digits(std::string& text, std::string_view place, int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, place.size() - digits.size(), '0');
  text.replace(text.find(place), place.size(), digits);
}

std::string pod(std::string text, int number) {
  put_digits(text, "########", number);
  put_digits(text, "####", number % 1000);
  return text;
}

std::string manifest(const std::string& text, int pods) {
  std::string list = R"({"apiVersion":"v1","kind":"List","items":[)";
  for (int i = 0; i < pods; ++i) {
    if (i > 0) list += ',';
    list += pod(text, i);
  }
  return list + "]}";
}

Response send(ApiServer& server, std::string method, std::string target, std::string body = {}) {
  Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  if (!body.empty()) request.headers = {{"content-type", "application/json"}};
  request.body = std::move(body);
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  if (answer.status >= 400) std::fprintf(stderr, "%s\n", answer.body.flatten().c_str());
  return answer;
}

std::string continue_of(const Response& page) {
  std::string head;
  for (const Slice& slice : page.body.slices()) {
    if (head.size() >= 300) break;
    head += slice.view();
  }
  const std::string name = R"("continue":")";
  const std::size_t at = head.find(name);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size();
  return head.substr(begin, head.find('"', begin) - begin);
}

void walk_pages(ApiServer& server) {
  const std::string pages = "/api/v1/pods?limit=" + std::to_string(kPage);
  std::string token = continue_of(send(server, "GET", pages));
  while (!token.empty()) token = continue_of(send(server, "GET", pages + "&continue=" + token));
}

double writes_to_watchers(const std::string& text, int watchers) {
  ApiServer server;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<int> ready;
  const auto read = [&](int i) {
    while (!streams[static_cast<std::size_t>(i)]->next().empty()) {
    }
    streams[static_cast<std::size_t>(i)]->on_ready([&ready, i] { ready.push_back(i); });
  };
  for (int i = 0; i < watchers; ++i) {
    Response watch = send(server, "GET", "/api/v1/pods?watch=true&resourceVersion=2");
    streams.push_back(std::move(watch.stream));
    read(i);
  }
  int number = 0;
  return seconds_each([&] {
    (void)send(server, "POST", "/api/v1/namespaces/default/pods", pod(text, number++));
    std::vector<int> woken;
    woken.swap(ready);
    for (const int i : woken) read(i);
  });
}

std::vector<Row> measure(const std::string& text) {
  std::vector<Row> rows;
  {
    ApiServer server;
    const std::string all = manifest(text, kMany);
    const double start = seconds();
    for (const LoadFault& found : server.load(all))
      std::fprintf(stderr, "%s\n", found.fault.message.c_str());
    rows.push_back({"load of 100,000 pods", (seconds() - start) * 1e3, "ms"});
    rows.push_back({"fork of 100,000 pods", seconds_each([&] { server.fork(); }) * 1e3, "ms"});
    rows.push_back({"label selector, 100 of 100,000 pods",
                    seconds_each([&] {
                      (void)send(server, "GET", "/api/v1/pods?labelSelector=shard%3D0007");
                    }) * 1e3,
                    "ms"});
    rows.push_back(
        {"snapshot of 100,000 pods", seconds_each([&] { (void)server.snapshot(); }) * 1e3, "ms"});
  }
  ApiServer server;
  (void)server.load(manifest(text, kSome));
  rows.push_back({"list of 10,000 pods",
                  seconds_each([&] { (void)send(server, "GET", "/api/v1/pods"); }) * 1e3, "ms"});
  rows.push_back(
      {"the same by pages of 500", seconds_each([&] { walk_pages(server); }) * 1e3, "ms"});
  rows.push_back({"get", seconds_each([&] {
                           (void)send(server, "GET",
                                      "/api/v1/namespaces/default/pods/pod-00000007");
                         }) * 1e6,
                  "us"});
  int number = kSome;
  rows.push_back({"create", seconds_each([&] {
                              (void)send(server, "POST", "/api/v1/namespaces/default/pods",
                                         pod(text, number++));
                            }) * 1e6,
                  "us"});
  for (const int watchers : {1, 100, 10'000}) {
    rows.push_back({"a write and its event to watchers: " + std::to_string(watchers),
                    writes_to_watchers(text, watchers) * 1e3, "ms"});
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ostringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  const std::vector<Row> rows = measure(text.str());
  std::printf("[");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("%s{\"measure\":\"%s\",\"value\":%.6f,\"unit\":\"%s\"}", i == 0 ? "" : ",",
                rows[i].measure.c_str(), rows[i].value, rows[i].unit);
  }
  std::printf("]\n");
  return 0;
}
