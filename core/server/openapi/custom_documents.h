// The OpenAPI documents of custom resources.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "custom/objects/custom_kind.h"
#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "schema/openapi/descriptions.h"
#include "schema/openapi/dialect.h"
#include "store/tree.h"

namespace tabernetes::server {

// Documents for the kinds of a resource table, made from their definitions, which it keeps alive.
class CustomDocuments {
 public:
  using Descriptions = schema::openapi::Descriptions;

  CustomDocuments(const registry::ResourceTable& table, const store::Tree& definitions);

  // Returns "apis/GROUP/VERSION" for each.
  std::vector<std::string> keys() const;
  std::string v3(std::string_view key, const Descriptions& texts) const;
  // Returns v2's single document: that of the built-in kinds with the custom ones added.
  std::string v2(std::string_view built_in, const Descriptions& texts) const;

 private:
  struct Kind {
    std::shared_ptr<const registry::custom::CustomKind> kind;
    store::RecordPtr definition;
  };
  std::string made(std::string_view key, schema::openapi::Dialect dialect,
                   const Descriptions& texts, std::string* definitions) const;

  std::map<std::string, std::vector<Kind>, std::less<>> by_key_;
  const registry::ResourceType& definitions_;
};

}  // namespace tabernetes::server
