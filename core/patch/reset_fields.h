// What an endpoint neither changes nor owns. Source: spec/patch-apply.md 6.11.
#pragma once

#include <string_view>

#include "patch/field_set.h"

namespace tabernetes::patch {

struct ResetFields {
  // Paths of fields between spaces, each with all below it: "spec metadata.labels".
  std::string_view paths;

  // What is left of a set at this endpoint.
  FieldSet outside(FieldSet set) const;
  // Whether it has a whole member of the object.
  bool has(std::string_view member) const;
};

}  // namespace tabernetes::patch
