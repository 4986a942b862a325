// The names that Go's types give to fields, which errors tell.
#pragma once

#include <string>

#include "schema/schema.h"

namespace tabernetes::codec {

// "OwnerReferences", "UID", "ObjectMeta": of a field of `owner`.
std::string go_field_name(const schema::Type& owner, const schema::Field& field);

}  // namespace tabernetes::codec
