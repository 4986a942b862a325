#include "response_head.h"

#include <catch2/catch_test_macros.hpp>

using namespace tabernetes;
using namespace tabernetes::host;

namespace {

class NoStream : public Stream {
 public:
  Rope next() override { return Rope(); }
  bool ended() const override { return true; }
  void on_ready(std::function<void()>) override {}
};

std::string head_of(const Response& response, const HeadOptions& options) {
  return format_head(response, framing_of(response, options), options);
}

Response with_body(int status, std::string body) {
  Response response;
  response.status = status;
  response.body.append(std::move(body));
  return response;
}

Response with_stream() {
  Response response;
  response.stream = std::make_unique<NoStream>();
  return response;
}

}  // namespace

TEST_CASE("head: how the end of the body is told", "[host]") {
  const HeadOptions get{.date = "D"};
  const HeadOptions head{.head_request = true, .date = "D"};
  const HeadOptions old{.http_1_0 = true, .keep_alive = false, .date = "D"};
  CHECK(head_of(with_body(200, "abc"), get) ==
        "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 3\r\n\r\n");
  CHECK(head_of(with_body(200, "abc"), head) ==
        "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 3\r\n\r\n");
  CHECK(head_of(with_body(204, ""), get) == "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n");
  CHECK(head_of(with_body(304, ""), get) == "HTTP/1.1 304 Not Modified\r\nDate: D\r\n\r\n");
  CHECK(head_of(with_body(404, ""), get) ==
        "HTTP/1.1 404 Not Found\r\nDate: D\r\nContent-Length: 0\r\n\r\n");
  CHECK(head_of(with_stream(), get) ==
        "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n");
  CHECK(head_of(with_stream(), head) == "HTTP/1.1 200 OK\r\nDate: D\r\n\r\n");
  CHECK(head_of(with_stream(), old) == "HTTP/1.0 200 OK\r\nDate: D\r\nConnection: close\r\n\r\n");
  CHECK(head_of(with_body(200, "a"), HeadOptions{.http_1_0 = true, .date = "D"}) ==
        "HTTP/1.0 200 OK\r\nDate: D\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n");
  CHECK(head_of(with_body(299, "a"), HeadOptions{.keep_alive = false, .date = "D"}) ==
        "HTTP/1.1 299 Status\r\nDate: D\r\nContent-Length: 1\r\nConnection: close\r\n\r\n");
}

TEST_CASE("head: a header value cannot begin a new line", "[host]") {
  Response response = with_body(200, "");
  response.headers = {{"Warning", "299 - \"a\r\nSet-Cookie: b\""}};
  CHECK(head_of(response, HeadOptions{.date = "D"}) ==
        "HTTP/1.1 200 OK\r\nWarning: 299 - \"a  Set-Cookie: b\"\r\nDate: D\r\n"
        "Content-Length: 0\r\n\r\n");
}

TEST_CASE("head: chunk sizes are hexadecimal", "[host]") {
  CHECK(format_chunk_size(10) == "a\r\n");
  CHECK(format_chunk_size(65536) == "10000\r\n");
}
