#include "auth/jwt_authenticator.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "auth/token_issuer.h"
#include "base/algorithm/sort.h"
#include "base/crypto/verification_key.h"
#include "base/go/text.h"
#include "base/text/base64.h"
#include "cel/value.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "registry/kind/webhook_question.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kIssuerDocument = "document of an issuer";
constexpr Duration kKeysKept = Duration::from_seconds(600);
constexpr std::int64_t kNotBeforeLeeway = 300;  // seconds
constexpr std::string_view kEverybody = "system:authenticated";

// Fetches a document. The answer's text is the document.
class DocumentQuestion final : public registry::WebhookQuestion {
 public:
  DocumentQuestion(registry::WebhookClient client, const std::string& key)
      : WebhookQuestion(kIssuerDocument, key), client_(std::move(client)) {}

  const registry::WebhookClient& client() const override { return client_; }
  std::string url() const override { return client_.url; }
  Duration patience() const override { return Duration::from_seconds(30); }
  std::string_view method() const override { return "GET"; }
  std::string body(std::string_view) const override { return {}; }
  registry::PendingWork::Answer read(std::string_view, const WebhookAnswer& answer) const override {
    if (answer.fault) {
      return {.text = {}, .error = "Get " + go_quote(url()) + ": " + answer.fault->message};
    }
    if (answer.status != 200) return {.text = {}, .error = std::to_string(answer.status)};
    return {.text = answer.body, .error = {}};
  }

 private:
  registry::WebhookClient client_;
};

// The keys of an issuer, fetched when they are needed.
class IssuerKeys {
 public:
  IssuerKeys(const JwtIssuer& issuer, WebhookAsking& asking, Time now)
      : issuer_(issuer), asking_(asking), now_(now), kept_("keys of " + issuer.url) {}

  // Returns the key set that is kept; null if none is.
  const std::string* kept() { return asking_.tokens.find(kept_, now_); }

  // Fetches the key set; returns null and sets `error` if that fails, or takes time.
  const std::string* fetch(std::string& error) {
    error = "waits for the keys of the issuer";
    const std::string* discovered = ask(issuer_.discovery, error);
    if (discovered == nullptr) return nullptr;
    json::Arena arena;
    const Value document = codec::read_json(arena.copy(*discovered), arena).value;
    if (!document.is_object()) {
      error = "oidc: failed to decode provider discovery object";
      return nullptr;
    }
    if (document.string_at("issuer") != issuer_.url) {
      error = "oidc: issuer did not match the issuer returned by provider, expected " +
              go_quote(issuer_.url) + " got " + go_quote(document.string_at("issuer"));
      return nullptr;
    }
    registry::WebhookClient keys = issuer_.discovery;
    keys.url = document.string_at("jwks_uri");
    if (!keys.url.starts_with("https://")) {
      error = "oidc: the provider's jwks_uri is no https URL";
      return nullptr;
    }
    const std::string* set = ask(keys, error);
    if (set != nullptr) asking_.tokens.put(kept_, *set, now_ + kKeysKept);
    return set;
  }

 private:
  const std::string* ask(const registry::WebhookClient& client, std::string& error) {
    if (asking_.pending == nullptr) return nullptr;
    const registry::PendingWork::Answer* answer =
        asking_.pending->ask(std::make_unique<const DocumentQuestion>(client, client.url));
    if (answer == nullptr) return nullptr;
    error = answer->error;
    return answer->error.empty() ? &answer->text : nullptr;
  }

  const JwtIssuer& issuer_;
  WebhookAsking& asking_;
  Time now_;
  std::string kept_;
};

std::optional<VerificationKey> key_of(const Value& jwk) {
  const auto number = [&](std::string_view name) {
    return base64url_decode(jwk.string_at(name)).value_or(std::string());
  };
  if (jwk.string_at("kty") == "RSA") return VerificationKey::of_rsa(number("n"), number("e"));
  if (jwk.string_at("kty") != "EC") return std::nullopt;
  return VerificationKey::of_point(jwk.string_at("crv"), number("x"), number("y"));
}

