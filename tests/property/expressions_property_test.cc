// Random well-typed CEL expressions over one object: each compiles, never causes a type error,
// evaluates deterministically at the same cost, stays near its estimated cost, and does not change
// with parentheses and blanks.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <random>
#include <string>

#include "cel/compile.h"
#include "cel/print.h"
#include "codec/json_reader.h"

namespace tabernetes::cel {
namespace {

constexpr std::string_view kSchema =
    R"({"type":"object","required":["i","s","l","m"],"properties":{"i":{"type":"integer"},)"
    R"("s":{"type":"string","maxLength":20},"o":{"type":"string","maxLength":20},)"
    R"("l":{"type":"array","maxItems":6,"items":{"type":"integer"}},)"
    R"("m":{"type":"object","maxProperties":4,"additionalProperties":{"type":"integer"}}}})";
constexpr std::string_view kObjects[] = {
    R"({"i":3,"s":"abc","l":[3,1,2],"m":{"a":1,"b":2}})",
    R"({"i":-7,"s":"","l":[],"m":{},"o":"ä"})",
    R"({"i":0,"s":"aaaaaaaaaaaaaaaaaaaa","l":[0,0,9,9,-1,5],"m":{"a":0,"b":0,"c":0,"d":0}})"};

enum Level { kChoice, kOr, kAnd, kRelation, kSum, kProduct, kUnary, kPrimary };

// One expression in its shortest form and fully parenthesised.
struct Text {
  std::string tight, loose;
  Level level = kPrimary;

  std::string at_least(Level least) const { return level < least ? "(" + tight + ")" : tight; }
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Text integer(int depth) {
    switch (depth <= 0 ? pick(4) : pick(14)) {
      case 0:
        return word(std::to_string(pick(10)));
      case 1:
        return word("self.i");
      case 2:
        return loops_ > 0 ? word(item()) : word("7");
      case 3:
        return word("self.m.size()");
      case 4:
        return binary("+", kSum, integer(depth - 1), integer(depth - 1));
      case 5:
        return binary("-", kSum, integer(depth - 1), integer(depth - 1));
      case 6:
        return binary("*", kProduct, integer(depth - 1), integer(depth - 1));
      case 7:
        return binary("/", kProduct, integer(depth - 1), integer(depth - 1));
      case 8:
        return binary("%", kProduct, integer(depth - 1), integer(depth - 1));
      case 9:
        return choice(boolean(depth - 1), integer(depth - 1), integer(depth - 1));
      case 10:
        return call("size", text(depth - 1));
      case 11:
        return call("size", list(depth - 1));
      case 12:
        return indexed(list(depth - 1), integer(depth - 2));
      default:
        return method(text(depth - 1), "indexOf", text(depth - 2));
    }
  }

