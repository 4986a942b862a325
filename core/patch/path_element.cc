#include "patch/path_element.h"

#include <algorithm>
#include <cmath>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::patch {
namespace {

using json::Value;

constexpr double kExact = 9007199254740992.0;  // 2^53: integers up to it are exact doubles

int rank_of(json::Type type) {
  switch (type) {
    case json::Type::kInt:
    case json::Type::kDouble:
      return 0;
    case json::Type::kString:
      return 1;
    case json::Type::kBool:
      return 2;
    case json::Type::kArray:
      return 3;
    case json::Type::kObject:
      return 4;
    case json::Type::kNull:
      return 5;
  }
  return 5;
}

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

std::string json_of(const Value& value) {
  std::string text;
  if (value.is_double() && value.as_double() == std::trunc(value.as_double()) &&
      std::abs(value.as_double()) < kExact) {
    return std::to_string(static_cast<std::int64_t>(value.as_double()));
  }
  codec::write_json(value, text);
  return text;
}

}  // namespace

ElementValue::ElementValue(const Value& value)
    : rank_(rank_of(value.type())),
      integral_(value.is_int()),
      text_(value.is_string() ? std::string(value.as_string()) : json_of(value)) {
  if (value.is_int()) integer_ = value.as_int();
  if (value.is_number()) number_ = value.as_double();
}

std::string ElementValue::json() const {
  if (rank_ != rank_of(json::Type::kString)) return text_;
  std::string text;
  codec::write_json_string(text_, text);
  return text;
}

int ElementValue::compare(const ElementValue& other) const {
  if (rank_ != other.rank_) return three_way(rank_, other.rank_);
  if (rank_ != rank_of(json::Type::kInt)) return three_way(text_, other.text_);
  if (integral_ && other.integral_) return three_way(integer_, other.integer_);
  return three_way(number_, other.number_);
}

PathElement PathElement::field(std::string_view name) {
  PathElement element(Kind::kField);
  element.name_ = name;
  return element;
}

PathElement PathElement::key(const Value& fields) {
  Keys keys;
  for (const json::Member& member : fields.members()) {
    keys.emplace_back(member.key, ElementValue(member.value));
  }
  return key(std::move(keys));
}

PathElement PathElement::key(Keys keys) {
  if (keys.size() > 1) {
    sort_stable(keys, [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  PathElement element(Kind::kKey);
  element.keys_ = std::make_shared<const Keys>(std::move(keys));
  return element;
}

PathElement PathElement::value(const Value& item) {
  Keys keys;
  keys.emplace_back(std::string(), ElementValue(item));
  PathElement element(Kind::kValue);
  element.keys_ = std::make_shared<const Keys>(std::move(keys));
  return element;
}

PathElement PathElement::index(std::int64_t position) {
  PathElement element(Kind::kIndex);
  element.index_ = position;
  return element;
}

std::string PathElement::to_fields_v1() const {
  switch (kind_) {
    case Kind::kField:
      return "f:" + std::string(name_);
    case Kind::kKey: {
      std::string text = "k:{";
      for (const auto& [name, value] : *keys_) {
        if (text.back() != '{') text += ',';
        codec::write_json_string(name, text);
        text.append(":").append(value.json());
      }
      return text += '}';
    }
    case Kind::kValue:
      return "v:" + keys_->front().second.json();
    case Kind::kIndex:
      return "i:" + std::to_string(index_);
  }
  return {};
}

int PathElement::compare(const PathElement& other) const {
  if (kind_ != other.kind_) return three_way(kind_, other.kind_);
  if (kind_ == Kind::kField) return name_.compare(other.name_);
  if (kind_ == Kind::kIndex) return three_way(index_, other.index_);
  const Keys &own = *keys_, &others = *other.keys_;
  const std::size_t common = std::min(own.size(), others.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (const int names = own[i].first.compare(others[i].first)) return names;
    if (const int values = own[i].second.compare(others[i].second)) return values;
  }
  return three_way(own.size(), others.size());
}

namespace {

// Formats a value for messages: strings are quoted as in Go.
std::string shown(const ElementValue& value) {
  std::string text = value.json();
  if (text.empty() || text.front() != '"') return text;
  json::Arena arena;
  return go_quote(codec::read_json(text, arena).value.as_string());
}

}  // namespace

std::string PathElement::to_text() const {
  switch (kind_) {
    case Kind::kField:
      return "." + std::string(name_);
    case Kind::kKey: {
      std::string text = "[";
      for (const auto& [name, value] : *keys_) {
        if (text.size() > 1) text += ',';
        text.append(name).append("=").append(shown(value));
      }
      return text += ']';
    }
    case Kind::kValue:
      return "[=" + shown(keys_->front().second) + "]";
    case Kind::kIndex:
      return "[" + std::to_string(index_) + "]";
  }
  return {};
}

std::optional<ParsedElement> parse_path_element(std::string_view text) {
  if (text.size() < 2 || text[1] != ':') return std::nullopt;
  const std::string_view rest = text.substr(2);
  if (text[0] == 'f') return ParsedElement{true, PathElement::field(rest)};
  if (text[0] == 'i') {
    const GoParsedInt number = go_parse_int(rest);
    if (!number.error.empty()) return std::nullopt;
    return ParsedElement{true, PathElement::index(number.value)};
  }
  if (text[0] != 'k' && text[0] != 'v') return ParsedElement{false, std::nullopt};
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(rest, arena);
  if (!read.ok()) return std::nullopt;
  if (text[0] == 'v') return ParsedElement{true, PathElement::value(read.value)};
  if (!read.value.is_object()) return std::nullopt;
  return ParsedElement{true, PathElement::key(read.value)};
}

std::string path_text(const Path& path) {
  std::string text;
  for (const PathElement& element : path) text += element.to_text();
  return text;
}

}  // namespace tabernetes::patch
