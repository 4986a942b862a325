// A record's object, decoded when it is first asked for, at most once for all who ask. It shows no
// managedFields of built-in kinds: no control loop looks at them.
#pragma once

#include <optional>

#include "json/value.h"
#include "registry/objects/object_record.h"

namespace tabernetes::controllers {

class LazyObject {
 public:
  // `record` may be null. REQUIRES: what is given outlives this object.
  LazyObject(const registry::ResourceType& type, const store::RecordPtr& record, json::Arena& arena)
      : type_(type), record_(record), arena_(arena) {}
  LazyObject(const LazyObject&) = delete;
  LazyObject& operator=(const LazyObject&) = delete;

  const store::RecordPtr& record() const { return record_; }
  // Returns the object. REQUIRES: record() is not null.
  const json::Value& get() const {
    if (!object_) object_ = registry::read_content(type_, *record_, arena_);
    return *object_;
  }

 private:
  const registry::ResourceType& type_;
  const store::RecordPtr& record_;
  json::Arena& arena_;
  mutable std::optional<json::Value> object_;
};

// Returns true for that resource, in whatever version.
inline bool is_resource(const registry::ResourceType& type, std::string_view group,
                        std::string_view plural) {
  return type.resource->plural == plural && type.resource->group == group;
}

}  // namespace tabernetes::controllers
