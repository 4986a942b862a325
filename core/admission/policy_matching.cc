#include "admission/policy_matching.h"

#include "admission/request.h"
#include "kinds/shared/selectors.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

bool has_or_star(const Value& rule, std::string_view list, std::string_view wanted) {
  const Value* items = rule.find(list);
  if (items == nullptr) return false;
  for (const Value& item : items->items()) {
    if (item.as_string() == "*" || item.as_string() == wanted) return true;
  }
  return false;
}

bool names_resource(const Value& rule, std::string_view plural, std::string_view subresource) {
  const Value* items = rule.find("resources");
  if (items == nullptr) return false;
  for (const Value& item : items->items()) {
    const std::string_view text = item.as_string();
    const std::size_t slash = text.find('/');
    const std::string_view resource = text.substr(0, slash);
    const std::string_view sub = slash == text.npos ? "" : text.substr(slash + 1);
    if ((resource == "*" || resource == plural) && (sub == "*" || sub == subresource)) return true;
  }
  return false;
}

bool in_scope(const Value& rule, const PolicyRequest& request) {
  const std::string_view scope = rule.string_at("scope");
  if (scope.empty() || scope == "*") return true;
  const bool cluster = request.is_namespace() || request.ns().empty();
  return scope == (cluster ? "Cluster" : "Namespaced");
}

bool names_object(const Value& rule, std::string_view name) {
  const Value* names = rule.find("resourceNames");
  if (names == nullptr || names->size() == 0) return true;
  for (const Value& item : names->items()) {
    if (item.as_string() == name) return true;
  }
  return false;
}

// Returns whether the rule matches the request as a request for `type`.
bool matches(const Value& rule, const PolicyRequest& request, const ResourceType& type) {
  const schema::Resource& resource = *type.resource;
  return in_scope(rule, request) && has_or_star(rule, "operations", request.operation()) &&
         has_or_star(rule, "apiGroups", resource.group) &&
         has_or_star(rule, "apiVersions", resource.version) &&
         names_resource(rule, resource.plural, request.subresource()) &&
         names_object(rule, request.name());
}

const ResourceType* match_rules(const Value& resources, std::string_view member,
                                const PolicyRequest& request) {
  const Value* rules = resources.find(member);
  const ResourceType& own = request.request().type;
  if (rules == nullptr) return nullptr;
  for (const Value& rule : rules->items()) {
    if (matches(rule, request, own)) return &own;
  }
  if (resources.string_at("matchPolicy") != "Equivalent") return nullptr;
  for (const Value& rule : rules->items()) {
    for (const ResourceType* other : request.equivalents()) {
      if (matches(rule, request, *other)) return other;
    }
  }
  return nullptr;
}

const Value* labels_of(const Value& object) {
  const Value* meta = object.is_object() ? registry::metadata_of(object) : nullptr;
  return meta == nullptr ? nullptr : meta->find("labels");
}

bool is_in_namespaces(const Value* selector, const PolicyRequest& request) {
  if (request.ns().empty() && !request.is_namespace()) return true;
  // The caller finds out that it is missing.
  if (request.lacks_namespace()) return true;
  if (!request.is_namespace()) return selects(selector, labels_of(request.namespace_object()));
  const bool changes_itself = !is_deletion(request.request()) && request.subresource().empty();
  return selects(selector, labels_of(changes_itself ? request.object() : request.old()));
}

bool is_object(const Value* selector, const PolicyRequest& request) {
  if (selector == nullptr) return true;
  if (selector->size() == 0) return true;
  const Value& object = request.object();
  const Value& old = request.old();
  return (object.is_object() && selects(selector, labels_of(object))) ||
         (old.is_object() && selects(selector, labels_of(old)));
}

}  // namespace

bool selects(const Value* selector, const Value* labels) {
  if (selector == nullptr) return true;
  static const Value none;
  field::ErrorList unused;
  const registry::validation::Field terms(*selector, unused);
  const registry::validation::Field found(labels == nullptr ? none : *labels, unused);
  return registry::kinds::selects(terms, found);
}

const ResourceType* match(const Value& resources, const PolicyRequest& request) {
  const Value* rules = resources.find("resourceRules");
  const bool any_resource = rules == nullptr || rules->size() == 0;
  const ResourceType* matched =
      any_resource ? &request.request().type : match_rules(resources, "resourceRules", request);
  if (matched == nullptr || !is_in_namespaces(resources.find("namespaceSelector"), request) ||
      !is_object(resources.find("objectSelector"), request) ||
      match_rules(resources, "excludeResourceRules", request) != nullptr) {
    return nullptr;
  }
  return matched;
}

Result<const ResourceType*> match_webhook(const Value& webhook, const PolicyRequest& request) {
  const ResourceType* matched = match_rules(webhook, "rules", request);
  const Value* namespaces = webhook.find("namespaceSelector");
  if (matched == nullptr || !is_in_namespaces(namespaces, request) ||
      !is_object(webhook.find("objectSelector"), request)) {
    return nullptr;
  }
  if (request.lacks_namespace() && namespaces != nullptr && namespaces->size() > 0) {
    return errors::not_found({"", "namespaces"}, request.ns());
  }
  return matched;
}

}  // namespace tabernetes::admission
