// metadata.managedFields of what is written: which fields a write has set.
// Source: spec/patch-apply.md 6.8, 6.9, 6.11.
#pragma once

#include "patch/field_manager.h"
#include "registry/kind/write_context.h"
#include "registry/ownership/managed_fields_cache.h"

namespace tabernetes::registry {

// Who writes to objects of `type` in this context.
patch::Writer writer_of(const WriteContext& context, const ResourceType& type);

// Where a `cache` is given, entries are asked of it and noted there.

// The entries of a stored object; none if they cannot be read.
patch::ManagedFields entries_of(const json::Value& object, ManagedFieldsCache* cache = nullptr);
// The same for an apply, which needs them all. Error: 500, `context` and what is wrong.
Result<patch::ManagedFields> decode_entries(const json::Value& object, std::string_view context,
                                            ManagedFieldsCache* cache = nullptr);
// The list of no entries is none.
void set_entries(json::Value& object, patch::ManagedFields entries, json::Arena& arena,
                 ManagedFieldsCache* cache = nullptr);
json::Value without_entries(const json::Value& object, json::Arena& arena);

// Books what a write that is no apply makes of an object, before anything but defaults has changed
// it. `stored` is null on create.
void track_fields(const WriteContext& context, const patch::ObjectVersions& versions,
                  const patch::Writer& writer, json::Value& object, const json::Value* stored,
                  ManagedFieldsCache* cache = nullptr);

// Nothing has changed but times of entries: they stay what they were.
void keep_times(json::Value& object, const json::Value& stored, json::Arena& arena);

}  // namespace tabernetes::registry
