// serviceaccounts/token: issues a token for an account, valid for a limited time and while the
// object it is bound to exists. Source: upstream 1.36
// pkg/registry/core/serviceaccount/storage/token.go, pkg/serviceaccount/claims.go.

#include "base/go/text.h"
#include "base/numbers/entropy.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/verbs/core_object.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::Value;

constexpr std::int64_t kDefaultSeconds = 3600;
constexpr std::int64_t kWarnOnlySeconds = 3607;                // requested for pods' own tokens
constexpr std::int64_t kExtendedSeconds = 365 * 24 * 60 * 60;  // granted instead
constexpr std::string_view kGroup = "authentication.k8s.io";

// The name of the request, if set, must be the account's.
Result<void> check_name(const RequestContext& call, std::string_view given) {
  if (given.empty() || given == call.name) return {};
  return field::invalid_status(
      {std::string(kGroup), "TokenRequest"}, call.name,
      {field::invalid(field::Path("metadata.name"), go_quote(given),
                      "must match the service account name if specified")});
}

Result<void> check_seconds(std::int64_t seconds) {
  std::string_view why;
  if (seconds < 600) why = "may not specify a duration less than 10 minutes";
  if (seconds > std::int64_t{1} << 32) why = "may not specify a duration larger than 2^32 seconds";
  if (why.empty()) return {};
  return field::invalid_status(
      {std::string(kGroup), "TokenRequest"}, "",
      {field::invalid(field::Path("spec.expirationSeconds"), std::to_string(seconds), why)});
}

// Returns the claim that identifies an object.
Value reference(const Value& object, Arena& arena) {
  Value ref = Value::object(arena);
  for (const std::string_view field : {"name", "uid"}) {
    const std::string_view value = text_at(object, {"metadata", field});
    if (!value.empty()) ref.append(arena, field, Value::string(value));
  }
  return ref;
}

// The objects that a token is bound to, as claims in upstream's order.
struct Binding {
  Value node, pod, secret;  // null: not bound to one
};

// Returns the node of a pod; if it does not exist, only its name.
Value node_of(RequestContext& call, const Value& pod) {
  const std::string_view name = text_at(pod, {"spec", "nodeName"});
  if (name.empty()) return {};
  if (const auto node = read_core_object(call, "nodes", {}, name))
    return reference(*node, call.arena);
  Value ref = Value::object(call.arena);
  ref.append(call.arena, "name", Value::string(name));
  return ref;
}

Failure other_uid(std::string_view kind, std::string_view name, std::string_view uid) {
  return errors::conflict({"", std::string(kind)}, name,
                          "the UID in the bound object reference (" + std::string(uid) +
                              ") does not match the UID in record. The object might have been "
                              "deleted and then recreated");
}

// Returns `/v1, Kind=ConfigMap`.
std::string shown_kind(const Value& ref) {
  const std::string_view api_version = ref.string_at("apiVersion");
  const std::size_t slash = api_version.find('/');
  const std::string group(slash == std::string_view::npos ? "" : api_version.substr(0, slash));
  const std::string version(slash == std::string_view::npos ? api_version
                                                            : api_version.substr(slash + 1));
  return group + "/" + version + ", Kind=" + std::string(ref.string_at("kind"));
}

Result<Binding> bind_to(RequestContext& call, const Value& ref) {
  Binding binding;
  const std::string_view kind = ref.string_at("kind");
  const std::string_view name = ref.string_at("name");
  const bool core = ref.string_at("apiVersion").find('/') == std::string_view::npos;
  Value bound;
  if (core && kind == "Pod") {
    TAB_TRY(bound, read_core_object(call, "pods", call.ns, name));
    if (text_at(bound, {"spec", "serviceAccountName"}) != call.name) {
      return errors::bad_request("cannot bind token for serviceaccount \"" + call.name +
                                 "\" to pod running with different serviceaccount name.");
    }
    binding.pod = reference(bound, call.arena);
    binding.node = node_of(call, bound);
  } else if (core && kind == "Node") {
    TAB_TRY(bound, read_core_object(call, "nodes", {}, name));
    binding.node = reference(bound, call.arena);
  } else if (core && kind == "Secret") {
    TAB_TRY(bound, read_core_object(call, "secrets", call.ns, name));
    binding.secret = reference(bound, call.arena);
  } else {
    return errors::bad_request("cannot bind token to object of type " + shown_kind(ref));
  }
  const std::string_view uid = ref.string_at("uid");
  if (!uid.empty() && uid != text_at(bound, {"metadata", "uid"})) {
    return other_uid(kind, name, uid);
  }
  return binding;
}

// Returns whether the server is the only audience.
bool is_for_server(const Value& audiences) {
  for (const Value& audience : audiences.items()) {
    if (audience.as_string() != auth::kIssuer) return false;
  }
  return true;
}

