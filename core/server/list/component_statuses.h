// ComponentStatuses, which are not stored: the health that a real server reports without a
// scheduler and a controller manager beside it. Source: upstream 1.36
// pkg/registry/core/componentstatus/rest.go.
#pragma once

#include "server/list/list_page.h"
#include "server/request/object_selector.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

bool is_component_status(const RequestContext& call);
ListPage list_component_statuses(const RequestContext& call, const ObjectSelector& selector);
// Errors: 404.
Result<store::RecordPtr> get_component_status(const RequestContext& call);

}  // namespace tabernetes::server
