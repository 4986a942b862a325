// The API versions in which fields of an object may be owned.
#pragma once

#include "patch/field_manager.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::registry {

class ObjectVersions final : public patch::ObjectVersions {
 public:
  // For the objects of a resource. `pending`: see registry/kind/pending_work.h.
  ObjectVersions(const ResourceType& type, const ResourceTable& resources, PendingWork* pending)
      : schema_(*type.resource->type), type_(&type), resources_(&resources), pending_(pending) {}
  // For objects with a single version, such as a Scale.
  explicit ObjectVersions(const schema::Type& schema) : schema_(schema) {}

  std::optional<patch::Shape> shape(std::string_view api_version) const override;
  json::Value convert(const json::Value& object, std::string_view api_version,
                      json::Arena& arena) const override;
  json::Value zero(std::string_view api_version, json::Arena& arena) const override;
  std::string problem_of_unknown(std::string_view api_version) const override;

 private:
  const ResourceType* find(std::string_view api_version) const;

  const schema::Type& schema_;
  const ResourceType* type_ = nullptr;
  const ResourceTable* resources_ = nullptr;
  PendingWork* pending_ = nullptr;
};

// Converts an object from one version to another of the same resource.
json::Value in_version(const ResourceType& from, const ResourceType& to, const json::Value& object,
                       json::Arena& arena, PendingWork* pending);

}  // namespace tabernetes::registry
