// Checks our YAML writer, and our reader on YAML 1.2's core schema, against yaml-cpp (the judge).
// Intended differences in reading, because go-yaml v2 follows YAML 1.1:
//
// - y, n, yes, no, on and off are booleans (for the judge's bool, too; not in the core schema).
// - A number with a leading zero is octal, one may contain underscores, 0b is binary.
// - .inf and .nan have no JSON form: they are errors.
#include <yaml-cpp/yaml.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "documents.h"

namespace tabernetes::judges {
namespace {

bool is_plain(const YAML::Node& node) { return node.Tag() == "?"; }

// Returns whether a YAML reader would resolve the plain scalar to something other than a string.
bool is_more_than_text(const YAML::Node& node) {
  bool truth;
  double number;
  return node.IsNull() || YAML::convert<bool>::decode(node, truth) ||
         YAML::convert<double>::decode(node, number);
}

bool same_scalar(const YAML::Node& node, const Document& value) {
  if (value.is_null()) return node.IsNull();
  if (!node.IsScalar()) return false;
  if (value.is_string()) {
    return node.Scalar() == value.get_ref<const std::string&>() &&
           !(is_plain(node) && is_more_than_text(node));
  }
  if (!is_plain(node)) return false;
  if (value.is_boolean()) return node.as<bool>() == value.get<bool>();
  if (value.is_number_float()) return node.as<double>() == value.get<double>();
  return node.as<std::int64_t>() == value.get<std::int64_t>();
}

bool same_node(const YAML::Node& node, const Document& value) {
  if (value.is_array()) {
    if (!node.IsSequence() || node.size() != value.size()) return false;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!same_node(node[i], value[i])) return false;
    }
    return true;
  }
  if (!value.is_object()) return same_scalar(node, value);
  if (!node.IsMap() || node.size() != value.size()) return false;
  for (const auto& pair : node) {
    const std::string& key = pair.first.Scalar();
    if (!value.contains(key) || !same_scalar(pair.first, key)) return false;
    if (!same_node(pair.second, value[key])) return false;
  }
  return true;
}

// Returns the document limited to what both represent alike. YAML 1.1 breaks lines at U+2028, and
// the emitter indents what follows; 1.2 does not. Integers beyond int64 are floats in Kubernetes.
Document common(const Document& document) {
  if (document.is_number_unsigned() && document.get<std::uint64_t>() > INT64_MAX) {
    return document.get<double>();
  }
  if (document.is_string()) {
    std::string text = document;
    for (std::size_t at = 0; (at = text.find("\u2028", at)) != std::string::npos;) {
      text.replace(at, 3, "_");
    }
    return text;
  }
  if (!document.is_structured()) return document;
  Document result = document.is_array() ? Document::array() : Document::object();
  for (const auto& [key, value] : document.items()) {
    if (document.is_array()) {
      result.push_back(common(value));
    } else {
      result[common(key).get<std::string>()] = common(value);
    }
  }
  return result;
}

TEST_CASE("judges: YAML that we write is read by yaml-cpp", "[property]") {
  const Seeds seeds(2000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = common(random_object_document(random, 5));
    json::Arena arena;
    std::string yaml, error;
    const bool written =
        codec::write_yaml(codec::read_json(document.dump(), arena).value, yaml, &error);
    INFO("seed " << seed << ": " << document << "\n" << yaml << error);
    REQUIRE(written);
    REQUIRE(same_node(YAML::Load(yaml), document));
  }
}

// Writes YAML in every style: block and flow, plain and quoted, with comments and blank lines.
class Printer {
 public:
  explicit Printer(Random& random) : random_(random) {}

  std::string document(const Document& value) {
    static constexpr std::string_view kHeads[] = {"", "---\n", "# a comment\n", "\n--- # here\n"};
    std::string text(kHeads[pick(random_, std::size(kHeads))]);
    return text + block(value, 0) + (pick(random_, 4) == 0 ? "...\n" : "");
  }

 private:
  // Writes `value` on its own lines, or after the text of the current line.
  std::string block(const Document& value, std::size_t indent) {
    if (!value.is_structured() || value.empty() || pick(random_, 5) == 0) {
      return flow(value) + line_end();
    }
    std::string text;
    for (const auto& [key, item] : value.items()) {
      text.append(indent, ' ');
      text += value.is_array() ? "-" : scalar(key) + ":";
      const bool nested = item.is_structured() && !item.empty() && pick(random_, 5) != 0;
      if (nested) {
        text += line_end() + block_of(item, indent + 1 + pick(random_, 3));
      } else {
        text += " " + flow(item) + line_end();
      }
    }
    return text;
  }

