// The whole query of a list and of a watch: versions, matches, limits, tokens and selectors of any
// size, all at once. No crash and no unexpected status; a watch delivers whole lines of JSON
// events, and no list exceeds its limit.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tabernetes/api_server.h"

namespace {

using tabernetes::ApiServer;
using tabernetes::Duration;
using tabernetes::Request;
using tabernetes::Response;
using tabernetes::Rope;
using tabernetes::Slice;

void require(bool holds) {
  if (!holds) std::abort();
}

// The last answer, which may come only after time has passed.
struct Answer {
  int count = 0;
  Response response;
};

void ask(ApiServer& server, std::string method, std::string target, std::string body,
         Answer& answer) {
  Request request{.method = std::move(method), .target = std::move(target)};
  request.body = std::move(body);
  server.handle(std::move(request), [&answer](Response response) {
    ++answer.count;
    answer.response = std::move(response);
  });
}

ApiServer* make_server() {
  auto* server = new ApiServer();
  for (const std::string name : {"x", "y", "z", "x-y"}) {
    Answer made;
    ask(*server, "POST", "/api/v1/namespaces/default/pods",
        R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name +
            R"(","labels":{"app":")" + name +
            R"("}},"spec":{"containers":[{"name":"c","image":"i"}]}})",
        made);
  }
  return server;
}

void check_stream(ApiServer& server, tabernetes::Stream& stream) {
  for (int i = 0; i < 3; ++i) {
    const Rope rope = stream.next();
    for (const Slice& slice : rope.slices()) {
      require(slice.view().substr(0, 9) == "{\"type\":\"" && slice.view().back() == '\n');
    }
    server.advance(server.time() + Duration::from_seconds(4));
  }
}

void check_answer(ApiServer& server, Answer& answer) {
  // An answer may wait for a version, but never longer than this.
  if (answer.count == 0) server.advance(server.time() + Duration::from_seconds(4));
  require(answer.count == 1);
  const Response& response = answer.response;
  if (response.stream) return check_stream(server, *response.stream);
  switch (response.status) {
    case 200:
    case 400:
    case 410:
    case 422:
    case 500:
    case 504:
      break;
    default:
      std::abort();
  }
  const std::string body = response.body.flatten();
  require(body.find(response.status == 200 ? "PodList" : "\"kind\":\"Status\"") !=
              std::string::npos ||
          body.find("\"kind\": ") != std::string::npos);  // with pretty=true
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ApiServer* server = make_server();
  static int handled = 0;
  if (++handled % 20'000 == 0) {  // every wait advances the time
    delete server;
    server = make_server();
  }
  std::string query(reinterpret_cast<const char*>(data), size);
  // Checks that a selector of a hundred kilobytes takes linear time: libFuzzer has a timeout.
  if (!query.empty() && query.front() == '*') {
    const std::string once = query.substr(1);
    while (!once.empty() && query.size() < 100'000) query += once;
  }
  for (const char* path : {"/api/v1/pods?", "/api/v1/namespaces/default/pods?watch=1&",
                           "/api/v1/watch/namespaces/default/pods?"}) {
    Answer answer;
    ask(*server, "GET", path + query, {}, answer);
    check_answer(*server, answer);
  }
  return 0;
}
