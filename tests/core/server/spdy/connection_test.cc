#include "server/spdy/connection.h"

#include <catch2/catch_test_macros.hpp>

#include "frames.h"

using namespace tabernetes;
using server::SpdyConnection;
using server::SpdyFrame;
using server::SpdyHeaders;
using server::SpdyReader;
using namespace tabernetes::server::spdy_frames;

namespace {

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
