#include "patch/managed_fields.h"

#include <catch2/catch_test_macros.hpp>

#include "patch/managed_fields_problem.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

using json::Value;

// {managedFields, error}: apimachinery 0.36's error for a list (empty if it is valid).
TEST_CASE("managedFields: what cannot be read is said as by the real library", "[patch]") {
  json::Arena arena;
  int refused = 0;
  for (const Value& each : read_vectors("unreadable-managed-fields.json", arena).items()) {
    const Value& list = *each.find("managedFields");
    const std::string_view error = each.string_at("error");
    CAPTURE(text_of(list));
    CHECK(read_managed_fields(list).has_value() == error.empty());
    if (error.empty()) continue;
    CHECK(managed_fields_problem(list) == error);
    ++refused;
  }
  CHECK(refused == 23);
}

}  // namespace
}  // namespace tabernetes::patch
