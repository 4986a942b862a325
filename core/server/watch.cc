#include "server/watch.h"

#include <memory>
#include <optional>
#include <string>

#include "base/go_text.h"
#include "server/answer.h"
#include "server/tables.h"
#include "server/watch_event.h"
#include "store/watch_hub.h"

namespace tabernetes::server {
namespace {

constexpr Duration kBookmarkInterval = Duration::from_seconds(60);
constexpr std::int64_t kMinTimeoutSeconds = 1800;
constexpr std::string_view kWatchTooOld = "The resourceVersion for the provided watch is too old.";

// A cursor into the store's history, filtered and encoded as it is read.
class WatchStream final : public Stream, private store::WatchHub::Watcher {
 public:
  struct Setup {
    store::Revision after = 0;             // events beyond this version
    std::optional<store::Snapshot> state;  // sent first, as ADDED
    bool end_of_state = false;             // say where the state ends
    bool bookmarks = false;
    Time end;
    std::optional<ApiStatus> error;  // the only event there will be
  };

  WatchStream(Cluster& cluster, const registry::ResourceType& type, std::string prefix,
              std::string only_key, ObjectSelector selector, WatchEncoder encoder, Setup setup)
      : cluster_(cluster),
        type_(type),
        prefix_(std::move(prefix)),
        only_key_(std::move(only_key)),
        selector_(std::move(selector)),
        encoder_(encoder),
        setup_(std::move(setup)) {
    if (setup_.error) return;
    position_ = cluster_.store.history().first_after(setup_.after);
    cluster_.store.hub().add(prefix_, this);
    registered_ = true;
    end_timer_ = cluster_.deadlines.add(setup_.end, [this] {
      end_timer_.reset();
      finish();
    });
    if (setup_.bookmarks) arm_bookmark();
  }

  ~WatchStream() override { stop(); }

  Rope next() override {
    Rope rope;
    if (setup_.error) {
      encoder_.append_error(rope, *setup_.error);
      setup_.error.reset();
      ended_ = true;
      return rope;
    }
    if (setup_.state) append_state(rope);
    append_events(rope);
    if (bookmark_due_) append_progress(rope);
    return rope;
  }

  bool ended() const override { return ended_; }

  void on_ready(std::function<void()> wake) override {
    wake_ = std::move(wake);
    if (ended_ || has_work()) notify();
  }

 private:
  void changed() override { notify(); }
  void interrupted() override {
    registered_ = false;  // and the history is another one
    finish();
  }

  bool has_work() const {
    return setup_.error || setup_.state || bookmark_due_ ||
           (registered_ && position_ < cluster_.store.history().end());
  }

  void notify() {
    if (!wake_) return;
    const std::function<void()> wake = std::move(wake_);
    wake_ = nullptr;
    wake();
  }

  // What was ready stays to be read; nothing more will come.
  void finish() {
    if (registered_) append_events(rest_);
    stop();
    ended_ = true;
    notify();
  }

  void stop() {
    if (registered_) cluster_.store.hub().remove(prefix_, this);
    registered_ = false;
    if (end_timer_) cluster_.deadlines.cancel(*end_timer_);
    if (bookmark_timer_) cluster_.deadlines.cancel(*bookmark_timer_);
    end_timer_.reset();
    bookmark_timer_.reset();
  }

  void arm_bookmark() {
    bookmark_timer_ = cluster_.deadlines.add(cluster_.now + kBookmarkInterval, [this] {
      bookmark_timer_.reset();
      bookmark_due_ = true;
      arm_bookmark();
      notify();
    });
  }

  bool in_scope(std::string_view key) const {
    return only_key_.empty() ? key.starts_with(prefix_) : key == only_key_;
  }

  void append_state(Rope& rope) {
    const store::Snapshot state = std::move(*setup_.state);
    setup_.state.reset();
    state.tree.scan(prefix_, store::prefix_end(prefix_),
                    [&](std::string_view key, const store::RecordPtr& record) {
                      if (in_scope(key) && selector_.matches(type_, key, *record)) {
                        encoder_.append_event(rope, "ADDED", record, 0, cluster_.now);
                      }
                      return true;
                    });
    if (setup_.end_of_state) {
      encoder_.append_bookmark(rope, state.revision, WatchEncoder::Bookmark::kInitialEventsEnd,
                               cluster_.now);
    }
  }

