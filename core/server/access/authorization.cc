#include "server/access/authorization.h"

#include "base/api/names.h"
#include "base/text/ascii.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::server {
namespace {

std::string_view verb_of(std::string_view method) {
  static constexpr std::pair<std::string_view, std::string_view> kVerbs[] = {
      {"POST", "create"}, {"GET", "get"},     {"HEAD", "get"},
      {"PUT", "update"},  {"PATCH", "patch"}, {"DELETE", "delete"},
  };
  for (const auto& [name, verb] : kVerbs) {
    if (name == method) return verb;
  }
  return {};
}

// Returns the name that a field selector restricts a list to.
std::string selected_name(const Query& query) {
  const auto selector = registry::parse_field_selector(query.get("fieldSelector"));
  if (!selector || !query.integer("limit") || !query.integer("timeoutSeconds")) return {};
  const std::string name(selector->requires_exact_match("metadata.name").value_or(""));
  return path_segment_faults(name).empty() ? name : std::string();
}

}  // namespace

RequestAttributes::RequestAttributes(const RequestContext& call, std::string_view target,
                                     const ResourcePath* resource)
    : resource_(resource) {
  const std::string& method = call.request.method;
  if (resource == nullptr) {
    path_ = percent_decode(target, PlusSign::kLiteral);
    for (const char c : method) verb_ += ascii_lower(c);
    return;
  }
  name_ = resource->name;
  ns_ = resource->resource == "namespaces" ? resource->name : resource->ns;
  verb_ = resource->watch_prefix ? "watch" : verb_of(method);
  if (!name_.empty()) return;
  if (verb_ == "delete") {
    verb_ = "deletecollection";
    field_selector_ = call.query.get("fieldSelector");
    label_selector_ = call.query.get("labelSelector");
  }
  if (verb_ != "get") return;
  verb_ = call.query.boolean("watch").value_or(false) ? "watch" : "list";
  name_ = selected_name(call.query);
  field_selector_ = call.query.get("fieldSelector");
  label_selector_ = call.query.get("labelSelector");
}

auth::Attributes RequestAttributes::of(const RequestContext& call) const {
  auth::Attributes attributes{
      .user = call.user, .verb = verb_, .on_resource = resource_ != nullptr};
  attributes.path = path_;
  if (resource_ == nullptr) return attributes;
  attributes.group = resource_->group;
  attributes.version = resource_->version;
  attributes.resource = resource_->resource;
  attributes.subresource = resource_->subresource;
  attributes.ns = ns_;
  attributes.name = name_;
  attributes.field_selector = field_selector_;
  attributes.label_selector = label_selector_;
  return attributes;
}

auth::Attributes creation(const RequestContext& call) {
  auth::Attributes attributes{.user = call.user, .verb = "create"};
  attributes.group = call.type->resource->group;
  attributes.version = call.type->resource->version;
  attributes.resource = call.type->resource->plural;
  if (call.subresource != nullptr) attributes.subresource = call.subresource->name;
  attributes.ns = call.ns;
  attributes.name = call.name;
  return attributes;
}

Result<void> check_may_create(const RequestContext& call) {
  return auth::check_access(call.authorizer, creation(call));
}

}  // namespace tabernetes::server
