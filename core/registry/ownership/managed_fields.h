// metadata.managedFields: the fields that each write has set. Source: spec/patch-apply.md 6.8, 6.9,
// 6.11.
#pragma once

#include "patch/field_manager.h"
#include "registry/kind/write_context.h"
#include "registry/ownership/managed_fields_cache.h"

namespace tabernetes::registry {

// Returns the manager that writes to objects of `type` in this context.
patch::Writer writer_of(const WriteContext& context, const ResourceType& type);

// If a `cache` is passed, entries are read from it and recorded there.

// Returns the entries of a stored object; empty if they cannot be decoded.
patch::ManagedFields managed_fields_of(const json::Value& object,
                                       ManagedFieldsCache* cache = nullptr);
// Does the same for an apply, which needs all entries. Errors: 500, `context` and the decoding
// error.
Result<patch::ManagedFields> decode_entries(const json::Value& object, std::string_view context,
                                            ManagedFieldsCache* cache = nullptr);
// Sets the entries; an empty list removes the field.
void set_entries(json::Value& object, patch::ManagedFields entries, json::Arena& arena,
                 ManagedFieldsCache* cache = nullptr);
json::Value without_managed_fields(const json::Value& object, json::Arena& arena);

// Returns true if the object cannot be read by the schema of its kind, as an item without the keys
// of its list, or a status that the request's endpoint ignores. Such an object loses its entries.
bool lacks_typed_form(const ResourceType& type, const patch::ObjectVersions& versions,
                      const json::Value& object);

// Updates managedFields for a write other than an apply, before anything except defaults has
// changed the object. `stored` is null on create.
void track_managed_fields(const WriteContext& context, const patch::ObjectVersions& versions,
                          const patch::Writer& writer, json::Value& object,
                          const json::Value* stored, ManagedFieldsCache* cache = nullptr);

// Restores the times of the entries if nothing but times has changed.
void restore_unchanged_times(json::Value& object, const json::Value& stored, json::Arena& arena);

}  // namespace tabernetes::registry
