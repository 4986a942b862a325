// Watches: what must come out of each, event by event, and readers that take it late or not at all.
// Source: spec/list-watch.md 4.
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

// What a watch asks for.
struct WatchRequest {
  Scope scope;
  Selector selector;
  std::string only_name;  // by the deprecated path of one object
  bool by_path = false;   // the deprecated paths
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

// An open watch, its reader, and the events that the model says must come.
class Watch {
 public:
  // Of a request that was answered 200.
  Watch(World& world, WatchRequest request, std::unique_ptr<Stream> stream);

  // Reads what is there, or only what comes at once if not `all`; checks every event.
  void pull(World& world, bool all);
  // To be called after every step: that a sleeping reader was woken, that what has ended should
  // have.
  void check_quietly(World& world);
  // To be called when the cluster goes back to its first state.
  void interrupted(const World& world);

  bool over() const { return over_; }
  const WatchRequest& request() const { return request_; }
  // From where another watch would go on.
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

  // What is still to come.
  Version after_ = 0;           // events of later versions
  std::size_t cursor_ = 0;      // changes of the model that were looked at
  std::deque<WatchEvent> due_;  // the state, if it was asked for, and changes
  std::size_t state_left_ = 0;  // how many of them are the state's
  bool end_of_state_due_ = false;
  std::string error_;  // or only this
  int error_code_ = 0;
  Time ends_from_, ends_until_;
  bool settled_ = false;  // nothing more becomes due: it is to end

  // What came.
  std::vector<WatchEvent> received_;
  Version seen_ = 0;        // the newest version that an event or bookmark has shown
  Version read_up_to_ = 0;  // the cluster's version when nothing more was there to read
  Time last_bookmark_;
  Time fresh_since_;  // from when on the version is beyond the one where the watch began
  bool columns_seen_ = false;
  bool failed_ = false;  // by an ERROR
  bool interrupted_ = false;
  bool over_ = false;

  bool asleep_ = false;
  std::shared_ptr<bool> woken_;
};

// A watch on all changes of a kind, read at once whatever happens.
std::unique_ptr<Watch> record(World& world, const Kind& kind);
// To be called after every step.
void check_watches(World& world);

}  // namespace tabernetes::property
