// The conditions of a terminating namespace.
#pragma once

#include "controllers/namespaces/namespace_content.h"
#include "json/value.h"

namespace tabernetes::controllers {

// Updates `status.conditions` of a namespace; returns false if they were up to date.
bool update_conditions(json::Value& status, NamespaceContent content, Time now, json::Arena& arena);

}  // namespace tabernetes::controllers
