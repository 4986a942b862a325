// The limits of Warning headers; the recordings of `content/field-validation` have their form.
#include <catch2/catch_test_macros.hpp>

#include "server/encode/answer.h"

namespace tabernetes::server {
namespace {

std::vector<std::string> sent(const std::vector<std::string>& texts) {
  Response response;
  add_warnings(texts, response);
  std::vector<std::string> values;
  for (const auto& [name, value] : response.headers) {
    CHECK(name == "Warning");
    values.push_back(value);
  }
  return values;
}

std::string header(const std::string& text) { return "299 - \"" + text + "\""; }

std::string many(std::size_t count, std::string_view what) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += what;
  return text;
}

TEST_CASE("warnings: quoted, each text once, in order", "[server]") {
  CHECK(sent({"b", "a", "b"}) == std::vector{header("b"), header("a")});
  CHECK(sent({R"(unknown field "a\b")"}) == std::vector{header(R"(unknown field \"a\\b\")")});
  CHECK(sent({"é\u2028"}) == std::vector{header("é\u2028")});
}

TEST_CASE("warnings: what cannot stand in a header is left out", "[server]") {
  CHECK(sent({"", "a\nb", "a\x7f", "a\u0085", "a\xff", "b"}) == std::vector{header("b")});
}

TEST_CASE("warnings: up to 4096 characters are sent as they are", "[server]") {
  const std::string first = many(4000, "é");
  const std::string second = many(96, "b");
  CHECK(sent({first, second}) == std::vector{header(first), header(second)});
}

TEST_CASE("warnings: one that is too much cuts all to 256 characters", "[server]") {
  const std::string first = many(4000, "é");
  const std::string second = many(97, "b");
  const std::string cut = header(many(256, "é"));
  CHECK(sent({first, second}) == std::vector{cut, header(second)});
  CHECK(sent({first, second, many(300, "c")}) ==
        std::vector{cut, header(second), header(many(256, "c"))});
  CHECK(sent({many(5000, "d")}) == std::vector{header(many(256, "d"))});
}

TEST_CASE("warnings: cut ones end where 4096 characters are reached", "[server]") {
  std::vector<std::string> texts;
  for (char c = 'a'; c < 'u'; ++c) texts.push_back(many(300, std::string_view(&c, 1)));
  // Thirteen fit whole; the fourteenth cuts all, and with the sixteenth the sum is 4096.
  const std::vector<std::string> values = sent(texts);
  REQUIRE(values.size() == 16);
  CHECK(values[0] == header(many(256, "a")));
  CHECK(values[15] == header(many(256, "p")));
}

TEST_CASE("warnings: texts that were all kept may be more than 4096 when they are cut",
          "[server]") {
  std::vector<std::string> texts;
  for (char c = 'a'; c < 'z'; ++c) texts.push_back(many(170, std::string_view(&c, 1)));
  texts.push_back(many(200, "z"));
  // Twenty-four of 170 are 4080; the next makes 25 that are written again, 4250 in all.
  CHECK(sent(texts).size() == 25);
}

}  // namespace
}  // namespace tabernetes::server