  void append_events(Rope& rope) {
    if (!rest_.empty() && &rope != &rest_) {
      rope.append(rest_);
      rest_ = Rope();
    }
    if (!registered_) return;
    const store::History& history = cluster_.store.history();
    if (!history.kept(position_)) {
      // Too slow: what it missed is gone.
      stop();
      ended_ = true;
      return;
    }
    for (; position_ < history.end(); ++position_) append_change(rope, *history.at(position_));
  }

  void append_change(Rope& rope, const store::Event& event) {
    if (event.revision <= setup_.after || !in_scope(event.key)) return;
    const bool was = event.previous && selector_.matches(type_, event.key, *event.previous);
    const bool is = event.current && selector_.matches(type_, event.key, *event.current);
    if (!was && !is) return;
    if (is) {
      encoder_.append_event(rope, was ? "MODIFIED" : "ADDED", event.current, 0, cluster_.now);
    } else {
      encoder_.append_event(rope, "DELETED", event.previous, event.revision, cluster_.now);
    }
  }

  void append_progress(Rope& rope) {
    bookmark_due_ = false;
    const store::Revision revision = cluster_.store.revision();
    if (revision <= setup_.after) return;
    encoder_.append_bookmark(rope, revision, WatchEncoder::Bookmark::kProgress, cluster_.now);
  }

  Cluster& cluster_;
  const registry::ResourceType& type_;
  const std::string prefix_;
  const std::string only_key_;  // of a watch on one name
  ObjectSelector selector_;
  WatchEncoder encoder_;
  Setup setup_;
  std::size_t position_ = 0;
  bool registered_ = false;
  bool bookmark_due_ = false;
  bool ended_ = false;
  Rope rest_;  // read off the history when the watch ended
  std::function<void()> wake_;
  std::optional<Deadlines::Handle> end_timer_, bookmark_timer_;
};

Result<store::Revision> parse_watch_version(const std::string& text) {
  if (text.empty()) return store::Revision{0};
  const GoParsedUint parsed = go_parse_uint(text);
  if (parsed.error.empty()) return parsed.value;
  return make_unexpected(errors::plain_error("resourceVersion: Invalid value: " + go_quote(text) +
                                             ": " + parsed.error));
}

// How the watch begins. Source: spec/list-watch.md 4.3.
WatchStream::Setup setup_of(const Cluster& cluster, const registry::ResourceType& type,
                            const ListOptions& options, store::Revision version) {
  const store::Store& store = cluster.store;
  WatchStream::Setup setup;
  setup.bookmarks = options.allow_watch_bookmarks;
  const std::int64_t seconds = options.timeout_seconds.value_or(0);
  setup.end = cluster.now + Duration::from_seconds(seconds > 0 ? seconds : kMinTimeoutSeconds);

  const bool wants_state = options.send_initial_events.value_or(version == 0);
  if (wants_state) {
    if (version > store.revision()) {
      setup.error = errors::too_large_resource_version(std::to_string(version),
                                                       std::to_string(store.revision()));
      return setup;
    }
    setup.state = store.snapshot();
    setup.after = store.revision();
    setup.end_of_state = options.send_initial_events == true && options.allow_watch_bookmarks;
    return setup;
  }
  setup.after = version == 0 ? store.revision() : version;
  if (setup.after < store.compacted_revision()) {
    setup.error = errors::expired(
        type.strategy->uncached ? std::string(kWatchTooOld)
                                : "too old resource version: " + std::to_string(version) + " (" +
                                      std::to_string(store.compacted_revision()) + ")");
  }
  return setup;
}

}  // namespace

Result<Response> open_watch(Call& call, Cluster& cluster, const Representation& form,
                            const ListOptions& options, ObjectSelector selector) {
  TAB_TRY(const store::Revision version, parse_watch_version(options.resource_version));
  const auto include = registry::parse_include_object(call.query.get("includeObject"));
  if (form.transform == Transform::kTable && !include) {
    return make_unexpected(include_object_error(call.query));
  }
  const std::string only_key =
      call.name.empty() ? std::string() : call.type->key(call.ns, call.name);
  Response response;
  std::string media(content_type(form));
  if (form.encoding == codec::Encoding::kProtobuf) media += ";stream=watch";
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", std::move(media)}};
  response.stream = std::make_unique<WatchStream>(
      cluster, *call.type, call.type->collection_prefix(call.ns), only_key, std::move(selector),
      WatchEncoder(call.surface.catalogue, *call.type, form,
                   include.value_or(registry::IncludeObject::kMetadata)),
      setup_of(cluster, *call.type, options, version));
  return response;
}

}  // namespace tabernetes::server
