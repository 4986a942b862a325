// The naive model: a whole map of objects for every version, and a list of all changes.
//
// It shares nothing with the store or the selectors of the core. What an object contains is taken
// from the answer to the write that made it; that every later read says the same is what is tested.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "object.h"

namespace tabernetes::property {

// One change of one object. Created: no `before`. Deleted: no `after`. Neither: a write elsewhere.
struct Change {
  Version version = 0;
  Time time;
  ObjectPtr before, after;
};

// A collection: of one namespace, or all objects of the kind.
struct Scope {
  const Kind* kind = nullptr;
  std::string ns;

  std::string prefix() const { return ns.empty() ? "" : ns + "/"; }
  bool covers(const Object& object) const {
    return object.kind == kind && object.key.substr(0, prefix().size()) == prefix();
  }
  std::string path() const { return kind->collection(ns); }
};

class Model {
 public:
  using State = std::map<std::string, ObjectPtr>;  // by key: bytewise

  explicit Model(Duration history) : history_(history) {}

  Version now() const { return now_; }
  // The oldest version whose state can be read and from which can be watched.
  Version floor() const { return floor_; }
  const State& state(const Kind& kind, Version version) const;
  const State& state(const Kind& kind) const { return state(kind, now_); }
  ObjectPtr find(const Kind& kind, const std::string& key) const;
  const std::vector<Change>& changes() const { return changes_; }

  // The write that comes next made `after`, which has its version.
  void put(const ObjectPtr& after);
  // The write that comes next deleted that object.
  void remove(const ObjectPtr& last);
  // What the newest version of an object contains, which was not known when it was put.
  void learn(const ObjectPtr& shown);
  // Writes elsewhere, up to that version.
  void skip(Version version);
  // Time goes on: changes that are too old are gone.
  void advance(Time time);
  void raise_floor(Version version) { floor_ = std::max(floor_, version); }

  // Keeps the present state for reset().
  void mark_initial();
  // Back to the marked state at a new version: nothing before can be read.
  void reset();
  // To the present state of `other`, at a version newer than both.
  void restore(const Model& other);

 private:
  void set(const Kind& kind, State state);

  Version now_ = 1, floor_ = 1;
  Duration history_;  // how long changes are kept
  Time time_{};
  std::map<const Kind*, std::map<Version, State>> states_;  // at their first versions
  std::map<const Kind*, State> initial_;
  std::vector<Change> changes_;
};

}  // namespace tabernetes::property
