#include "etcd/changes.h"

#include <utility>

#include "etcd/messages.h"

namespace tabernetes::host::etcd {
namespace {

constexpr std::uint64_t kPage = 1000;

}  // namespace

void Changes::connected() {
  created_ = false;
  watch_.reset();
  if (known_ != 0) return watch();
  filling_ = {};
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
  if (end.code != 0) {
    if (end.code == kUnavailable && !client_.connected()) return;  // begins anew when it is back
    events_.problem(end.message);
    return client_.change_server();
  }
  RangeAnswer answer = read_range(message);
  if (filling_.revision == 0) filling_.revision = answer.revision;
  for (KeyValue& found : answer.found) {
    from_ = found.key + '\0';
    filling_.changes.push_back({.key = found.key.substr(prefix_.size()),
                                .revision = found.revision,
                                .time = {},
                                .value = std::move(found.value)});
  }
  if (answer.more && !answer.found.empty()) return read_page();
  known_ = filling_.oldest = filling_.revision;
  events_.all(std::exchange(filling_, {}));
  watch();
}

void Changes::watch() {
  watch_ = client_.stream(kWatch, watch_request(prefix_, end_of_prefix(prefix_), known_ + 1),
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
      known_ = 0;  // what came between cannot be known
      return connected();
    }
    events_.problem(answer.reason);
    return client_.change_server();
  }
  if (answer.created) {
    created_ = true;
    return events_.some({}, known_);
  }
  std::vector<store::StoredChange> changes;
  for (WatchedChange& change : answer.changes) {
    if (change.to.revision <= known_) continue;
    store::StoredChange& stored = changes.emplace_back();
    stored.key = change.to.key.substr(prefix_.size());
    stored.revision = change.to.revision;
    if (!change.deleted) stored.value = std::move(change.to.value);
  }
  if (changes.empty()) return;
  known_ = changes.back().revision;
  events_.some(std::move(changes), known_);
}

}  // namespace tabernetes::host::etcd
