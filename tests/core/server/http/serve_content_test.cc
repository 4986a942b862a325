#include "server/http/serve_content.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/time/rfc3339.h"

namespace tabernetes::server {
namespace {

const Slice kBytes = Slice::from_static("0123456789");
const std::string kTag = "\"tag\"";

// Prints the answer: status, headers in order, body.
std::string answer(Headers headers, std::string method = "GET") {
  Request request;
  request.method = std::move(method);
  request.headers = std::move(headers);
  Response response;
  response.headers = {{"Cache-Control", "no-cache"}, {"Content-Type", "text/x"}};
  serve_content(request,
                {.bytes = kBytes, .tag = kTag, .modified = *parse_rfc3339("2026-03-01T12:00:00Z")},
                response);
  std::string text = std::to_string(response.status);
  for (const auto& [name, value] : response.headers) {
    if (name != "Cache-Control" && name != "Content-Type" && name != "Last-Modified") {
      text.append(" ").append(name).append(":").append(value);
    }
  }
  return text + " " + response.body.flatten();
}

TEST_CASE("serve content: the whole, with its headers", "[server]") {
  Request request;
  request.method = "GET";
  Response response;
  response.headers = {{"Content-Type", "text/x"}};
  serve_content(request,
                {.bytes = kBytes, .tag = kTag, .modified = *parse_rfc3339("2026-03-01T12:00:00Z")},
                response);
  CHECK(response.status == 200);
  CHECK(response.headers == Headers{{"Content-Type", "text/x"},
                                    {"Accept-Ranges", "bytes"},
                                    {"Etag", "\"tag\""},
                                    {"Last-Modified", "Sun, 01 Mar 2026 12:00:00 GMT"}});
  CHECK(response.body.flatten() == "0123456789");
}

constexpr const char* kWhole = "200 Accept-Ranges:bytes Etag:\"tag\" 0123456789";
constexpr const char* kUnchanged = "304 Etag:\"tag\" ";
constexpr const char* kFailed = "412 Etag:\"tag\" ";

TEST_CASE("serve content: preconditions as net/http checks them", "[server]") {
  struct Case {
    const char* header;
    const char* value;
    const char* answer;
  };
  static constexpr Case kCases[] = {
      {"if-none-match", "\"tag\"", kUnchanged},
      {"if-none-match", "W/\"tag\"", kUnchanged},
      {"if-none-match", "\"x\", \"tag\"", kUnchanged},
      {"if-none-match", "*", kUnchanged},
      {"if-none-match", "\"x\"", kWhole},
      {"if-none-match", "tag", kWhole},
      {"if-modified-since", "Sun, 01 Mar 2026 12:00:00 GMT", kUnchanged},
      {"if-modified-since", "Sun, 01 Mar 2026 11:59:59 GMT", kWhole},
      {"if-modified-since", "yesterday", kWhole},
      {"if-match", "\"tag\"", kWhole},
      {"if-match", "W/\"tag\"", kFailed},
      {"if-match", "\"x\"", kFailed},
      {"if-match", "*", kWhole},
      {"if-unmodified-since", "Sun, 01 Mar 2026 12:00:00 GMT", kWhole},
      {"if-unmodified-since", "Sun, 01 Mar 2026 11:59:59 GMT", kFailed},
  };
  for (const Case& c : kCases) {
    INFO(c.header << ": " << c.value);
    CHECK(answer({{c.header, c.value}}) == c.answer);
  }
  // A differing tag outweighs an unchanged time.
  CHECK(answer({{"if-none-match", "\"x\""},
                {"if-modified-since", "Sun, 01 Mar 2026 12:00:00 GMT"}}) == kWhole);
  CHECK(answer({{"if-none-match", "\"tag\""}}, "POST") == kFailed);
  CHECK(answer({{"if-modified-since", "Sun, 01 Mar 2026 12:00:00 GMT"}}, "POST") == kWhole);
}

TEST_CASE("serve content: ranges", "[server]") {
  constexpr const char* kMalformed = "416 X-Content-Type-Options:nosniff invalid range\n";
  constexpr const char* kOutside =
      "416 X-Content-Type-Options:nosniff Content-Range:bytes */10 invalid range: failed to "
      "overlap\n";
  struct Case {
    const char* range;
    const char* answer;
  };
  static constexpr Case kCases[] = {
      {"bytes=2-4", "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 2-4/10 234"},
      {"bytes=8-", "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 8-9/10 89"},
      {"bytes=8-99", "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 8-9/10 89"},
      {"bytes=-3", "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 7-9/10 789"},
      {"bytes=-30", "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 0-9/10 0123456789"},
      {"bytes=10-", kOutside},
      {"bytes=4-2", kMalformed},
      {"bytes=x", kMalformed},
      {"bytes=-", kMalformed},
      {"bytes=--3", kMalformed},
      {"items=0-1", kMalformed},
      {"bytes=0-1,3-4", kWhole},
  };
  for (const Case& c : kCases) {
    INFO(c.range);
    CHECK(answer({{"range", c.range}}) == c.answer);
  }
  CHECK(answer({{"range", "bytes=0-0"}, {"if-range", "\"x\""}}) == kWhole);
  CHECK(answer({{"range", "bytes=0-0"}, {"if-range", "\"tag\""}}) ==
        "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 0-0/10 0");
  CHECK(answer({{"range", "bytes=0-0"}, {"if-range", "Sun, 01 Mar 2026 12:00:00 GMT"}}) ==
        "206 Accept-Ranges:bytes Etag:\"tag\" Content-Range:bytes 0-0/10 0");
  CHECK(answer({{"range", "bytes=0-0"}}, "POST") == kWhole);
}

}  // namespace
}  // namespace tabernetes::server
