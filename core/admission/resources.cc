#include "admission/resources.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::admission {

using json::Value;

Quantity quantity_of(const Value& value) {
  std::string_view error;
  if (!value.is_string()) return {};
  return Quantity::parse(value.as_string(), error).value_or(Quantity());
}

ResourceList::ResourceList(const Value* amounts) {
  if (amounts == nullptr || !amounts->is_object()) return;
  for (const json::Member& member : amounts->members()) set(member.key, quantity_of(member.value));
}

const Quantity* ResourceList::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

void ResourceList::set(std::string_view name, const Quantity& amount) {
  const auto place = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.first >= name; });
  if (place != entries_.end() && place->first == name) {
    place->second = amount;
  } else {
    entries_.insert(place, {std::string(name), amount});
  }
}

void ResourceList::take(const ResourceList& other) {
  for (const auto& [name, amount] : other.entries_) set(name, amount);
}

void ResourceList::add(const ResourceList& other) {
  for (const auto& [name, amount] : other.entries_) {
    const Quantity* own = find(name);
    Quantity sum = own == nullptr ? amount : *own;
    if (own != nullptr) sum.add(amount);
    set(name, sum);
  }
}

void ResourceList::raise(const ResourceList& other) {
  for (const auto& [name, amount] : other.entries_) {
    const Quantity* own = find(name);
    if (own == nullptr || own->compare(amount) < 0) set(name, amount);
  }
}

ResourceList pod_resources(const Value& pod, std::string_view list) {
  ResourceList all, restartable, initial;
  const Value* spec = pod.find("spec");
  if (spec == nullptr) return all;
  for (const Value& container : items_in(*spec, "containers")) {
    all.add(ResourceList(container.at({"resources", list})));
  }
  for (const Value& container : items_in(*spec, "initContainers")) {
    ResourceList needed(container.at({"resources", list}));
    if (container.string_at("restartPolicy") == "Always") {
      all.add(needed);
      restartable.add(needed);
      needed = restartable;
    } else {
      needed.add(restartable);
    }
    initial.raise(needed);
  }
  all.raise(initial);
  const ResourceList whole(spec->at({"resources", list}));
  for (const auto& [name, amount] : whole.entries()) {
    if (name == "cpu" || name == "memory") all.set(name, amount);
  }
  return all;
}

}  // namespace tabernetes::admission