  std::string block_of(const Document& value, std::size_t indent) {
    std::string text;
    for (const auto& [key, item] : value.items()) {
      text.append(indent, ' ');
      text += value.is_array() ? "-" : scalar(key) + ":";
      const bool nested = item.is_structured() && !item.empty();
      text += nested ? line_end() + block_of(item, indent + 1 + pick(random_, 3))
                     : " " + flow(item) + line_end();
    }
    return text;
  }

  std::string line_end() {
    static constexpr std::string_view kEnds[] = {"\n", "\n", "\n", "  # why\n", " \n", "\n\n"};
    return std::string(kEnds[pick(random_, std::size(kEnds))]);
  }

  std::string flow(const Document& value) {
    if (value.is_string()) return scalar(value.get_ref<const std::string&>());
    if (value.is_null()) return word({"~", "null", "Null", "NULL"});
    if (value.is_boolean()) {
      return value.get<bool>() ? word({"true", "True", "TRUE"}) : word({"false", "False", "FALSE"});
    }
    if (!value.is_structured()) return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items()) {
      text += text.empty() ? "" : pick(random_, 2) == 0 ? ", " : " , ";
      if (value.is_object()) text += scalar(key) + ": ";
      text += flow(item);
    }
    return value.is_object() ? "{" + text + "}" : "[" + text + (text.empty() ? "]" : " ]");
  }

  // Writes a string, plain where possible.
  std::string scalar(const std::string& text) {
    const bool simple = !text.empty() && text.find_first_not_of("abcdeZ") == std::string::npos;
    if (simple && pick(random_, 2) == 0) return text;
    if (text.find_first_of("\n\r\t") == std::string::npos && pick(random_, 2) == 0) {
      std::string quoted = "'";
      for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
      return quoted + "'";
    }
    return Document(text).dump();  // JSON's escapes are valid in YAML
  }

  std::string word(std::initializer_list<const char*> words) {
    return *(words.begin() + pick(random_, words.size()));
  }

  Random& random_;
};

TEST_CASE("judges: YAML of every style is read as by yaml-cpp", "[property]") {
  const Seeds seeds(2000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const Document document = common(random_object_document(random, 4));
    const std::string yaml = Printer(random).document(document);
    INFO("seed " << seed << ": " << document << "\n" << yaml);
    REQUIRE(same_node(YAML::Load(yaml), document));
    json::Arena arena;
    const codec::YamlRead read = codec::read_yaml(yaml, arena);
    REQUIRE(read.error == "");
    std::string json;
    codec::write_json(read.value, json);
    INFO(json);
    REQUIRE(nlohmann::json::parse(json) == nlohmann::json::parse(document.dump()));
  }
}

// Returns a scalar of the core schema, or something similar.
std::string core_scalar(Random& random) {
  static constexpr std::string_view kPieces[] = {"0", "1", "7", "12", "305",
                                                 ".", "e", "E", "+",  "-"};
  std::string text;
  for (std::size_t left = 1 + pick(random, 6); left > 0; --left) {
    text += kPieces[pick(random, std::size(kPieces))];
  }
  return text;
}

// The two versions of YAML disagree on leading zeros; a lone dash is not a scalar.
bool is_out_of_scope(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("+-");
  if (digits == std::string::npos) return true;
  return text[digits] == '0' && digits + 1 < text.size() && text[digits + 1] >= '0' &&
         text[digits + 1] <= '9';
}

TEST_CASE("judges: plain scalars are what they are for yaml-cpp", "[property]") {
  const Seeds seeds(6000);
  int numbers = 0, texts = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Random random(seed);
    const std::string text = core_scalar(random);
    if (is_out_of_scope(text)) continue;
    INFO("seed " << seed << ": " << text);
    json::Arena arena;
    const codec::YamlRead read = codec::read_yaml("a: " + text + "\n", arena);
    REQUIRE(read.error == "");
    const json::Value& ours = *read.value.find("a");
    const YAML::Node theirs = YAML::Load("a: " + text + "\n")["a"];
    std::int64_t integer = 0;
    double real = 0;
    if (YAML::convert<std::int64_t>::decode(theirs, integer)) {
      REQUIRE(ours.is_int());
      REQUIRE(ours.as_int() == integer);
      ++numbers;
    } else if (YAML::convert<double>::decode(theirs, real)) {
      REQUIRE(ours.is_number());
      REQUIRE(ours.as_double() == real);
      ++numbers;
    } else {
      REQUIRE(ours.is_string());
      REQUIRE(ours.as_string() == text);
      ++texts;
    }
  }
  CHECK(numbers > 1000);
  CHECK(texts > 1000);
}

}  // namespace
}  // namespace tabernetes::judges
