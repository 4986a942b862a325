#include "auth/authentication_configuration.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "auth/configuration_reader.h"
#include "auth/oidc_issuer.h"
#include "auth/token_issuer.h"
#include "base/api/names.h"
#include "base/crypto/certificate.h"
#include "base/text/ascii.h"
#include "cel/type_text.h"
#include "codec/json_reader.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr ConfigurationKind kAuthenticationKind{
    .kind = "AuthenticationConfiguration",
    .shape =
        "{jwt:L{issuer:{url:s,discoveryURL:s,certificateAuthority:s,audiences:Ls,"
        "audienceMatchPolicy:s,egressSelectorType:s,jwksFile:s},"
        "claimValidationRules:L{claim:s,requiredValue:s,expression:s,message:s},"
        "claimMappings:{username:{claim:s,prefix:s,expression:s},"
        "groups:{claim:s,prefix:s,expression:s},uid:{claim:s,expression:s},"
        "extra:L{key:s,valueExpression:s}},userValidationRules:L{expression:s,message:s}},"
        "anonymous:{enabled:b,conditions:L{path:s}}}",
    .scheme = "pkg/runtime/scheme.go:111"};

constexpr std::uint32_t kMostIssuers = 64;

// Returns whether an expression may read a claim. Upstream looks for the field in the parsed
// expression; a text that only looks like it counts here too.
bool mentions_claim(std::string_view source, std::string_view claim) {
  for (const std::string_view before : {"claims.", "claims.?"}) {
    const std::string wanted = std::string(before) + std::string(claim);
    for (std::size_t at = source.find(wanted); at != source.npos;
         at = source.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if (end == source.size() || !is_word_character(source[end])) {
        return true;
      }
    }
  }
  return false;
}

// Returns whether a text is a set of keys, as JwtIssuer has them.
bool has_keys(std::string_view text) {
  json::Arena arena;
  const Value set = codec::read_json(arena.copy(text), arena).value;
  if (!set.is_object()) return false;
  const auto keys = json::items_in(set, "keys");
  return std::any_of(keys.begin(), keys.end(), [](const Value& jwk) { return jwk.is_object(); });
}

class AuthenticationReader : private ConfigurationReader {
 public:
  AuthenticationReader(const registry::Files& files, const std::vector<std::string>& algorithms)
      : ConfigurationReader(files), algorithms_(algorithms) {}

  Expected<AuthenticationConfiguration> read(const Value& configuration) {
    const field::Path root("jwt");
    const Value* issuers = configuration.find("jwt");
    if (issuers != nullptr && issuers->size() > kMostIssuers) {
      fail(field::too_many(root, issuers->size(), kMostIssuers));
    } else if (issuers != nullptr) {
      for (std::uint32_t i = 0; i < issuers->size(); ++i) {
        read_issuer(issuers->items()[i], root.index(i));
      }
    }
    if (const Value* anonymous = configuration.find("anonymous")) read_anonymous(*anonymous);
    if (!errors_.empty()) return Fault{field::aggregate(errors_)};
    return std::move(read_);
  }

 private:
  enum class Of { kClaims, kUser };

  void read_anonymous(const Value& given) {
    read_.anonymous.emplace();
    read_.anonymous->enabled = json::bool_at(given, {"enabled"});
    for (const Value& condition : json::items_in(given, "conditions")) {
      read_.anonymous->paths.emplace_back(condition.string_at("path"));
    }
    if (!read_.anonymous->enabled && !read_.anonymous->paths.empty()) {
      std::string printed = "[";
      for (const std::string& path : read_.anonymous->paths) {
        printed += (printed.size() > 1 ? "," : "") + ("{\"Path\":" + go_quote(path) + "}");
      }
      fail(field::invalid(field::Path("anonymous.conditions"), printed + "]",
                          "enabled should be set to true when conditions are defined"));
    }
  }

  void read_issuer(const Value& given, const field::Path& path) {
    auto issuer = std::make_shared<JwtIssuer>();
    issuer->algorithms = algorithms_;
    const Value none;
    const Value* about = json::object_in(given, "issuer");
    read_place(about != nullptr ? *about : none, path.child("issuer"), *issuer);
    email_verified_ = false;
    read_claim_rules(given, path.child("claimValidationRules"), *issuer);
    const Value* mappings = json::object_in(given, "claimMappings");
    read_mappings(mappings != nullptr ? *mappings : none, path.child("claimMappings"), *issuer);
    read_user_rules(given, path.child("userValidationRules"), *issuer);
    const std::string& discovery =
        about == nullptr ? none_ : std::string(about->string_at("discoveryURL"));
    if (!urls_.insert(issuer->url).second) {
      fail(field::duplicate(path.child("issuer").child("url"), go_quote(issuer->url)));
    }
    if (!discovery.empty() && !discoveries_.insert(discovery).second) {
      fail(field::duplicate(path.child("issuer").child("discoveryURL"), go_quote(discovery)));
    }
    read_.issuers.push_back(std::move(issuer));
  }

