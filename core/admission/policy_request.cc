#include "admission/policy_request.h"

#include <initializer_list>
#include <utility>

#include "admission/request.h"
#include "base/api/api_version.h"
#include "base/go/text.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"

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

PolicyRequest::PolicyRequest(const AdmissionRequest& request,
                             const std::vector<const ResourceType*>& equivalents,
                             const AccessCheck& may_access)
    : request_(request),
      equivalents_(equivalents),
      may_access_(may_access),
      name_(request.name),
      ns_(request.ns) {
  if (is_namespace()) ns_ = name_;
  if (request.old != nullptr) old_ = *request.old;
}

const Value& PolicyRequest::namespace_object() const {
  if (!namespace_) {
    namespace_ = ns_.empty() || is_namespace()
                     ? Value()
                     : request_.registry.find_object({"", "v1", "namespaces"}, {}, ns_, arena());
  }
  return *namespace_;
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

Value PolicyRequest::from_version(const Value& object, const ResourceType& type) const {
  if (&type == &request_.type || object.is_null() || is_of_own_kind()) return object;
  return registry::in_version(type, request_.type, object, arena(), request_.context.pending);
}

// A patch may change the kind; then the object must be one of that kind, and is still none of the
// request's.
Result<void> PolicyRequest::check_kind(const Value& patched, const Kind& expected) const {
  const Value* named = patched.find("kind");
  const Value* api_version = patched.find("apiVersion");
  const std::string_view kind =
      named != nullptr && named->is_string() && !named->as_string().empty() ? named->as_string()
                                                                            : expected.kind;
  std::string_view group = expected.group, version = expected.version;
  if (api_version != nullptr && api_version->is_string() && !api_version->as_string().empty()) {
    const ApiVersionParts given = split_api_version(api_version->as_string());
    group = given.group;
    version = given.version;
  }
  if (kind == expected.kind && group == expected.group && version == expected.version) return {};
  const ResourceType* other = request_.registry.resources().find_kind(group, version, kind);
  if (other == nullptr || !other->built_in()) {
    return errors::internal_error(
        "no kind " + go_quote(kind) + " is registered for version " +
        go_quote((group.empty() ? "" : std::string(group) + "/") + std::string(version)) +
        " in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\"");
  }
  const schema::DecodeResult result =
      other->behaviour->decode(patched, arena(), registry::DecodeFor::kObject);
  if (!result.error.empty()) return errors::internal_error(result.error);
  const std::string package(
      expected.group.empty() ? "core" : expected.group.substr(0, expected.group.find('.')));
  return errors::plain_error("converting (" + std::string(version) + "." + std::string(kind) +
                             ") to (" + package + "." + std::string(expected.kind) +
                             "): unknown conversion");
}

Result<Value> PolicyRequest::decoded(const Value& patched, const ResourceType& type) const {
  const schema::Subresource* part = subresource_of(type);
  if (part != nullptr && is_of_own_kind()) {
    TAB_CHECK(check_kind(patched, {part->group, part->version, part->kind}));
  } else if (type.built_in()) {
    const schema::Resource& resource = *type.resource;
    TAB_CHECK(check_kind(patched, {resource.group, resource.version, resource.kind}));
  }
  const schema::DecodeResult result =
      is_of_own_kind()
          ? schema::decode_typed(*subresource_of(request_.type)->type, patched, arena())
          : type.behaviour->decode(patched, arena(), registry::DecodeFor::kAdmission);
  if (!result.error.empty()) return errors::internal_error(result.error);
  return result.value;
}

void PolicyRequest::set_defaults(Value& object, const ResourceType& type) const {
  if (is_of_own_kind()) {
    schema::apply_defaults(*subresource_of(request_.type)->type, object, arena());
  } else {
    type.behaviour->apply_defaults(request_.registry.hook_context(request_.context), object);
  }
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
  Value shown = texts(arena(), {{"username", user.name}});
  if (!user.uid.empty()) shown.append(arena(), "uid", Value::string(user.uid));
  shown.append(arena(), "groups", list_of(user.groups, arena()));
  if (user.extra.empty()) return shown;
  Value extra = Value::object(arena());
  for (const auto& [key, values] : user.extra) extra.append(arena(), key, list_of(values, arena()));
  shown.append(arena(), "extra", extra);
  return shown;
}

PolicyInputs PolicyRequest::inputs(const ResourceType& matched, const Value& params) const {
  PolicyInputs inputs{in_version(object(), matched),
                      in_version(old(), matched),
                      namespace_object(),
                      facts(matched),
                      params,
                      arena(),
                      this};
  const schema::Resource& resource = *request_.type.resource;
  inputs.request_resource.group = resource.group;
  inputs.request_resource.version = resource.version;
  inputs.request_resource.resource = resource.plural;
  inputs.request_resource.subresource = subresource();
  inputs.request_resource.ns = ns_;
  inputs.request_resource.name = name_;
  return inputs;
}

cel::AccessDecision PolicyRequest::decide(const cel::AccessState& asked) const {
  registry::User user = *request_.context.user;
  if (!asked.account.empty()) {
    const std::string ns(asked.account_namespace);
    user = {.name = "system:serviceaccount:" + ns + ":" + std::string(asked.account),
            .uid = {},
            .groups = {"system:serviceaccounts", "system:serviceaccounts:" + ns,
                       "system:authenticated"},
            .extra = {}};
  }
  const AccessAnswer answer =
      ask_access(may_access_, {user, asked.verb, asked.group, asked.version, asked.resource,
                               asked.subresource, asked.ns, asked.name, asked.path});
  return {answer.allowed, answer.reason, answer.error};
}

Value PolicyRequest::facts(const ResourceType& matched, const Objects* objects) const {
  json::Arena& arena = this->arena();
  Value facts = Value::object(arena);
  const auto add = [&](std::string_view key, const Value& value) {
    facts.append(arena, key, value);
  };
  const auto add_text = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) add(key, Value::string(text));
  };
  add("kind", kind_of(matched));
  add("resource", resource_of(matched, arena));
  add_text("subResource", subresource());
  add("requestKind", kind_of(request_.type));
  add("requestResource", resource_of(request_.type, arena));
  add_text("requestSubResource", subresource());
  add_text("name", name_);
  add_text("namespace", ns_);
  add("operation", Value::string(operation()));
  add("userInfo", user());
  if (objects != nullptr) {
    add("object", objects->object);
    add("oldObject", objects->old);
  }
  add("dryRun", Value::boolean(request_.context.shows_dry_run()));
  add("options", options());
  return facts;
}

Value PolicyRequest::options() const {
  if (request_.operation == registry::Operation::kConnect) return {};
  json::Arena& arena = this->arena();
  const Value& given = request_.context.options;
  const std::string_view kind = kOperations[static_cast<std::size_t>(request_.operation)].options;
  Value options = texts(arena, {{"kind", kind}, {"apiVersion", "meta.k8s.io/v1"}});
  if (given.is_object()) {
    for (const json::Member& member : given.members()) {
      // A patch is shown as a creation or an update.
      if (member.key == "kind" || member.key == "apiVersion" || member.key == "force") continue;
      options.append(arena, member.key, member.value);
    }
  } else if (request_.context.dry_run) {
    Value all = Value::array(arena);
    all.push_back(arena, Value::string("All"));
    options.append(arena, "dryRun", all);
  }
  return options;
}

}  // namespace tabernetes::admission
