// Pages of a collection as of one revision. Source: spec/list-watch.md 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/api/result.h"
#include "server/request/object_selector.h"
#include "server/request/options.h"
#include "server/request/request_context.h"
#include "store/record.h"

namespace tabernetes::server {

struct ListPage {
  store::Revision revision = 0;  // 0 if the resource has no versions
  std::vector<store::RecordPtr> records;
  std::string continue_token;
  std::optional<std::int64_t> remaining;
};

// Errors: 400 bad version or token, 410 compacted, 504 not reached yet.
Result<ListPage> list_page(RequestContext& call, const ListOptions& options,
                           const ObjectSelector& selector);

}  // namespace tabernetes::server
