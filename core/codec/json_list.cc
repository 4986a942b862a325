// One pass over the bytes finds where values end; whether they are JSON is yyjson's to say.
// Tested by tests/core/codec/json_list_test.cc.
#include "codec/json_list.h"

#include <yyjson.h>

#include <algorithm>
#include <array>
#include <memory>

namespace tabernetes::codec {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// Bytes outside of strings that matter for nesting.
constexpr std::array<bool, 256> make_structural() {
  std::array<bool, 256> structural{};
  for (const unsigned char c : {'"', '{', '}', '[', ']'}) structural[c] = true;
  return structural;
}
constexpr std::array<bool, 256> kStructural = make_structural();

// The position behind the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// A reader of one object's members and one array's items, by their extents.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  bool at_end() { return skip_spaces() == text_.size(); }
  bool take(char c) {
    if (skip_spaces() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // A string without escapes; nothing for any other value.
  std::optional<std::string_view> take_plain_string() {
    if (skip_spaces() == text_.size() || text_[at_] != '"') return std::nullopt;
    const std::size_t begin = at_ + 1;
    at_ = string_end(text_, at_);
    const std::string_view inner = text_.substr(begin, at_ - begin - 1);
    if (inner.find('\\') != std::string_view::npos) return std::nullopt;
    return inner;
  }
  // The text of a value; empty if there is none.
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

using Document = std::unique_ptr<yyjson_doc, decltype(&yyjson_doc_free)>;

// Null if yyjson would not read it.
Document read(std::string_view text) {
  return {yyjson_read(text.data(), text.size(), YYJSON_READ_NUMBER_AS_RAW), &yyjson_doc_free};
}

std::string kind_of(const Document& object) {
  yyjson_val* kind = yyjson_obj_get(yyjson_doc_get_root(object.get()), "kind");
  return yyjson_is_str(kind) ? std::string(yyjson_get_str(kind), yyjson_get_len(kind))
                             : std::string();
}

// False if it is no array of objects.
bool split_array(std::string_view array, std::vector<JsonItem>& items) {
  Splitter splitter(array);
  if (!splitter.take('[')) return false;
  if (splitter.take(']')) return splitter.at_end();
  do {
    const std::string_view text = splitter.take_value();
    if (text.empty() || text[0] != '{') return false;
    const Document item = read(text);
    if (!item) return false;
    items.push_back({text, kind_of(item)});
  } while (splitter.take(','));
  return splitter.take(']') && splitter.at_end();
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

std::optional<std::vector<JsonItem>> split_json_list(std::string_view text) {
  Splitter splitter(text);
  std::vector<JsonItem> items;
  bool is_list = false, has_items = false;
  if (!splitter.take('{')) return std::nullopt;
  do {
    const auto key = splitter.take_plain_string();
    if (!key || !splitter.take(':')) return std::nullopt;
    const std::string_view value = splitter.take_value();
    if (*key == "items") {
      if (has_items || !split_array(value, items)) return std::nullopt;
      has_items = true;
    } else if (!read(value)) {
      return std::nullopt;
    } else if (*key == "kind") {
      if (is_list || !value.ends_with("List\"")) return std::nullopt;
      is_list = true;
    }
  } while (splitter.take(','));
  if (!is_list || !has_items || !splitter.take('}') || !splitter.at_end()) return std::nullopt;
  return items;
}

}  // namespace tabernetes::codec
