// Finds the rows of kinds by resource names, for tests.
#pragma once

#include "kinds/table/kinds.h"
#include "registry/meta/object_meta_validation.h"
#include "schema/schema.h"

namespace tabernetes::registry {

// Returns the default strategy for unknown resources.
inline const Strategy& row_of(std::string_view group, std::string_view plural) {
  for (const schema::Resource& resource : schema::Catalogue::built_in().resources()) {
    if (resource.group == group && resource.plural == plural) {
      return kinds::find_kind(group, resource.kind).strategy;
    }
  }
  return kinds::find_kind({}, {}).strategy;
}

inline MetaRules meta_rules_of(std::string_view group, std::string_view plural, bool namespaced) {
  const Strategy& row = row_of(group, plural);
  return {namespaced, row.names, row.meta_passes};
}

}  // namespace tabernetes::registry
