#include "controllers/garbage/owner_index.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::controllers {
namespace {

std::string text_of(const OwnerIndex& index, std::string_view owner) {
  std::string text;
  for (const OwnerIndex::Dependent& dependent : index.dependents(owner)) {
    text += dependent.key + (dependent.blocking ? "! " : " ");
  }
  return text;
}

TEST_CASE("owner index: dependents by owner, and a copy that goes its own way", "[controllers]") {
  OwnerIndex index;
  index.put("u1", "core/pods/a/x", true);
  index.put("u1", "apps/deployments/a/y", false);
  index.put("u10", "core/pods/a/z", false);
  CHECK(text_of(index, "u1") == "apps/deployments/a/y core/pods/a/x! ");
  index.put("u1", "core/pods/a/x", false);
  OwnerIndex copy(index);
  copy.erase("u1", "apps/deployments/a/y");
  index.erase("u10", "core/pods/a/z");
  CHECK(text_of(index, "u1") == "apps/deployments/a/y core/pods/a/x ");
  CHECK(text_of(copy, "u1") == "core/pods/a/x ");
  CHECK_FALSE(index.has_dependents("u10"));
  CHECK(copy.has_dependents("u10"));
}

}  // namespace
}  // namespace tabernetes::controllers
