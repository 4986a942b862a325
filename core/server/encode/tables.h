// Trees of stored objects, and tables made from them.
#pragma once

#include <string>

#include "json/value.h"
#include "registry/table/table.h"
#include "server/request/negotiation.h"
#include "server/request/request_context.h"
#include "store/record.h"

namespace tabernetes::server {

// Returns the record as a tree of `type` with the version `shown` (0: its own).
json::Value read_shown(const registry::ResourceType& type, const store::Record& record,
                       store::Revision shown, json::Arena& arena);

// Parses ?includeObject=. Errors: 400 unless it is one of the three names.
Result<registry::IncludeObject> included_object(const RequestContext& call);

// Returns the table of one object in its stored form. Errors: 400 for a bad includeObject.
Result<json::Value> table_of_object(RequestContext& call, const Representation& form,
                                    json::Value object);

// Returns "core.Pod", Go's name of the internal type in error messages.
std::string go_type_name(std::string_view group, std::string_view kind);

}  // namespace tabernetes::server
