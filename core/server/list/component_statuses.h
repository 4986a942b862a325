// The health of a control plane's parts, which nobody stores: what a real server finds that has no
// scheduler and no controller manager beside it.
// Source: upstream 1.36 pkg/registry/core/componentstatus/rest.go.
#pragma once

#include "server/list/list_page.h"
#include "server/request/call.h"
#include "server/request/object_selector.h"

namespace tabernetes::server {

bool is_component_status(const Call& call);
ListPage list_component_statuses(const Call& call, const ObjectSelector& selector);
// Errors: 404.
Result<store::RecordPtr> get_component_status(const Call& call);

}  // namespace tabernetes::server
