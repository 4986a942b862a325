// Tested by tests/core/patch/json_patch_test.cc.
#include "patch/json_pointer.h"

#include "base/go/text.h"

namespace tabernetes::patch {
namespace {

using json::Value;

std::string unescape(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char following = i + 1 < token.size() ? token[i + 1] : '\0';
    if (token[i] == '~' && (following == '0' || following == '1')) {
      out += following == '0' ? '~' : '/';
      ++i;
    } else {
      out += token[i];
    }
  }
  return out;
}

const Value* child(const Value& container, std::string_view token) {
  if (container.is_object()) return container.find(token);
  const auto i = resolve_index(token, container.size());
  return i ? &container.items()[*i] : nullptr;
}

}  // namespace

std::optional<std::uint32_t> resolve_index(std::string_view token, std::uint32_t size) {
  const GoParsedInt parsed = go_parse_int(token);
  if (!parsed.error.empty()) return std::nullopt;
  const std::int64_t count = size;
  if (parsed.value >= count || parsed.value < -count) return std::nullopt;
  return static_cast<std::uint32_t>(parsed.value < 0 ? parsed.value + count : parsed.value);
}

std::optional<Place> resolve_place(const Value& root, std::string_view pointer,
                                   std::vector<Value>& touched) {
  std::size_t slash = pointer.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  Value container = root;
  while (true) {
    if (container.is_object()) touched.push_back(container);
    pointer.remove_prefix(slash + 1);
    slash = pointer.find('/');
    const std::string token = unescape(pointer.substr(0, slash));
    if (slash == std::string_view::npos) return Place{container, token};
    const Value* next = child(container, token);
    if (next == nullptr || !(next->is_object() || next->is_array())) return std::nullopt;
    container = *next;
  }
}

}  // namespace tabernetes::patch
