// The naive model: a whole map of objects for every version, and a list of all changes.
//
// It shares no code with the store or the selectors of the core. An object's content is taken from
// the answer to the write that made it; the tests check that every later read returns the same.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "object.h"

namespace tabernetes::property {

// One change of one object. Creation: no `before`. Deletion: no `after`. Neither: another
// resource's write.
struct Change {
  Version version = 0;
  Time time;
  ObjectPtr before, after;
};

// A collection: one namespace, or all objects of the kind.
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
  using State = std::map<std::string, ObjectPtr>;  // by key, bytewise

  explicit Model(Duration history) : history_(history) {}

  Version now() const { return now_; }
  // Returns the oldest version that can be read and watched from.
  Version floor() const { return floor_; }
  const State& state(const Kind& kind, Version version) const;
  const State& state(const Kind& kind) const { return state(kind, now_); }
  ObjectPtr find(const Kind& kind, const std::string& key) const;
  const std::vector<Change>& changes() const { return changes_; }

  // Records that the next write made `after`, which has its version.
  void put(const ObjectPtr& after);
  // Records that the next write deleted that object.
  void remove(const ObjectPtr& last);
  // Sets the content of an object's newest version, unknown when it was put.
  void learn(const ObjectPtr& shown);
  // Records writes to other resources, up to that version.
  void skip(Version version);
  // Advances time: changes that are too old are dropped.
  void advance(Time time);
  void raise_floor(Version version) { floor_ = std::max(floor_, version); }

  // Saves the present state for reset().
  void mark_initial();
  // Returns to the saved state at a new version; earlier versions cannot be read.
  void reset();
  // Takes over the present state of `other`, at a version newer than both.
  void restore(const Model& other);

 private:
  void set(const Kind& kind, State state);

  Version now_ = 1, floor_ = 1;
  Duration history_;  // how long changes are kept
  Time time_{};
  std::map<const Kind*, std::map<Version, State>> states_;  // by the first version of each state
  std::map<const Kind*, State> initial_;
  std::vector<Change> changes_;
};

}  // namespace tabernetes::property
