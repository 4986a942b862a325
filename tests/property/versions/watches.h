// Watches: the required events of each, and readers that take them late or not at all. Source:
// spec/list-watch.md 4.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"
#include "selector.h"

namespace tabernetes::property {

struct World;

// The parameters of a watch.
struct WatchRequest {
  Scope scope;
  Selector selector;
  std::string only_name;  // through the deprecated path of one object
  bool by_path = false;   // through the deprecated paths
  std::string version, match, timeout;
  std::optional<bool> initial_events;
  bool bookmarks = false;
  enum class Form { kObject, kTable, kPartial } form = Form::kObject;

  std::string target() const;
  Headers headers() const;
  bool matches(const Object& object) const {
    return scope.covers(object) && selector.matches(object) &&
           (only_name.empty() || object.name == only_name);
  }
};

struct WatchEvent {
  std::string type;
  ObjectPtr object;
};

// An open watch, its reader, and the events that the model expects.
class Watch {
 public:
  // REQUIRES: the request was answered with 200.
  Watch(World& world, WatchRequest request, std::unique_ptr<Stream> stream);

  // Reads everything available or, without `all`, one chunk; checks every event.
  void pull(World& world, bool all);
  // Must be called after every step: checks that a sleeping reader was woken, and that a watch that
  // should have ended did.
  void check_quietly(World& world);
  // Must be called when the cluster returns to its initial state.
  void interrupted(const World& world);

  bool over() const { return over_; }
  const WatchRequest& request() const { return request_; }
  // Returns the version from which another watch could resume.
  Version resume_from() const { return seen_; }
  Version began_at() const { return after_; }
  const std::vector<WatchEvent>& received() const { return received_; }

 private:
  void begin(const World& world);
  void expect_changes(const Model& model);
  void read(World& world, std::string_view text);
  void check_event(const std::string& type, const json::Value& object);
  void check_bookmark(const World& world, const json::Value& object);
  void check_error(const json::Value& object);
  void check_columns(const json::Value& object);
  void check_end(const World& world);
  void sleep(const World& world);

  WatchRequest request_;
  std::unique_ptr<Stream> stream_;

  // Still to come.
  Version after_ = 0;           // only events of later versions
  std::size_t cursor_ = 0;      // number of the model's changes processed
  std::deque<WatchEvent> due_;  // the initial state, if requested, and changes
  std::size_t state_left_ = 0;  // how many of them belong to the initial state
  bool end_of_state_due_ = false;
  std::string error_;  // if set, the only event
  int error_code_ = 0;
  Time ends_from_, ends_until_;
  bool settled_ = false;  // complete: the watch must end

  // Received.
  std::vector<WatchEvent> received_;
  Version seen_ = 0;        // the newest version of an event or bookmark
  Version read_up_to_ = 0;  // the cluster's version when everything had been read
  Time last_bookmark_;
  Time fresh_since_;  // since when the version is beyond the watch's first
  bool columns_seen_ = false;
  bool failed_ = false;  // with an ERROR event
  bool interrupted_ = false;
  bool over_ = false;

  bool asleep_ = false;
  std::shared_ptr<bool> woken_;
};

// Opens a watch on all changes of a kind that is always read at once.
std::unique_ptr<Watch> record(World& world, const Kind& kind);
// Must be called after every step.
void check_watches(World& world);

}  // namespace tabernetes::property
