#include "server/watch/watch_content.h"

#include "store/tree.h"

namespace tabernetes::server {
namespace {

// Returns whether the value can name a namespace or object; other values match no object.
bool is_segment(std::string_view value) {
  return !value.empty() && value.find('/') == std::string_view::npos;
}

}  // namespace

bool WatchKey::covers(std::string_view key) const {
  return scope.back() == '/' ? key.starts_with(scope) : key == scope;
}

std::string WatchKey::scope_end() const {
  return scope.back() == '/' ? store::prefix_end(scope) : scope + '\0';
}

bool WatchKey::shows(const store::Record& record) const {
  return covers(record.key) &&
         (selector.everything() || selector.matches(*type, record.key, record));
}

std::string WatchKey::id() const {
  // Text chosen by the client comes last, with its length before it, so that ids are unambiguous.
  const std::string labels = selector.labels.to_string();
  std::string id = std::to_string(type->id) + ",";
  for (const int choice : {static_cast<int>(form.encoding), static_cast<int>(form.transform),
                           static_cast<int>(form.meta_version == "v1"), static_cast<int>(include),
                           static_cast<int>(scope.size()), static_cast<int>(labels.size())}) {
    id.append(std::to_string(choice)).append(",");
  }
  return id.append(scope).append(labels).append(selector.fields.to_string());
}

std::string watch_scope(const registry::ResourceType& type, std::string_view ns,
                        std::string_view name, const registry::FieldSelector& fields) {
  const bool namespaced = type.resource->namespaced;
  if (namespaced && ns.empty()) {
    const auto wanted = fields.requires_exact_match("metadata.namespace");
    if (wanted && is_segment(*wanted)) ns = *wanted;
  }
  if (name.empty()) {
    const auto wanted = fields.requires_exact_match("metadata.name");
    if (wanted && is_segment(*wanted)) name = *wanted;
  }
  if (name.empty() || (namespaced && ns.empty())) return type.collection_prefix(ns);
  return type.key(ns, name);
}

}  // namespace tabernetes::server
