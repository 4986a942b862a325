#include "admission/policy_request.h"

#include <initializer_list>
#include <utility>

#include "admission/request.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/object_versions.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

struct OperationRow {
  std::string_view name, options;
};

// In the order of the enumeration. A connection's options are its object.
constexpr OperationRow kOperations[] = {{"CREATE", "CreateOptions"},
                                        {"UPDATE", "UpdateOptions"},
                                        {"DELETE", "DeleteOptions"},
                                        {"CONNECT", {}}};

Value texts(json::Arena& arena,
            std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  Value object = Value::object(arena);
  for (const auto& [key, text] : members) object.append(arena, key, Value::string(text));
  return object;
}

Value list_of(const std::vector<std::string>& items, json::Arena& arena) {
  Value list = Value::array(arena);
  for (const std::string& item : items) list.push_back(arena, Value::string(item));
  return list;
}

Value resource_of(const ResourceType& type, json::Arena& arena) {
  const schema::Resource& resource = *type.resource;
  return texts(
      arena,
      {{"group", resource.group}, {"version", resource.version}, {"resource", resource.plural}});
}

}  // namespace

PolicyRequest::PolicyRequest(const AdmissionRequest& request)
    : request_(request), name_(request.name), ns_(request.ns) {
  if (is_namespace()) {
    ns_ = name_;
  } else if (!ns_.empty()) {
    namespace_ = request.registry.find_object({"", "v1", "namespaces"}, {}, ns_, arena());
  }
  object_ = request.object;
  if (request.old != nullptr) old_ = *request.old;
}

std::string_view PolicyRequest::operation() const {
  return kOperations[static_cast<std::size_t>(request_.operation)].name;
}

bool PolicyRequest::is_namespace() const { return admission::is_namespace(request_); }

const schema::Subresource* PolicyRequest::subresource_of(const ResourceType& type) const {
  return subresource().empty() ? nullptr : type.resource->find_subresource(subresource());
}

bool PolicyRequest::is_of_own_kind() const {
  const schema::Subresource* part = subresource_of(request_.type);
  return part != nullptr && part->kind != request_.type.resource->kind;
}

Value PolicyRequest::in_version(const Value& object, const ResourceType& type) const {
  if (&type == &request_.type || object.is_null() || is_of_own_kind()) return object;
  return registry::in_version(request_.type, type, object, arena(), request_.context.pending);
}

Value PolicyRequest::kind_of(const ResourceType& type) const {
  const schema::Subresource* part = subresource_of(type);
  if (part != nullptr && is_of_own_kind()) {
    return texts(arena(),
                 {{"group", part->group}, {"version", part->version}, {"kind", part->kind}});
  }
  const schema::Resource& resource = *type.resource;
  return texts(arena(),
               {{"group", resource.group}, {"version", resource.version}, {"kind", resource.kind}});
}

Value PolicyRequest::user() const {
  const registry::User& user = *request_.context.user;
  Value shown = texts(arena(), {{"username", user.name}, {"uid", user.uid}});
  shown.append(arena(), "groups", list_of(user.groups, arena()));
  if (user.extra.empty()) return shown;
  Value extra = Value::object(arena());
  for (const auto& [key, values] : user.extra) extra.append(arena(), key, list_of(values, arena()));
  shown.append(arena(), "extra", extra);
  return shown;
}

Value PolicyRequest::facts(const ResourceType& matched) const {
  json::Arena& arena = this->arena();
  Value facts = texts(arena, {{"operation", operation()}});
  const auto add = [&](std::string_view key, const Value& value) {
    facts.append(arena, key, value);
  };
  add("kind", kind_of(matched));
  add("resource", resource_of(matched, arena));
  add("requestKind", kind_of(request_.type));
  add("requestResource", resource_of(request_.type, arena));
  for (const auto& [key, text] :
       {std::pair{"subResource", subresource()}, std::pair{"requestSubResource", subresource()},
        std::pair{"name", name_}, std::pair{"namespace", ns_}}) {
    if (!text.empty()) add(key, Value::string(text));
  }
  add("userInfo", user());
  add("dryRun", Value::boolean(request_.context.dry_run));
  add("options", options());
  return facts;
}

Value PolicyRequest::options() const {
  const std::string_view kind = kOperations[static_cast<std::size_t>(request_.operation)].options;
  if (kind.empty()) return {};
  json::Arena& arena = this->arena();
  Value options = texts(arena, {{"kind", kind}, {"apiVersion", "meta.k8s.io/v1"}});
  if (!request_.context.dry_run) return options;
  Value all = Value::array(arena);
  all.push_back(arena, Value::string("All"));
  options.append(arena, "dryRun", all);
  return options;
}

}  // namespace tabernetes::admission