// A token in its parts.
struct Jwt {
  std::string_view signed_part;
  std::string signature;
  Value header, claims;
};

std::optional<Jwt> read_jwt(std::string_view token, json::Arena& arena) {
  const std::size_t first = token.find('.'), last = token.rfind('.');
  if (std::count(token.begin(), token.end(), '.') != 2) return std::nullopt;
  const auto object_in_part = [&](std::string_view part) {
    const auto text = base64url_decode(part);
    if (!text) return Value();
    const codec::JsonRead read = codec::read_json(arena.copy(*text), arena);
    return read.ok() && read.value.is_object() ? read.value : Value();
  };
  auto signature = base64url_decode(token.substr(last + 1));
  Jwt jwt{.signed_part = token.substr(0, last),
          .signature = signature.value_or(std::string()),
          .header = object_in_part(token.substr(0, first)),
          .claims = object_in_part(token.substr(first + 1, last - first - 1))};
  if (!signature || !jwt.header.is_object() || !jwt.claims.is_object()) return std::nullopt;
  return jwt;
}

// Returns whether a key of the set has signed the token.
bool signed_by(const std::string& key_set, const Jwt& jwt) {
  json::Arena arena;
  const Value set = codec::read_json(arena.copy(key_set), arena).value;
  if (!set.is_object()) return false;
  const std::string_view id = jwt.header.string_at("kid");
  for (const Value& jwk : json::items_in(set, "keys")) {
    if (!jwk.is_object() || (!id.empty() && jwk.string_at("kid") != id)) continue;
    const std::string_view use = jwk.string_at("use");
    if (!use.empty() && use != "sig") continue;
    const auto key = key_of(jwk);
    if (key && key->verify(jwt.header.string_at("alg"), jwt.signed_part, jwt.signature)) {
      return true;
    }
  }
  return false;
}

// Makes a user of a token's claims, once its signature is good.
class ClaimsReader {
 public:
  ClaimsReader(const JwtIssuer& issuer, const Value& claims, json::Arena& arena)
      : issuer_(issuer), claims_(claims), arena_(arena) {}

