#include "admission/policy_request.h"

#include <initializer_list>
#include <utility>

#include "registry/life/scale.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/object_versions.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::Operation;
using registry::ResourceType;

constexpr std::size_t kSuffixBytes = 5, kLongestPrefix = 58;  // for a generated name

// Returns the name that the client gave, or an empty text if it was generated.
std::string_view given_name(const Value& object, Operation operation) {
  const Value* meta = registry::metadata_of(object);
  const std::string_view name = meta->string_at("name"), prefix = meta->string_at("generateName");
  if (operation != Operation::kCreate || prefix.empty() || name.size() <= kSuffixBytes) return name;
  const std::string_view made_of = name.substr(0, name.size() - kSuffixBytes);
  const bool generated =
      made_of == prefix || (made_of.size() == kLongestPrefix && prefix.starts_with(made_of));
  return generated ? std::string_view() : name;
}

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

PolicyRequest::PolicyRequest(const AdmissionRequest& request) : request_(request), ns_(request.ns) {
  const ResourceType& type = request.type;
  name_ = given_name(is_deletion(request) ? *request.old : request.object, request.operation);
  if (is_namespace()) {
    ns_ = name_;
  } else if (!ns_.empty()) {
    namespace_ = request.registry.find_object({"", "v1", "namespaces"}, {}, ns_, arena());
  }
  object_ = request.object;
  if (request.old != nullptr) old_ = *request.old;
  if (!is_scale()) return;
  object_ = registry::scale_of(type, object_, arena());
  old_ = registry::scale_of(type, old_, arena());
}

std::string_view PolicyRequest::operation() const {
  if (is_deletion(request_)) return "DELETE";
  return request_.operation == Operation::kCreate ? "CREATE" : "UPDATE";
}

bool PolicyRequest::is_namespace() const {
  const schema::Resource& resource = *request_.type.resource;
  return resource.group.empty() && resource.kind == "Namespace";
}

Value PolicyRequest::in_version(const Value& object, const ResourceType& type) const {
  if (&type == &request_.type || object.is_null() || is_scale()) return object;
  return registry::in_version(request_.type, type, object, arena(), request_.context.pending);
}

Value PolicyRequest::kind_of(const ResourceType& type) const {
  if (is_scale()) {
    return texts(arena(), {{"group", "autoscaling"}, {"version", "v1"}, {"kind", "Scale"}});
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
  const std::string_view options_kind = is_deletion(request_) ? "DeleteOptions"
                                        : request_.operation == Operation::kCreate
                                            ? "CreateOptions"
                                            : "UpdateOptions";
  Value options = texts(arena, {{"kind", options_kind}, {"apiVersion", "meta.k8s.io/v1"}});
  if (request_.context.dry_run) {
    Value all = Value::array(arena);
    all.push_back(arena, Value::string("All"));
    options.append(arena, "dryRun", all);
  }
  add("options", options);
  return facts;
}

}  // namespace tabernetes::admission
