// A page of a collection as an answer. Source: spec/list-watch.md 3.7.
#pragma once

#include "base/result.h"
#include "server/call.h"
#include "server/list_page.h"
#include "server/negotiation.h"
#include "server/object_selector.h"
#include "tabernetes/response.h"

namespace tabernetes::server {

// The page in the negotiated form: as a stream if it is long and not just stored bytes.
// Errors: 400, 406.
Result<Response> answer_list(Call& call, const Representation& form, ListPage page);

}  // namespace tabernetes::server
