#include "etcd/changes.h"

#include <algorithm>
#include <utility>

#include "etcd/messages.h"

namespace tabernetes::host::etcd {
namespace {

constexpr std::uint64_t kPage = 1000;
// How many changes of the past are read at most.
constexpr std::uint64_t kMostHistory = 20'000;
// gRPC's code of a revision that is compacted.
constexpr int kOutOfRange = 11;

}  // namespace

void Changes::connected() {
  created_ = false;
  watch_.reset();
  if (filled_) return watch();
  filling_ = {};
  known_ = until_ = 0;
  ask_for_oldest();
}

// Finds out since when etcd has history: a read of the first revision fails if it is compacted, and
// the refusal of a watch from there names the revision of the compaction.
void Changes::ask_for_oldest() {
  client_.call(kRange, range_request({.key = prefix_, .end = {}, .limit = 1, .revision = 1}),
               [this](const CallEnd& end, const std::string& message) {
                 if (end.code == 0) return fill_from(1, read_range(message).revision);
                 if (end.code != kOutOfRange) return fail(end);
                 watch_from(1);
               });
}

// Reads the state at the oldest revision, or at a newer one if a start would take long.
void Changes::fill_from(std::uint64_t oldest, std::uint64_t newest) {
  if (newest > kMostHistory) oldest = std::max(oldest, newest - kMostHistory);
  filling_ = {};
  filling_.revision = filling_.oldest = oldest;
  from_ = prefix_;
  read_page();
}

void Changes::read_page() {
  const RangeQuery query{
      .key = from_, .end = end_of_prefix(prefix_), .limit = kPage, .revision = filling_.revision};
  client_.call(kRange, range_request(query),
               [this](const CallEnd& end, const std::string& message) { take_page(end, message); });
}

void Changes::take_page(const CallEnd& end, std::string_view message) {
  if (end.code == kOutOfRange) return connected();  // compacted meanwhile
  if (end.code != 0) return fail(end);
  RangeAnswer answer = read_range(message);
  for (KeyValue& found : answer.found) {
    from_ = found.key + '\0';
    filling_.changes.push_back({.key = found.key.substr(prefix_.size()),
                                .revision = found.revision,
                                .time = {},
                                .value = std::move(found.value)});
  }
  if (answer.more && !answer.found.empty()) return read_page();
  // What the watch brings before this write was there when the state was asked for.
  client_.call(kTxn, put_request(prefix_ + std::string(kProgress), {}),
               [this](const CallEnd& written, const std::string& text) {
                 if (written.code != 0) return fail(written);
                 known_ = filling_.revision;
                 until_ = read_txn(text).revision;
                 watch();
               });
}

void Changes::fail(const CallEnd& end) {
  if (end.code == kUnavailable && !client_.connected()) return;  // begins anew when it is back
  events_.problem(end.message);
  client_.change_server();
}

void Changes::take(std::vector<store::StoredChange> changes) {
  known_ = changes.back().revision;
  if (filled_) return events_.some(std::move(changes), known_);
  for (store::StoredChange& change : changes) filling_.changes.push_back(std::move(change));
  if (known_ < until_) return;
  filled_ = true;
  filling_.revision = known_;
  events_.all(std::exchange(filling_, {}));
  events_.some({}, known_);
}

void Changes::watch() { watch_from(known_ + 1); }

void Changes::watch_from(std::uint64_t revision) {
  watch_ = client_.stream(kWatch, watch_request(prefix_, end_of_prefix(prefix_), revision),
                          {.message = [this](const std::string& message) { on_watched(message); },
                           .end =
                               [this](const CallEnd& end) {
                                 watch_.reset();
                                 if (!client_.connected()) return;
                                 events_.problem(end.message);
                                 client_.change_server();
                               }});
}

void Changes::on_watched(std::string_view message) {
  WatchAnswer answer = read_watch(message);
  if (answer.canceled) {
    if (watch_) client_.cancel(*watch_);
    watch_.reset();
    if (answer.compacted != 0) {
      // What came between cannot be known.
      filled_ = false;
      created_ = false;
      known_ = until_ = 0;
      return fill_from(answer.compacted, std::max(newest_, answer.revision));
    }
    events_.problem(answer.reason);
    return client_.change_server();
  }
  if (answer.created) {
    created_ = true;
    newest_ = answer.revision;
    return filled_ ? events_.some({}, known_) : void();
  }
  std::vector<store::StoredChange> changes;
  for (WatchedChange& change : answer.changes) {
    if (change.to.revision <= known_) continue;
    store::StoredChange& stored = changes.emplace_back();
    stored.key = change.to.key.substr(prefix_.size());
    stored.revision = change.to.revision;
    if (!change.deleted) stored.value = std::move(change.to.value);
  }
  if (!changes.empty()) take(std::move(changes));
}

}  // namespace tabernetes::host::etcd
