#include "admission/resource_index.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "json/access.h"

namespace tabernetes::admission {

using json::Value;
using registry::ResourceType;

const std::vector<const ResourceType*>& EquivalentTypes::of(const registry::Registry& registry,
                                                            const ResourceType& type) {
  if (table_.get() != &registry.resources()) {
    known_.clear();
    table_ = registry.shared_resources();
  }
  const auto [place, added] = known_.try_emplace(&type);
  if (!added) return place->second;
  for (const ResourceType* other : registry.resources().all()) {
    if (other != &type && other->served &&
        other->stored_as().key_prefix == type.stored_as().key_prefix) {
      place->second.push_back(other);
    }
  }
  return place->second;
}

void ResourceIndex::add(const Value* rules) {
  found_.clear();
  const std::uint32_t number = size_++;
  if (rules == nullptr || rules->size() == 0) return everywhere_.push_back(number);
  for (const Value& rule : rules->items()) {
    for (const Value& group : json::items_at(rule, {"apiGroups"})) {
      for (const Value& resource : json::items_at(rule, {"resources"})) {
        const std::string_view text = json::text_of(resource);
        const std::string_view plural = text.substr(0, text.find('/'));
        std::string key(json::text_of(group));
        key.append("/").append(plural);
        Numbers& numbers = by_resource_[key];
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
      }
    }
  }
}

void ResourceIndex::add_numbers(std::string_view group, std::string_view plural,
                                Numbers& into) const {
  const std::string_view groups[] = {group, "*"}, plurals[] = {plural, "*"};
  std::string key;
  for (const std::string_view one : groups) {
    for (const std::string_view other : plurals) {
      key.assign(one).append("/").append(other);
      const auto found = by_resource_.find(key);
      if (found == by_resource_.end()) continue;
      into.insert(into.end(), found->second.begin(), found->second.end());
    }
  }
}

const ResourceIndex::Numbers& ResourceIndex::find(
    const ResourceType& own, const std::vector<const ResourceType*>& others) const {
  if (size_ == 0) return everywhere_;
  const auto [place, added] = found_.try_emplace(&own);
  Numbers& found = place->second;
  if (!added) return found;
  found = everywhere_;
  add_numbers(own.resource->group, own.resource->plural, found);
  for (const ResourceType* other : others) {
    if (other->resource->group == own.resource->group &&
        other->resource->plural == own.resource->plural) {
      continue;
    }
    add_numbers(other->resource->group, other->resource->plural, found);
  }
  sort_stable(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace tabernetes::admission
