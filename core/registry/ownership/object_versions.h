// The versions of the API in which fields of an object may be owned.
#pragma once

#include "patch/field_manager.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::registry {

class ObjectVersions final : public patch::ObjectVersions {
 public:
  // Of the objects of a resource. `pending`: see registry/pending_work.h.
  ObjectVersions(const ResourceType& type, const ResourceTable& resources, PendingWork* pending)
      : schema_(*type.resource->type), type_(&type), resources_(&resources), pending_(pending) {}
  // Of what has one version only, such as a scale.
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

// An object of one version as another version of the same resource shows it.
json::Value in_version(const ResourceType& from, const ResourceType& to, const json::Value& object,
                       json::Arena& arena, PendingWork* pending);

}  // namespace tabernetes::registry
