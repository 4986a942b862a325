#include "controllers/scheduler/cache.h"

#include <algorithm>
#include <utility>

namespace tabernetes::controllers::scheduling {
namespace {

constexpr std::size_t kCounters = 64;

std::string term_id(TermKind kind, const AffinityTerm& term) {
  std::string id = std::to_string(static_cast<int>(kind));
  id.append(" ").append(std::to_string(term.weight)).append(" ");
  return id.append(term.topology_key).append(" ").append(term.pods.id());
}

}  // namespace

// The indexes are made anew when they are needed.
Cache::Cache(const Cache& other)
    : nodes_(other.nodes_),
      slots_(other.slots_),
      arrival_(other.arrival_),
      pods_(other.pods_),
      namespaces_(other.namespaces_),
      terms_(other.terms_),
      image_nodes_(other.image_nodes_) {}

int Cache::slot_of(const std::string& name) {
  const auto [place, added] = slots_.try_emplace(name, static_cast<int>(nodes_.size()));
  if (added) {
    nodes_.emplace_back().facts.name = name;
    for (Counting& counting : counters_) counting.counter->by_slot.push_back(0);
  }
  return place->second;
}

void Cache::discard_topologies() {
  topologies_.clear();
  ordered_ = false;
}

std::unique_ptr<NodeFacts> Cache::set_node(NodeFacts facts) {
  NodeInfo& node = nodes_[index(slot_of(facts.name))];
  std::unique_ptr<NodeFacts> before;
  if (node.exists) {
    before = std::make_unique<NodeFacts>(std::move(node.facts));
    count_images(*before, -1);
  } else {
    arrival_.push_back(facts.name);
  }
  if (before == nullptr || before->labels != facts.labels) discard_topologies();
  node.exists = true;
  node.facts = std::move(facts);
  count_images(node.facts, 1);
  return before;
}

std::unique_ptr<NodeFacts> Cache::remove_node(std::string_view name) {
  const int slot = find_node(name);
  if (slot < 0) return nullptr;
  NodeInfo& node = nodes_[index(slot)];
  auto before = std::make_unique<NodeFacts>(std::move(node.facts));
  count_images(*before, -1);
  node.facts = NodeFacts{};
  node.facts.name = before->name;
  node.exists = false;
  std::erase(arrival_, before->name);
  discard_topologies();
  return before;
}

int Cache::find_node(std::string_view name) const {
  const auto found = slots_.find(std::string(name));
  return found != slots_.end() && nodes_[index(found->second)].exists ? found->second : -1;
}

const std::vector<int>& Cache::nodes() {
  if (std::exchange(ordered_, true)) return order_;
  std::vector<std::pair<std::string, std::vector<int>>> zones;
  for (const std::string& name : arrival_) {
    const int slot = slots_.at(name);
    std::string zone = node(slot).facts.zone();
    auto place = std::find_if(zones.begin(), zones.end(),
                              [&](const auto& known) { return known.first == zone; });
    if (place == zones.end()) {
      place = zones.emplace(place, std::move(zone), std::vector<int>{});
    }
    place->second.push_back(slot);
  }
  order_.clear();
  for (std::size_t i = 0; order_.size() < arrival_.size(); ++i) {
    for (const auto& [zone, slots] : zones) {
      if (i < slots.size()) order_.push_back(slots[i]);
    }
  }
  return order_;
}

bool Cache::counts(const PodCounter& counter, const PodInfo& pod) const {
  if (pod.terminating && !counter.with_terminating) return false;
  return std::all_of(counter.selectors.begin(), counter.selectors.end(),
                     [&](const PodSelector& selector) {
                       return selector.matches(pod.ns, pod.labels, all_namespace_labels());
                     });
}

void Cache::count_terms(const PodInfo& pod, int slot, int sign) {
  if (pod.affinity.empty()) return;
  const auto count = [&](TermKind kind, const std::vector<AffinityTerm>& terms) {
    for (const AffinityTerm& term : terms) {
      const auto [place, added] = terms_.try_emplace(term_id(kind, term));
      TermGroup& group = place->second;
      if (added) {
        group.kind = kind;
        group.term = term;
      }
      int& pods = group.pods_by_slot[slot];
      pods += sign;
      if (pods == 0) group.pods_by_slot.erase(slot);
      if (group.pods_by_slot.empty()) terms_.erase(place);
    }
  };
  count(TermKind::kRequired, pod.affinity.required);
  count(TermKind::kRequiredAnti, pod.affinity.required_anti);
  count(TermKind::kPreferred, pod.affinity.preferred);
}

void Cache::place(const PodPtr& pod, int slot, int sign) {
  NodeInfo& node = nodes_[index(slot)];
  if (sign > 0) {
    node.add(pod);
  } else {
    node.remove(*pod);
  }
  count_terms(*pod, slot, sign);
  for (Counting& counting : counters_) {
    if (counts(*counting.counter, *pod)) counting.counter->by_slot[index(slot)] += sign;
  }
}

void Cache::set_pod(const PodPtr& pod) {
  const int slot = slot_of(pod->node);
  const auto [entry, added] = pods_.try_emplace(pod->key());
  if (!added) place(entry->second.pod, entry->second.slot, -1);
  entry->second = {pod, slot};
  place(pod, slot, 1);
}

void Cache::remove_pod(const std::string& key) {
  const auto found = pods_.find(key);
  if (found == pods_.end()) return;
  place(found->second.pod, found->second.slot, -1);
  pods_.erase(found);
}

PodPtr Cache::find_pod(const std::string& key) const {
  const auto found = pods_.find(key);
  return found == pods_.end() ? nullptr : found->second.pod;
}

void Cache::set_namespace(std::string_view name, LabelSet labels) {
  LabelSet& known = namespaces_[std::string(name)];
  if (known == labels) return;
  known = std::move(labels);
  std::erase_if(counters_, [](const Counting& counting) {
    return std::any_of(counting.counter->selectors.begin(), counting.counter->selectors.end(),
                       [](const PodSelector& one) { return one.selects_namespaces(); });
  });
}

void Cache::remove_namespace(std::string_view name) { namespaces_.erase(std::string(name)); }

const LabelSet& Cache::namespace_labels(std::string_view name) const {
  static const LabelSet kEmpty;
  const auto found = namespaces_.find(std::string(name));
  return found == namespaces_.end() ? kEmpty : found->second;
}

const Topology& Cache::topology(const std::string& key) {
  std::unique_ptr<Topology>& known = topologies_[key];
  if (known != nullptr && known->value_of.size() == nodes_.size()) return *known;
  auto made = std::make_unique<Topology>();
  std::unordered_map<std::string_view, int> numbers;
  for (const NodeInfo& node : nodes_) {
    const auto value = node.exists ? node.facts.labels.find(key) : std::nullopt;
    made->value_of.push_back(
        value ? numbers.try_emplace(*value, static_cast<int>(numbers.size())).first->second
              : Topology::kNone);
  }
  made->values = static_cast<int>(numbers.size());
  known = std::move(made);
  return *known;
}

std::shared_ptr<const PodCounter> Cache::counter(const std::vector<PodSelector>& selectors,
                                                 bool with_terminating) {
  std::string id = with_terminating ? "t" : "-";
  for (const PodSelector& selector : selectors) id.append(selector.id()).append("\n");
  for (auto known = counters_.begin(); known != counters_.end(); ++known) {
    if (known->id != id) continue;
    counters_.splice(counters_.begin(), counters_, known);
    return counters_.front().counter;
  }
  auto made = std::make_shared<PodCounter>();
  made->selectors = selectors;
  made->with_terminating = with_terminating;
  for (const NodeInfo& node : nodes_) {
    made->by_slot.push_back(
        static_cast<int>(std::count_if(node.pods.begin(), node.pods.end(),
                                       [&](const PodPtr& pod) { return counts(*made, *pod); })));
  }
  counters_.push_front({std::move(id), std::move(made)});
  if (counters_.size() > kCounters) counters_.pop_back();
  return counters_.front().counter;
}

void Cache::count_images(const NodeFacts& facts, int sign) {
  for (const auto& [image, size] : facts.images) {
    int& nodes = image_nodes_[image];
    nodes += sign;
    if (nodes == 0) image_nodes_.erase(image);
  }
}

int Cache::nodes_with_image(const std::string& image) const {
  const auto found = image_nodes_.find(image);
  return found == image_nodes_.end() ? 0 : found->second;
}

bool is_about(const Cache& cache, const AffinityTerm& term, const PodInfo& pod) {
  return term.pods.matches(pod.ns, pod.labels, cache.all_namespace_labels());
}

bool are_about(const Cache& cache, const std::vector<AffinityTerm>& terms, const PodInfo& pod) {
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) {
    return is_about(cache, term, pod);
  });
}

}  // namespace tabernetes::controllers::scheduling
