// The conditions of a terminating namespace.
#pragma once

#include "controllers/namespace_content.h"
#include "json/value.h"

namespace tabernetes::controllers {

// Brings `status.conditions` of a namespace up to date; false if they were.
bool update_conditions(json::Value& status, NamespaceContent content, Time now, json::Arena& arena);

}  // namespace tabernetes::controllers
