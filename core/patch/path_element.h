// One step of a path to an owned field. Source: spec/patch-apply.md 6.2.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"

namespace tabernetes::patch {

// A value inside a path element, as text and in comparable form.
class ElementValue {
 public:
  explicit ElementValue(const json::Value& value);

  // Returns compact JSON; integral floats have no fraction.
  std::string json() const;

  // Returns <0, 0 or >0. Order: numbers by value, strings, booleans, lists, maps, null.
  int compare(const ElementValue& other) const;

 private:
  int rank_ = 0;
  bool integral_ = false;
  std::int64_t integer_ = 0;
  double number_ = 0;
  std::string text_;  // a string itself; for others, their JSON
};

class PathElement {
 public:
  // In canonical order.
  enum class Kind { kField, kKey, kValue, kIndex };
  using Keys = std::vector<std::pair<std::string, ElementValue>>;

  // A field of a struct or a key of a map. Keeps the view: a field set must not outlive the objects
  // that it was made from.
  static PathElement field(std::string_view name);
  // An item of a keyed list, by its key fields.
  static PathElement key(const json::Value& fields);
  static PathElement key(Keys keys);
  // An item of a set.
  static PathElement value(const json::Value& item);
  static PathElement index(std::int64_t position);

  Kind kind() const { return kind_; }
  std::string_view name() const { return name_; }  // REQUIRES: a field
  const Keys& keys() const { return *keys_; }      // REQUIRES: an item of a keyed list
  std::int64_t index() const { return index_; }

  // Returns the form in FieldsV1: "f:name", `k:{"name":"c"}`.
  std::string to_fields_v1() const;
  // Returns the form in messages: ".name", `[name="c"]`, "[=3]", "[0]".
  std::string to_text() const;

  int compare(const PathElement& other) const;
  bool operator==(const PathElement& other) const { return compare(other) == 0; }
  bool operator<(const PathElement& other) const { return compare(other) < 0; }

 private:
  explicit PathElement(Kind kind) : kind_(kind) {}

  Kind kind_;
  std::string_view name_;  // kField
  // kKey: sorted by name; kValue: one without a name; otherwise null.
  std::shared_ptr<const Keys> keys_;
  std::int64_t index_ = 0;  // kIndex
};

// Parses a key of FieldsV1; returns nullopt if malformed. `known` is false for an element of an
// unknown kind, which must be skipped.
struct ParsedElement {
  bool known = true;
  std::optional<PathElement> element;
};
std::optional<ParsedElement> parse_path_element(std::string_view text);

using Path = std::vector<PathElement>;

// Returns ".spec.containers[name=\"c\"].image".
std::string path_text(const Path& path);

}  // namespace tabernetes::patch
