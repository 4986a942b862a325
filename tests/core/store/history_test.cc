#include "store/history.h"

#include <catch2/catch_test_macros.hpp>

#include "records.h"

namespace tabernetes::store {
namespace {

EventPtr event_of(Revision revision, std::size_t previous_bytes = 0) {
  auto event = std::make_shared<Event>();
  event->revision = revision;
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
  History history(100, 1 << 20);
  for (const Revision r : {2, 3, 7, 8}) history.append(event_of(r));
  CHECK(revisions_after(history, 1) == "2 3 7 8 ");
  CHECK(revisions_after(history, 3) == "7 8 ");
  CHECK(revisions_after(history, 5) == "7 8 ");
  CHECK(revisions_after(history, 8).empty());
  CHECK(history.compacted_revision() == 1);
}

TEST_CASE("history: compaction drops up to and including the revision", "[store]") {
  History history(100, 1 << 20);
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
  History few(2, 1 << 20);
  for (const Revision r : {2, 3, 4}) few.append(event_of(r));
  CHECK(few.compacted_revision() == 2);
  CHECK(revisions_after(few, 2) == "3 4 ");

  History small(100, 2000);
  for (const Revision r : {2, 3, 4}) small.append(event_of(r, 1000));
  CHECK(small.compacted_revision() == 3);
  CHECK(revisions_after(small, 3) == "4 ");
  small.append(event_of(5, 5000));  // too large even alone
  CHECK(small.compacted_revision() == 5);
  CHECK(small.first_after(5) == small.end());
}

TEST_CASE("history: after a clear no cursor is kept", "[store]") {
  History history(100, 1 << 20);
  history.append(event_of(2));
  const std::size_t at_end = history.end();
  history.clear(3);
  CHECK_FALSE(history.kept(at_end));
  CHECK(history.compacted_revision() == 3);
  history.append(event_of(4));
  CHECK_FALSE(history.kept(at_end));
  CHECK(revisions_after(history, 3) == "4 ");
}

}  // namespace
}  // namespace tabernetes::store
