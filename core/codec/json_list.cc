// Finds the ends of values in one pass over the bytes; yyjson decides whether they are valid JSON.
// Tested by tests/core/codec/json_list_test.cc.
#include "codec/json_list.h"

#include <yyjson.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

namespace tabernetes::codec {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// Bytes outside strings that affect nesting.
constexpr std::array<bool, 256> make_structural() {
  std::array<bool, 256> structural{};
  for (const unsigned char c : {'"', '{', '}', '[', ']'}) structural[c] = true;
  return structural;
}
constexpr std::array<bool, 256> kStructural = make_structural();

// Returns the position of the next quote from `at` on, or text.size(). Tests eight bytes at a time;
// the subtraction borrows from the next byte only after a match.
std::size_t find_quote(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    word ^= kOnes * '"';
    if (((word - kOnes) & ~word & kHighBits) != 0) break;
  }
  while (at < text.size() && text[at] != '"') ++at;
  return at;
}

// Returns the position after the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    at = find_quote(text, at);
    std::size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) break;  // the quote is not escaped
  }
  return std::min(at + 1, text.size());
}

// Splits an object into members, or an array into items.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  bool at_end() { return skip_spaces() == text_.size(); }
  bool take(char c) {
    if (skip_spaces() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::size_t at() const { return at_; }
  // Reads a string without escapes; returns nullopt for any other value.
  std::optional<std::string_view> take_plain_string() {
    if (skip_spaces() == text_.size() || text_[at_] != '"') return std::nullopt;
    const std::size_t begin = at_ + 1;
    at_ = string_end(text_, at_);
    const std::string_view inner = text_.substr(begin, at_ - begin - 1);
    if (inner.find('\\') != std::string_view::npos) return std::nullopt;
    return inner;
  }
  // Returns the text of a value; empty if there is none.
  std::string_view take_value() {
    if (skip_spaces() == text_.size()) return {};
    const std::string_view rest = text_.substr(at_);
    std::size_t size = 0;
    if (rest[0] == '{' || rest[0] == '[') {
      size = json_extent(rest);
    } else if (rest[0] == '"') {
      size = string_end(rest, 0);
    } else {
      size = std::min(rest.find_first_of(",]} \t\r\n"), rest.size());
    }
    at_ += size;
    return rest.substr(0, size);
  }

 private:
  std::size_t skip_spaces() {
    return at_ = std::min(text_.find_first_not_of(kSpaces, at_), text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Checks values with yyjson, reusing one block of memory.
class Checker {
 public:
  // Returns whether yyjson accepts the text.
  bool reads(std::string_view text) {
    const Document document = read(text);
    return document != nullptr;
  }

  // Returns the kind of an object, or nullopt if yyjson rejects it.
  std::optional<std::string> kind_of(std::string_view object) {
    const Document document = read(object);
    if (!document) return std::nullopt;
    yyjson_val* kind = yyjson_obj_get(yyjson_doc_get_root(document.get()), "kind");
    return yyjson_is_str(kind) ? std::string(yyjson_get_str(kind), yyjson_get_len(kind))
                               : std::string();
  }

 private:
  // The same flags as in json_reader.cc, so that link-time optimisation drops code that they
  // disable.
  static constexpr yyjson_read_flag kFlags = YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW;
  // Larger texts allocate their own memory.
  static constexpr std::size_t kLargest = 64 * 1024;
  using Document = std::unique_ptr<yyjson_doc, decltype(&yyjson_doc_free)>;

  Document read(std::string_view text) {
    const bool small = text.size() <= kLargest;
    if (small) make_room(yyjson_read_max_memory_usage(text.size(), kFlags));
    copy_.assign(text).append(YYJSON_PADDING_SIZE, '\0');
    return {
        yyjson_read_opts(copy_.data(), text.size(), kFlags, small ? &allocator_ : nullptr, nullptr),
        &yyjson_doc_free};
  }

  void make_room(std::size_t size) {
    if (size > size_) {
      memory_.reset(new char[size]);
      size_ = size;
    }
    yyjson_alc_pool_init(&allocator_, memory_.get(), size_);
  }

  std::string copy_;  // of the text being checked
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
  yyjson_alc allocator_{};
};

// Reads an array of objects; returns false if there is none.
bool take_items(Splitter& splitter, Checker& checker, std::vector<JsonItem>& items) {
  if (!splitter.take('[')) return false;
  if (splitter.take(']')) return true;
  do {
    const std::string_view text = splitter.take_value();
    if (text.empty() || text[0] != '{') return false;
    auto kind = checker.kind_of(text);
    if (!kind) return false;
    items.push_back({text, std::move(*kind)});
  } while (splitter.take(','));
  return splitter.take(']');
}

}  // namespace

std::size_t json_extent(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!kStructural[static_cast<unsigned char>(c)]) continue;
    if (c == '"') {
      at = string_end(text, at) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

std::optional<JsonParts> split_json_array(std::string_view text, std::string_view name) {
  Splitter splitter(text);
  if (!splitter.take('{')) return std::nullopt;
  do {
    const auto key = splitter.take_plain_string();
    if (!key || !splitter.take(':')) return std::nullopt;
    if (*key != name) {
      if (splitter.take_value().empty()) return std::nullopt;
      continue;
    }
    if (!splitter.take('[')) return std::nullopt;
    JsonParts parts;
    parts.frame = text.substr(0, splitter.at());
    if (!splitter.take(']')) {
      do {
        parts.items.push_back(splitter.take_value());
        if (parts.items.back().empty()) return std::nullopt;
      } while (splitter.take(','));
      if (!splitter.take(']')) return std::nullopt;
    }
    parts.frame += ']';
    parts.frame += text.substr(splitter.at());
    return parts;
  } while (splitter.take(','));
  return std::nullopt;
}

std::optional<std::vector<JsonItem>> split_json_list(std::string_view text) {
  Splitter splitter(text);
  Checker checker;
  std::vector<JsonItem> items;
  bool is_list = false, has_items = false;
  if (!splitter.take('{')) return std::nullopt;
  do {
    const auto key = splitter.take_plain_string();
    if (!key || !splitter.take(':')) return std::nullopt;
    if (*key == "items") {
      if (has_items || !take_items(splitter, checker, items)) return std::nullopt;
      has_items = true;
      continue;
    }
    const std::string_view value = splitter.take_value();
    if (!checker.reads(value)) return std::nullopt;
    if (*key == "kind") {
      if (is_list || !value.ends_with("List\"")) return std::nullopt;
      is_list = true;
    }
  } while (splitter.take(','));
  if (!is_list || !has_items || !splitter.take('}') || !splitter.at_end()) return std::nullopt;
  return items;
}

}  // namespace tabernetes::codec
