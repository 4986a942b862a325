// The reader of a watch: compares every event with the next one that the model expects. Invariants
// 22 to 31, 33, 34, 36 to 38.

#include "watches.h"

#include "world.h"

namespace tabernetes::property {
namespace {

using json::Value;
using Form = WatchRequest::Form;

constexpr Duration kBookmarksCome = Duration::from_seconds(75);  // roughly every minute
constexpr std::string_view kEndOfState = "k8s.io/initial-events-end";

std::string describe(const WatchEvent& event) { return event.type + " " + describe(*event.object); }

// Returns the object in an event, in whatever form.
const Value& shown_object(const Value& object, Form form) {
  if (form != Form::kTable) return object;
  const Value* rows = object.find("rows");
  expect(rows != nullptr && rows->size() == 1, "a Table event without its one row");
  const Value* inner = rows->items()[0].find("object");
  expect(inner != nullptr, "a row without object");
  return *inner;
}

void expect_kind(const WatchRequest& request, const Value& object) {
  std::string_view kind = request.scope.kind->kind;
  if (request.form == Form::kTable) kind = "Table";
  if (request.form == Form::kPartial) kind = "PartialObjectMetadata";
  expect_equal("kind in an event", object.string_at("kind"), kind);
}

// Returns the event that a watch of the request shows for the change, or nullopt.
std::optional<WatchEvent> event_of(const WatchRequest& request, const Change& change) {
  const bool was = change.before != nullptr && request.matches(*change.before);
  const bool is = change.after != nullptr && request.matches(*change.after);
  if (is) return WatchEvent{was ? "MODIFIED" : "ADDED", change.after};
  if (was) return WatchEvent{"DELETED", at_version(change.before, change.version)};
  return std::nullopt;
}

}  // namespace

Watch::Watch(World& world, WatchRequest request, std::unique_ptr<Stream> stream)
    : request_(std::move(request)), stream_(std::move(stream)) {
  begin(world);
}

// Source: spec/list-watch.md 4.3.
void Watch::begin(const World& world) {
  const Model& model = world.model;
  const Version version = request_.version.empty() ? 0 : std::stoull(request_.version);
  std::optional<bool> state = request_.initial_events;
  const bool defaulted = !request_.by_path && version == 0 && !state && request_.match.empty();
  if (defaulted) state = true;
  const std::int64_t timeout = request_.timeout.empty() ? 0 : std::stol(request_.timeout);
  last_bookmark_ = world.now;
  ends_from_ = world.now + Duration::from_seconds(timeout > 0 ? timeout : 1800);
  ends_until_ = world.now + Duration::from_seconds(timeout > 0 ? timeout : 3600);
  fresh_since_ = world.now;
  after_ = version == 0 ? model.now() : version;
  if (state.value_or(version == 0)) {
    after_ = model.now();
    for (const auto& [key, object] : model.state(*request_.scope.kind)) {
      if (request_.matches(*object)) due_.push_back({"ADDED", object});
    }
    state_left_ = due_.size();
    end_of_state_due_ = state == true && request_.bookmarks;
  } else if (after_ < model.floor()) {
    error_code_ = 410;
    error_ = request_.scope.kind->cached ? "too old resource version: " + request_.version + " (" +
                                               std::to_string(model.floor()) + ")"
                                         : "The resourceVersion for the provided watch is too old.";
  }
  read_up_to_ = std::min(after_, model.now());
  if (version != 0) seen_ = version;
}

// Adds the events for changes since the last call.
void Watch::expect_changes(const Model& model) {
  const std::vector<Change>& changes = model.changes();
  for (; cursor_ < changes.size(); ++cursor_) {
    if (changes[cursor_].version <= after_) continue;
    if (auto event = event_of(request_, changes[cursor_])) due_.push_back(std::move(*event));
  }
}

void Watch::pull(World& world, bool all) {
  if (over_) return;
  if (!settled_) expect_changes(world.model);
  asleep_ = false;
  bool empty = false;
  do {
    const Rope rope = stream_->next();
    empty = rope.empty();
    for (const Slice& slice : rope.slices()) read(world, slice.view());
  } while (all && !empty && !stream_->ended());
  if (stream_->ended()) {
    check_end(world);
  } else if (empty) {
    sleep(world);
  }
}

// Checks that nothing is due when nothing could be read; the next event must wake the reader.
void Watch::sleep(const World& world) {
  expect(error_.empty(), "no ERROR came");
  if (!due_.empty()) fail("missing in a watch: " + describe(due_.front()));
  expect(!end_of_state_due_, "the bookmark behind the state is missing");
  if (settled_) fail("a watch goes on after its end");
  const Time since = fresh_since_ > last_bookmark_ ? fresh_since_ : last_bookmark_;
  const bool bookmarks = request_.bookmarks && request_.scope.kind->cached;
  if (bookmarks && world.model.now() > after_ && world.now >= since + kBookmarksCome) {
    fail("no bookmark came in time");
  }
  read_up_to_ = world.model.now();
  asleep_ = true;
  woken_ = std::make_shared<bool>(false);
  stream_->on_ready([woken = woken_] { *woken = true; });
}

// Reads one slice, which holds one event.
void Watch::read(World& world, std::string_view text) {
  expect(text.ends_with('\n') && text.find('\n') == text.size() - 1, "no one line a slice");
  const Document event(text);
  const Value* object = event.root.find("object");
  expect(object != nullptr && object->is_object(), "an event without object");
  const std::string type(event.root.string_at("type"));
  expect(!failed_, "an event behind an ERROR");
  if (type == "ERROR") return check_error(*object);
  if (!error_.empty()) fail("no ERROR but " + type);
  expect_kind(request_, *object);
  if (request_.form == Form::kTable) check_columns(*object);
  if (type == "BOOKMARK") return check_bookmark(world, *object);
  check_event(type, shown_object(*object, request_.form));
}

void Watch::check_error(const Value& object) {
  failed_ = true;
  std::string message(object.string_at("message"));
  if (error_.empty()) fail("an ERROR that should not be: " + message);
  expect_equal("message of an ERROR", message, error_);
  const Value* code = object.find("code");
  expect(code != nullptr && code->is_int() && code->as_int() == error_code_, "code of an ERROR");
  expect_equal("kind of an ERROR", object.string_at("kind"), "Status");
}

void Watch::check_event(const std::string& type, const Value& object) {
  const ObjectPtr shown = read_object(*request_.scope.kind, object);
  const WatchEvent event{type, shown};
  if (due_.empty()) {
    fail("an event that should not be: " + describe(event) + ", after " +
         std::to_string(received_.size()));
  }
  const WatchEvent due = std::move(due_.front());
  due_.pop_front();
  expect_equal("event", describe(event), describe(due));
  if (request_.form == Form::kObject) {
    expect_same("event " + type, *shown, *due.object);
  } else {
    expect(shown->labels == due.object->labels, "labels in an event");
  }
  if (state_left_ > 0) --state_left_;
  seen_ = std::max(seen_, shown->version);
  received_.push_back(event);
}

// A bookmark's version must be below that of every event to come and not below that of any
// received.
void Watch::check_bookmark(const World& world, const Value& object) {
  expect(request_.bookmarks, "a bookmark that nobody asked for");
  expect(state_left_ == 0, "a bookmark within the state");
  const Value& inner = shown_object(object, request_.form);
  const Value* metadata = inner.find("metadata");
  expect(metadata != nullptr, "a bookmark without metadata");
  const Version version = version_of(metadata->string_at("resourceVersion"));
  const Value* annotations = metadata->find("annotations");
  const bool end_of_state = annotations != nullptr && annotations->string_at(kEndOfState) == "true";
  expect_equal("the bookmark is that behind the state", end_of_state, end_of_state_due_);
  if (end_of_state) {
    expect_equal("version of the state", version, after_);
  } else {
    expect(request_.scope.kind->cached, "a bookmark of an uncached resource");
    expect(version > after_, "a bookmark at the version where the watch began");
  }
  end_of_state_due_ = false;
  expect(version >= seen_ || seen_ > world.model.now(), "a bookmark behind the events");
  expect(version <= world.model.now(), "a bookmark from the future");
  if (!due_.empty() && due_.front().object->version <= version) {
    fail("a bookmark at " + std::to_string(version) + " before " + describe(due_.front()));
  }
  seen_ = std::max(seen_, version);
  last_bookmark_ = world.now;
}

void Watch::check_columns(const Value& object) {
  const Value* columns = object.find("columnDefinitions");
  const bool there = columns != nullptr && columns->is_array() && columns->size() > 0;
  expect_equal("columns are there", there, !columns_seen_);
  columns_seen_ = true;
}

// A watch ends for a reason, and with two exceptions without losing events.
void Watch::check_end(const World& world) {
  over_ = true;
  expect(stream_->next().empty() && stream_->ended(), "something came behind the end");
  if (failed_ || interrupted_) return;
  if (!error_.empty()) fail("ended without ERROR " + error_);
  const bool slow = read_up_to_ < world.model.floor();
  if (slow) return;
  expect(world.now >= ends_from_, "a watch ended too early");
  if (ends_from_ < ends_until_) return;  // it ended at a random time within the range
  if (!due_.empty()) fail("missing before the end of a watch: " + describe(due_.front()));
  expect(!end_of_state_due_, "the bookmark behind the state is missing at the end");
}

void Watch::check_quietly(World& world) {
  if (over_) return;
  if (!settled_) expect_changes(world.model);
  if (world.model.now() <= after_) fresh_since_ = world.now;
  if (world.now >= ends_until_) settled_ = true;
  if (!asleep_ || *woken_) return;
  if (!due_.empty()) fail("a reader was not woken for " + describe(due_.front()));
  expect(!settled_, "a reader was not woken at the end");
}

void Watch::interrupted(const World& world) {
  if (!settled_) expect_changes(world.model);
  settled_ = interrupted_ = true;
}

void check_watches(World& world) {
  for (const auto& watch : world.watches) watch->check_quietly(world);
  for (auto& recorder : world.recorders) {
    recorder->check_quietly(world);
    recorder->pull(world, true);
    if (recorder->over()) recorder = record(world, *recorder->request().scope.kind);
  }
}

}  // namespace tabernetes::property
