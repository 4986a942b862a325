#include "server/http/cors.h"

#include <catch2/catch_test_macros.hpp>

#include "../../faults.h"
#include "../requests.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

Response ask_from(ApiServer& server, std::string_view origin, std::string_view method,
                  std::string_view target) {
  Request request = request_of(method, target);
  request.headers.emplace_back("origin", origin);
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  return answer;
}

// Returns the headers that begin with Access-Control.
Headers cors_headers(const Response& response) {
  Headers found;
  for (const auto& header : response.headers) {
    if (header.first.starts_with("Access-Control")) found.push_back(header);
  }
  return found;
}

Headers allowed(std::string_view origin) {
  return {{"Access-Control-Allow-Origin", std::string(origin)},
          {"Access-Control-Allow-Methods", "POST, GET, OPTIONS, PUT, DELETE, PATCH"},
          {"Access-Control-Allow-Headers",
           "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, "
           "X-Requested-With, If-Modified-Since"},
          {"Access-Control-Expose-Headers", "Date"},
          {"Access-Control-Allow-Credentials", "true"}};
}

Options local_origins() {
  Options options;
  options.cors_allowed_origins = {std::string(kLocalOrigins)};
  return options;
}

TEST_CASE("cors: five headers on every answer to an allowed origin", "[server]") {
  ApiServer server(local_origins());
  for (const std::string_view target :
       {"/api/v1/pods", "/api/v1/nodes/none", "/nowhere", "/livez", "/metrics", "/openapi/v3",
        "/api/v1/pods?watch=1", "/-/tabernetes/snapshot", "/-/tabernetes/none"}) {
    INFO(target);
    const std::string_view origin = "http://localhost:5173";
    CHECK(cors_headers(ask_from(server, origin, "GET", target)) == allowed(origin));
    CHECK(cors_headers(ask_from(server, "https://example.com", "GET", target)).empty());
  }
}

TEST_CASE("cors: what fails before the filter has none", "[server]") {
  ApiServer server(local_origins());
  for (const std::string_view target : {"/api/v1/watch", "/livez?timeout=x"}) {
    CHECK(cors_headers(ask_from(server, "http://localhost", "GET", target)).empty());
  }
}

TEST_CASE("cors: a preflight ends at once", "[server]") {
  ApiServer server(local_origins());
  for (const std::string_view target : {"/api/v1/pods", "/nowhere", "/-/tabernetes/reset"}) {
    const Response response = ask_from(server, "http://127.0.0.1:80", "OPTIONS", target);
    CHECK(text_of(response) == "204 ");
    CHECK(cors_headers(response) == allowed("http://127.0.0.1:80"));
    CHECK(ask_from(server, "http://a.example", "OPTIONS", target).status != 204);
  }
}

TEST_CASE("cors: off without origins", "[server]") {
  ApiServer server;
  CHECK(cors_headers(ask_from(server, "http://localhost", "GET", "/livez")).empty());
  CHECK(ask_from(server, "http://localhost", "OPTIONS", "/api/v1/pods").status == 405);
}

TEST_CASE("cors: which origins are of this machine", "[server]") {
  const auto pattern = Pattern::compile(kLocalOrigins);
  REQUIRE(pattern);
  for (const std::string_view yes :
       {"http://localhost", "https://localhost:5173", "http://app.localhost:1",
        "http://127.0.0.1:8001", "http://127.1.2.3", "http://[::1]:3000"}) {
    INFO(yes);
    CHECK(pattern->matches(yes));
  }
  for (const std::string_view no :
       {"null", "file://", "http://localhost.evil.com", "http://evil-localhost",
        "http://127.0.0.1.evil.com", "http://evil.com/localhost", "http://a@localhost",
        "http://evil.com:80@x.localhost", "ftp://localhost", "http://localhost:80 http://evil.com",
        "http://evil.com http://localhost", "http://10.0.0.1"}) {
    INFO(no);
    CHECK_FALSE(pattern->matches(no));
  }
}

TEST_CASE("cors: an expression must say where the host begins and ends", "[server]") {
  for (const std::string_view good : {"^https://a\\.example$", "//a\\.example(:|$)", ".*://b:"}) {
    CHECK(check_cors_origin(good));
  }
  for (const std::string_view loose : {"a.example", "^a.example", "a.example$", ".*"}) {
    INFO(loose);
    CHECK(tests::message_of(check_cors_origin(loose)) ==
          "regular expression does not pin to start/end of host in the origin header");
  }
  CHECK(tests::message_of(check_cors_origin("^(a$")) ==
        "error parsing regexp: missing closing ): `^(a$`");
  CHECK(tests::message_of(check_cors_origin("")) == "an empty origin");
}

}  // namespace
}  // namespace tabernetes::server
