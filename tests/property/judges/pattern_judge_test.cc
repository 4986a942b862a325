// Checks our regular expressions against RE2, whose syntax Go's package regexp adopted. Intended
// differences:
//
// - Only RE2 has \C (one byte).
// - (?<name>...) is valid in Go since 1.22 and in RE2 since 2023.
// - In texts that are not UTF-8, Go reads each invalid byte as U+FFFD.
// - Between the bytes of a character RE2 sees no word boundary, so \B matches there.
// - (?i) of letters beyond Latin-1, Greek and Cyrillic: see fold_case() in base/pattern_classes.h.
#include <re2/re2.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/regex/pattern.h"
#include "documents.h"

namespace tabernetes::judges {
namespace {

std::unique_ptr<re2::RE2> judge_of(const std::string& pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return std::make_unique<re2::RE2>(pattern, options);
}

class Patterns {
 public:
  explicit Patterns(Random& random) : random_(random) {}

  // Returns a valid pattern.
  std::string pattern(int depth) {
    std::string text;
    for (std::size_t left = 1 + pick(random_, 4); left > 0; --left) text += repeated(depth);
    if (depth > 0 && pick(random_, 4) == 0) text += "|" + pattern(depth - 1);
    return text;
  }

 private:
  std::string repeated(int depth) {
    static constexpr std::string_view kHowOften[] = {"*",  "+",   "?",     "*?",    "+?",
                                                     "??", "{2}", "{0,2}", "{1,}?", "{0}"};
    const std::string text = piece(depth);
    if (pick(random_, 3) != 0) return text;
    return text + std::string(kHowOften[pick(random_, std::size(kHowOften))]);
  }

  std::string piece(int depth) {
    static constexpr std::string_view kPieces[] = {
        "a",       "b",        "B",      "ä",     ".",       "\\d", "\\W",         "\\s",
        "[a-c]",   "x",        "_",      "[^a]",  "[ä-€]",   "\\.", "[[:alpha:]]", "[[:^digit:]]",
        "\\pL",    "\\PN",     "-",      "\\x61", "\\x{e4}", "\\n", "[\\d_]",      "[^\\s]",
        "\\p{Lu}", "\\Qa.\\E", "[a\\-z]"};
    static constexpr std::string_view kAssertions[] = {"^", "$", "\\b", "\\B", "\\A", "\\z"};
    static constexpr std::string_view kGroups[] = {
        "(", "(?:", "(?i:", "(?s:", "(?m:", "(?U:", "(?i-s:", "(?P<n>"};
    if (depth > 0 && pick(random_, 4) == 0) {
      std::string group(kGroups[pick(random_, std::size(kGroups))]);
      if (group == "(?P<n>") group = "(?P<n" + std::to_string(++names_) + ">";
      return group + pattern(depth - 1) + ")";
    }
    // A bare assertion must not be followed by a repetition by chance; "(?:^)" may be.
    if (pick(random_, 8) == 0) {
      return "(?:" + std::string(kAssertions[pick(random_, std::size(kAssertions))]) + ")";
    }
    return std::string(kPieces[pick(random_, std::size(kPieces))]);
  }

  Random& random_;
  int names_ = 0;
};

// Returns a text to match `pattern` with.
std::string subject(const std::string& pattern, Random& random) {
  static constexpr std::string_view kPieces[] = {"a", "b", "B", "A",  "c", "x", "_", "-", ".",
                                                 "1", "9", " ", "\n", "ä", "Ä", "€", "中"};
  const bool ascii = pattern.find("\\B") != std::string::npos;
  std::string text;
  for (std::size_t left = pick(random, 12); left > 0; --left) {
    text += kPieces[pick(random, std::size(kPieces) - (ascii ? 4 : 0))];
  }
  return text;
}

TEST_CASE("judges: patterns match what they match for RE2", "[property]") {
  const Seeds seeds(2000);
  int matched = 0, unmatched = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const std::string text = Patterns(random).pattern(2);
    INFO("seed " << seed << ": " << text);
    const auto ours = Pattern::compile(text);
    const auto theirs = judge_of(text);
    INFO("RE2: " << theirs->error());
    REQUIRE(theirs->ok());
    if (!ours) INFO(ours.error());
    REQUIRE(ours);
    for (int i = 0; i < 8; ++i) {
      const std::string on = subject(text, random);
      INFO("text " << Document(on));
      re2::StringPiece found;
      const bool matches = theirs->Match(on, 0, on.size(), re2::RE2::UNANCHORED, &found, 1);
      REQUIRE(ours->matches(on) == matches);
      const auto match = ours->find(on, 0);
      REQUIRE(match.has_value() == matches);
      (matches ? matched : unmatched) += 1;
      if (!matches) continue;
      REQUIRE(match->begin == static_cast<std::size_t>(found.data() - on.data()));
      REQUIRE(match->end - match->begin == found.size());
    }
  }
  CHECK(matched > 1000);
  CHECK(unmatched > 1000);
}

// Returns `text` with one place changed.
std::string broken(std::string text, Random& random) {
  static constexpr std::string_view kTokens[] = {
      "(",    ")",        "[",    "]",           "{",      "}",         "*",     "+",   "?",
      "|",    "\\",       "(?",   "{2",          "{3,2}",  "{1001}",    "[z-a]", "\\8", "\\p{Nope}",
      "(?z)", "[[:no:]]", "**",   "\\x{110000}", "(?P<n>", "(?P<1a>x)", "\\Q",   "^*",  "[]",
      "[^]",  "\\1",      "\\pX", "x{,3}",       "(?i)",   "\\z",       "\\Z"};
  const std::size_t at = pick(random, text.size() + 1);
  if (pick(random, 3) == 0) return at < text.size() ? text.erase(at, 1) : text;
  return text.insert(at, kTokens[pick(random, std::size(kTokens))]);
}

TEST_CASE("judges: patterns are refused where RE2 refuses them", "[property]") {
  const Seeds seeds(6000);
  int taken = 0, refused = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const std::string text = broken(Patterns(random).pattern(1), random);
    if (text.find("(?<") != std::string::npos) continue;
    INFO("seed " << seed << ": " << text);
    const auto ours = Pattern::compile(text);
    const auto theirs = judge_of(text);
    INFO("RE2: " << theirs->error() << "\nours: " << (ours ? "" : ours.error()));
    REQUIRE(ours.has_value() == theirs->ok());
    (ours ? taken : refused) += 1;
    if (!ours) continue;
    const std::string on = subject(text, random);
    REQUIRE(ours->matches(on) == re2::RE2::PartialMatch(on, *theirs));
  }
  CHECK(taken > 1000);
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace tabernetes::judges
