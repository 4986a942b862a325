#include "patch/managed_fields.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
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

TEST_CASE("managedFields: entries that a write cannot change stay unread", "[patch]") {
  json::Arena arena;
  constexpr std::string_view kText =
      R"([{"manager":"a","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:x":{}}},"f:spec":{"f:x":{}}}},)"
      R"({"manager":"b","operation":"Update","apiVersion":"v1","time":"2026-01-02T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{},"f:status":{"f:x":{}}},"subresource":"status"}])";
  const Value list = codec::read_json(kText, arena).value;
  const std::vector<std::string_view> changed{"status"};
  auto entries = read_managed_fields(list, &changed);
  REQUIRE(entries);
  CHECK((*entries)[0].fields.empty());
  CHECK_FALSE((*entries)[0].owns_nothing());
  CHECK((*entries)[1].unread.is_null());
  CHECK(text_of(write_managed_fields(*entries, arena)) == kText);
  (*entries)[0].read();
  CHECK(*entries == *read_managed_fields(list));
}

}  // namespace
}  // namespace tabernetes::patch
