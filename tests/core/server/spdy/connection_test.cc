#include "server/spdy/connection.h"

#include <catch2/catch_test_macros.hpp>

using namespace tabernetes;
using server::SpdyConnection;
using server::SpdyFrame;
using server::SpdyHeaders;
using server::SpdyReader;

namespace {

std::string number(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16 & 0xff),
          static_cast<char>(value >> 8 & 0xff), static_cast<char>(value & 0xff)};
}

std::string control(std::uint32_t type, std::uint32_t flags, const std::string& body) {
  return number(0x80030000 | type) + number(flags << 24 | static_cast<std::uint32_t>(body.size())) +
         body;
}

std::string opening(std::uint32_t stream, const SpdyHeaders& headers, bool first,
                    std::uint32_t flags = 0) {
  std::string block = number(static_cast<std::uint32_t>(headers.size()));
  for (const auto& [name, value] : headers) {
    block += number(static_cast<std::uint32_t>(name.size())) + name;
    block += number(static_cast<std::uint32_t>(value.size())) + value;
  }
  return control(1, flags,
                 number(stream) + std::string(6, '\0') + server::deflate_stored(block, first));
}

std::string data(std::uint32_t stream, const std::string& bytes, bool last = false) {
  return number(stream) + number((last ? 1U << 24 : 0) | static_cast<std::uint32_t>(bytes.size())) +
         bytes;
}

// Notes what the client does.
struct Notes : SpdyConnection::Handler {
  std::string text;
  void on_stream(std::uint32_t stream, const SpdyHeaders& headers) override {
    text += "open " + std::to_string(stream) + " " +
            std::string(server::spdy_header(headers, "port")) + "\n";
  }
  void on_data(std::uint32_t stream, std::string_view bytes) override {
    text += "data " + std::to_string(stream) + " " + std::string(bytes) + "\n";
  }
  void on_end(std::uint32_t stream) override { text += "end " + std::to_string(stream) + "\n"; }
  void on_reset(std::uint32_t stream) override { text += "reset " + std::to_string(stream) + "\n"; }
};

}  // namespace

TEST_CASE("spdy: streams, data and ends", "[server]") {
  Notes notes;
  SpdyConnection connection(notes);
  const std::string sent = opening(1, {{"streamtype", "data"}, {"port", "80"}}, true) +
                           opening(3, {{"port", "81"}}, false, 1) + data(1, "abc") +
                           data(1, "d", true) + data(1, "late") + data(99, "nobody") +
                           control(6, 0, number(7)) + control(3, 0, number(3) + number(5));
  for (const char c : sent) connection.receive({&c, 1});
  CHECK(notes.text == "open 1 80\nopen 3 81\nend 3\ndata 1 abc\ndata 1 d\nend 1\nreset 3\n");
  CHECK_FALSE(connection.closed());
  const std::string answers = connection.take();
  CHECK(answers.starts_with(std::string("\x80\x03\x00\x02", 4)));
  CHECK(answers.ends_with(control(6, 0, number(7))));

  connection.send(1, "hello");
  connection.end(1);
  connection.send(1, "too late");
  CHECK(connection.take() == data(1, "hello") + data(1, "", true));
  connection.close();
  CHECK(connection.closed());
  CHECK(connection.take() == control(7, 0, number(3) + number(0)));
}

TEST_CASE("spdy: what is none ends the connection", "[server]") {
  for (const std::string& sent :
       {std::string("GET / HTTP/1.1\r\n\r\n"), control(1, 0, "short"), opening(2, {}, true),
        control(1, 0, number(1) + std::string(6, '\0') + "not zlib"),
        std::string("\x80\x02\x00\x01\x00\x00\x00\x00", 8),
        data(1, "").substr(0, 5) + "\xff\xff\xff"}) {
    Notes notes;
    SpdyConnection connection(notes);
    connection.receive(sent);
    CHECK(connection.closed());
    CHECK(notes.text.empty());
  }
}

TEST_CASE("spdy: headers that grow without end are refused", "[server]") {
  SpdyReader reader;
  std::string block(1 << 20, 'x');
  reader.add(control(1, 0, number(1) + std::string(6, '\0') + server::deflate_stored(block, true)));
  CHECK_FALSE(reader.next());
  CHECK(reader.broken());
}
