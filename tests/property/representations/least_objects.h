// Minimal valid objects of every kind, for tests that create one of each.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::property {

// Returns the members besides kind, apiVersion and metadata, as a JSON object.
std::string_view least_members(const schema::Resource& resource);

// Returns a valid name for the kind, different for each version, as some objects are served in two.
std::string least_name(const schema::Resource& resource);

}  // namespace tabernetes::property
