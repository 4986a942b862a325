#include "kinds/core/config_data.h"

#include <string>

namespace tabernetes::registry::kinds {
namespace {

constexpr std::size_t kMaxTotalBytes = 1024 * 1024;

// Returns the number of bytes that a base64 text encodes.
std::size_t decoded_size(std::string_view base64) {
  std::size_t size = base64.size() / 4 * 3;
  while (!base64.empty() && base64.back() == '=') {
    base64.remove_suffix(1);
    --size;
  }
  return size;
}

enum class Encoded { kText, kBase64 };

// Checks the keys of a map and returns the size of its values.
std::size_t validate_map(const Field& object, std::string_view name, Encoded encoded) {
  std::size_t total = 0;
  const Field binary = object["binaryData"];
  const Field map = object[name];
  for (const Field entry : map.items()) {
    for (const std::string& fault : config_key_faults(entry.name())) {
      entry.invalid_string(entry.name(), fault);
    }
    if (name == "data" && binary.find(entry.name()) != nullptr) {
      entry.invalid_string(entry.name(), "duplicate of key present in binaryData");
    }
    const std::string_view text = entry.text();
    total += encoded == Encoded::kText ? text.size() : decoded_size(text);
  }
  return total;
}

// Checks that an immutable object keeps its data and its flag.
void validate_frozen(const Field& object, const Field& old) {
  if (!old["immutable"].flag()) return;
  constexpr std::string_view kWhy = "field is immutable when `immutable` is set";
  if (!object["immutable"].flag()) object["immutable"].forbidden(kWhy);
  for (const std::string_view name : {"data", "binaryData"}) {
    if (!object[name].same(old[name])) object[name].forbidden(kWhy);
  }
}

}  // namespace

void validate_config_map(const Field& object) {
  const std::size_t text = validate_map(object, "data", Encoded::kText);
  const std::size_t binary = validate_map(object, "binaryData", Encoded::kBase64);
  // upstream's path of the whole object is printed as []
  if (text + binary > kMaxTotalBytes) object.key("").too_long(kMaxTotalBytes);
}

void validate_config_map_update(const Field& object, const Field& old) {
  validate_frozen(object, old);
  validate_config_map(object);
}

void validate_secret(const Field& object) {
  const std::size_t bytes = validate_map(object, "data", Encoded::kBase64);
  if (bytes > kMaxTotalBytes) object["data"].too_long(kMaxTotalBytes);
}

void validate_secret_update(const Field& object, const Field& old) {
  object["type"].immutable(old["type"]);
  validate_frozen(object, old);
  validate_secret(object);
}

}  // namespace tabernetes::registry::kinds
