#include "documents.h"

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace tabernetes::judges {
namespace {

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Document random_number(Random& random) {
  switch (pick(random, 7)) {
    case 0:
      return pick(random, 10);
    case 1:
      return static_cast<std::int64_t>(random());
    case 2:
      return static_cast<std::uint64_t>(random());
    case 3:
      return static_cast<double>(random() % 100'000) / 1000;
    case 4:
      return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                        static_cast<int>(pick(random, 1800)) - 960);
    case 5: {
      static constexpr std::int64_t kEdges[] = {std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max(),
                                                (std::int64_t{1} << 53) + 1, -1, 0};
      return kEdges[pick(random, std::size(kEdges))];
    }
    default: {
      static constexpr double kEdges[] = {
          0.1, 1e21, 1e-7, 1.5, -0.25, 5e-324, 1.7976931348623157e308};
      return kEdges[pick(random, std::size(kEdges))];
    }
  }
}

Document random_scalar(Random& random) {
  switch (pick(random, 6)) {
    case 0:
      return nullptr;
    case 1:
      return pick(random, 2) == 0;
    case 2:
    case 3:
      return random_number(random);
    default:
      return random_text(random);
  }
}

}  // namespace

Seeds::Seeds(std::uint64_t runs)
    : first(number_of("TABERNETES_PROPERTY_SEED", 1)),
      end(first + number_of("TABERNETES_PROPERTY_RUNS", runs)) {}

std::string random_text(Random& random) {
  static constexpr std::string_view kWords[] = {
      "true", "False", "null",  "~",   "yes",   "off",  "n",   "12",  "0x1F", "1e3",  "-7",
      ".5",   "1_000", "12:30", "017", "<<",    "=",    "---", "...", "",     ".nan", "2026-01-01",
      "a b",  "&a",    "*a",    "!t",  "%YAML", "0b11", "-",   "?",   "1."};
  static constexpr std::string_view kPieces[] = {"a",
                                                 "b",
                                                 "Z",
                                                 "0",
                                                 "9",
                                                 " ",
                                                 "  ",
                                                 "\n",
                                                 "\n\n",
                                                 "\t",
                                                 "\"",
                                                 "'",
                                                 "\\",
                                                 "/",
                                                 ":",
                                                 ": ",
                                                 " #",
                                                 "#",
                                                 "-",
                                                 "- ",
                                                 "{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 ",",
                                                 "&",
                                                 "*",
                                                 "!",
                                                 "|",
                                                 ">",
                                                 "%",
                                                 "@",
                                                 "`",
                                                 "<",
                                                 "?",
                                                 "\r",
                                                 "ä",
                                                 "€",
                                                 "中",
                                                 "😀",
                                                 "\u2028",
                                                 "word ",
                                                 "some longer piece of text "};
  if (pick(random, 4) == 0) return std::string(kWords[pick(random, std::size(kWords))]);
  std::string text;
  for (std::size_t left = pick(random, 10); left > 0; --left) {
    text += kPieces[pick(random, std::size(kPieces))];
  }
  return text;
}

Document random_object_document(Random& random, int depth) {
  static constexpr std::string_view kNames[] = {"a", "b", "c", "a/b", "m~n", "name", "10", "é"};
  Document object = Document::object();
  for (std::size_t left = pick(random, 6); left > 0; --left) {
    const std::string name = pick(random, 4) == 0
                                 ? random_text(random)
                                 : std::string(kNames[pick(random, std::size(kNames))]);
    object[name] = random_document(random, depth - 1);
  }
  return object;
}

Document random_document(Random& random, int depth) {
  if (depth <= 0 || pick(random, 3) == 0) return random_scalar(random);
  if (pick(random, 2) == 0) return random_object_document(random, depth);
  Document list = Document::array();
  for (std::size_t left = pick(random, 5); left > 0; --left) {
    list.push_back(random_document(random, depth - 1));
  }
  return list;
}

bool same(const json::Value& tree, const Document& document) {
  switch (tree.type()) {
    case json::Type::kNull:
      return document.is_null();
    case json::Type::kBool:
      return document.is_boolean() && document.get<bool>() == tree.as_bool();
    case json::Type::kInt:
      return document.is_number() && document == Document(tree.as_int());
    case json::Type::kDouble:
      return document.is_number() && document.get<double>() == tree.as_double();
    case json::Type::kString:
      return document.is_string() &&
             document.get_ref<const std::string&>() == std::string(tree.as_string());
    case json::Type::kArray:
      if (!document.is_array() || document.size() != tree.size()) return false;
      for (std::size_t i = 0; i < document.size(); ++i) {
        if (!same(tree.items()[i], document[i])) return false;
      }
      return true;
    case json::Type::kObject: {
      if (!document.is_object() || document.size() != tree.size()) return false;
      const json::Member* member = tree.members().begin();
      for (const auto& [key, value] : document.items()) {
        if (member->key != key || !same(member->value, value)) return false;
        ++member;
      }
      return true;
    }
  }
  return false;
}

}  // namespace tabernetes::judges
