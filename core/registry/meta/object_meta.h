// Reads and changes metadata in a tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

// The metadata of an object. A view, valid as long as the tree.
class ObjectMeta {
 public:
  // Adds an empty metadata object if it is missing.
  ObjectMeta(json::Value& object, json::Arena& arena);

  std::string_view get(std::string_view field) const { return metadata_->string_at(field); }
  std::string_view name() const { return get("name"); }
  std::string_view ns() const { return get("namespace"); }
  std::string_view uid() const { return get("uid"); }
  std::string_view resource_version() const { return get("resourceVersion"); }
  bool terminating() const { return !get("deletionTimestamp").empty(); }
  std::optional<std::int64_t> integer(std::string_view field) const;
  std::int64_t generation() const { return integer("generation").value_or(0); }
  bool has_finalizers() const;

  void set(std::string_view field, std::string_view text) {
    metadata_->set(*arena_, field, json::Value::string(arena_->copy(text)));
  }
  void set(std::string_view field, std::int64_t number) {
    metadata_->set(*arena_, field, json::Value::integer(number));
  }
  void erase(std::string_view field) { metadata_->erase(field); }
  // Copies `field` from `other_metadata`, or erases it if it is absent there.
  void take(std::string_view field, const json::Value* other_metadata);

  json::Value& tree() { return *metadata_; }

 private:
  json::Value* metadata_;
  json::Arena* arena_;
};

// Returns the metadata member of an object, or null.
inline const json::Value* metadata_of(const json::Value& object) { return object.find("metadata"); }

}  // namespace tabernetes::registry