  void check_url(std::string_view url, const field::Path& path) {
    const std::size_t host = url.find("://");
    if (!url.starts_with("https://")) invalid(path, url, "URL scheme must be https");
    const std::string_view rest = host == url.npos ? url : url.substr(host + 3);
    if (rest.substr(0, rest.find('/')).find('@') != rest.npos) {
      invalid(path, url, "URL must not contain a username or password");
    }
    const std::size_t hash = url.find('#'), query = url.find('?');
    if (query != url.npos && query < hash && query + 1 < std::min(hash, url.size())) {
      invalid(path, url, "URL must not contain a query");
    }
    if (hash != url.npos && hash + 1 < url.size()) {
      invalid(path, url, "URL must not contain a fragment");
    }
  }

  void read_place(const Value& given, const field::Path& path, JwtIssuer& issuer) {
    const auto trimmed = [](std::string_view text) {
      while (text.ends_with('/')) text.remove_suffix(1);
      return text;
    };
    issuer.url = given.string_at("url");
    const std::string_view discovery = given.string_at("discoveryURL");
    if (issuer.url.empty()) {
      fail(field::required(path.child("url")));
    } else {
      if (issuer.url == kIssuer) {
        invalid(path.child("url"), issuer.url,
                "URL must not overlap with disallowed issuers: [" + std::string(kIssuer) + "]");
      }
      check_url(issuer.url, path.child("url"));
    }
    if (!discovery.empty()) {
      if (!issuer.url.empty() && trimmed(issuer.url) == trimmed(discovery)) {
        invalid(path.child("discoveryURL"), discovery, "discoveryURL must be different from URL");
      }
      check_url(discovery, path.child("discoveryURL"));
    }
    issuer.discovery.url =
        discovery.empty() ? std::string(trimmed(issuer.url)) + "/.well-known/openid-configuration"
                          : std::string(discovery);
    read_audiences(given, path, issuer);
    read_keys(given.string_at("jwksFile"), path.child("jwksFile"), issuer);
    issuer.discovery.ca_bundle = given.string_at("certificateAuthority");
    if (!issuer.discovery.ca_bundle.empty()) {
      const std::string fault = root_certificates_fault(issuer.discovery.ca_bundle);
      if (!fault.empty()) {
        fail(field::invalid(path.child("certificateAuthority"), go_quote("<omitted>"),
                            "data does not contain any valid RSA or ECDSA certificates"));
      }
    }
    if (const std::string_view egress = given.string_at("egressSelectorType"); !egress.empty()) {
      invalid(path.child("egressSelectorType"), egress, "egress selectors are not supported");
    }
  }

  // Not upstream's: keys that are given need not be fetched.
  void read_keys(std::string_view file, const field::Path& path, JwtIssuer& issuer) {
    if (file.empty()) return;
    const std::string* text = find_file(path, file);
    if (text == nullptr) return;
    issuer.keys = *text;
    if (!has_keys(issuer.keys)) invalid(path, file, "is no JSON Web Key Set");
  }

  void read_audiences(const Value& given, const field::Path& path, JwtIssuer& issuer) {
    const field::Path at = path.child("audiences");
    for (const Value& text : json::items_in(given, "audiences")) {
      const field::Path one = at.index(issuer.audiences.size());
      std::string audience(json::text_of(text));
      if (audience.empty()) fail(field::required(one));
      if (std::find(issuer.audiences.begin(), issuer.audiences.end(), audience) !=
          issuer.audiences.end()) {
        fail(field::duplicate(one, go_quote(audience)));
      }
      issuer.audiences.push_back(std::move(audience));
    }
    if (issuer.audiences.empty()) {
      return fail(field::required(at, "at least one " + at.text() + " is required"));
    }
    const std::string_view policy = given.string_at("audienceMatchPolicy");
    if (policy == "MatchAny") return;
    if (issuer.audiences.size() > 1) {
      invalid(path.child("audienceMatchPolicy"), policy,
              "audienceMatchPolicy must be MatchAny for multiple audiences");
    } else if (!policy.empty()) {
      invalid(path.child("audienceMatchPolicy"), policy,
              "audienceMatchPolicy must be empty or MatchAny for single audience");
    }
  }

