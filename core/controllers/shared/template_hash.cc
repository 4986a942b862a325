#include "controllers/shared/template_hash.h"

#include "base/algorithm/fnv.h"
#include "controllers/shared/go_dump.h"

namespace tabernetes::controllers {

std::string safe_encode(std::uint32_t number) {
  constexpr std::string_view kSafe = "456789bcdf";
  std::string text = std::to_string(number);
  for (char& digit : text) digit = kSafe[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string template_hash(const registry::ResourceType& workload, const json::Value& pod_template,
                          std::optional<std::int64_t> collision_count) {
  const schema::Type& spec = *workload.resource->type->find("spec")->type.ref;
  Fnv32a hash;
  hash.add(go_dump(*spec.find("template")->type.ref, pod_template));
  if (collision_count) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 4; ++i) {
      bytes[i] = static_cast<char>(*collision_count >> (8 * i) & 0xFF);
    }
    hash.add(bytes);
  }
  return safe_encode(hash.value());
}

}  // namespace tabernetes::controllers
