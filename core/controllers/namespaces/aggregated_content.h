// Deletes what aggregated API servers have of a namespace.
#pragma once

#include <string_view>

#include "controllers/loop/aggregated_calls.h"
#include "controllers/namespaces/namespace_content.h"

namespace tabernetes::controllers {

// Returns who asks on behalf of a namespace.
AggregatedAsker asker_of_namespace(std::string_view ns);

// Deletes the objects, and adds to `content` what remains of them. Sets `content.waits` if answers
// are missing.
void delete_aggregated_content(AggregatedCalls& calls, std::string_view ns,
                               NamespaceContent& content);

}  // namespace tabernetes::controllers
