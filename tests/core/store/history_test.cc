#include "store/history.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "records.h"

namespace tabernetes::store {
namespace {

EventPtr event_of(Revision revision, std::size_t previous_bytes = 0, std::int64_t second = 0) {
  auto event = std::make_shared<Event>();
  event->revision = revision;
  event->time = Time{} + Duration::from_seconds(second);
  event->current = record_of("k", "v");
  event->key = event->current->key;
  if (previous_bytes != 0) event->previous = record_of("k", std::string(previous_bytes, 'x'));
  return event;
}

std::string revisions_after(const History& history, Revision revision) {
  std::string out;
  for (std::size_t i = history.first_after(revision); i < history.end(); ++i) {
    out += std::to_string(history.at(i)->revision) + " ";
  }
  return out;
}

TEST_CASE("history: events after a revision, with gaps in the numbers", "[store]") {
  History history({.events = 100, .bytes = 1 << 20});
  for (const Revision r : {2, 3, 7, 8}) history.append(event_of(r));
  CHECK(revisions_after(history, 1) == "2 3 7 8 ");
  CHECK(revisions_after(history, 3) == "7 8 ");
  CHECK(revisions_after(history, 5) == "7 8 ");
  CHECK(revisions_after(history, 8).empty());
  CHECK(history.compacted_revision() == 1);
}

TEST_CASE("history: compaction drops up to and including the revision", "[store]") {
  History history({.events = 100, .bytes = 1 << 20});
  for (const Revision r : {2, 3, 4}) history.append(event_of(r));
  const std::size_t second = history.first_after(2);
  history.compact(2);
  CHECK(history.compacted_revision() == 2);
  CHECK(history.kept(second));
  CHECK(history.at(second)->revision == 3);
  history.compact(3);
  CHECK_FALSE(history.kept(second));
  CHECK(revisions_after(history, 3) == "4 ");
  history.compact(4);
  CHECK(history.kept(history.end()));
  CHECK(history.compacted_revision() == 4);
}

TEST_CASE("history: bounded by count and by bytes", "[store]") {
  History few({.events = 2, .bytes = 1 << 20});
  for (const Revision r : {2, 3, 4}) few.append(event_of(r));
  CHECK(few.compacted_revision() == 2);
  CHECK(revisions_after(few, 2) == "3 4 ");

  History small({.events = 100, .bytes = 2000});
  for (const Revision r : {2, 3, 4}) small.append(event_of(r, 1000));
  CHECK(small.compacted_revision() == 3);
  CHECK(revisions_after(small, 3) == "4 ");
  small.append(event_of(5, 5000));  // too large even alone
  CHECK(small.compacted_revision() == 5);
  CHECK(small.first_after(5) == small.end());
}

TEST_CASE("history: after a clear no cursor is kept", "[store]") {
  History history({.events = 100, .bytes = 1 << 20});
  history.append(event_of(2));
  const std::size_t at_end = history.end();
  history.clear(3);
  CHECK_FALSE(history.kept(at_end));
  CHECK(history.compacted_revision() == 3);
  history.append(event_of(4));
  CHECK_FALSE(history.kept(at_end));
  CHECK(revisions_after(history, 3) == "4 ");
}

TEST_CASE("history: bounded by age", "[store]") {
  History history({.age = Duration::from_seconds(60)});
  const auto at = [](std::int64_t second) { return Time{} + Duration::from_seconds(second); };
  for (const int r : {2, 3, 4}) history.append(event_of(r, 0, r * 10));
  history.expire(at(80));  // the event of second 20 is exactly 60 seconds old
  CHECK(revisions_after(history, 1) == "2 3 4 ");
  history.expire(at(81));
  CHECK(history.compacted_revision() == 2);
  CHECK(revisions_after(history, 2) == "3 4 ");
  history.expire(at(1000));
  CHECK(history.compacted_revision() == 4);
  CHECK(history.kept(history.end()));
  history.append(event_of(5, 0, 1000));
  CHECK(revisions_after(history, 4) == "5 ");
}

TEST_CASE("history: an age beyond all times keeps everything", "[store]") {
  History history({.age = Duration{std::numeric_limits<std::int64_t>::max()}});
  history.append(event_of(2));
  history.expire(Time{std::numeric_limits<std::int64_t>::max()});
  CHECK(revisions_after(history, 1) == "2 ");
}

// Many more events than a segment holds, some so large that segments close early.
TEST_CASE("history: positions and revisions across segments", "[store]") {
  History history({.events = 2000, .bytes = 1 << 20});
  constexpr Revision kLast = 5000;
  for (Revision r = 2; r <= kLast; ++r) {
    history.append(event_of(r * 3, r % 97 == 0 ? 20'000 : 0));
    const std::size_t oldest = history.first_after(history.compacted_revision());
    REQUIRE(history.at(oldest)->revision > history.compacted_revision());
    REQUIRE((oldest == 0 || !history.kept(oldest - 1)));
  }
  const std::size_t begin = history.first_after(history.compacted_revision());
  REQUIRE(history.kept(begin));
  REQUIRE_FALSE(history.kept(begin - 1));
  REQUIRE(history.end() - begin <= 2000);
  for (std::size_t at = begin; at < history.end(); ++at) {
    const Revision revision = history.at(at)->revision;
    REQUIRE(revision == kLast * 3 - (history.end() - 1 - at) * 3);
    REQUIRE(history.first_after(revision) == at + 1);
    REQUIRE(history.first_after(revision - 1) == at);
    REQUIRE(history.first_after(revision + 1) == at + 1);
  }
}

TEST_CASE("history: a copy and its original go their own ways", "[store]") {
  History parent({.events = 1000});
  for (Revision r = 2; r <= 700; ++r) parent.append(event_of(r));
  History fork = parent;
  parent.append(event_of(701));
  fork.append(event_of(702));
  CHECK(revisions_after(parent, 699) == "700 701 ");
  CHECK(revisions_after(fork, 699) == "700 702 ");
  fork.compact(600);
  parent.compact(10);
  CHECK(fork.at(fork.first_after(600))->revision == 601);
  CHECK(parent.at(parent.first_after(10))->revision == 11);
  CHECK(parent.at(parent.first_after(600))->revision == 601);
}

TEST_CASE("history: compaction lets go of what it drops at once", "[store]") {
  for (const Revision count : {100u, 600u, 1500u}) {
    DYNAMIC_SECTION(count << " events") {
      History history({});
      std::weak_ptr<const Event> first, kept;
      for (Revision r = 2; r <= count; ++r) {
        const EventPtr event = event_of(r);
        if (r == 2) first = event;
        if (r == 50) kept = event;
        history.append(event);
      }
      history.compact(49);
      CHECK(first.expired());
      CHECK_FALSE(kept.expired());
      history.compact(50);
      CHECK(kept.expired());
      CHECK(history.at(history.first_after(50))->revision == 51);
      CHECK(history.at(history.end() - 1)->revision == count);
    }
  }
}

TEST_CASE("history: truncation drops the newest, and the next ones take their positions",
          "[store]") {
  for (const Revision left : {1500u, 1400u, 1024u, 1023u, 512u, 3u, 1u}) {
    DYNAMIC_SECTION(left << " left") {
      History history({});
      for (Revision r = 2; r <= 1500; ++r) history.append(event_of(r));
      const History fork = history;
      const std::size_t end = history.first_after(left);
      history.truncate(end);
      CHECK(history.end() == end);
      for (Revision r = 2000; r < 2600; ++r) history.append(event_of(r));
      CHECK(history.at(end)->revision == 2000);
      CHECK(history.at(history.first_after(2500))->revision == 2501);
      if (left > 1) CHECK(history.at(end - 1)->revision == left);
      CHECK(fork.at(fork.end() - 1)->revision == 1500);
    }
  }
}

TEST_CASE("history: what is pinned is kept beyond the limits", "[store]") {
  History history({.events = 10});
  history.pin(5);
  for (Revision r = 2; r <= 100; ++r) history.append(event_of(r));
  CHECK(history.compacted_revision() == 6);
  CHECK(history.kept(5));
  CHECK_FALSE(history.kept(4));
  history.pin(History::kNothing);
  history.append(event_of(101));
  CHECK(history.compacted_revision() == 91);
}

}  // namespace
}  // namespace tabernetes::store
