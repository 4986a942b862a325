// Trees of stored objects, and the tables made of them.
#pragma once

#include <string>

#include "json/value.h"
#include "registry/table.h"
#include "server/request/call.h"
#include "server/request/negotiation.h"
#include "store/record.h"

namespace tabernetes::server {

// The record as a tree of `type` that shows `shown` as its version (0: its own).
json::Value read_shown(const registry::ResourceType& type, const store::Record& record,
                       store::Revision shown, json::Arena& arena);

// What ?includeObject= asks for. Errors: 400 for a value that is none of the three names.
Result<registry::IncludeObject> included_object(const Call& call);

// The table of one object in the form that it is stored in. Errors: 400 for a bad includeObject.
Result<json::Value> table_of_object(Call& call, const Representation& form, json::Value object);

// "core.Pod", as Go names the internal type in error texts.
std::string go_type_name(std::string_view group, std::string_view kind);

}  // namespace tabernetes::server
