#include "patch/scale_fields.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tabernetes::patch {
namespace {

FieldSet set_of(const Path& path) {
  FieldSet set;
  set.insert(path);
  return set;
}

Path shown_replicas() { return {PathElement::field("spec"), PathElement::field("replicas")}; }

}  // namespace

ManagedFields scale_entries(const ManagedFields& parent, const Replicas& replicas) {
  ManagedFields entries;
  for (const ManagedFieldsEntry& entry : parent) {
    if (!replicas.versions.shape(entry.api_version) || !entry.fields.has(replicas.path)) continue;
    entries.push_back(entry);
    entries.back().api_version = kScaleVersion;
    entries.back().fields = set_of(shown_replicas());
  }
  return entries;
}

ManagedFields with_scale_entries(const ManagedFields& parent, ManagedFields scale,
                                 const Replicas& replicas) {
  const FieldSet taken = set_of(replicas.path);
  ManagedFields entries;
  for (const ManagedFieldsEntry& entry : parent) {
    if (!replicas.versions.shape(entry.api_version)) continue;
    entries.push_back(entry);
    if (!entry.fields.has(replicas.path)) continue;
    const std::string identity = entry.identity();
    const auto same = std::find_if(scale.begin(), scale.end(), [&](const ManagedFieldsEntry& each) {
      return each.identity() == identity;
    });
    if (same != scale.end()) {
      scale.erase(same);
      continue;
    }
    entries.back().fields.subtract(taken);
    if (entries.back().fields.empty()) entries.pop_back();
  }
  const Path shown = shown_replicas();
  for (ManagedFieldsEntry& entry : scale) {
    if (!entry.fields.has(shown)) continue;
    entry.api_version = replicas.api_version;
    entry.fields = taken;
    entry.time.reset();
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace tabernetes::patch
