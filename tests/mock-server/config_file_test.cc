#include "config_file.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace tabernetes::host {
namespace {

// Returns the error in `text` as "LINE:COLUMN: message".
std::string fault_of(const std::string& text) {
  try {
    parse_config(text);
  } catch (const ConfigError& error) {
    const Place place = error.place();
    return std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + error.what();
  }
  return {};
}

TEST_CASE("config file: scalars are their text, wherever they stand", "[host]") {
  const std::vector<ConfigEntry> entries = parse_config(
      "seed: 007  # not octal\n"
      "ui: no\n"
      "clock: 2026-01-01T00:00:00Z\n"
      "kubeconfig: 'a: b'\n"
      "load:\n"
      "- \"-\"\n"
      "- |-\n"
      "  a\n"
      "listen: []\n"
      "token-auth-file: &file tokens\n"
      "service-account-signing-key-file: *file\n");
  REQUIRE(entries.size() == 8);
  const char* const texts[] = {"007", "no", "2026-01-01T00:00:00Z", "a: b"};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_FALSE(entries[i].is_list);
    REQUIRE(entries[i].values.size() == 1);
    CHECK(entries[i].values[0].text == texts[i]);
    CHECK(entries[i].place == Place{static_cast<int>(i) + 1, 1});
  }
  CHECK(entries[0].values[0].place == Place{1, 7});
  CHECK(entries[4].flag == "load");
  CHECK(entries[4].is_list);
  REQUIRE(entries[4].values.size() == 2);
  CHECK(entries[4].values[0].text == "-");
  CHECK(entries[4].values[0].place == Place{6, 3});
  CHECK(entries[4].values[1].text == "a");
  CHECK(entries[5].is_list);
  CHECK(entries[5].values.empty());
  CHECK(entries[7].values[0].text == "tokens");
}

TEST_CASE("config file: nothing in it", "[host]") {
  for (const char* text : {"", "\n", "# a comment\n", "---\n", "--- {}\n", "~\n"}) {
    INFO(text);
    CHECK(parse_config(text).empty());
  }
}

TEST_CASE("config file: what is wrong, and where", "[host]") {
  struct Case {
    const char *text, *fault;
  };
  static constexpr Case kCases[] = {
      {"- a\n", "1:1: a mapping from flags to values is needed"},
      {"a: 1\nb: 2\na: 3\n", "3:1: a: given in line 1 already"},
      {"a: 1\n---\nb: 1\n", "3:1: a second document"},
      {"a:\n", "1:1: a: a value is needed"},
      {"b: 1\na: [x, ~]\n", "2:1: a: a value is needed"},
      {"a: {b: c}\n", "1:4: a: a single value is needed"},
      {"a:\n- b\n- - c\n", "3:3: a: a single value is needed"},
      {"? [a]\n: b\n", "1:3: the name of a flag is needed"},
      {"a: [b\n", "2:1: no YAML: end of sequence flow not found"},
      {"a: *b\n", "1:4: no YAML: the referenced anchor is not defined: b"},
  };
  for (const Case& c : kCases) CHECK(fault_of(c.text) == c.fault);
  CHECK(fault_of("a: " + std::string(10'000, '[')).find("no YAML: ") != std::string::npos);
}

TEST_CASE("config file: the nearest flag is offered if it is near", "[host]") {
  const std::vector<std::string> known = {"listen", "load", "log", "log-format", "ui"};
  struct Case {
    const char *name, *text;
  };
  static constexpr Case kCases[] = {
      {"lisen", R"(unknown flag "lisen", did you mean "listen"?)"},
      {"listenn", R"(unknown flag "listenn", did you mean "listen"?)"},
      {"logformat", R"(unknown flag "logformat", did you mean "log-format"?)"},
      {"lag", R"(unknown flag "lag", did you mean "log"?)"},
      {"iu", R"(unknown flag "iu")"},
      {"", R"(unknown flag "")"},
      {"completely-other", R"(unknown flag "completely-other")"},
  };
  for (const Case& c : kCases) CHECK(unknown_flag(c.name, known) == c.text);
  CHECK(unknown_flag("a", {}) == R"(unknown flag "a")");
}

}  // namespace
}  // namespace tabernetes::host
