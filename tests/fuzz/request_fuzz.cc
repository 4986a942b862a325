// Any request to a small cluster: no crash, always an answer, and every failure in JSON is a
// Status.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tabernetes/api_server.h"

namespace {

// Parses the target from the first line, method and headers ("name: value", separated by '|') from
// the second, and the body from the rest.
tabernetes::Request request_of(std::string_view text) {
  auto line = [&text] {
    const std::size_t end = text.find('\n');
    const std::string_view found = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return found;
  };
  tabernetes::Request request;
  request.target = std::string(line());
  std::string_view head = line();
  bool first = true;
  while (!head.empty()) {
    const std::size_t bar = head.find('|');
    const std::string_view part = head.substr(0, bar);
    head = bar == std::string_view::npos ? std::string_view() : head.substr(bar + 1);
    const std::size_t colon = part.find(": ");
    if (first) {
      request.method = std::string(part);
    } else if (colon != std::string_view::npos) {
      request.headers.emplace_back(part.substr(0, colon), part.substr(colon + 2));
    }
    first = false;
  }
  request.body = std::string(text);
  return request;
}

bool is_json(const tabernetes::Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (name == "Content-Type") return value == "application/json";
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // One server for many inputs: the state left by earlier ones is part of the coverage.
  static auto* server = new tabernetes::ApiServer();
  static int handled = 0;
  if (++handled % 5000 == 0) {
    delete server;
    server = new tabernetes::ApiServer();
  }
  int answers = 0;
  server->handle(request_of({reinterpret_cast<const char*>(data), size}),
                 [&](tabernetes::Response response) {
                   ++answers;
                   const bool upgraded = response.message_type != tabernetes::MessageType::kNone;
                   if (upgraded != (response.status == 101) || (upgraded && !response.stream) ||
                       (response.status < 200 && !upgraded) || response.status > 599) {
                     std::abort();
                   }
                   if (response.stream) (void)response.stream->next();
                   const std::string body = response.body.flatten();
                   if (response.status >= 400 && is_json(response) &&
                       body.find("Failure") == std::string::npos) {
                     std::abort();
                   }
                 });
  if (answers != 1) std::abort();
  return 0;
}