  // Compiles an expression; reports why that is impossible. A rule is of type bool, a mapping
  // anything that may be a text or a list of texts.
  std::optional<ClaimExpression> compile(const JwtIssuer& issuer, std::string_view source, Of of,
                                         bool rule, const field::Path& path,
                                         std::string_view name) {
    const cel::Variable variable = of == Of::kClaims ? cel::Variable{"claims", issuer.claims_type}
                                                     : cel::Variable{"user", issuer.user_type};
    auto program = cel::compile(source, std::span(&variable, 1));
    if (!program) {
      invalid(path, source, "compilation failed: " + program.error());
      return std::nullopt;
    }
    using cel::Kind;
    const Kind kind = program->result_type().kind;
    if (rule ? kind != Kind::kBool
             : kind != Kind::kString && kind != Kind::kList && kind != Kind::kDyn) {
      invalid(path, source,
              rule ? "must evaluate to bool" : "must evaluate to one of [string list(string) any]");
      return std::nullopt;
    }
    return ClaimExpression{std::string(source), std::string(name), std::move(*program)};
  }

  void read_claim_rules(const Value& given, const field::Path& path, JwtIssuer& issuer) {
    std::set<std::string_view> claims, sources;
    std::size_t i = 0;
    for (const Value& rule : json::items_in(given, "claimValidationRules")) {
      const field::Path at = path.index(i++);
      const std::string_view claim = rule.string_at("claim"), source = rule.string_at("expression");
      const std::string_view message = rule.string_at("message");
      const std::string_view required = rule.string_at("requiredValue");
      if (!claim.empty() && !source.empty()) {
        invalid(at, claim, "claim and expression can't both be set");
      } else if (claim.empty() && source.empty()) {
        fail(field::required(at, "claim or expression is required"));
      } else if (!claim.empty()) {
        if (!message.empty()) {
          invalid(at.child("message"), message, "may not be specified when claim is set");
        }
        if (!claims.insert(claim).second) {
          fail(field::duplicate(at.child("claim"), go_quote(claim)));
        }
        issuer.required_claims.emplace_back(claim, required);
      } else {
        if (!required.empty()) {
          invalid(at.child("requiredValue"), required,
                  "may not be specified when expression is set");
        }
        if (!sources.insert(source).second) {
          fail(field::duplicate(at.child("expression"), go_quote(source)));
          continue;
        }
        auto compiled = compile(issuer, source, Of::kClaims, true, at.child("expression"), message);
        if (!compiled) continue;
        email_verified_ = email_verified_ || mentions_claim(source, "email_verified");
        issuer.claim_rules.push_back(std::move(*compiled));
      }
    }
  }

  void read_user_rules(const Value& given, const field::Path& path, JwtIssuer& issuer) {
    std::set<std::string_view> sources;
    std::size_t i = 0;
    for (const Value& rule : json::items_in(given, "userValidationRules")) {
      const field::Path at = path.index(i++).child("expression");
      const std::string_view source = rule.string_at("expression");
      if (source.empty()) {
        fail(field::required(at));
      } else if (!sources.insert(source).second) {
        fail(field::duplicate(at, go_quote(source)));
      } else if (auto compiled =
                     compile(issuer, source, Of::kUser, true, at, rule.string_at("message"))) {
        issuer.user_rules.push_back(std::move(*compiled));
      }
    }
  }

  enum class Prefix { kNeeded, kNone };
  void read_mapping(const Value& mappings, std::string_view name, Prefix prefix, bool needed,
                    const field::Path& path, const JwtIssuer& issuer, ClaimMapping& mapping) {
    const Value none;
    const Value* found = json::object_in(mappings, name);
    const Value& given = found != nullptr ? *found : none;
    mapping.claim = given.string_at("claim");
    mapping.prefix = given.string_at("prefix");
    const std::string_view source = given.string_at("expression");
    const bool prefixed = given.is_object() && given.find("prefix") != nullptr;
    if (!source.empty() && !mapping.claim.empty()) {
      return invalid(path, "", "claim and expression can't both be set");
    }
    if (source.empty() && mapping.claim.empty() && needed) {
      return fail(field::required(path, "claim or expression is required"));
    }
    if (!mapping.claim.empty() && prefix == Prefix::kNeeded && !prefixed) {
      fail(field::required(path.child("prefix"),
                           "prefix is required when claim is set. It can be set to an empty string "
                           "to disable prefixing"));
    }
    if (source.empty()) return;
    if (prefixed) {
      invalid(path.child("prefix"), mapping.prefix, "may not be specified when expression is set");
    }
    mapping.expression = compile(issuer, source, Of::kClaims, false, path.child("expression"), "");
  }

