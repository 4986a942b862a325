#include "patch/kept_fields.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "vectors.h"

namespace tabernetes::patch {
namespace {

TEST_CASE("kept fields outlive the texts that they were read of", "[patch]") {
  const std::string text =
      R"({"f:metadata":{"f:annotations":{".":{},"f:a.example.com/long-enough-for-the-heap":{}}},)"
      R"("f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{}}},"f:set":{"v:1":{}}}})";
  std::unique_ptr<const KeptFields> kept;
  {
    json::Arena arena;
    std::string gone = text;
    const FieldSet set = *FieldSet::from_fields_v1(codec::read_json(gone, arena).value);
    kept = std::make_unique<const KeptFields>(set);
    CHECK(kept->fields() == set);
    CHECK_FALSE(kept->fields().shares(set));
    gone.assign(gone.size(), '#');
  }
  json::Arena arena;
  CHECK(text_of(kept->fields().to_fields_v1(arena)) == text);
}

TEST_CASE("kept fields know about how much they take", "[patch]") {
  FieldSet small, large;
  small.insert({PathElement::field("a")});
  for (int i = 0; i < 100; ++i) large.insert({PathElement::field("b"), PathElement::index(i)});
  CHECK(KeptFields(FieldSet()).bytes() == sizeof(KeptFields));
  CHECK(KeptFields(small).bytes() > sizeof(KeptFields) + sizeof(FieldSet::Child));
  CHECK(KeptFields(large).bytes() > 100 * sizeof(FieldSet::Child));
  CHECK(KeptFields(large).bytes() < 300 * sizeof(FieldSet::Child));
}

}  // namespace
}  // namespace tabernetes::patch
