#include "controllers/scheduler/pod_affinity.h"

#include <algorithm>

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::string_view kAffinity = "node(s) didn't match pod affinity rules";
constexpr std::string_view kAntiAffinity = "node(s) didn't match pod anti-affinity rules";
constexpr std::string_view kOthers = "node(s) didn't satisfy existing pods anti-affinity rules";
constexpr std::int64_t kHardPodAffinityWeight = 1;

std::vector<PodSelector> selectors_of(const std::vector<AffinityTerm>& terms) {
  std::vector<PodSelector> selectors;
  for (const AffinityTerm& term : terms) selectors.push_back(term.pods);
  return selectors;
}

// The sums of weights by value of one node label.
struct Attraction {
  std::string key;
  const Topology* topology;
  std::vector<std::int64_t> weights;
};

class Attractions {
 public:
  explicit Attractions(Cache& cache) : cache_(cache) {}

  void add(const std::string& key, int slot, std::int64_t weight) {
    Attraction& attraction = of(key);
    const int value = attraction.topology->value_of[index(slot)];
    if (value == Topology::kNone) return;
    attraction.weights[index(value)] += weight;
    any_ = true;
  }
  bool any() const { return any_; }
  std::int64_t at(int slot) const {
    std::int64_t sum = 0;
    for (const Attraction& attraction : all_) {
      const int value = attraction.topology->value_of[index(slot)];
      if (value != Topology::kNone) sum += attraction.weights[index(value)];
    }
    return sum;
  }

 private:
  Attraction& of(const std::string& key) {
    for (Attraction& known : all_) {
      if (known.key == key) return known;
    }
    const Topology& topology = cache_.topology(key);
    all_.push_back({key, &topology, std::vector<std::int64_t>(index(topology.values))});
    return all_.back();
  }

  Cache& cache_;
  std::vector<Attraction> all_;
  bool any_ = false;
};

void add_own_terms(Cache& cache, const PodInfo& pod, Attractions& attractions) {
  for (const AffinityTerm& term : pod.affinity.preferred) {
    const auto counter = cache.counter({term.pods}, true);
    for (const int slot : cache.nodes()) {
      const int pods = counter->by_slot[index(slot)];
      if (pods != 0) attractions.add(term.topology_key, slot, pods * term.weight);
    }
  }
}

void add_terms_of_others(Cache& cache, const PodInfo& pod, Attractions& attractions) {
  for (const auto& [id, group] : cache.terms()) {
    if (group.kind == TermKind::kRequiredAnti || !is_about(cache, group.term, pod)) continue;
    const std::int64_t weight =
        group.kind == TermKind::kRequired ? kHardPodAffinityWeight : group.term.weight;
    for (const auto& [slot, pods] : group.pods_by_slot) {
      if (cache.node(slot).exists) attractions.add(group.term.topology_key, slot, weight * pods);
    }
  }
}

}  // namespace

int RequiredAffinity::Counts::at(int slot) const {
  const int value = topology->value_of[index(slot)];
  return value == Topology::kNone ? Topology::kNone : pods[index(value)];
}

void RequiredAffinity::Counts::add(int slot, int change) {
  const int value = topology->value_of[index(slot)];
  if (value != Topology::kNone) pods[index(value)] += change;
}

bool RequiredAffinity::Counts::any() const {
  return std::any_of(pods.begin(), pods.end(), [](int count) { return count > 0; });
}

RequiredAffinity::Counts RequiredAffinity::make(Cache& cache, const std::string& key) {
  const Topology& topology = cache.topology(key);
  return {key, &topology, std::vector<int>(index(topology.values))};
}

RequiredAffinity::Counts& RequiredAffinity::others_of(Cache& cache, const std::string& key) {
  for (Counts& known : others_) {
    if (known.key == key) return known;
  }
  others_.push_back(make(cache, key));
  return others_.back();
}

RequiredAffinity::RequiredAffinity(Cache& cache, const PodInfo& pod) {
  for (const auto& [id, group] : cache.terms()) {
    if (group.kind != TermKind::kRequiredAnti || !is_about(cache, group.term, pod)) continue;
    Counts& counts = others_of(cache, group.term.topology_key);
    for (const auto& [slot, pods] : group.pods_by_slot) counts.add(slot, pods);
  }
  if (!pod.affinity.required.empty()) {
    matches_itself_ = are_about(cache, pod.affinity.required, pod);
    const auto counter = cache.counter(selectors_of(pod.affinity.required), true);
    for (const AffinityTerm& term : pod.affinity.required) {
      Counts& counts = with_.emplace_back(make(cache, term.topology_key));
      for (const int slot : cache.nodes()) counts.add(slot, counter->by_slot[index(slot)]);
    }
  }
  for (const AffinityTerm& term : pod.affinity.required_anti) {
    const auto counter = cache.counter({term.pods}, true);
    Counts& counts = apart_.emplace_back(make(cache, term.topology_key));
    for (const int slot : cache.nodes()) counts.add(slot, counter->by_slot[index(slot)]);
  }
}

Verdict RequiredAffinity::filter(int slot) const {
  bool met = true;
  for (const Counts& counts : with_) {
    const int pods = counts.at(slot);
    if (pods == Topology::kNone) {
      return Verdict::refuse(Code::kUnresolvable, Plugin::kInterPodAffinity, kAffinity);
    }
    if (pods <= 0) met = false;
  }
  const auto none = [](const Counts& counts) { return !counts.any(); };
  // The first pod of a group that wants to be together may go anywhere.
  if (!met && !(matches_itself_ && std::all_of(with_.begin(), with_.end(), none))) {
    return Verdict::refuse(Code::kUnresolvable, Plugin::kInterPodAffinity, kAffinity);
  }
  const auto here = [&](const Counts& counts) { return counts.at(slot) > 0; };
  if (std::any_of(apart_.begin(), apart_.end(), here)) {
    return Verdict::refuse(Code::kUnschedulable, Plugin::kInterPodAffinity, kAntiAffinity);
  }
  if (std::any_of(others_.begin(), others_.end(), here)) {
    return Verdict::refuse(Code::kUnschedulable, Plugin::kInterPodAffinity, kOthers);
  }
  return {};
}

void RequiredAffinity::count(Cache& cache, const PodInfo& pod, const PodInfo& other, int slot,
                             int change) {
  for (const AffinityTerm& term : other.affinity.required_anti) {
    if (is_about(cache, term, pod)) others_of(cache, term.topology_key).add(slot, change);
  }
  if (are_about(cache, pod.affinity.required, other)) {
    for (Counts& counts : with_) counts.add(slot, change);
  }
  for (std::size_t i = 0; i < apart_.size(); ++i) {
    if (is_about(cache, pod.affinity.required_anti[i], other)) apart_[i].add(slot, change);
  }
}

std::vector<std::int64_t> score_affinity(Cache& cache, const PodInfo& pod,
                                         const std::vector<int>& nodes) {
  Attractions attractions(cache);
  add_own_terms(cache, pod, attractions);
  add_terms_of_others(cache, pod, attractions);
  if (!attractions.any()) return {};
  std::vector<std::int64_t> scores;
  for (const int slot : nodes) scores.push_back(attractions.at(slot));
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  const std::int64_t low = *least;
  const std::int64_t range = *most - low;
  for (std::int64_t& score : scores) {
    score = range == 0 ? 0
                       : static_cast<std::int64_t>(
                             static_cast<double>(kMaxNodeScore) *
                             (static_cast<double>(score - low) / static_cast<double>(range)));
  }
  return scores;
}

}  // namespace tabernetes::controllers::scheduling