  void read_mappings(const Value& mappings, const field::Path& path, JwtIssuer& issuer) {
    read_mapping(mappings, "username", Prefix::kNeeded, true, path.child("username"), issuer,
                 issuer.username);
    read_mapping(mappings, "groups", Prefix::kNeeded, false, path.child("groups"), issuer,
                 issuer.groups);
    read_mapping(mappings, "uid", Prefix::kNone, false, path.child("uid"), issuer, issuer.uid);
    std::set<std::string_view> keys;
    std::size_t i = 0;
    for (const Value& extra : json::items_in(mappings, "extra")) {
      const field::Path at = path.child("extra").index(i++);
      const std::string_view key = extra.string_at("key"),
                             source = extra.string_at("valueExpression");
      check_extra_key(key, at.child("key"));
      if (!keys.insert(key).second) {
        fail(field::duplicate(at.child("key"), go_quote(key)));
      } else if (source.empty()) {
        fail(field::required(at.child("valueExpression")));
      } else if (auto made = compile(issuer, source, Of::kClaims, false,
                                     at.child("valueExpression"), key)) {
        email_verified_ = email_verified_ || mentions_claim(source, "email_verified");
        issuer.extra.push_back(std::move(*made));
      }
    }
    if (!issuer.username.expression) return;
    const std::string& source = issuer.username.expression->source;
    email_verified_ = email_verified_ || mentions_claim(source, "email_verified");
    if (!mentions_claim(source, "email") || email_verified_) return;
    invalid(path.child("username").child("expression"), source,
            "claims.email_verified must be used in claimMappings.username.expression or "
            "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
            "claims.email is used in claimMappings.username.expression");
  }

  void check_extra_key(std::string_view key, const field::Path& path) {
    const std::string_view domain = key.substr(0, key.find('/'));
    if (key.empty()) return fail(field::required(path));
    if (key.find('/') == key.npos || domain.size() + 1 == key.size() ||
        !dns1123_subdomain_faults(domain).empty()) {
      invalid(path, key, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    if (std::any_of(key.begin(), key.end(), [](char c) { return c != ascii_lower(c); })) {
      invalid(path, key, "must be lowercase");
    }
    for (const std::string_view reserved : {"k8s.io", "kubernetes.io"}) {
      if (domain != reserved && !domain.ends_with("." + std::string(reserved))) continue;
      invalid(path, key,
              "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
    }
  }

  const std::vector<std::string>& algorithms_;
  AuthenticationConfiguration read_;
  std::set<std::string> urls_, discoveries_;
  const std::string none_;
  bool email_verified_ = false;  // an expression of the issuer reads the claim
};

}  // namespace

JwtIssuer::JwtIssuer()
    : claims_type(cel::read_type("M*", types)),
      user_type(cel::read_type("{extra:MLs,groups:Ls,uid:s,username:s}", types)) {}

bool AuthenticationConfiguration::allows_anonymous(std::string_view path, bool usual) const {
  if (!anonymous) return usual;
  const std::vector<std::string>& paths = anonymous->paths;
  return anonymous->enabled &&
         (paths.empty() || std::find(paths.begin(), paths.end(), path) != paths.end());
}

Expected<AuthenticationConfiguration> read_authentication_configuration(
    std::string_view text, const registry::Files& files,
    const std::vector<std::string>& algorithms) {
  if (text.empty()) return Fault{"empty config data"};
  json::Arena arena;
  const auto read = read_strictly(text, kAuthenticationKind, arena);
  if (!read) return Fault{read.fault().message};
  return AuthenticationReader(files, algorithms).read(*read);
}

std::vector<std::string> key_files_of(const Options& options) {
  std::vector<std::string> paths;
  const auto add = [&](std::string_view path) {
    if (!path.empty()) paths.emplace_back(path);
  };
  add(options.oidc.keys_file);
  json::Arena arena;
  const auto read = read_strictly(options.authentication_configuration, kAuthenticationKind, arena);
  if (!read) return paths;
  for (const Value& jwt : json::items_in(*read, "jwt")) {
    add(json::text_at(jwt, {"issuer", "jwksFile"}));
  }
  return paths;
}

AuthenticationConfiguration authentication_of(const Options& options) {
  const bool by_flags = options.authentication_configuration.empty();
  if (by_flags && !options.oidc.given()) return {};
  auto read =
      by_flags
          ? read_authentication_configuration(configuration_of(options.oidc), options.files,
                                              options.oidc.signing_algorithms)
          : read_authentication_configuration(options.authentication_configuration, options.files);
  if (read) return std::move(*read);
  AuthenticationConfiguration nobody;
  nobody.anonymous.emplace();
  return nobody;
}

}  // namespace tabernetes::auth

namespace tabernetes {

Expected<void> check_authentication_configuration(std::string_view text,
                                                  const std::map<std::string, std::string>& files) {
  const auto read = auth::read_authentication_configuration(text, files);
  if (read) return {};
  return Fault{read.fault().message};
}

}  // namespace tabernetes