  // Returns why the token is not valid for this server now; empty if it is.
  std::string validity_fault(Time now) const {
    const std::int64_t seconds = now.unix_seconds();
    const auto time = [&](std::string_view name) -> std::optional<std::int64_t> {
      const Value* given = claims_.find(name);
      if (given == nullptr || !given->is_number()) return std::nullopt;
      if (given->is_int()) return given->as_int();
      constexpr double kMost = 1e15;  // far beyond any date
      return static_cast<std::int64_t>(std::clamp(given->as_double(), -kMost, kMost));
    };
    const auto expires = time("exp");
    if (!expires || *expires < seconds) return "oidc: token is expired";
    const auto begins = time("nbf");
    if (begins && seconds + kNotBeforeLeeway < *begins) {
      return "oidc: current time before the nbf (not before) time";
    }
    const std::vector<std::string> wanted = texts_of(claims_.find("aud"));
    const bool meant = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& each) {
      return std::find(issuer_.audiences.begin(), issuer_.audiences.end(), each) !=
             issuer_.audiences.end();
    });
    return meant ? "" : "oidc: expected audience in " + go_quote(issuer_.audiences.front());
  }

  JwtCaller read() {
    User user;
    read_name(user);
    read_groups(user);
    if (!issuer_.uid.claim.empty()) {
      user.uid = text_claim(issuer_.uid.claim);
    } else if (issuer_.uid.expression) {
      user.uid = text_of_expression(*issuer_.uid.expression, "uid claim");
    }
    read_extra(user);
    for (const auto& [claim, value] : issuer_.required_claims) {
      if (text_claim(claim) != value)
        fail("oidc: required claim " + claim + " value does not match");
    }
    for (const ClaimExpression& rule : issuer_.claim_rules) check_rule(rule, claims_, "claim");
    const Value shown = shown_user(user);
    for (const ClaimExpression& rule : issuer_.user_rules) check_rule(rule, shown, "user");
    if (!error_.empty()) return {std::nullopt, std::move(error_)};
    if (std::find(user.groups.begin(), user.groups.end(), kEverybody) == user.groups.end()) {
      user.groups.emplace_back(kEverybody);
    }
    return {std::move(user), {}};
  }

 private:
  void fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  static std::vector<std::string> texts_of(const Value* value) {
    std::vector<std::string> texts;
    if (value != nullptr && value->is_string()) texts.emplace_back(value->as_string());
    if (value == nullptr || !value->is_array()) return texts;
    for (const Value& item : value->items()) {
      if (item.is_string()) texts.emplace_back(item.as_string());
    }
    return texts;
  }

  std::string text_claim(const std::string& name) {
    const Value* given = claims_.find(name);
    if (given != nullptr && given->is_string()) return std::string(given->as_string());
    fail("oidc: parse claim " + go_quote(name) + ": claim not present, or no string");
    return {};
  }

  cel::Value evaluate(const ClaimExpression& expression, const Value& input) {
    const cel::Value variable = cel::from_tree(input, cel::simple_type(cel::Kind::kDyn), arena_);
    return expression.program.evaluate(std::span(&variable, 1), arena_).value;
  }

  std::string text_of_expression(const ClaimExpression& expression, const std::string& what) {
    const cel::Value value = evaluate(expression, claims_);
    if (value.is(cel::Kind::kString)) return std::string(value.view());
    fail(
        "oidc: error evaluating " + what + " expression: " +
        (value.is_error() ? std::string(value.view()) : what + " expression must return a string"));
    return {};
  }

  // Empty texts are left out.
  std::vector<std::string> list_of_expression(const ClaimExpression& expression,
                                              const std::string& what) {
    const cel::Value value = evaluate(expression, claims_);
    std::vector<std::string> texts;
    const auto add = [&](const cel::Value& text) {
      if (!text.is(cel::Kind::kString)) {
        return fail("oidc: error evaluating " + what +
                    " expression: expression must return a string or a list of strings");
      }
      if (text.size > 0) texts.emplace_back(text.view());
    };
    if (value.is_error()) {
      fail("oidc: error evaluating " + what + " expression: " + std::string(value.view()));
    } else if (value.is(cel::Kind::kList)) {
      for (std::uint32_t i = 0; i < cel::list_size(value); ++i) {
        add(cel::list_item(value, i, arena_));
      }
    } else if (!value.is(cel::Kind::kNull)) {
      add(value);
    }
    return texts;
  }

  void read_name(User& user) {
    const ClaimMapping& mapping = issuer_.username;
    if (mapping.expression) {
      user.name = text_of_expression(*mapping.expression, "username claim");
      if (user.name.empty()) fail("oidc: empty username via CEL expression is not allowed");
      return;
    }
    user.name = mapping.prefix + text_claim(mapping.claim);
    const Value* verified = claims_.find("email_verified");
    if (mapping.claim == "email" && verified != nullptr &&
        (!verified->is_bool() || !verified->as_bool())) {
      fail("oidc: email not verified");
    }
  }

  void read_groups(User& user) {
    const ClaimMapping& mapping = issuer_.groups;
    if (mapping.expression) {
      user.groups = list_of_expression(*mapping.expression, "group claim");
      return;
    }
    const Value* given = mapping.claim.empty() ? nullptr : claims_.find(mapping.claim);
    if (given == nullptr) return;
    user.groups = texts_of(given);
    const bool whole =
        given->is_string() || (given->is_array() && user.groups.size() == given->size());
    if (!whole) fail("oidc: parse groups claim " + go_quote(mapping.claim));
    for (std::string& group : user.groups) group.insert(0, mapping.prefix);
  }

  void read_extra(User& user) {
    if (const std::string_view id = claims_.string_at("jti"); !id.empty()) {
      user.extra.push_back(
          {"authentication.kubernetes.io/credential-id", {"JTI=" + std::string(id)}});
    }
    for (const ClaimExpression& each : issuer_.extra) {
      std::vector<std::string> values = list_of_expression(each, "extra claim");
      if (!values.empty()) user.extra.push_back({each.name, std::move(values)});
    }
    sort_stable(user.extra);
  }

  void check_rule(const ClaimExpression& rule, const Value& input, const std::string& what) {
    const cel::Value value = evaluate(rule, input);
    if (value.is_true()) return;
    std::string why = value.is_error() ? std::string(value.view())
                      : rule.name.empty()
                          ? "validation expression '" + rule.source + "' failed"
                          : "validation expression '" + rule.source + "' failed: " + rule.name;
    fail("oidc: error evaluating " + what + " validation expression: " + std::move(why));
  }

  // Returns the user as expressions see it.
  Value shown_user(const User& user) {
    const auto list_of = [&](const std::vector<std::string>& texts) {
      Value list = Value::array(arena_);
      for (const std::string& text : texts)
        list.push_back(arena_, Value::string(arena_.copy(text)));
      return list;
    };
    Value extra = Value::object(arena_);
    for (const auto& [key, values] : user.extra) {
      extra.append(arena_, arena_.copy(key), list_of(values));
    }
    Value shown = Value::object(arena_);
    shown.append(arena_, "extra", extra);
    shown.append(arena_, "groups", list_of(user.groups));
    shown.append(arena_, "uid", Value::string(arena_.copy(user.uid)));
    shown.append(arena_, "username", Value::string(arena_.copy(user.name)));
    return shown;
  }

  const JwtIssuer& issuer_;
  const Value& claims_;
  json::Arena& arena_;
  std::string error_;
};

