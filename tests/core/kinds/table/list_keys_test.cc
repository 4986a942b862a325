// Which kinds may have items without the keys of their lists: their strategies say what the schema
// says.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "kinds/table/built_in_kind.h"
#include "schema/schema.h"

namespace tabernetes::registry {
namespace {

// Returns true if the member is written even if it is not set, or has a default.
bool is_always_there(const schema::Type& item, std::string_view key) {
  const schema::Field* field = item.find(key);
  REQUIRE(field != nullptr);
  return field->omit == schema::Omit::kNever || field->zero_default || !field->default_json.empty();
}

bool may_lack_keys(const schema::Type& type, std::set<const schema::Type*>& seen) {
  if (!seen.insert(&type).second) return false;
  return std::any_of(type.fields.begin(), type.fields.end(), [&](const schema::Field& field) {
    const schema::TypeRef* inner = &field.type;
    while (inner->element != nullptr) inner = inner->element;
    if (inner->ref == nullptr) return false;
    const auto& keys = field.list_map_keys;
    const bool lacks = field.list_type == schema::ListType::kMap &&
                       std::none_of(keys.begin(), keys.end(), [&](std::string_view key) {
                         return is_always_there(*inner->ref, key);
                       });
    return lacks || may_lack_keys(*inner->ref, seen);
  });
}

TEST_CASE("kinds: a strategy says whether items of lists may lack their keys", "[registry]") {
  std::set<std::string_view> kinds;
  const auto resources = built_in_resources();
  for (const ResourceType* type : resources->all()) {
    std::set<const schema::Type*> seen;
    INFO(type->api_version << " " << type->resource->plural);
    const bool may = may_lack_keys(*type->resource->type, seen);
    CHECK(type->strategy->lists_may_lack_keys == may);
    if (may) kinds.insert(type->resource->plural);
  }
  CHECK(kinds.count("serviceaccounts") == 1);
}

}  // namespace
}  // namespace tabernetes::registry
