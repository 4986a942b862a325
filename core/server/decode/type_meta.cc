// Tested by tests/core/server/decode/type_meta_test.cc.
#include "server/decode/type_meta.h"

#include <algorithm>
#include <optional>

#include "base/api/api_version.h"
#include "base/api/group_version.h"
#include "base/text/ascii.h"
#include "json/type_name.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kJsonError = "couldn't get version/kind; json parse error: ";
constexpr std::string_view kGoType =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";

// Removes the first character of `text` and returns it case-folded as in encoding/json: ASCII
// letters, and the two other characters that fold to one.
char take_folded(std::string_view& text) {
  for (const auto& [other, letter] : {std::pair<std::string_view, char>("\u212A", 'k'),
                                      std::pair<std::string_view, char>("\u017F", 's')}) {
    if (!text.starts_with(other)) continue;
    text.remove_prefix(other.size());
    return letter;
  }
  const char c = text.front();
  text.remove_prefix(1);
  return ascii_lower(c);
}

bool equals_folded(std::string_view key, std::string_view lower) {
  while (!key.empty() && !lower.empty()) {
    if (take_folded(key) != lower.front()) return false;
    lower.remove_prefix(1);
  }
  return key.empty() && lower.empty();
}

struct Texts {
  std::string_view api_version, kind;
  std::string error;
};

Texts read_texts(const Value& body) {
  Texts texts;
  for (const json::Member& member : body.members()) {
    const bool is_kind = equals_folded(member.key, "kind");
    if (!is_kind && !equals_folded(member.key, "apiversion")) continue;
    if (member.value.is_string()) {
      (is_kind ? texts.kind : texts.api_version) = member.value.as_string();
    } else if (!member.value.is_null() && texts.error.empty()) {
      texts.error = std::string(kJsonError) + "json: cannot unmarshal " +
                    std::string(json::go_type_name(member.value)) + " into Go struct field ." +
                    (is_kind ? "kind" : "apiVersion") + " of type string";
    }
  }
  return texts;
}

}  // namespace

std::string Gvk::api_version() const { return GroupVersion{group, version}.to_string(); }

TypeMeta read_type_meta(const Value& body, const Gvk& of_path) {
  TypeMeta meta{of_path, {}};
  if (body.is_null()) return meta;
  if (!body.is_object()) {
    meta.error = std::string(kJsonError) + "json: cannot unmarshal " +
                 std::string(json::go_type_name(body)) + " into Go value of type " +
                 std::string(kGoType);
    return meta;
  }
  Texts texts = read_texts(body);
  meta.error = std::move(texts.error);
  if (std::count(texts.api_version.begin(), texts.api_version.end(), '/') > 1 &&
      meta.error.empty()) {
    meta.error = "unexpected GroupVersion string: " + std::string(texts.api_version);
  }
  if (!meta.error.empty()) return meta;
  if (!texts.kind.empty()) meta.gvk.kind = texts.kind;
  const auto [group, version] = split_api_version(texts.api_version);
  if (group.empty() && version.empty()) return meta;
  meta.gvk.group = group;
  const bool left_out = version.empty() && group == of_path.group;
  meta.gvk.version = left_out ? of_path.version : std::string(version);
  return meta;
}

}  // namespace tabernetes::server
