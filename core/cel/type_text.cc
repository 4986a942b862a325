#include "cel/type_text.h"

#include <vector>

namespace tabernetes::cel {
namespace {

class TypeReader {
 public:
  TypeReader(std::string_view text, json::Arena& arena) : text_(text), arena_(arena) {}

  const Type* read() {
    const char c = take();
    if (c == '{') return structure();
    if (c == 'L') return list_of(*read(), arena_);
    if (c == 'M') return map_of(simple_type(Kind::kString), *read(), arena_);
    return &simple_type(c == 's'   ? Kind::kString
                        : c == 'b' ? Kind::kBool
                        : c == 'i' ? Kind::kInt
                        : c == 't' ? Kind::kTimestamp
                                   : Kind::kDyn);
  }

 private:
  char take() {
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }

  const Type* structure() {
    std::vector<Field> fields;
    do {
      const std::string_view name = text_.substr(0, text_.find(':'));
      text_.remove_prefix(name.size() + 1);
      fields.push_back({name, name, read()});
    } while (take() == ',');
    return struct_of(fields, arena_);
  }

  std::string_view text_;
  json::Arena& arena_;
};

}  // namespace

const Type* read_type(std::string_view text, json::Arena& arena) {
  return TypeReader(text, arena).read();
}

}  // namespace tabernetes::cel
