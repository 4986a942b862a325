#include "auth/token_file.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::auth {
namespace {

TEST_CASE("token file: columns, quotes, comments", "[auth]") {
  const TokenFile file(
      "# who may come in\n"
      "one,anna,u1\r\n"
      "\n"
      "two , bert , u2 , \"g1,g2\"\n"
      "three,carl,u3,g3\n"
      "one,dora,u4");
  CHECK(file.fault() == "");
  CHECK(file.first() == "one");
  const User* two = file.find("two");
  REQUIRE(two != nullptr);
  CHECK(two->name == "bert");
  CHECK(two->uid == "u2");
  CHECK(two->groups == std::vector<std::string>{"g1", "g2", "system:authenticated"});
  REQUIRE(file.find("one") != nullptr);
  CHECK(file.find("one")->name == "dora");
  CHECK(file.find("one")->groups == std::vector<std::string>{"system:authenticated"});
  CHECK(file.find("none") == nullptr);
  CHECK(file.find("") == nullptr);
}

TEST_CASE("token file: what is wrong with it, and where", "[auth]") {
  CHECK(TokenFile("").fault() == "");
  CHECK(TokenFile("").empty());
  CHECK(TokenFile("a,b,c\nd,e").fault() ==
        "line 2 must have at least 3 columns (token, user name, user uid)");
  CHECK(TokenFile(",b,c").fault() == "line 1 has an empty token");
}

TEST_CASE("token file: another takes its place, and what was found stays", "[auth]") {
  const CurrentTokenFile current("one,ann,u1");
  const User* ann = current.get().find("one");
  REQUIRE(ann != nullptr);
  current.use("two,bert,u2");
  CHECK(current.get().find("one") == nullptr);
  REQUIRE(current.get().find("two") != nullptr);
  CHECK(ann->name == "ann");
}

}  // namespace
}  // namespace tabernetes::auth
