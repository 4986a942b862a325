// yyjson parses the text in a copy owned by the arena, in which it also decodes escapes; then one
// walk over its flat array of values builds the tree. A text that yyjson rejects goes to
// json_syntax.h, which either finds Go's error or repairs broken Unicode. Tested by
// tests/core/codec/json_reader_test.cc, tests/fuzz/json_fuzz.cc.
#include "codec/json_reader.h"

#include <yyjson.h>

#include <cstring>
#include <vector>

#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "codec/json_syntax.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Member;
using json::Value;

// Parses a JSON number as an int64; returns false if it is not one.
bool parse_integer(std::string_view text, std::int64_t& result) {
  const bool negative = text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.size() > 19) return false;
  std::uint64_t magnitude = 0;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    magnitude = magnitude * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (magnitude > (std::uint64_t{1} << 63) - (negative ? 0 : 1)) return false;
  result = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

Value read_number(std::string_view text, Arena& arena) {
  std::int64_t integer = 0;
  if (parse_integer(text, integer)) return Value::integer(integer);
  return Value::number(arena, *parse_float(text), text);
}

std::string_view string_of(yyjson_val* value) {
  return {unsafe_yyjson_get_str(value), unsafe_yyjson_get_len(value)};
}

// Fills arrays and objects of known size in place, the innermost open one first.
class TreeBuilder {
 public:
  explicit TreeBuilder(Arena& arena) : arena_(arena) { open_.reserve(16); }

  // Returns false if the nesting is too deep.
  bool build(yyjson_val* root, Value& result) {
    result = convert(root);
    while (!open_.empty()) {
      if (open_.size() > kMaxJsonDepth) return false;
      Container& container = open_.back();
      if (container.left == 0) {
        close(container);
        continue;
      }
      --container.left;
      yyjson_val* child = container.next;
      Value* place = container.item;
      if (place != nullptr) {
        ++container.item;
      } else {
        container.member->key = string_of(child++);
        place = &container.member++->value;
      }
      container.next = unsafe_yyjson_get_next(child);
      *place = convert(child);  // may open another container
    }
    return true;
  }

 private:
  struct Container {
    yyjson_val* next;
    std::uint32_t left;
    Value tree;
    Value* item;     // array: the place of the next child; object: null
    Member* member;  // object: the next member
  };

  // Returns a scalar, or a container that is queued to be filled.
  Value convert(yyjson_val* value) {
    switch (unsafe_yyjson_get_type(value)) {
      case YYJSON_TYPE_RAW:
        return read_number(string_of(value), arena_);
      case YYJSON_TYPE_STR:
        return Value::string(string_of(value));
      case YYJSON_TYPE_BOOL:
        return Value::boolean(unsafe_yyjson_get_bool(value));
      case YYJSON_TYPE_ARR:
        return open_array(value);
      case YYJSON_TYPE_OBJ:
        return open_object(value);
      default:
        return Value::null();
    }
  }

  Value open_array(yyjson_val* value) {
    const auto count = static_cast<std::uint32_t>(unsafe_yyjson_get_len(value));
    if (count == 0) return note_empty(Value::array(arena_));
    const Value tree = Value::uninitialized_array(arena_, count);
    open_.push_back({unsafe_yyjson_get_first(value), count, tree, tree.items().begin(), nullptr});
    return tree;
  }

  Value open_object(yyjson_val* value) {
    const auto count = static_cast<std::uint32_t>(unsafe_yyjson_get_len(value));
    if (count == 0) return note_empty(Value::object(arena_));
    const Value tree = Value::uninitialized_object(arena_, count);
    open_.push_back({unsafe_yyjson_get_first(value), count, tree, nullptr, tree.members().begin()});
    return tree;
  }

  // Queues an empty container at the depth limit so that its depth is counted.
  Value note_empty(Value tree) {
    if (open_.size() == kMaxJsonDepth) open_.push_back({nullptr, 0, tree, nullptr, nullptr});
    return tree;
  }

  void close(Container& container) {
    if (container.tree.is_object()) container.tree.index_members(arena_);
    open_.pop_back();
  }

  Arena& arena_;
  std::vector<Container> open_;
};

enum class Attempt { kRead, kRefused, kTooDeep };

Attempt attempt(std::string_view text, Arena& arena, Value& result) {
  char* copy = arena.allocate_array<char>(text.size() + YYJSON_PADDING_SIZE);
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  std::memset(copy + text.size(), 0, YYJSON_PADDING_SIZE);
  constexpr yyjson_read_flag kFlags = YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW;
  yyjson_doc* document = yyjson_read_opts(copy, text.size(), kFlags, nullptr, nullptr);
  if (document == nullptr) return Attempt::kRefused;
  const bool built = TreeBuilder(arena).build(yyjson_doc_get_root(document), result);
  yyjson_doc_free(document);
  return built ? Attempt::kRead : Attempt::kTooDeep;
}

}  // namespace

JsonRead read_json(std::string_view text, Arena& arena) {
  JsonRead read;
  if (attempt(text, arena, read.value) == Attempt::kRead) return read;
  read.value = Value::null();
  read.error = json_syntax_error(text);
  if (!read.ok()) return read;
  if (attempt(repair_json_unicode(text), arena, read.value) != Attempt::kRead) {
    read.error = "invalid JSON";  // the two parsers disagree; json_fuzz.cc searches for such a text
  }
  return read;
}

}  // namespace tabernetes::codec
