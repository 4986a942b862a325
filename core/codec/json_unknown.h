// Members of a JSON object that its schema does not know: those of a newer server. They are found
// in an object as it was stored, and put into the one that replaces it.
#pragma once

#include <span>
#include <string_view>

#include "codec/unknown_fields.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Returns what is unknown in an object of `type`. Members with a name in `also_known`, such as
// those of an older version, are known everywhere.
UnknownFields find_unknown_members(const schema::Type& type, const json::Value& object,
                                   std::span<const std::string_view> also_known = {});

// Adds the unknown members of an earlier object to the one that replaces it; those of objects that
// are not there any more are left out.
void add_unknown_members(const schema::Type& type, const UnknownFields& unknown,
                         json::Value& object, json::Arena& arena);

}  // namespace tabernetes::codec
