// Checks our JSON reader and writer against nlohmann/json (the judge). Intended differences:
//
// - Go reads broken UTF-8 and lone surrogates as U+FFFD; the judge rejects them.
// - A number beyond the range of a double is an infinity here, which the decoders reject.
// - Go rejects a byte order mark; the judge skips one.
// - For the judge a text ends at a NUL; for Go it is a character that begins no token.
// - Our tree keeps both values of a duplicate key and finds the last; the judge keeps the last.
// - Go rejects nesting deeper than 10000.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "documents.h"

namespace tabernetes::judges {
namespace {

// Returns whether the tree, which may have duplicate keys, equals what the judge read from the
// text.
bool same_as_read(const json::Value& tree, const Document& document) {
  if (tree.is_array() && document.is_array() && tree.size() == document.size()) {
    for (std::size_t i = 0; i < document.size(); ++i) {
      if (!same_as_read(tree.items()[i], document[i])) return false;
    }
    return true;
  }
  if (!tree.is_object()) return !tree.is_array() && same(tree, document);
  if (!document.is_object()) return false;
  for (const json::Member& member : tree.members()) {
    if (!document.contains(std::string(member.key))) return false;
  }
  for (const auto& [key, value] : document.items()) {
    const json::Value* found = tree.find(key);
    if (found == nullptr || !same_as_read(*found, value)) return false;
  }
  return true;
}

bool has_infinity(const json::Value& tree) {
  if (tree.is_double()) return std::isinf(tree.as_double());
  if (tree.is_array()) {
    for (const json::Value& item : tree.items()) {
      if (has_infinity(item)) return true;
    }
  }
  if (tree.is_object()) {
    for (const json::Member& member : tree.members()) {
      if (has_infinity(member.value)) return true;
    }
  }
  return false;
}

// Returns why the judge rejects `text`, or an empty string.
std::string refusal(const std::string& text, Document& document) {
  try {
    document = Document::parse(text);
    return {};
  } catch (const Document::exception& error) {
    return error.what();
  }
}

// Returns whether one of the differences above explains that we accept a text the judge rejects.
bool is_known(const std::string& refused, const json::Value& tree) {
  if (refused.find("number overflow") != std::string::npos) return has_infinity(tree);
  return refused.find("UTF-8") != std::string::npos ||
         refused.find("surrogate") != std::string::npos;
}

// Returns `text` with one place changed: bytes removed, doubled or replaced, or tokens inserted.
std::string damaged(std::string text, Random& random) {
  static constexpr std::string_view kTokens[] = {
      "{",        "}",     "[",     "]",       ",",        ":",
      "\"",       "\\",    "0",     "-",       ".",        "e",
      "+",        "true",  "nu",    "1e",      "1.",       "01",
      "-0",       "1e999", " ",     "\t",      "\n",       "\r",
      "\v",       "/**/",  "\\u12", "\\ud800", "\\udc00x", "\\ud83d\\ude00",
      "'a'",      "NaN",   "\xff",  "\xc3",    "\x1f",     "\x7f",
      "\xC2\xA0", "\\/",   "\\a",   "Infinity"};
  const std::size_t at = pick(random, text.size() + 1);
  switch (pick(random, 4)) {
    case 0:
      return text.substr(0, at);
    case 1:
      return at < text.size() ? text.erase(at, 1 + pick(random, 3)) : text;
    case 2:
      return text.insert(at, text.substr(at, 1 + pick(random, 4)));
    default:
      return text.insert(at, kTokens[pick(random, std::size(kTokens))]);
  }
}

std::string printed(const Document& document, Random& random) {
  const int indent = static_cast<int>(pick(random, 4)) - 1;
  return document.dump(indent, pick(random, 2) == 0 ? ' ' : '\t', pick(random, 2) == 0);
}

TEST_CASE("judges: JSON of every form is read as nlohmann/json wrote it", "[property]") {
  const Seeds seeds(2000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = random_document(random, 5);
    const std::string text = printed(document, random);
    INFO("seed " << seed << ": " << text);
    json::Arena arena;
    const codec::JsonRead read = codec::read_json(text, arena);
    REQUIRE(read.error == "");
    REQUIRE(same(read.value, document));
  }
}

TEST_CASE("judges: JSON that we write is read by nlohmann/json", "[property]") {
  const Seeds seeds(2000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = random_document(random, 5);
    INFO("seed " << seed << ": " << document);
    json::Arena arena;
    const json::Value tree = codec::read_json(document.dump(), arena).value;
    std::string compact, as_sent, pretty, prettified;
    codec::write_json(tree, compact);
    codec::write_json(tree, as_sent, codec::Floats::kAsSent);
    codec::write_json_pretty(tree, pretty);
    codec::prettify_json(compact, prettified);
    REQUIRE(Document::parse(as_sent) == document);
    // An integer beyond int64 is a float, whose shortest text may be another integer.
    REQUIRE(same(tree, Document::parse(compact)));
    REQUIRE(same(tree, Document::parse(pretty)));
    REQUIRE(prettified == pretty);
    // No characters that a page could take for markup.
    REQUIRE(compact.find_first_of("<>&") == std::string::npos);
    REQUIRE(compact.find("\u2028") == std::string::npos);
  }
}

TEST_CASE("judges: damaged JSON is taken and refused as by nlohmann/json", "[property]") {
  const Seeds seeds(6000);
  int taken = 0, refused = 0, known = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    std::string text = printed(random_document(random, 3), random);
    for (std::size_t left = 1 + pick(random, 2); left > 0; --left) text = damaged(text, random);
    INFO("seed " << seed << ": " << text);
    json::Arena arena;
    const codec::JsonRead ours = codec::read_json(text, arena);
    Document document;
    const std::string theirs = refusal(text, document);
    INFO("ours: " << ours.error << "\ntheirs: " << theirs);
    if (theirs.empty()) {
      REQUIRE(ours.error == "");
      REQUIRE(same_as_read(ours.value, document));
      ++taken;
    } else if (ours.ok()) {
      REQUIRE(is_known(theirs, ours.value));
      ++known;
    } else {
      ++refused;
    }
  }
  CHECK(taken > 0);
  CHECK(refused > taken);
  CHECK(known > 0);
}

TEST_CASE("judges: where we read JSON unlike nlohmann/json", "[property]") {
  struct Case {
    std::string text;
    bool ours, theirs;
  };
  const Case cases[] = {{"\"\xff\"", true, false},
                        {R"("\ud800")", true, false},
                        {"1e999", true, false},
                        {"\xEF\xBB\xBF{}", false, true},
                        {std::string("{}\0", 3), false, true},
                        {std::string(10'001, '[') + std::string(10'001, ']'), false, true}};
  for (const Case& c : cases) {
    INFO(c.text.substr(0, 20));
    json::Arena arena;
    CHECK(codec::read_json(c.text, arena).ok() == c.ours);
    CHECK(Document::accept(c.text) == c.theirs);
  }
}

}  // namespace
}  // namespace tabernetes::judges
