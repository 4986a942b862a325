#include "server/request/encoding_cache.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "../requests.h"
#include "server/request/server_context.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kLimit = 1 << 20;
constexpr Time kEncodedAt{1'000'000'000};

store::RecordPtr new_record() { return std::make_shared<store::Record>(); }

CachedEncoding encoding_of(std::string text) { return {Slice::from_string(std::move(text)), {}}; }

std::string text_at(const EncodingCache& objects, const store::RecordPtr& record,
                    const EncodingKey& key, Time now = kEncodedAt) {
  const auto found = objects.find(record, key, now);
  return found ? std::string(found->view()) : "none";
}

TEST_CASE("encoded objects: what is kept is found by its record and its whole key", "[server]") {
  const EncodingCache objects(kLimit);
  const store::RecordPtr record = new_record();
  const EncodingKey key{.type = 1, .form = 7, .shown = 0};
  CHECK(text_at(objects, record, key) == "none");
  objects.keep(record, key, encoding_of("a"));
  objects.keep(record, {.type = 1, .form = 8}, encoding_of("b"));
  CHECK(text_at(objects, record, key) == "a");
  CHECK(text_at(objects, record, {.type = 1, .form = 8}) == "b");
  CHECK(text_at(objects, record, {.type = 1, .form = 9}) == "none");
  CHECK(text_at(objects, record, {.type = 2, .form = 7}) == "none");
  CHECK(text_at(objects, record, {.type = 1, .form = 7, .shown = 5}) == "none");
  CHECK(text_at(objects, new_record(), key) == "none");
  CHECK(objects.kept() == 2);
}

TEST_CASE("encoded objects: an encoding is found only while it is valid", "[server]") {
  const EncodingCache objects(kLimit);
  const store::RecordPtr record = new_record();
  CachedEncoding minute = encoding_of("1m");
  minute.validity.intersect(Time{60}, Time{120});
  objects.keep(record, {}, minute);
  CHECK(text_at(objects, record, {}, Time{59}) == "none");
  CHECK(text_at(objects, record, {}, Time{60}) == "1m");
  CHECK(text_at(objects, record, {}, Time{119}) == "1m");
  CHECK(text_at(objects, record, {}, Time{120}) == "none");
  const std::size_t one = objects.bytes();
  objects.keep(record, {}, encoding_of("2m"));
  CHECK(text_at(objects, record, {}, Time{120}) == "2m");
  CHECK(objects.bytes() == one);  // replaced the other
}

TEST_CASE("encoded objects: bytes stay below the limit, what is asked for stays", "[server]") {
  const EncodingCache objects(kLimit);
  const store::RecordPtr dear = new_record();
  objects.keep(dear, {}, encoding_of("dear"));
  std::vector<store::RecordPtr> records;
  // Eight records may or may not share a set of the table, depending on their addresses; then one
  // must be evicted, whichever is used.
  int pushed_out = 0;
  for (int i = 0; i < 5000; ++i) {
    records.push_back(new_record());
    objects.keep(records.back(), {}, encoding_of(std::string(1000, 'x')));
    REQUIRE(objects.bytes() <= kLimit);
    if (text_at(objects, dear, {}) == "dear") continue;
    ++pushed_out;
    objects.keep(dear, {}, encoding_of("dear"));
  }
  CHECK(pushed_out < 3);
  CHECK(objects.bytes() > kLimit / 2);
  int found = 0;
  for (const store::RecordPtr& record : records) found += text_at(objects, record, {}) != "none";
  CHECK(found > 300);
  CHECK(found < 1000);
  objects.keep(dear, {.form = 1}, encoding_of(std::string(kLimit / 2, 'x')));
  CHECK(text_at(objects, dear, {.form = 1}) == "none");  // too large to cache
}

TEST_CASE("encoded objects: those of dead records and those that are let go give bytes back",
          "[server]") {
  const EncodingCache objects(kLimit);
  const store::RecordPtr record = new_record();
  for (std::uint32_t form = 0; form < 3; ++form) {
    objects.keep(record, {.form = form}, encoding_of(std::string(1000, 'x')));
  }
  objects.keep(new_record(), {}, encoding_of("of one that is dead at once"));
  objects.forget(record);
  CHECK(text_at(objects, record, {.form = 1}) == "none");
  const store::RecordPtr other = new_record();
  for (int i = 0; i < 2000; ++i) objects.keep(other, {}, encoding_of("x"));
  const std::size_t one = objects.bytes();
  CHECK(one < 1000);
  objects.clear();
  CHECK(objects.bytes() == 0);
}

TEST_CASE("encoded objects: many threads find, keep and forget at once", "[server]") {
  const EncodingCache objects(std::size_t{256} << 10);
  std::vector<store::RecordPtr> records;
  for (int i = 0; i < 200; ++i) records.push_back(new_record());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 20'000; ++i) {
        const unsigned which = (i * 7 + t * 13) % 200;
        const EncodingKey key{.form = i % 3};
        const std::string wanted = std::to_string(which) + "/" + std::to_string(i % 3);
        const std::string text = text_at(objects, records[which], key);
        if (text == "none") {
          objects.keep(records[which], key, encoding_of(wanted));
        } else if (text != wanted) {
          ++wrong;
        }
        if (i % 50 == 0) objects.forget(records[which]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  objects.clear();
  CHECK(objects.bytes() == 0);
}

}  // namespace
}  // namespace tabernetes::server
