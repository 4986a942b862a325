// From the stored CustomResourceDefinitions to the resources that are served.
#pragma once

#include <memory>
#include <string_view>

#include "registry/resource_type.h"
#include "store/tree.h"

namespace tabernetes::registry::crd {

inline constexpr std::string_view kDefinitionsPrefix =
    "apiextensions.k8s.io/customresourcedefinitions/";

using TablePtr = std::shared_ptr<const ResourceTable>;

// `table` after a write to one definition; `record` null: it is gone.
TablePtr with_definition(const TablePtr& table, std::string_view name, const store::Record* record);

// `table` with the definitions of this state alone.
TablePtr with_definitions(const TablePtr& table, const store::Tree& state);

}  // namespace tabernetes::registry::crd
