#include "store/tree.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "records.h"

namespace tabernetes::store {
namespace {

std::string key_of(int i) {
  std::string digits = std::to_string(i);
  return "k" + std::string(6 - digits.size(), '0') + digits;
}

Tree tree_of(int count, int step) {
  TreeWriter tree;
  for (int i = 0; i < count; ++i) {
    const int n = static_cast<int>((static_cast<long long>(i) * step) % count);
    tree.put(record_of(key_of(n), std::to_string(n)));
  }
  return tree.tree();
}

std::vector<int> keys_of(const Tree& tree, std::string_view from = {}, std::string_view to = {}) {
  std::vector<int> keys;
  tree.scan(from, to, [&](std::string_view key, const RecordPtr&) {
    keys.push_back(std::stoi(std::string(key.substr(1))));
    return true;
  });
  return keys;
}

TEST_CASE("tree: an empty tree has nothing", "[store]") {
  Tree tree;
  CHECK(tree.size() == 0);
  CHECK(tree.find("a") == nullptr);
  CHECK(tree.count("", "") == 0);
  CHECK(print(tree).empty());
  TreeWriter writer;
  CHECK_FALSE(writer.erase("a"));
  CHECK(writer.tree().size() == 0);
}

TEST_CASE("tree: keys are in bytewise order and replaced in place", "[store]") {
  TreeWriter writer;
  for (const char* key : {"b", "a/x", "a", "\xff", "a.b", ""}) writer.put(record_of(key, "1"));
  writer.put(record_of("a", "2"));
  CHECK(writer.size() == 6);
  const Tree tree = writer.tree();
  CHECK(tree.size() == 6);
  CHECK(print(tree) == "=1 a=2 a.b=1 a/x=1 b=1 \xff=1");
  REQUIRE(tree.find("a"));
  CHECK(tree.find("a")->bytes == "2");
  CHECK(tree.find("aa") == nullptr);
}

TEST_CASE("tree: scans and counts are of half-open ranges", "[store]") {
  TreeWriter writer;
  for (const char* key : {"a", "b", "c", "d"}) writer.put(record_of(key, ""));
  const Tree tree = writer.tree();
  struct Case {
    const char *from, *to, *keys;
    std::size_t count;
  };
  static constexpr Case kCases[] = {
      {"", "", "a= b= c= d=", 4}, {"b", "d", "b= c=", 2}, {"b", "", "b= c= d=", 3},
      {"bb", "c", "", 0},         {"d", "b", "", 0},      {"e", "", "", 0},
      {"", "a", "", 0},           {"a", "aa", "a=", 1},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("[" << c.from << ", " << c.to << ")") {
      CHECK(print(tree, c.from, c.to) == c.keys);
      CHECK(tree.count(c.from, c.to) == c.count);
    }
  }
  int visits = 0;
  tree.scan("", "", [&](std::string_view, const RecordPtr&) { return ++visits < 2; });
  CHECK(visits == 2);
}

TEST_CASE("tree: the extent of a range has its records and their bytes", "[store]") {
  TreeWriter writer;
  CHECK(writer.tree().extent("", "") == Tree::Extent{});
  for (int i = 0; i < 100; ++i) writer.put(record_of(key_of(i), std::string(i, 'x')));
  writer.put(record_of(key_of(10), "x"));  // 9 bytes fewer
  writer.erase(key_of(20));
  const Tree tree = writer.tree();
  CHECK(tree.extent("", "") == Tree::Extent{99, 4950 - 9 - 20});
  CHECK(tree.extent(key_of(9), key_of(21)) == Tree::Extent{11, 174 - 9 - 20});
  CHECK(tree.extent(key_of(98), "") == Tree::Extent{2, 98 + 99});
  CHECK(tree.extent(key_of(5), key_of(5)) == Tree::Extent{});
  CHECK(tree.extent(key_of(6), key_of(5)) == Tree::Extent{});
}

TEST_CASE("tree: grows and shrinks through every size, in any order", "[store]") {
  constexpr int kCount = 3000;
  for (const int step : {1, kCount - 1, 1009}) {  // ascending, descending, mixed
    DYNAMIC_SECTION("step " << step) {
      TreeWriter tree(tree_of(kCount, step));
      REQUIRE(tree.size() == kCount);
      std::vector<int> keys = keys_of(tree.tree());
      REQUIRE(keys.size() == kCount);
      for (int i = 0; i < kCount; ++i) REQUIRE(keys[i] == i);
      for (int i = 0; i <= kCount; i += 37)
        REQUIRE(tree.tree().count("", key_of(i)) == std::size_t(i));
      for (int i = 0; i < kCount; ++i) {
        const int gone = static_cast<int>((static_cast<long long>(i) * 7 * step) % kCount);
        REQUIRE(tree.erase(key_of(gone)));
        REQUIRE_FALSE(tree.find(key_of(gone)));
        REQUIRE(tree.size() == std::size_t(kCount - i - 1));
        if (i % 97 == 0) REQUIRE(keys_of(tree.tree()).size() == tree.size());
      }
      CHECK(print(tree.tree()).empty());
    }
  }
}

TEST_CASE("tree: a tree that was given away never sees later writes", "[store]") {
  TreeWriter writer(tree_of(500, 1));
  const Tree before = writer.tree();
  for (int i = 0; i < 500; i += 2) writer.erase(key_of(i));
  for (int i = 500; i < 800; ++i) writer.put(record_of(key_of(i), "new"));
  writer.put(record_of(key_of(1), "changed"));
  const Tree after = writer.tree();
  writer.put(record_of(key_of(1), "changed again"));
  CHECK(before.size() == 500);
  CHECK(keys_of(before).size() == 500);
  CHECK(before.find(key_of(1))->bytes == "1");
  CHECK(after.find(key_of(1))->bytes == "changed");
  CHECK(after.size() == 550);
  CHECK(keys_of(after, key_of(0), key_of(5)) == std::vector<int>{1, 3});
  CHECK(writer.find(key_of(1))->bytes == "changed again");
}

// Their epochs have the same numbers, and still neither writer changes the other's nodes.
TEST_CASE("tree: writers that begin with one tree do not see each other", "[store]") {
  const Tree start = tree_of(100, 1);
  TreeWriter first(start), second(start);
  for (int i = 0; i < 100; i += 2) first.put(record_of(key_of(i), "first"));
  for (int i = 0; i < 100; i += 3) second.put(record_of(key_of(i), "second"));
  const Tree of_first = first.tree();
  TreeWriter third(of_first);
  second.reset(of_first);
  first.put(record_of(key_of(7), "first"));
  second.put(record_of(key_of(7), "second"));
  third.put(record_of(key_of(7), "third"));
  CHECK(start.find(key_of(0))->bytes == "0");
  CHECK(of_first.find(key_of(0))->bytes == "first");
  CHECK(of_first.find(key_of(3))->bytes == "3");
  CHECK(of_first.find(key_of(7))->bytes == "7");
  CHECK(first.find(key_of(7))->bytes == "first");
  CHECK(second.find(key_of(7))->bytes == "second");
  CHECK(third.find(key_of(7))->bytes == "third");
}

TEST_CASE("tree: the end of a prefix", "[store]") {
  CHECK(prefix_end("a/") == "a0");
  CHECK(prefix_end("a\xff") == "b");
  CHECK(prefix_end("\xff\xff").empty());
  CHECK(prefix_end("").empty());
}

}  // namespace
}  // namespace tabernetes::store