// Returns why a signature of that algorithm does not count; empty if it does.
std::string algorithm_fault(const JwtIssuer& issuer, std::string_view algorithm) {
  const std::vector<std::string>& known = issuer.algorithms;
  if (known.empty() || std::find(known.begin(), known.end(), algorithm) != known.end()) return {};
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : " ") + go_quote(one);
  return "oidc: id token signed with unsupported algorithm, expected [" + list + "] got " +
         go_quote(algorithm);
}

JwtCaller authenticate_with(const JwtIssuer& issuer, WebhookAsking& asking, Time now,
                            const Jwt& jwt, json::Arena& arena) {
  if (std::string fault = algorithm_fault(issuer, jwt.header.string_at("alg")); !fault.empty()) {
    return {std::nullopt, "oidc: verify token: " + fault};
  }
  IssuerKeys keys(issuer, asking, now);
  const std::string* set = issuer.keys.empty() ? keys.kept() : &issuer.keys;
  bool good = set != nullptr && signed_by(*set, jwt);
  if (!good && issuer.keys.empty()) {
    // The issuer may have new keys.
    std::string error;
    set = keys.fetch(error);
    if (set == nullptr) return {std::nullopt, "oidc: verify token: " + error};
    good = signed_by(*set, jwt);
  }
  if (!good) {
    return {std::nullopt,
            "oidc: verify token: failed to verify signature: failed to verify id token signature"};
  }
  ClaimsReader reader(issuer, jwt.claims, arena);
  if (std::string fault = reader.validity_fault(now); !fault.empty()) {
    return {std::nullopt, "oidc: verify token: " + fault};
  }
  return reader.read();
}

}  // namespace

JwtCaller authenticate_jwt(const AuthenticationConfiguration& configuration, WebhookAsking& asking,
                           Time now, std::string_view token) {
  if (configuration.issuers.empty()) return {};
  json::Arena arena;
  const auto jwt = read_jwt(token, arena);
  if (!jwt) return {};
  for (const auto& issuer : configuration.issuers) {
    if (jwt->claims.string_at("iss") == issuer->url) {
      return authenticate_with(*issuer, asking, now, *jwt, arena);
    }
  }
  return {};
}

}  // namespace tabernetes::auth
