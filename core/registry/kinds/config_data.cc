#include "registry/kinds/config_data.h"

#include <algorithm>
#include <string_view>

#include "base/go_text.h"
#include "json/equality.h"

namespace tabernetes::registry::kinds {
namespace {

using field::Path;
using json::Member;
using json::Value;

constexpr std::size_t kMaxTotalBytes = 1024 * 1024;
constexpr std::size_t kMaxKeyLength = 253;

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

void validate_key(std::string_view map, std::string_view key, field::ErrorList& errors) {
  const Path path = Path(std::string(map)).key(key);
  auto refuse = [&](std::string_view why) {
    errors.push_back(field::invalid(path, go_quote(key), why));
  };
  if (key.size() > kMaxKeyLength) refuse("must be no more than 253 characters");
  if (key.empty() || !std::all_of(key.begin(), key.end(), is_key_character)) {
    refuse(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (key == ".") refuse("must not be '.'");
  if (key == "..") {
    refuse("must not be '..'");
  } else if (key.starts_with("..")) {
    refuse("must not start with '..'");
  }
}

// What base64 text stands for, in bytes.
std::size_t decoded_size(std::string_view base64) {
  std::size_t size = base64.size() / 4 * 3;
  while (!base64.empty() && base64.back() == '=') {
    base64.remove_suffix(1);
    --size;
  }
  return size;
}

enum class Encoded { kText, kBase64 };

// Checks the keys of one map and returns the bytes of its values.
std::size_t validate_map(const Value& object, std::string_view name, Encoded encoded,
                         field::ErrorList& errors) {
  const Value* map = object.find(name);
  if (map == nullptr || !map->is_object()) return 0;
  std::size_t total = 0;
  const Value* binary = name == "data" ? object.find("binaryData") : nullptr;
  for (const Member& member : map->members()) {
    validate_key(name, member.key, errors);
    if (binary != nullptr && binary->find(member.key) != nullptr) {
      errors.push_back(field::invalid(Path(std::string(name)).key(member.key), go_quote(member.key),
                                      "duplicate of key present in binaryData"));
    }
    const std::string_view text = member.value.is_string() ? member.value.as_string() : "";
    total += encoded == Encoded::kText ? text.size() : decoded_size(text);
  }
  return total;
}

void validate_total(std::size_t bytes, field::ErrorList& errors) {
  if (bytes > kMaxTotalBytes) errors.push_back(field::too_long(Path("[]"), kMaxTotalBytes));
}

bool is_immutable(const Value& object) {
  const Value* flag = object.find("immutable");
  return flag != nullptr && flag->is_bool() && flag->as_bool();
}

bool differs(const Value& object, const Value& old, std::string_view name) {
  const Value* now = object.find(name);
  const Value* before = old.find(name);
  if (now == nullptr || before == nullptr) return now != before;
  return !json::deep_equal(*now, *before);
}

// Once immutable, neither the flag nor the data can change.
void validate_frozen(const Value& object, const Value& old, field::ErrorList& errors) {
  if (!is_immutable(old)) return;
  constexpr std::string_view kWhy = "field is immutable when `immutable` is set";
  if (!is_immutable(object)) errors.push_back(field::forbidden(Path("immutable"), kWhy));
  for (const std::string_view name : {"data", "binaryData"}) {
    if (differs(object, old, name)) {
      errors.push_back(field::forbidden(Path(std::string(name)), kWhy));
    }
  }
}

}  // namespace

void validate_config_map(const Value& object, field::ErrorList& errors) {
  const std::size_t text = validate_map(object, "data", Encoded::kText, errors);
  const std::size_t binary = validate_map(object, "binaryData", Encoded::kBase64, errors);
  validate_total(text + binary, errors);
}

void validate_config_map_update(const Value& object, const Value& old, field::ErrorList& errors) {
  validate_frozen(object, old, errors);
}

void validate_secret(const Value& object, field::ErrorList& errors) {
  validate_total(validate_map(object, "data", Encoded::kBase64, errors), errors);
}

void validate_secret_update(const Value& object, const Value& old, field::ErrorList& errors) {
  if (object.string_at("type") != old.string_at("type")) {
    errors.push_back(
        field::invalid(Path("type"), go_quote(object.string_at("type")), "field is immutable"));
  }
  validate_frozen(object, old, errors);
}

}  // namespace tabernetes::registry::kinds
