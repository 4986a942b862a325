// The reset fields of an endpoint, which it neither changes nor owns. Source: spec/patch-apply.md
// 6.11.
#pragma once

#include <string_view>

#include "patch/field_set.h"

namespace tabernetes::patch {

struct ResetFields {
  // Field paths separated by spaces, each including everything below: "spec metadata.labels".
  std::string_view paths;

  // Returns the set without these fields.
  FieldSet outside(FieldSet set) const;
  // Returns whether it includes a whole member of the object.
  bool has(std::string_view member) const;
};

}  // namespace tabernetes::patch
