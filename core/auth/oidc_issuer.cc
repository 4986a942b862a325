#include "auth/oidc_issuer.h"

#include <algorithm>

#include "base/go/text.h"
#include "codec/json_writer.h"
#include "json/value.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kAlgorithms[] = {"ES256", "ES384", "ES512", "PS256", "PS384",
                                            "PS512", "RS256", "RS384", "RS512"};

// Names are prefixed by the issuer, unless they are addresses of mail.
std::string prefix_of(const OidcIssuer& issuer) {
  if (issuer.username_prefix == "-") return {};
  if (!issuer.username_prefix.empty() || issuer.username_claim == "email") {
    return issuer.username_prefix;
  }
  return issuer.issuer_url + "#";
}

class Writer {
 public:
  using Texts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  Value texts(Texts members) {
    Value object = Value::object(arena_);
    for (const auto& [key, text] : members) {
      object.append(arena_, key, Value::string(arena_.copy(text)));
    }
    return object;
  }
  Value list_of(const Value& item) {
    Value list = Value::array(arena_);
    list.push_back(arena_, item);
    return list;
  }

  std::string write(const OidcIssuer& given) {
    Value issuer = texts({{"url", given.issuer_url}});
    issuer.append(arena_, "audiences", list_of(Value::string(given.client_id)));
    if (!given.certificate_authority.empty()) {
      issuer.append(arena_, "certificateAuthority", Value::string(given.certificate_authority));
    }
    if (!given.keys_file.empty()) {
      issuer.append(arena_, "jwksFile", Value::string(given.keys_file));
    }
    Value mappings = Value::object(arena_);
    mappings.append(arena_, "username",
                    texts({{"claim", given.username_claim}, {"prefix", prefix_of(given)}}));
    if (!given.groups_claim.empty()) {
      mappings.append(arena_, "groups",
                      texts({{"claim", given.groups_claim}, {"prefix", given.groups_prefix}}));
    }
    Value rules = Value::array(arena_);
    for (const auto& [claim, value] : given.required_claims) {
      rules.push_back(arena_, texts({{"claim", claim}, {"requiredValue", value}}));
    }
    Value jwt = Value::object(arena_);
    jwt.append(arena_, "issuer", issuer);
    jwt.append(arena_, "claimMappings", mappings);
    jwt.append(arena_, "claimValidationRules", rules);
    Value configuration = texts(
        {{"apiVersion", "apiserver.config.k8s.io/v1"}, {"kind", "AuthenticationConfiguration"}});
    configuration.append(arena_, "jwt", list_of(jwt));
    return codec::json_text(configuration);
  }

 private:
  json::Arena arena_;
};

}  // namespace

std::string configuration_of(const OidcIssuer& issuer) { return Writer().write(issuer); }

std::string algorithms_fault(const OidcIssuer& issuer) {
  for (const std::string& algorithm : issuer.signing_algorithms) {
    if (std::find(std::begin(kAlgorithms), std::end(kAlgorithms), algorithm) !=
        std::end(kAlgorithms)) {
      continue;
    }
    return "oidc: unsupported signing alg: " + go_quote(algorithm);
  }
  return {};
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_oidc_issuer(const OidcIssuer& issuer,
                                 const std::map<std::string, std::string>& files) {
  if (!issuer.given()) return {};
  auto checked = check_authentication_configuration(auth::configuration_of(issuer), files);
  if (!checked) return checked;
  std::string fault = auth::algorithms_fault(issuer);
  if (!fault.empty()) return Fault{std::move(fault)};
  return {};
}

}  // namespace tabernetes
