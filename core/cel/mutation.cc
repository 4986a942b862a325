#include "cel/mutation.h"

#include "base/go/text.h"
#include "base/text/base64.h"
#include "cel/message_type.h"
#include "cel/print.h"

namespace tabernetes::cel {
namespace {

using Json = tl::expected<json::Value, std::string>;

class Converter {
 public:
  explicit Converter(json::Arena& arena) : arena_(arena) {}

  // `path` is that of the enclosing message; empty outside of messages.
  Json convert(const Value& value, const std::string& path) {
    switch (value.kind) {
      case Kind::kNull:
        return json::Value();
      case Kind::kBool:
        return json::Value::boolean(value.boolean);
      case Kind::kInt:
        return json::Value::integer(value.integer);
      case Kind::kUint:
        return json::Value::integer(static_cast<std::int64_t>(value.natural));
      case Kind::kDouble:
        return json::Value::number(arena_, value.real);
      case Kind::kString:
        return json::Value::string(arena_.copy(value.view()));
      case Kind::kBytes:
        return json::Value::string(arena_.copy(base64_encode(value.view())));
      case Kind::kList:
        return list(value, path);
      case Kind::kMap:
        return map(value, path);
      case Kind::kOptional:
        return value.inner == nullptr ? Json(json::Value()) : convert(*value.inner, path);
      default:
        return text(value);
    }
  }

 private:
  Json text(const Value& value) { return json::Value::string(arena_.copy(print_value(value))); }

  Json list(const Value& value, const std::string& path) {
    json::Value items = json::Value::array(arena_);
    for (std::uint32_t i = 0; i < list_size(value); ++i) {
      Json item = convert(list_item(value, i, arena_), path);
      if (!item) return item;
      items.push_back(arena_, *item);
    }
    return items;
  }

  Json map(const Value& value, const std::string& path) {
    if (value.tree) return value.json->clone(arena_);
    const bool message = value.type != nullptr && is_message(*value.type);
    if (message && !path.empty() && value.type->name != path) {
      return tl::make_unexpected("type mismatch: unexpected type name " +
                                 go_quote(value.type->name) + ", expected " + go_quote(path) +
                                 ", which matches field name path from root Object type");
    }
    const std::string own = !path.empty()                           ? path
                            : message && value.type->name != kPatch ? std::string(value.type->name)
                                                                    : std::string();
    json::Value object = json::Value::object(arena_);
    Value key;
    for (std::uint32_t place = 0; map_next(value, place, key, arena_);) {
      Value member;
      map_find(value, key, member, arena_);
      const std::string name = key.is(Kind::kString) ? std::string(key.view()) : print_value(key);
      Json converted = convert(member, own.empty() ? own : own + "." + name);
      if (!converted) return converted;
      object.append(arena_, arena_.copy(name), *converted);
    }
    return object;
  }

  static constexpr std::string_view kPatch = "JSONPatch";

  json::Arena& arena_;
};

}  // namespace

Json to_json(const Value& value, json::Arena& arena) { return Converter(arena).convert(value, {}); }

}  // namespace tabernetes::cel
