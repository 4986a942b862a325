#include "gzip_body.h"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::host {
namespace {

// Returns text that compresses somewhat and does not repeat.
std::string sample(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i) + ",";
  text.resize(size);
  return text;
}

std::string inflated(const std::string& compressed, std::size_t size) {
  std::string plain(size + 1, '\0');
  z_stream zlib = {};
  REQUIRE(inflateInit2(&zlib, 16 + 15) == Z_OK);
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  zlib.avail_in = static_cast<uInt>(compressed.size());
  zlib.next_out = reinterpret_cast<Bytef*>(plain.data());
  zlib.avail_out = static_cast<uInt>(plain.size());
  CHECK(inflate(&zlib, Z_FINISH) == Z_STREAM_END);
  CHECK(zlib.avail_in == 0);
  plain.resize(zlib.total_out);
  inflateEnd(&zlib);
  return plain;
}

// Returns all pieces joined, and checks that each is within its bound.
std::string drain(GzipBody& body) {
  std::string all;
  while (!body.drained()) {
    const std::string piece = body.next();
    CHECK(piece.size() <= 65536);
    all += piece;
  }
  return all;
}

TEST_CASE("gzip bodies: bodies of any size and cut come out whole", "[host]") {
  for (const std::size_t size : {0, 1, 100, 65536, 262144, 262145, 3'000'000}) {
    const std::string text = sample(size);
    for (const std::size_t cut : {7, 4096, 1'000'000}) {
      if (size / cut > 100'000) continue;
      INFO(size << " by " << cut);
      Rope rope;
      for (std::size_t at = 0; at < size; at += cut) rope.append(text.substr(at, cut));
      GzipBody body;
      body.add(rope);
      body.finish();
      const std::string compressed = drain(body);
      CHECK(inflated(compressed, size) == text);
      if (size > 1000) CHECK(compressed.size() < size * 3 / 4);
    }
  }
}

TEST_CASE("gzip bodies: what is added later follows", "[host]") {
  GzipBody body;
  std::string compressed;
  std::string text;
  for (int i = 0; i < 50; ++i) {
    const std::string part = sample(static_cast<std::size_t>(i) * 3000);
    text += part;
    body.add(Rope(part));
    compressed += drain(body);
  }
  CHECK(body.drained());
  body.finish();
  CHECK_FALSE(body.drained());
  compressed += drain(body);
  CHECK(inflated(compressed, text.size()) == text);
}

}  // namespace
}  // namespace tabernetes::host
