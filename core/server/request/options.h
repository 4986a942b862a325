// Options of the verbs, parsed from the query and validated. Source: spec/rest.md 9, 6, 7;
// spec/list-watch.md 3.1, 3.2, 4.2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/api/field_error.h"
#include "base/api/result.h"
#include "json/value.h"
#include "registry/life/registry.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"
#include "server/http/query.h"

namespace tabernetes::server {

enum class FieldValidation { kIgnore, kWarn, kStrict };

// CreateOptions, UpdateOptions, PatchOptions.
struct WriteOptions {
  bool dry_run = false;
  FieldValidation field_validation = FieldValidation::kWarn;
  std::string field_manager;
};

// `kind` names the options in errors, such as "CreateOptions". An apply is a patch that must name
// its manager and may be forced. Errors: 422.
Result<WriteOptions> parse_write_options(const Query& query, std::string_view kind,
                                         bool applies = false);

struct ListOptions {
  registry::LabelSelector label_selector;
  registry::FieldSelector field_selector;  // with the labels of the request: see resolve()
  bool watch = false;
  bool allow_watch_bookmarks = false;
  std::string resource_version, resource_version_match;
  std::optional<std::int64_t> timeout_seconds;
  std::int64_t limit = 0;  // no limit if 0 or less
  std::string continue_token;
  std::optional<bool> send_initial_events;
};

// Decodes, defaults and validates. Errors: 400, 422. A /watch/ path does not count as `watch`: its
// options are validated as those of a list. `watch_list` is the gate WatchList.
Result<ListOptions> parse_list_options(const Query& query, bool watch_list);

// DeleteOptions, from the body if there is one, otherwise from the query.
struct DeleteRequestOptions {
  registry::DeleteOptions options;
  bool dry_run = false;
  bool ignore_read_errors = false;  // ignoreStoreReadErrorWithClusterBreakingPotential
};
// `may_ignore_read_errors` is the gate AllowUnsafeMalformedObjectDeletion; without it that option
// is dropped. Errors: 400, 422.
Result<DeleteRequestOptions> delete_options_from_query(const Query& query,
                                                       bool may_ignore_read_errors);
// REQUIRES: `body` is a decoded DeleteOptions.
Result<DeleteRequestOptions> delete_options_from_body(const json::Value& body,
                                                      bool may_ignore_read_errors);
// Errors: 422 for an option that is invalid for deleting a collection.
Result<void> check_collection_options(const DeleteRequestOptions& remove);

}  // namespace tabernetes::server
