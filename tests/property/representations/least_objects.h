// The least that a valid object of each kind says, for tests that create one of every kind.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::property {

// Members besides kind, apiVersion and metadata, as a JSON object.
std::string_view least_members(const schema::Resource& resource);

// A name that the kind takes, one of its own for each version, as some objects are served in two.
std::string least_name(const schema::Resource& resource);

}  // namespace tabernetes::property
