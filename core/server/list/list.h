// Answers with a page of a collection. Source: spec/list-watch.md 3.7.
#pragma once

#include "base/api/result.h"
#include "server/list/list_page.h"
#include "server/request/negotiation.h"
#include "server/request/object_selector.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Encodes the page in the negotiated form; as a stream if it is long and not just stored bytes.
// Errors: 400, 406.
Result<Response> answer_list(RequestContext& call, const Representation& form, ListPage page);

}  // namespace tabernetes::server
