#include "registry/kind/pending_work.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::registry {
namespace {

constexpr std::string_view kPrice = "price", kWeight = "weight";

class Question final : public PendingWork::Question {
 public:
  using PendingWork::Question::Question;
};

PendingWork::QuestionPtr question(std::string_view kind, std::string key) {
  return std::make_unique<const Question>(kind, std::move(key));
}

// A request that needs two answers of different kinds with the same key.
std::string attempt(PendingWork& work) {
  work.begin();
  const PendingWork::Answer* price = work.ask(question(kPrice, "tea"));
  const PendingWork::Answer* weight = work.ask(question(kWeight, "tea"));
  if (price == nullptr || weight == nullptr) return "";
  for (const PendingWork::Answer* answer : {price, weight}) {
    if (!answer->error.empty()) work.fail(answer->error);
  }
  return price->text + "/" + weight->text;
}

TEST_CASE("pending work: nothing is persisted before all answers have arrived", "[registry]") {
  PendingWork work;
  CHECK(attempt(work).empty());
  CHECK_FALSE(work.may_persist());
  CHECK(work.lacks(kPrice));
  const auto prices = work.take(kPrice);
  REQUIRE(prices.size() == 1);
  CHECK(prices[0]->key() == "tea");
  CHECK_FALSE(work.lacks(kPrice));
  CHECK(work.lacks(kWeight));
  work.answer(*prices[0], {"3", ""});

  // Now the price is known, and the weight is missing.
  CHECK(attempt(work).empty());
  CHECK_FALSE(work.lacks(kPrice));
  CHECK_FALSE(work.may_persist());
  const auto weights = work.take(kWeight);
  REQUIRE(weights.size() == 1);
  work.answer(*weights[0], {"100", ""});

  CHECK(attempt(work) == "3/100");
  CHECK(work.may_persist());
}

TEST_CASE("pending work: the first failure of an attempt is kept", "[registry]") {
  PendingWork work;
  (void)attempt(work);
  work.answer(*work.take(kPrice).at(0), {"", "no price"});
  work.answer(*work.take(kWeight).at(0), {"", "no weight"});
  (void)attempt(work);
  REQUIRE(work.failure());
  CHECK(*work.failure() == "no price");
  CHECK(work.may_persist().error().message == "no price");
  // A new attempt may succeed.
  work.begin();
  CHECK(work.may_persist());
}

TEST_CASE("pending work: finished work has no missing answers", "[registry]") {
  PendingWork work;
  (void)attempt(work);
  work.drop_questions();
  CHECK(work.may_persist());
  CHECK(may_persist(nullptr));
}

TEST_CASE("pending work: clear() drops the answers", "[registry]") {
  PendingWork work;
  (void)attempt(work);
  for (const std::string_view kind : {kPrice, kWeight}) {
    work.answer(*work.take(kind).at(0), {"1", ""});
  }
  CHECK(attempt(work) == "1/1");
  work.clear();
  CHECK(attempt(work).empty());
}

}  // namespace
}  // namespace tabernetes::registry