Value claims_for(RequestContext& call, const Value& account, const Value& spec,
                 const Binding& binding, std::string_view id) {
  Arena& arena = call.arena;
  const std::int64_t now = call.now.unix_seconds();
  const std::int64_t asked = spec.find("expirationSeconds")->as_int();
  const Value& audiences = *spec.find("audiences");
  const bool extended =
      binding.pod.is_object() && asked == kWarnOnlySeconds && is_for_server(audiences);
  Value kubernetes = Value::object(arena);
  kubernetes.append(arena, "namespace", Value::string(call.ns));
  if (binding.node.is_object()) kubernetes.append(arena, "node", binding.node);
  if (binding.pod.is_object()) kubernetes.append(arena, "pod", binding.pod);
  if (binding.secret.is_object()) kubernetes.append(arena, "secret", binding.secret);
  kubernetes.append(arena, "serviceaccount", reference(account, arena));
  if (extended) kubernetes.append(arena, "warnafter", Value::integer(now + asked));
  Value claims = Value::object(arena);
  claims.append(arena, "aud", audiences);
  claims.append(arena, "exp", Value::integer(now + (extended ? kExtendedSeconds : asked)));
  claims.append(arena, "iat", Value::integer(now));
  claims.append(arena, "iss", Value::string(auth::kIssuer));
  claims.append(arena, "jti", Value::string(id));
  claims.append(arena, "kubernetes.io", kubernetes);
  claims.append(arena, "nbf", Value::integer(now));
  claims.append(arena, "sub",
                Value::string(arena.copy("system:serviceaccount:" + call.ns + ":" + call.name)));
  return claims;
}

void fill_audiences(Value& spec, Arena& arena) {
  const Value* audiences = spec.find("audiences");
  if (audiences != nullptr && audiences->size() > 0) return;
  Value own = Value::array(arena);
  own.push_back(arena, Value::string(auth::kIssuer));
  spec.set(arena, "audiences", own);
}

void track(RequestContext& call, const WriteOptions& options, Value& request) {
  const auto writing = call.write_context(options.dry_run, options.field_manager);
  patch::Writer writer = registry::writer_of(writing, *call.type);
  writer.api_version = std::string(kGroup) + "/v1";
  writer.kind = "TokenRequest";
  registry::track_managed_fields(writing, registry::ObjectVersions(*call.subresource->type), writer,
                                 request, nullptr);
}

// Fills in the account's metadata. Errors: 409 if the request refers to another account.
Result<void> complete_metadata(RequestContext& call, Value& request, const Value& account) {
  const std::string_view uid = text_at(account, {"metadata", "uid"});
  registry::ObjectMeta meta(request, call.arena);
  const bool checks_uid = call.server.gates.enabled("TokenRequestServiceAccountUIDValidation");
  if (checks_uid && !meta.uid().empty() && meta.uid() != uid) {
    return errors::conflict({std::string(kGroup), "TokenRequest"}, call.name,
                            "the UID in the token request (" + std::string(meta.uid()) +
                                ") does not match the UID of the service account (" +
                                std::string(uid) + ")");
  }
  meta.set("name", call.name);
  meta.set("namespace", call.ns);
  meta.set("uid", uid);
  meta.set("creationTimestamp", format_rfc3339(call.now));
  return {};
}

}  // namespace

Result<Response> request_token(RequestContext& call, Cluster& cluster) {
  TAB_TRY(DecodedRequest sent, read_new_object(call, Offer::kWithoutTable));
  audit_object(call, sent.object, &cluster);
  Arena& arena = call.arena;
  Value& request = sent.object;
  registry::ObjectMeta meta(request, arena);
  TAB_CHECK(registry::set_request_namespace(*call.type, call.ns, meta));
  fill_int(object_or_new(request, "spec", arena), "expirationSeconds", kDefaultSeconds, arena);
  track(call, sent.options, request);
  const registry::WriteContext context =
      call.write_context(sent.options.dry_run, sent.options.field_manager);
  const auto admission = creation_of(call, cluster, context, call.name, request);
  TAB_CHECK(cluster.registry.mutate(admission));
  TAB_CHECK(check_name(call, registry::ObjectMeta(request, arena).name()));
  TAB_TRY(const Value account, read_core_object(call, "serviceaccounts", call.ns, call.name));
  TAB_CHECK(complete_metadata(call, request, account));
  Value& spec = *request.find("spec");
  fill_audiences(spec, arena);
  const std::int64_t seconds = spec.find("expirationSeconds")->as_int();
  TAB_CHECK(check_seconds(seconds));
  TAB_CHECK(cluster.registry.validate(admission));
  Binding binding;
  const Value* ref = spec.find("boundObjectRef");
  if (ref != nullptr && ref->is_object()) {
    TAB_TRY(binding, bind_to(call, *ref));
  }
  const std::string id = make_uid(cluster.entropy);
  if (call.audited.notes != nullptr) {
    call.audited.notes->add("authentication.kubernetes.io/issued-credential-id", "JTI=" + id);
  }
  const Value claims = claims_for(call, account, spec, binding, id);
  Value status = Value::object(arena);
  status.append(arena, "token", Value::string(arena.copy(call.server.token_issuer.issue(claims))));
  status.append(
      arena, "expirationTimestamp",
      Value::string(arena.copy(format_rfc3339(call.now + Duration::from_seconds(seconds)))));
  request.set(arena, "status", status);
  const schema::DecodeResult typed = schema::decode_typed(*call.subresource->type, request, arena);
  return answer_tree_object(call, sent.form, 201, typed.value);
}

}  // namespace tabernetes::server
