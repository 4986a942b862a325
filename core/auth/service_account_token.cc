#include "auth/service_account_token.h"

#include "auth/legacy_token.h"
#include "auth/quoted_texts.h"
#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "registry/life/registry.h"
#include "registry/objects/object_record.h"

namespace tabernetes::auth {
namespace {

using json::Value;
using Texts = std::vector<std::string>;

constexpr std::int64_t kLeewaySeconds = 60;

Texts audiences_of(const Value& claims) {
  Texts audiences;
  const Value* given = claims.find("aud");
  if (given != nullptr && given->is_string()) audiences.emplace_back(given->as_string());
  if (given != nullptr && given->is_array()) {
    for (const Value& one : given->items()) {
      if (one.is_string()) audiences.emplace_back(one.as_string());
    }
  }
  return audiences;
}

// An object to which a token can be bound.
struct Bound {
  std::string_view claim, plural, shown;
  bool namespaced;
};
constexpr Bound kSecret{"secret", "secrets", "secret", true};
constexpr Bound kPod{"pod", "pods", "pod", true};
constexpr Bound kNode{"node", "nodes", "node", false};

class TokenCheck {
 public:
  TokenCheck(const TokenAuthenticator& context, const Value& claims)
      : context_(context), claims_(claims), ns_(text_at(claims, {"kubernetes.io", "namespace"})) {}

  // Returns why the token is invalid, or an empty text.
  std::string fault() {
    const std::int64_t now = context_.now.unix_seconds();
    if (now > number_at(claims_, {"exp"}) + kLeewaySeconds) {
      return "service account token has expired";
    }
    if (now < number_at(claims_, {"nbf"}) - kLeewaySeconds) {
      return "service account token is not valid yet";
    }
    if (std::string why = account_fault(); !why.empty()) return why;
    for (const Bound& bound : {kSecret, kPod, kNode}) {
      const bool of_pod = bound.claim == "node" && claims_.at({"kubernetes.io", "pod"}) != nullptr;
      if (of_pod) continue;
      if (std::string why = bound_fault(bound); !why.empty()) return why;
    }
    return {};
  }

  User user() const {
    const std::string name(text_at(claims_, {"kubernetes.io", "serviceaccount", "name"}));
    const std::string prefix = "authentication.kubernetes.io/";
    User user{.name = "system:serviceaccount:" + std::string(ns_) + ":" + name,
              .uid = std::string(text_at(claims_, {"kubernetes.io", "serviceaccount", "uid"})),
              .groups = {"system:serviceaccounts", "system:serviceaccounts:" + std::string(ns_),
                         "system:authenticated"},
              .extra = {}};
    if (const std::string_view id = text_at(claims_, {"jti"}); !id.empty()) {
      user.extra.push_back({prefix + "credential-id", {"JTI=" + std::string(id)}});
    }
    for (const std::string_view what : {"node", "pod"}) {
      for (const std::string_view field : {"name", "uid"}) {
        const std::string_view value = text_at(claims_, {"kubernetes.io", what, field});
        if (value.empty()) continue;
        user.extra.push_back(
            {prefix + std::string(what) + "-" + std::string(field), {std::string(value)}});
      }
    }
    return user;
  }

 private:
  Result<Value> object(std::string_view plural, std::string_view ns, std::string_view name) {
    const registry::ResourceType* type = context_.resources.find("", "v1", plural);
    return registry::read_stored(context_.objects, {type, ns, name}, arena_);
  }

  // Returns whether the object was deleted longer ago than the leeway, even if it still exists.
  bool is_gone(const Value& object) const {
    const auto deleted = parse_rfc3339(text_at(object, {"metadata", "deletionTimestamp"}));
    return deleted && *deleted + Duration::from_seconds(kLeewaySeconds) < context_.now;
  }

  std::string account_fault() {
    const std::string name(text_at(claims_, {"kubernetes.io", "serviceaccount", "name"}));
    const auto found = object("serviceaccounts", ns_, name);
    if (!found) return found.error().message;
    const std::string_view uid = text_at(*found, {"metadata", "uid"});
    const std::string_view claimed = text_at(claims_, {"kubernetes.io", "serviceaccount", "uid"});
    if (uid != claimed) {
      return "service account UID (" + std::string(uid) + ") does not match claim (" +
             std::string(claimed) + ")";
    }
    if (!is_gone(*found)) return {};
    return "service account " + std::string(ns_) + "/" + name + " has been deleted";
  }

  std::string bound_fault(const Bound& bound) {
    if (claims_.at({"kubernetes.io", bound.claim}) == nullptr) return {};
    const std::string_view name = text_at(claims_, {"kubernetes.io", bound.claim, "name"});
    const std::string_view claimed = text_at(claims_, {"kubernetes.io", bound.claim, "uid"});
    const auto found = object(bound.plural, bound.namespaced ? ns_ : "", name);
    if (!found || is_gone(*found)) return "service account token has been invalidated";
    const std::string uid(text_at(*found, {"metadata", "uid"}));
    if (uid == claimed) return {};
    const bool secret = bound.claim == "secret";
    return (secret                 ? "secret"
            : bound.claim == "pod" ? "pod"
                                   : "node") +
           std::string(" UID (") + uid + ") does not match service account " +
           std::string(bound.claim) + " ref claim (" + std::string(claimed) + ")";
  }

  const TokenAuthenticator& context_;
  const Value& claims_;
  std::string_view ns_;
  json::Arena arena_;
};

}  // namespace

Authenticated authenticate_service_account(const TokenAuthenticator& context,
                                           std::string_view token,
                                           const std::vector<std::string>& audiences) {
  Authenticated result;
  json::Arena arena;
  const auto claims_in = [&](const std::string& text) {
    const codec::JsonRead read = codec::read_json(text, arena);
    return read.ok() && read.value.is_object() ? read.value : Value::object(arena);
  };
  const std::string said = claims_of(token);
  const std::string issuer(text_at(claims_in(said), {"iss"}));
  if (issuer != kIssuer && issuer != kLegacyIssuer) return result;
  const std::string text = context.issuer.open(token);
  if (text.empty()) {
    result.error = "go-jose/go-jose: error in cryptographic primitive";
    return result;
  }
  const Value claims = claims_in(text);
  if (issuer == kLegacyIssuer) return authenticate_legacy_token(context, token, claims, audiences);
  const Texts for_whom = audiences_of(claims);
  result.audiences = common_audiences(for_whom, audiences);
  if (result.audiences.empty()) {
    result.error = "token audiences " + quoted_texts(for_whom) +
                   " is invalid for the target audiences " + quoted_texts(audiences);
    return result;
  }
  TokenCheck check(context, claims);
  result.error = check.fault();
  if (result.error.empty()) result.user = check.user();
  return result;
}

}  // namespace tabernetes::auth