  Text boolean(int depth) {
    static constexpr const char* kRelations[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (depth <= 0 ? pick(3) : pick(13)) {
      case 0:
        return word("true");
      case 1:
        return word("false");
      case 2:
        return word("has(self.o)");
      case 3:
        return logical("&&", kAnd, boolean(depth - 1), boolean(depth - 1));
      case 4:
        return logical("||", kOr, boolean(depth - 1), boolean(depth - 1));
      case 5:
        return negated(boolean(depth - 1));
      case 6:
        return binary(kRelations[pick(6)], kRelation, integer(depth - 1), integer(depth - 1));
      case 7:
        return binary(kRelations[pick(6)], kRelation, text(depth - 1), text(depth - 1));
      case 8:
        return binary("in", kRelation, integer(depth - 1), list(depth - 1));
      case 9:
        return binary("==", kRelation, list(depth - 1), list(depth - 1));
      case 10:
        return method(text(depth - 1), "startsWith", text(depth - 2));
      case 11:
        return choice(boolean(depth - 1), boolean(depth - 1), boolean(depth - 1));
      default: {
        static constexpr const char* kMacros[] = {"all", "exists", "exists_one"};
        return fold(kMacros[pick(3)], depth, [&] { return boolean(depth - 2); });
      }
    }
  }

  Text text(int depth) {
    switch (depth <= 0 ? pick(3) : pick(8)) {
      case 0:
        return word("self.s");
      case 1:
        return word("'ab'");
      case 2:
        return word("''");
      case 3:
        return binary("+", kSum, text(depth - 1), text(depth - 1));
      case 4:
        return choice(boolean(depth - 1), text(depth - 1), text(depth - 1));
      case 5:
        return call("string", integer(depth - 1));
      case 6:
        return method(text(depth - 1), "upperAscii");
      default:
        return method(text(depth - 1), "replace", word("'a'"), text(0));
    }
  }

  Text list(int depth) {
    switch (depth <= 0 ? pick(2) : pick(7)) {
      case 0:
        return word("self.l");
      case 1:
        return word("[1,2]");
      case 2: {
        const Text a = integer(depth - 1), b = integer(depth - 1);
        return {"[" + a.tight + "," + b.tight + "]", "[ (" + a.loose + ") , (" + b.loose + ") ]"};
      }
      case 3:
        return binary("+", kSum, list(depth - 1), list(depth - 1));
      case 4:
        return fold("map", depth, [&] { return integer(depth - 2); });
      case 5:
        return fold("filter", depth, [&] { return boolean(depth - 2); });
      default:
        return choice(boolean(depth - 1), list(depth - 1), list(depth - 1));
    }
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::string item() const { return "x" + std::to_string(loops_); }

  static Text word(const std::string& text) { return {text, text}; }
  static Text binary(const std::string& op, Level level, const Text& a, const Text& b) {
    // The generator does not chain relations.
    const Level left = level == kRelation ? kSum : level;
    return {a.at_least(left) + (op == "in" ? " in " : op) + b.at_least(Level(level + 1)),
            "(" + a.loose + ") " + op + "\n (" + b.loose + ")", level};
  }
  // cel-go parses a chain as one node, so the elements of a chain are not parenthesised.
  static Text logical(const std::string& op, Level level, const Text& a, const Text& b) {
    const std::string left = a.level == level ? a.loose : "(" + a.loose + ")";
    return {a.at_least(level) + op + b.at_least(Level(level + 1)),
            left + " " + op + " (" + b.loose + ")", level};
  }
  static Text negated(const Text& a) {
    return {"!" + a.at_least(kPrimary), "! (" + a.loose + ")", kUnary};
  }
  static Text choice(const Text& a, const Text& b, const Text& c) {
    return {a.at_least(kOr) + "?" + b.at_least(kOr) + ":" + c.tight,
            "(" + a.loose + ") ? (" + b.loose + ") : (" + c.loose + ")", kChoice};
  }
  static Text call(const std::string& name, const Text& a) {
    return {name + "(" + a.tight + ")", name + " ( (" + a.loose + ") )"};
  }
  static Text indexed(const Text& a, const Text& b) {
    return {a.at_least(kPrimary) + "[" + b.tight + "]", "(" + a.loose + ") [ (" + b.loose + ") ]"};
  }
  template <typename... Args>
  static Text method(const Text& on, const std::string& name, const Args&... args) {
    Text made{on.at_least(kPrimary) + "." + name + "(", "(" + on.loose + ") . " + name + " ("};
    std::string separator;
    ((made.tight += separator + args.tight, made.loose += separator + "(" + args.loose + ")",
      separator = ","),
     ...);
    made.tight += ")";
    made.loose += ")";
    return made;
  }
  template <typename Body>
  Text fold(const std::string& name, int depth, const Body& body) {
    const Text on = list(depth - 2);
    ++loops_;
    const Text variable = word(item());
    const Text inner = body();
    --loops_;
    return {on.at_least(kPrimary) + "." + name + "(" + variable.tight + "," + inner.tight + ")",
            "(" + on.loose + ") . " + name + " ( " + variable.loose + " , (" + inner.loose + ") )"};
  }

  std::mt19937_64 random_;
  int loops_ = 0;
};

std::string show(const Outcome& outcome) {
  const std::string value =
      outcome.is_error() ? "error " + std::string(outcome.error()) : print_value(outcome.value);
  return value + " for " + std::to_string(outcome.cost);
}

std::uint64_t seed_of(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("expressions: random ones keep their word", "[property]") {
  json::Arena arena;
  const Type& type = *schema_type(codec::read_json(kSchema, arena).value, true, arena);
  const Variable variables[] = {{"self", &type}};
  const std::uint64_t first = seed_of("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t runs = seed_of("TABERNETES_PROPERTY_RUNS", 3000);
  int values = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    Generator generator(seed);
    const Text source = generator.boolean(4);
    INFO("seed " << seed << ": " << source.tight);
    const auto tight = compile(source.tight, variables);
    const auto loose = compile(source.loose, variables);
    REQUIRE(tight);
    REQUIRE(loose);
    const Estimate estimate = tight->estimate_cost(&type);
    REQUIRE(loose->estimate_cost(&type).max == estimate.max);
    REQUIRE(loose->estimate_cost(&type).min == estimate.min);
    for (const std::string_view text : kObjects) {
      json::Arena own;
      const json::Value object = codec::read_json(text, own).value;
      const Value self[] = {from_tree(object, type, own)};
      const Outcome outcome = tight->evaluate(self, own);
      REQUIRE(show(tight->evaluate(self, own)) == show(outcome));
      REQUIRE(show(loose->evaluate(self, own)) == show(outcome));
      // cel-go's estimate misses a unit here and there (has() at the end of a path in a loop,
      // size() of a literal), and so does ours.
      REQUIRE(outcome.cost <= 2 * estimate.max + source.tight.size());
      if (outcome.is_error()) {
        REQUIRE(outcome.error().find("no such overload") == std::string_view::npos);
      } else {
        REQUIRE(outcome.value.is(Kind::kBool));
        ++values;
      }
    }
  }
  CHECK(values > 0);
}

}  // namespace
}  // namespace tabernetes::cel
