#include "server/request/options.h"

#include <vector>

#include "base/go/text.h"
#include "registry/meta/object_meta_validation.h"

namespace tabernetes::server {
namespace {

using field::Path;
using json::Value;

constexpr std::string_view kIgnoreReadErrors = "ignoreStoreReadErrorWithClusterBreakingPotential";

Failure invalid_options(std::string_view kind, const field::ErrorList& errors) {
  return field::invalid_status({"meta.k8s.io", std::string(kind)}, "", errors);
}

// Formats a list of strings as Go prints it in errors: ["All","x"].
std::string print_strings(const std::vector<std::string>& values) {
  std::string text = "[";
  for (const std::string& value : values) {
    if (text.size() > 1) text += ',';
    text += go_quote(value);
  }
  return text + "]";
}

bool check_dry_run(const std::vector<std::string>& values, field::ErrorList& errors) {
  for (const std::string& value : values) {
    if (value == "All") continue;
    errors.push_back(field::not_supported(Path("dryRun"), print_strings(values), {"All"}));
    break;
  }
  return !values.empty();
}

FieldValidation check_field_validation(std::string_view value, field::ErrorList& errors) {
  if (value.empty() || value == "Warn") return FieldValidation::kWarn;
  if (value == "Ignore") return FieldValidation::kIgnore;
  if (value == "Strict") return FieldValidation::kStrict;
  errors.push_back(field::not_supported(Path("fieldValidation"), go_quote(value),
                                        {"", "Ignore", "Strict", "Warn"}));
  return FieldValidation::kWarn;
}

void check_version_match(const ListOptions& options, field::ErrorList& errors) {
  const Path path("resourceVersionMatch");
  const std::string& match = options.resource_version_match;
  if (match.empty()) return;
  if (options.resource_version.empty()) {
    errors.push_back(field::forbidden(
        path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (!options.continue_token.empty()) {
    errors.push_back(
        field::forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  if (match != "Exact" && match != "NotOlderThan") {
    errors.push_back(field::not_supported(path, go_quote(match), {"Exact", "NotOlderThan", ""}));
  }
  if (match == "Exact" && options.resource_version == "0") {
    errors.push_back(field::forbidden(
        path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
  }
}

void check_watch(const ListOptions& options, bool watch_list, field::ErrorList& errors) {
  const Path path("resourceVersionMatch");
  const std::string& match = options.resource_version_match;
  if (options.send_initial_events && match != "NotOlderThan") {
    errors.push_back(field::forbidden(
        path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (options.send_initial_events && !watch_list) {
    errors.push_back(field::forbidden(
        Path("sendInitialEvents"),
        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
  }
  if (match.empty()) return;
  if (!options.send_initial_events) {
    errors.push_back(field::forbidden(
        path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match != "NotOlderThan") {
    errors.push_back(field::not_supported(path, go_quote(match), {"NotOlderThan"}));
  }
  if (!options.continue_token.empty()) {
    errors.push_back(
        field::forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
}

// DeleteOptions as sent.
struct SentDeleteOptions {
  DeleteRequestOptions remove;
  std::optional<std::string> policy;
  std::vector<std::string> dry_run;
  bool has_preconditions = false;
};

registry::Propagation propagation_of(std::string_view policy) {
  if (policy == "Orphan") return registry::Propagation::kOrphan;
  if (policy == "Background") return registry::Propagation::kBackground;
  if (policy == "Foreground") return registry::Propagation::kForeground;
  return registry::Propagation::kUnset;
}

// Rejects options that cannot be combined with ignoring read errors.
void check_ignore_read_errors(const SentDeleteOptions& sent, field::ErrorList& errors) {
  const registry::DeleteOptions& options = sent.remove.options;
  const std::pair<bool, std::string_view> others[] = {
      {!sent.dry_run.empty(), "dryRun"},
      {sent.policy.has_value(), "propagationPolicy"},
      {options.orphan_dependents.has_value(), "orphanDependents"},
      {options.grace_period_seconds.has_value(), "gracePeriodSeconds"},
      {sent.has_preconditions, "preconditions"},
  };
  for (const auto& [is_set, name] : others) {
    if (!is_set) continue;
    errors.push_back(field::invalid(Path(std::string(kIgnoreReadErrors)), "true",
                                    "cannot be set together with ." + std::string(name)));
  }
}

Result<DeleteRequestOptions> check_delete_options(SentDeleteOptions sent,
                                                  bool may_ignore_read_errors) {
  DeleteRequestOptions& remove = sent.remove;
  field::ErrorList errors;
  if (sent.policy) {
    const Path path("propagationPolicy");
    if (remove.options.orphan_dependents) {
      errors.push_back(
          field::invalid(path, go_quote(*sent.policy),
                         "orphanDependents and deletionPropagation cannot be both set"));
    }
    remove.options.propagation = propagation_of(*sent.policy);
    if (remove.options.propagation == registry::Propagation::kUnset) {
      errors.push_back(field::not_supported(path, go_quote(*sent.policy),
                                            {"Foreground", "Background", "Orphan", "nil"}));
    }
  }
  remove.dry_run = check_dry_run(sent.dry_run, errors);
  remove.ignore_read_errors = remove.ignore_read_errors && may_ignore_read_errors;
  if (remove.ignore_read_errors) check_ignore_read_errors(sent, errors);
  if (!errors.empty()) return invalid_options("DeleteOptions", errors);
  return std::move(remove);
}

std::optional<std::string> string_member(const Value* object, std::string_view name) {
  const Value* member = object == nullptr ? nullptr : object->find(name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return std::string(member->as_string());
}

}  // namespace

Result<WriteOptions> parse_write_options(const Query& query, std::string_view kind, bool applies) {
  field::ErrorList errors;
  WriteOptions options;
  options.field_manager = query.get("fieldManager");
  if (applies && options.field_manager.empty()) {
    errors.push_back(field::required(Path("fieldManager"), "is required for apply patch"));
  }
  if (!applies && kind == "PatchOptions" && query.boolean("force")) {
    errors.push_back(field::forbidden(Path("force"), "may not be specified for non-apply patch"));
  }
  registry::validate_field_manager(options.field_manager, Path("fieldManager"), errors);
  options.dry_run = check_dry_run(query.all("dryRun"), errors);
  options.field_validation = check_field_validation(query.get("fieldValidation"), errors);
  if (!errors.empty()) return invalid_options(kind, errors);
  return options;
}

Result<ListOptions> parse_list_options(const Query& query, bool watch_list) {
  ListOptions options;
  TAB_TRY(options.timeout_seconds, query.integer("timeoutSeconds"));
  TAB_TRY(const std::optional<std::int64_t> limit, query.integer("limit"));
  options.limit = limit.value_or(0);
  TAB_TRY(options.label_selector, registry::parse_label_selector(query.get("labelSelector")));
  TAB_TRY(options.field_selector, registry::parse_field_selector(query.get("fieldSelector")));
  options.watch = query.boolean("watch").value_or(false);
  options.allow_watch_bookmarks = query.boolean("allowWatchBookmarks").value_or(false);
  options.resource_version = query.get("resourceVersion");
  options.resource_version_match = query.get("resourceVersionMatch");
  options.continue_token = query.get("continue");
  options.send_initial_events = query.boolean("sendInitialEvents");

  const bool from_start = options.resource_version.empty() || options.resource_version == "0";
  if (watch_list && options.watch && from_start && !options.send_initial_events &&
      options.resource_version_match.empty()) {
    options.send_initial_events = true;
    options.resource_version_match = "NotOlderThan";
  }
  field::ErrorList errors;
  if (options.watch) {
    check_watch(options, watch_list, errors);
  } else {
    check_version_match(options, errors);
    if (options.send_initial_events) {
      errors.push_back(
          field::forbidden(Path("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
    }
  }
  if (!errors.empty()) return invalid_options("ListOptions", errors);
  return options;
}

Result<DeleteRequestOptions> delete_options_from_query(const Query& query,
                                                       bool may_ignore_read_errors) {
  SentDeleteOptions sent;
  DeleteRequestOptions& remove = sent.remove;
  TAB_TRY(remove.options.grace_period_seconds, query.integer("gracePeriodSeconds"));
  remove.options.orphan_dependents = query.boolean("orphanDependents");
  remove.ignore_read_errors = query.boolean(kIgnoreReadErrors).value_or(false);
  if (query.has("propagationPolicy")) sent.policy = std::string(query.get("propagationPolicy"));
  registry::Preconditions& preconditions = remove.options.preconditions;
  if (!query.get("uid").empty()) preconditions.uid = std::string(query.get("uid"));
  if (!query.get("resourceVersion").empty()) {
    preconditions.resource_version = std::string(query.get("resourceVersion"));
  }
  sent.has_preconditions = preconditions.uid || preconditions.resource_version;
  sent.dry_run = query.all("dryRun");
  return check_delete_options(std::move(sent), may_ignore_read_errors);
}

Result<DeleteRequestOptions> delete_options_from_body(const Value& body,
                                                      bool may_ignore_read_errors) {
  SentDeleteOptions sent;
  DeleteRequestOptions& remove = sent.remove;
  if (const Value* grace = body.find("gracePeriodSeconds"); grace != nullptr && grace->is_int()) {
    remove.options.grace_period_seconds = grace->as_int();
  }
  if (const Value* orphan = body.find("orphanDependents"); orphan != nullptr && orphan->is_bool()) {
    remove.options.orphan_dependents = orphan->as_bool();
  }
  const Value* ignore = body.find(kIgnoreReadErrors);
  remove.ignore_read_errors = ignore != nullptr && ignore->is_bool() && ignore->as_bool();
  sent.policy = string_member(&body, "propagationPolicy");
  const Value* preconditions = body.find("preconditions");
  sent.has_preconditions = preconditions != nullptr;
  remove.options.preconditions.uid = string_member(preconditions, "uid");
  remove.options.preconditions.resource_version = string_member(preconditions, "resourceVersion");
  if (const Value* values = body.find("dryRun"); values != nullptr && values->is_array()) {
    for (const Value& value : values->items()) sent.dry_run.emplace_back(value.as_string());
  }
  return check_delete_options(std::move(sent), may_ignore_read_errors);
}

Result<void> check_collection_options(const DeleteRequestOptions& remove) {
  if (!remove.ignore_read_errors) return {};
  return invalid_options("DeleteOptions",
                         {field::invalid(Path(std::string(kIgnoreReadErrors)), "true",
                                         "is not allowed with DELETECOLLECTION, try again after "
                                         "removing the option")});
}

}  // namespace tabernetes::server
