#include "admission/policy_params.h"

#include "admission/policy_matching.h"
#include "registry/meta/object_meta.h"
#include "registry/objects/object_record.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

using Params = std::vector<Value>;

tl::unexpected<std::string> failed(const char* why) {
  return tl::make_unexpected(std::string(why));
}

}  // namespace

tl::expected<const ResourceType*, std::string> param_type(const CompiledPolicy& policy,
                                                          const registry::Registry& registry) {
  const Value* wanted = policy.spec().find("paramKind");
  if (wanted == nullptr || wanted->is_null()) return nullptr;
  const std::string_view text = wanted->string_at("apiVersion"), kind = wanted->string_at("kind");
  const std::size_t slash = text.find('/');
  const std::string_view group = slash == text.npos ? "" : text.substr(0, slash);
  const std::string_view version = slash == text.npos ? text : text.substr(slash + 1);
  const ResourceType* type = registry.resources().find_kind(group, version, kind);
  if (type != nullptr) return type;
  std::string why = "failed to find resource referenced by paramKind: '";
  why.append(group).append("/").append(version).append(", Kind=").append(kind).append("'");
  return tl::make_unexpected(why);
}

tl::expected<Params, std::string> collect_params(const ResourceType* type, const Value& binding,
                                                 const PolicyRequest& request) {
  const Value* ref = binding.at({"spec", "paramRef"});
  if (type == nullptr || ref == nullptr || ref->is_null()) return Params{Value()};
  const bool namespaced = type->resource->namespaced;
  const std::string_view named = ref->string_at("namespace");
  const std::string_view ns = !namespaced ? "" : named.empty() ? request.ns() : named;
  if (namespaced && ns.empty()) {
    return failed(
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped "
        "resources");
  }
  if (!namespaced && !named.empty()) {
    return failed("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  Params params;
  json::Arena& arena = request.arena();
  registry::PendingWork* pending = request.request().context.pending;
  const store::Store& store = request.request().registry.store();
  const std::string_view name = ref->string_at("name");
  // Cloned, since the strings of the trees may be views of the records.
  if (!name.empty()) {
    const store::RecordPtr record = store.get(type->key(ns, name));
    if (record) {
      params.push_back(registry::read_object(*type, *record, arena, pending).clone(arena));
    }
  } else {
    const std::string prefix = type->collection_prefix(ns);
    store.tree().scan(prefix, store::prefix_end(prefix),
                      [&](std::string_view, const store::RecordPtr& record) {
                        const Value param = registry::read_object(*type, *record, arena, pending);
                        const Value* labels = registry::metadata_of(param)->find("labels");
                        if (selects(ref->find("selector"), labels)) {
                          params.push_back(param.clone(arena));
                        }
                        return true;
                      });
  }
  if (params.empty() && ref->string_at("parameterNotFoundAction") == "Deny") {
    return failed("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return params;
}

}  // namespace tabernetes::admission
