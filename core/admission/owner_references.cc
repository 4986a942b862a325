// OwnerReferencesPermissionEnforcement: who names an owner must be able to delete the object, and
// to set finalizers on an owner whose deletion it blocks. Source: upstream 1.36
// plugin/pkg/admission/gc.

#include <string>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;

json::Range<Value> owners_of(const Value& object) {
  return items_at(object, {"metadata", "ownerReferences"});
}

bool changes_owners(const AdmissionRequest& request) {
  const auto now = owners_of(request.object);
  if (request.old == nullptr) return !now.empty();
  const auto before = owners_of(*request.old);
  if (now.size() != before.size()) return true;
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    if (!json::deep_equal(now[i], before[i])) return true;
  }
  return false;
}

bool blocks(const Value& owner) { return bool_at(owner, {"blockOwnerDeletion"}); }

// Returns the references that block the deletion of their owner and did not do so before.
std::vector<const Value*> newly_blocking(const AdmissionRequest& request) {
  std::vector<const Value*> found;
  for (const Value& owner : owners_of(request.object)) {
    if (!blocks(owner)) continue;
    bool blocked = false;
    if (request.old != nullptr) {
      for (const Value& before : owners_of(*request.old)) {
        blocked = blocked || (before.string_at("uid") == owner.string_at("uid") && blocks(before));
      }
    }
    if (!blocked) found.push_back(&owner);
  }
  return found;
}

// Formats an authorizer's reason and error as Go prints them.
std::string shown(const AccessAnswer& answer) {
  return answer.reason + ", " + (answer.error.empty() ? "<nil>" : answer.error);
}

Result<void> check_owner(const AdmissionRequest& request, const AccessCheck& check,
                         const Value& owner) {
  const std::string_view version = owner.string_at("apiVersion"), kind = owner.string_at("kind");
  const std::size_t slash = version.find('/');
  const std::string_view group = slash == version.npos ? "" : version.substr(0, slash);
  const std::string_view name = slash == version.npos ? version : version.substr(slash + 1);
  const registry::ResourceType* type = request.registry.resources().find_kind(group, name, kind);
  if (type == nullptr) {
    std::string why = "cannot set blockOwnerDeletion in this case because cannot find RESTMapping ";
    why.append("for APIVersion ").append(version).append(" Kind ").append(kind);
    why.append(": no matches for kind \"").append(kind).append("\" in version \"");
    why.append(version).append("\"");
    return refusal(request, why);
  }
  const AccessQuestion question{*request.context.user,
                                "update",
                                type->resource->group,
                                type->resource->version,
                                type->resource->plural,
                                "finalizers",
                                type->resource->namespaced ? request.ns : std::string_view(),
                                owner.string_at("name")};
  const AccessAnswer answer = ask_access(check, question);
  if (answer.allowed) return {};
  return refusal(request,
                 "cannot set blockOwnerDeletion if an ownerReference refers to a resource you "
                 "can't set finalizers on: " +
                     shown(answer));
}

}  // namespace

Result<void> check_owner_permissions(const AdmissionRequest& request, PluginState& state) {
  const registry::User* user = request.context.user;
  if (user == nullptr || !request.object.is_object() || !changes_owners(request)) return {};
  const schema::Resource& resource = *request.type.resource;
  // A binding keeps the pod's owners.
  if (resource.group.empty() && resource.plural == "pods" &&
      request.context.subresource == "status") {
    return {};
  }
  if (request.operation != registry::Operation::kCreate) {
    const AccessQuestion question{*user,           "delete",
                                  resource.group,  resource.version,
                                  resource.plural, request.context.subresource,
                                  request.ns,      request.name};
    const AccessAnswer answer = ask_access(state.may_access, question);
    if (!answer.allowed) {
      return refusal(request,
                     "cannot set an ownerRef on a resource you can't delete: " + shown(answer));
    }
  }
  const std::vector<const Value*> blocking = newly_blocking(request);
  if (blocking.empty()) return {};
  const AccessQuestion anything{*user, "update", "*", "*", "*", "finalizers", {}, "*"};
  if (ask_access(state.may_access, anything).allowed) return {};
  for (const Value* owner : blocking) TAB_CHECK(check_owner(request, state.may_access, *owner));
  return {};
}

}  // namespace tabernetes::admission
