// The names of fields in Go's types, for error messages.
#pragma once

#include <string>

#include "schema/schema.h"

namespace tabernetes::codec {

// Returns the Go name of a field of `owner`: "OwnerReferences", "UID", "ObjectMeta".
std::string go_field_name(const schema::Type& owner, const schema::Field& field);

}  // namespace tabernetes::codec
