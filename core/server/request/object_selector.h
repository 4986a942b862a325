// Label and field selectors, ready to match the records of one resource.
#pragma once

#include <string_view>

#include "base/api/result.h"
#include "registry/kind/resource_type.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"
#include "server/request/options.h"
#include "store/record.h"

namespace tabernetes::server {

struct ObjectSelector {
  registry::LabelSelector labels;
  registry::FieldSelector fields;

  // Errors: 400 for a field that the resource does not support in selectors.
  static Result<ObjectSelector> parse(const ListOptions& options,
                                      const registry::ResourceType& type);
  bool everything() const { return labels.empty() && fields.empty(); }
  bool matches(const registry::ResourceType& type, std::string_view key,
               const store::Record& record) const;
};

}  // namespace tabernetes::server
