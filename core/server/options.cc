#include "server/options.h"

#include <vector>

#include "base/go_text.h"
#include "registry/object_meta_validation.h"

namespace tabernetes::server {
namespace {

using field::Path;
using json::Value;

constexpr std::string_view kIgnoreReadErrors = "ignoreStoreReadErrorWithClusterBreakingPotential";

ApiStatus invalid_options(std::string_view kind, const field::ErrorList& errors) {
  return field::invalid_status({"meta.k8s.io", std::string(kind)}, "", errors);
}

// A list of strings as Go prints it in errors: ["All","x"].
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

Result<registry::Propagation> parse_propagation(std::string_view policy, bool has_orphan) {
  field::ErrorList errors;
  const Path path("propagationPolicy");
  if (has_orphan) {
    errors.push_back(field::invalid(path, go_quote(policy),
                                    "orphanDependents and deletionPropagation cannot be both set"));
  }
  registry::Propagation propagation = registry::Propagation::kUnset;
  if (policy == "Orphan") {
    propagation = registry::Propagation::kOrphan;
  } else if (policy == "Background") {
    propagation = registry::Propagation::kBackground;
  } else if (policy == "Foreground") {
    propagation = registry::Propagation::kForeground;
  } else {
    errors.push_back(field::not_supported(path, go_quote(policy),
                                          {"Foreground", "Background", "Orphan", "nil"}));
  }
  if (!errors.empty()) return make_unexpected(invalid_options("DeleteOptions", errors));
  return propagation;
}

Result<void> set_dry_run(RemoveOptions& remove, const std::vector<std::string>& values) {
  field::ErrorList errors;
  remove.dry_run = check_dry_run(values, errors);
  if (!errors.empty()) return make_unexpected(invalid_options("DeleteOptions", errors));
  return {};
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
  if (!errors.empty()) return make_unexpected(invalid_options(kind, errors));
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
  if (!errors.empty()) return make_unexpected(invalid_options("ListOptions", errors));
  return options;
}

Result<RemoveOptions> delete_options_from_query(const Query& query) {
  RemoveOptions remove;
  TAB_TRY(remove.options.grace_period_seconds, query.integer("gracePeriodSeconds"));
  remove.options.orphan_dependents = query.boolean("orphanDependents");
  remove.ignore_read_errors = query.boolean(kIgnoreReadErrors).value_or(false);
  if (query.has("propagationPolicy")) {
    TAB_TRY(remove.options.propagation,
            parse_propagation(query.get("propagationPolicy"),
                              remove.options.orphan_dependents.has_value()));
  }
  if (const std::string_view uid = query.get("uid"); !uid.empty()) {
    remove.options.preconditions.uid = std::string(uid);
  }
  if (!query.get("resourceVersion").empty()) {
    remove.options.preconditions.resource_version = std::string(query.get("resourceVersion"));
  }
  TAB_CHECK(set_dry_run(remove, query.all("dryRun")));
  return remove;
}

Result<RemoveOptions> delete_options_from_body(const Value& body) {
  RemoveOptions remove;
  if (const Value* grace = body.find("gracePeriodSeconds"); grace != nullptr && grace->is_int()) {
    remove.options.grace_period_seconds = grace->as_int();
  }
  if (const Value* orphan = body.find("orphanDependents"); orphan != nullptr && orphan->is_bool()) {
    remove.options.orphan_dependents = orphan->as_bool();
  }
  const Value* ignore = body.find(kIgnoreReadErrors);
  remove.ignore_read_errors = ignore != nullptr && ignore->is_bool() && ignore->as_bool();
  if (const auto policy = string_member(&body, "propagationPolicy")) {
    TAB_TRY(remove.options.propagation,
            parse_propagation(*policy, remove.options.orphan_dependents.has_value()));
  }
  const Value* preconditions = body.find("preconditions");
  remove.options.preconditions.uid = string_member(preconditions, "uid");
  remove.options.preconditions.resource_version = string_member(preconditions, "resourceVersion");
  std::vector<std::string> dry_run;
  if (const Value* values = body.find("dryRun"); values != nullptr && values->is_array()) {
    for (const Value& value : values->items()) dry_run.emplace_back(value.as_string());
  }
  TAB_CHECK(set_dry_run(remove, dry_run));
  return remove;
}

Result<void> check_collection_options(const RemoveOptions& remove) {
  if (!remove.ignore_read_errors) return {};
  return make_unexpected(invalid_options(
      "DeleteOptions", {field::invalid(Path(std::string(kIgnoreReadErrors)), "true",
                                       "is not allowed with DELETECOLLECTION, try again after "
                                       "removing the option")}));
}

}  // namespace tabernetes::server
