#include "tabernetes/expected.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tabernetes {
namespace {

struct CountedFault : Fault {
  int count = 0;
};

Expected<std::string, CountedFault> repeat(std::string_view text, int count) {
  if (count < 0) return CountedFault{{"negative", "{}"}, count};
  std::string made;
  while (count-- > 0) made += text;
  return made;
}

Expected<void> check_even(int number) {
  if (number % 2 == 0) return {};
  return Fault{"odd"};
}

TEST_CASE("expected: a value or a fault", "[base]") {
  const auto made = repeat("ab", 2);
  REQUIRE(made);
  CHECK(*made == "abab");
  CHECK(made->size() == 4);
  const auto failed = repeat("ab", -3);
  REQUIRE_FALSE(failed);
  CHECK(failed.fault().message == "negative");
  CHECK(failed.fault().status == "{}");
  CHECK(failed.fault().count == -3);
}

TEST_CASE("expected: success or a fault", "[base]") {
  CHECK(check_even(2));
  REQUIRE_FALSE(check_even(3));
  CHECK(check_even(3).fault().message == "odd");
  CHECK(check_even(3).fault().status.empty());
}

TEST_CASE("expected: a value that is empty or false is not a fault", "[base]") {
  CHECK(Expected<std::string>(""));
  CHECK(Expected<bool>(false));
  CHECK(Expected<std::vector<int>>(std::vector<int>()));
  CHECK_FALSE(*Expected<bool>(false));
}

TEST_CASE("expected: values and faults are moved out", "[base]") {
  Expected<std::unique_ptr<int>> made = std::make_unique<int>(7);
  const std::unique_ptr<int> value = *std::move(made);
  CHECK(*value == 7);
  Expected<std::unique_ptr<int>> failed = Fault{"none"};
  const Fault fault = std::move(failed).fault();
  CHECK(fault.message == "none");
}

TEST_CASE("expected: values are converted, and assigned over faults", "[base]") {
  Expected<std::optional<int>> number = 3;
  CHECK(**number == 3);
  Expected<std::string> text = Fault{"none"};
  text = "some";
  REQUIRE(text);
  CHECK(*text == "some");
}

}  // namespace
}  // namespace tabernetes
