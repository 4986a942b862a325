// What a resource says of a field selector's label that it does not know.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::registry {

// The message of the 400. Source: spec/list-watch.md 6.4.
std::string unsupported_field_label(const schema::Resource& resource, std::string_view label);

}  // namespace tabernetes::registry
