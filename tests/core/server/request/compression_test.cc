#include "server/request/compression.h"

#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

Response with_body(std::size_t size) {
  Response response;
  response.body.append(std::string(size, 'x'));
  return response;
}

Request accepting_encoding(std::string encodings) {
  Request request;
  request.headers = {{"accept-encoding", std::move(encodings)}};
  return request;
}

TEST_CASE("compression: of more than 131072 bytes", "[server]") {
  const ServerContext server{Options()};
  for (const std::size_t size : {0, 1, 131071, 131072, 131073, 1'000'000}) {
    INFO(size);
    Response response = with_body(size);
    compress_if_large(accepting_encoding("gzip"), server, response);
    const bool compressed = size > 131072;
    CHECK((response.content_encoding == ContentEncoding::kGzip) == compressed);
    const Headers expected = {{"Content-Encoding", "gzip"}, {"Vary", "Accept-Encoding"}};
    CHECK(response.headers == (compressed ? expected : Headers()));
  }
}

TEST_CASE("compression: for whom", "[server]") {
  const ServerContext server{Options()};
  for (const std::string_view yes : {"gzip", "br, gzip", " gzip\t,br", "gzip;q=0,gzip"}) {
    INFO(yes);
    CHECK(takes_gzip(accepting_encoding(std::string(yes)), server));
  }
  for (const std::string_view no : {"", "*", "GZIP", "gzip;q=1", "x-gzip", "br", "gzip br"}) {
    INFO(no);
    CHECK_FALSE(takes_gzip(accepting_encoding(std::string(no)), server));
  }
  CHECK_FALSE(takes_gzip(Request(), server));
}

TEST_CASE("compression: not if the host cannot, or the gate is off", "[server]") {
  Options cannot;
  cannot.compression = false;
  CHECK_FALSE(takes_gzip(accepting_encoding("gzip"), ServerContext(cannot)));
  Options off;
  off.feature_gates["APIResponseCompression"] = false;
  CHECK_FALSE(takes_gzip(accepting_encoding("gzip"), ServerContext(off)));
}

TEST_CASE("compression: handlers that read quality values", "[server]") {
  for (const std::string_view yes :
       {"gzip", "GZip", "gzip;q=0.1", "br;q=1, gzip ; q=0.5", "gzip;q=0,gzip;q=1"}) {
    INFO(yes);
    CHECK(accepts_gzip(yes));
  }
  for (const std::string_view no : {"", "*", "gzip;q=0", "gzip;q=0.000", "br", "x-gzip"}) {
    INFO(no);
    CHECK_FALSE(accepts_gzip(no));
  }
}

}  // namespace
}  // namespace tabernetes::server
