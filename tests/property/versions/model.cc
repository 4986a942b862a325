#include "model.h"

namespace tabernetes::property {

const Model::State& Model::state(const Kind& kind, Version version) const {
  static const State kNothing;
  const auto states = states_.find(&kind);
  if (states == states_.end()) return kNothing;
  auto after = states->second.upper_bound(version);
  return after == states->second.begin() ? kNothing : std::prev(after)->second;
}

ObjectPtr Model::find(const Kind& kind, const std::string& key) const {
  const State& objects = state(kind);
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

void Model::put(const ObjectPtr& after) {
  expect_equal("version of a write", after->version, now_ + 1);
  ++now_;
  State objects = state(*after->kind);
  ObjectPtr& slot = objects[after->key];
  changes_.push_back({now_, time_, slot, after});
  slot = after;
  set(*after->kind, std::move(objects));
}

void Model::remove(const ObjectPtr& last) {
  ++now_;
  State objects = state(*last->kind);
  objects.erase(last->key);
  changes_.push_back({now_, time_, last, nullptr});
  set(*last->kind, std::move(objects));
}

void Model::skip(Version version) {
  now_ = version;
  changes_.push_back({now_, time_, nullptr, nullptr});
}

void Model::advance(Time time) {
  time_ = std::max(time_, time);
  for (const Change& change : changes_) {
    if (history_ < time_ - change.time) raise_floor(change.version);
  }
}

void Model::learn(const ObjectPtr& shown) {
  for (auto& [version, objects] : states_[shown->kind]) {
    const auto known = objects.find(shown->key);
    if (known != objects.end() && known->second->version == shown->version) known->second = shown;
  }
  for (Change& change : changes_) {
    if (change.version == shown->version) change.after = shown;
  }
}

void Model::set(const Kind& kind, State objects) { states_[&kind][now_] = std::move(objects); }

void Model::mark_initial() {
  for (const Kind& kind : kinds()) initial_[&kind] = state(kind);
}

void Model::reset() {
  ++now_;
  floor_ = now_;
  for (const Kind& kind : kinds()) set(kind, initial_[&kind]);
}

void Model::restore(const Model& other) {
  now_ = std::max(now_, other.now_) + 1;
  floor_ = now_;
  for (const Kind& kind : kinds()) set(kind, other.state(kind));
}

}  // namespace tabernetes::property
