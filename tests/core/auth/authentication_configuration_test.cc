#include "auth/authentication_configuration.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "auth/jwt_authenticator.h"
#include "auth/oidc_issuer.h"
#include "auth/token_issuer.h"
#include "codec/json_reader.h"

namespace tabernetes::auth {
namespace {

constexpr Time kNow = Time::from_unix_milliseconds(1'767'225'600'000);  // 2026-01-01
constexpr std::string_view kShop = "issuer: {url: 'https://shop.example', audiences: [shop]}";
constexpr std::string_view kNames = "claimMappings: {username: {claim: sub, prefix: ''}}";

// Signs the tokens of all issuers.
const TokenIssuer& signer() {
  static const TokenIssuer issuer("");
  return issuer;
}

registry::Files key_files() { return {{"/keys", signer().key_set()}, {"/none", "{\"keys\":[]}"}}; }

std::string issuers(std::string_view jwt, std::string_view more = "") {
  return "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: [" +
         std::string(jwt) + "]\n" + std::string(more);
}
std::string one_issuer(std::string_view issuer, std::string_view mappings = kNames,
                       std::string_view more = "") {
  return issuers("{" + std::string(issuer) + ", " + std::string(mappings) + std::string(more) +
                 "}");
}

std::string issuer_fault(const std::string& text) {
  const auto read = read_authentication_configuration(text, key_files());
  return read ? "" : read.fault().message;
}

TEST_CASE("AuthenticationConfiguration: decoding is strict", "[auth]") {
  CHECK(issuer_fault("") == "empty config data");
  CHECK(issuer_fault("kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/v1") ==
        "");
  CHECK(issuer_fault("kind: Other\napiVersion: apiserver.config.k8s.io/v1") ==
        "no kind \"Other\" is registered for version \"apiserver.config.k8s.io/v1\" in scheme "
        "\"pkg/runtime/scheme.go:111\"");
  CHECK(issuer_fault(one_issuer(kShop, kNames, ", more: 1")) ==
        "strict decoding error: unknown field \"jwt[0].more\"");
  for (const std::string_view version : {"v1", "v1beta1", "v1alpha1"}) {
    CHECK(issuer_fault("kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/" +
                       std::string(version)) == "");
  }
}

TEST_CASE("AuthenticationConfiguration: the place of an issuer is validated", "[auth]") {
  struct Case {
    std::string_view issuer, fault;
  };
  static constexpr Case kCases[] = {
      {"url: 'https://a', audiences: [a]", ""},
      {"audiences: [a]", "jwt[0].issuer.url: Required value"},
      {"url: 'http://a', audiences: [a]",
       "jwt[0].issuer.url: Invalid value: \"http://a\": URL scheme must be https"},
      {"url: 'https://u:p@a', audiences: [a]",
       "jwt[0].issuer.url: Invalid value: \"https://u:p@a\": URL must not contain a username or "
       "password"},
      {"url: 'https://a?q=1', audiences: [a]",
       "jwt[0].issuer.url: Invalid value: \"https://a?q=1\": URL must not contain a query"},
      {"url: 'https://a#f', audiences: [a]",
       "jwt[0].issuer.url: Invalid value: \"https://a#f\": URL must not contain a fragment"},
      {"url: 'https://kubernetes.default.svc', audiences: [a]",
       "jwt[0].issuer.url: Invalid value: \"https://kubernetes.default.svc\": URL must not overlap "
       "with disallowed issuers: [https://kubernetes.default.svc]"},
      {"url: 'https://a', discoveryURL: 'https://a/', audiences: [a]",
       "jwt[0].issuer.discoveryURL: Invalid value: \"https://a/\": discoveryURL must be different "
       "from URL"},
      {"url: 'https://a'",
       "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required"},
      {"url: 'https://a', audiences: [a, a], audienceMatchPolicy: MatchAny",
       "jwt[0].issuer.audiences[1]: Duplicate value: \"a\""},
      {"url: 'https://a', audiences: [a, b]",
       "jwt[0].issuer.audienceMatchPolicy: Invalid value: \"\": audienceMatchPolicy must be "
       "MatchAny for multiple audiences"},
      {"url: 'https://a', audiences: [a], audienceMatchPolicy: Some",
       "jwt[0].issuer.audienceMatchPolicy: Invalid value: \"Some\": audienceMatchPolicy must be "
       "empty or MatchAny for single audience"},
      {"url: 'https://a', audiences: [a], certificateAuthority: x",
       "jwt[0].issuer.certificateAuthority: Invalid value: \"<omitted>\": data does not contain "
       "any valid RSA or ECDSA certificates"},
      {"url: 'https://a', audiences: [a], jwksFile: /keys", ""},
      {"url: 'https://a', audiences: [a], jwksFile: /lost",
       "jwt[0].issuer.jwksFile: Invalid value: \"/lost\": error loading file: stat /lost: no such "
       "file or directory"},
      {"url: 'https://a', audiences: [a], jwksFile: /none",
       "jwt[0].issuer.jwksFile: Invalid value: \"/none\": is no JSON Web Key Set"},
  };
  for (const Case& c : kCases) {
    INFO(c.issuer);
    CHECK(issuer_fault(one_issuer("issuer: {" + std::string(c.issuer) + "}")) == c.fault);
  }
  const std::string shop = "{" + std::string(kShop) + ", " + std::string(kNames) + "}";
  CHECK(issuer_fault(issuers(shop + ", " + shop)) ==
        "jwt[1].issuer.url: Duplicate value: \"https://shop.example\"");
}

TEST_CASE("AuthenticationConfiguration: claims and rules are validated", "[auth]") {
  struct Case {
    std::string_view mappings, rules, fault;
  };
  static constexpr Case kCases[] = {
      {"username: {}", "",
       "jwt[0].claimMappings.username: Required value: claim or expression is required"},
      {"username: {claim: sub}", "",
       "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is "
       "set. It can be set to an empty string to disable prefixing"},
      {"username: {claim: sub, prefix: '', expression: claims.sub}", "",
       "jwt[0].claimMappings.username: Invalid value: \"\": claim and expression can't both be "
       "set"},
      {"username: {prefix: x, expression: claims.sub}", "",
       "jwt[0].claimMappings.username.prefix: Invalid value: \"x\": may not be specified when "
       "expression is set"},
      {"username: {expression: '1'}", "",
       "jwt[0].claimMappings.username.expression: Invalid value: \"1\": must evaluate to one of "
       "[string list(string) any]"},
      {"username: {expression: claims.email}", "",
       "jwt[0].claimMappings.username.expression: Invalid value: \"claims.email\": "
       "claims.email_verified must be used in claimMappings.username.expression or "
       "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
       "claims.email is used in claimMappings.username.expression"},
      {"username: {expression: claims.email}",
       "claimValidationRules: [{expression: claims.email_verified == true}]", ""},
      {"username: {claim: sub, prefix: ''}, groups: {claim: g}", "",
       "jwt[0].claimMappings.groups.prefix: Required value: prefix is required when claim is set. "
       "It can be set to an empty string to disable prefixing"},
      {"username: {claim: sub, prefix: ''}, extra: [{key: a, valueExpression: claims.a}]", "",
       "jwt[0].claimMappings.extra[0].key: Invalid value: \"a\": must be a domain-prefixed path "
       "(such as \"acme.io/foo\")"},
      {"username: {claim: sub, prefix: ''}, extra: [{key: x.kubernetes.io/a, valueExpression: "
       "claims.a}]",
       "",
       "jwt[0].claimMappings.extra[0].key: Invalid value: \"x.kubernetes.io/a\": k8s.io, "
       "kubernetes.io and their subdomains are reserved for Kubernetes use"},
      {"username: {claim: sub, prefix: ''}", "claimValidationRules: [{}]",
       "jwt[0].claimValidationRules[0]: Required value: claim or expression is required"},
      {"username: {claim: sub, prefix: ''}",
       "claimValidationRules: [{claim: a, requiredValue: b}, {claim: a, requiredValue: c}]",
       "jwt[0].claimValidationRules[1].claim: Duplicate value: \"a\""},
      {"username: {claim: sub, prefix: ''}", "claimValidationRules: [{expression: claims.a + 'x'}]",
       "jwt[0].claimValidationRules[0].expression: Invalid value: \"claims.a + 'x'\": must "
       "evaluate to bool"},
      {"username: {claim: sub, prefix: ''}", "userValidationRules: [{}]",
       "jwt[0].userValidationRules[0].expression: Required value"},
      {"username: {claim: sub, prefix: ''}",
       "userValidationRules: [{expression: \"user.groups == []\"}, {expression: \"user.groups == "
       "[]\"}]",
       "jwt[0].userValidationRules[1].expression: Duplicate value: \"user.groups == []\""},
  };
  for (const Case& c : kCases) {
    INFO(c.mappings << " " << c.rules);
    const std::string more = c.rules.empty() ? "" : ", " + std::string(c.rules);
    CHECK(issuer_fault(one_issuer(kShop, "claimMappings: {" + std::string(c.mappings) + "}",
                                  more)) == c.fault);
  }
  CHECK(issuer_fault(one_issuer(kShop, kNames, ", userValidationRules: [{expression: 'user.x'}]"))
            .starts_with("jwt[0].userValidationRules[0].expression: Invalid value: \"user.x\": "
                         "compilation failed: "));
}

TEST_CASE("AuthenticationConfiguration: anonymous callers by path", "[auth]") {
  const auto read = [](std::string_view anonymous) {
    return read_authentication_configuration(
        issuers("", "anonymous: {" + std::string(anonymous) + "}"));
  };
  const auto some = read("enabled: true, conditions: [{path: /livez}, {path: /readyz}]");
  REQUIRE(some);
  CHECK(some->allows_anonymous("/livez", false));
  CHECK_FALSE(some->allows_anonymous("/livez/etcd", true));
  const auto all = read("enabled: true");
  REQUIRE(all);
  CHECK(all->allows_anonymous("/api", false));
  const auto none = read("enabled: false");
  REQUIRE(none);
  CHECK_FALSE(none->allows_anonymous("/livez", true));
  CHECK(AuthenticationConfiguration().allows_anonymous("/", true));
  CHECK_FALSE(AuthenticationConfiguration().allows_anonymous("/", false));
  CHECK(issuer_fault(issuers("", "anonymous: {conditions: [{path: /livez}]}")) ==
        "anonymous.conditions: Invalid value: [{\"Path\":\"/livez\"}]: enabled should be set to "
        "true when conditions are defined");
  Options broken;
  broken.authentication_configuration = "kind: Other";
  CHECK_FALSE(authentication_of(broken).allows_anonymous("/", true));
}

// --- Claims

// Returns "name uid [groups] extra" of a token with these claims, or why there is no user.
std::string who(const AuthenticationConfiguration& configuration, std::string claims) {
  std::replace(claims.begin(), claims.end(), '\'', '"');
  json::Arena arena;
  const std::string text =
      R"({"iss":"https://shop.example","aud":"shop","exp":1767225660)" + claims + "}";
  const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
  REQUIRE(read.ok());
  WebhookAsking asking;
  const JwtCaller caller =
      authenticate_jwt(configuration, asking, kNow, signer().issue(read.value));
  if (!caller.user) return caller.error;
  std::string line = caller.user->name + " " + caller.user->uid + " [";
  for (const std::string& group : caller.user->groups) {
    line += (line.ends_with('[') ? "" : ",") + group;
  }
  line += "]";
  for (const auto& [key, values] : caller.user->extra) {
    line += " " + key + "=";
    for (const std::string& value : values) line += value + ";";
  }
  return line;
}

constexpr std::string_view kShopWithKeys =
    "issuer: {url: 'https://shop.example', audiences: [shop], jwksFile: /keys}";

AuthenticationConfiguration shop(std::string_view mappings, std::string_view more = "") {
  auto read = read_authentication_configuration(
      one_issuer(kShopWithKeys, "claimMappings: {" + std::string(mappings) + "}", more),
      key_files());
  INFO((read ? std::string() : read.fault().message));
  REQUIRE(read);
  return std::move(*read);
}

TEST_CASE("AuthenticationConfiguration: claims make a user", "[auth]") {
  const AuthenticationConfiguration plain = shop(
      "username: {claim: sub, prefix: 'x:'}, groups: {claim: roles, prefix: 'r:'}, uid: {claim: "
      "id}");
  CHECK(who(plain, ",'sub':'ann','roles':['a','b'],'id':'7','jti':'j'") ==
        "x:ann 7 [r:a,r:b,system:authenticated] "
        "authentication.kubernetes.io/credential-id=JTI=j;");
  CHECK(who(plain, ",'sub':'ann','roles':'a','id':'7'") == "x:ann 7 [r:a,system:authenticated]");
  CHECK(who(plain, ",'sub':'ann','id':'7'") == "x:ann 7 [system:authenticated]");
  CHECK(who(plain, ",'id':'7'") == "oidc: parse claim \"sub\": claim not present, or no string");
  CHECK(who(plain, ",'sub':'ann','roles':[1],'id':'7'") == "oidc: parse groups claim \"roles\"");
}

TEST_CASE("AuthenticationConfiguration: expressions make a user and judge it", "[auth]") {
  const AuthenticationConfiguration configuration = shop(
      "username: {expression: \"claims.sub + '@' + claims.tenant.name\"}, groups: {expression: "
      "\"claims.roles.split(',')\"}, uid: {expression: string(claims.number)}, extra: [{key: "
      "example.com/tenant, valueExpression: claims.tenant.name}, {key: example.com/none, "
      "valueExpression: \"''\"}]",
      ", claimValidationRules: [{claim: hd, requiredValue: example.com}, {expression: "
      "claims.number > 5, message: too small}], userValidationRules: [{expression: "
      "\"!user.username.startsWith('system:')\", message: reserved}]");
  const std::string rest = ",'tenant':{'name':'t'},'roles':'a,b','number':6,'hd':'example.com'";
  CHECK(who(configuration, ",'sub':'ann'" + rest) ==
        "ann@t 6 [a,b,system:authenticated] example.com/tenant=t;");
  CHECK(who(configuration, ",'sub':'system:x'" + rest) ==
        "oidc: error evaluating user validation expression: validation expression "
        "'!user.username.startsWith('system:')' failed: reserved");
  CHECK(who(configuration,
            ",'sub':'ann','tenant':{'name':'t'},'roles':'a','number':5,'hd':'example.com'") ==
        "oidc: error evaluating claim validation expression: validation expression 'claims.number "
        "> 5' failed: too small");
  CHECK(who(configuration, ",'sub':'ann','tenant':{'name':'t'},'roles':'a','number':6,'hd':'x'") ==
        "oidc: required claim hd value does not match");
  CHECK(who(configuration, rest).starts_with("oidc: error evaluating username claim expression: "));
}

TEST_CASE("--oidc-* flags: an issuer as kube-apiserver makes it", "[auth]") {
  Options options;
  options.files = key_files();
  OidcIssuer& oidc = options.oidc;
  CHECK(authentication_of(options).issuers.empty());
  oidc.issuer_url = "https://shop.example";
  oidc.client_id = "shop";
  oidc.keys_file = "/keys";
  CHECK(key_files_of(options) == std::vector<std::string>{"/keys"});
  CHECK(check_oidc_issuer(oidc, options.files));
  const std::string ann = ",'sub':'ann','email':'ann@x','roles':['a']";
  CHECK(who(authentication_of(options), ann) == "https://shop.example#ann  [system:authenticated]");
  oidc.groups_claim = "roles";
  oidc.username_claim = "email";
  CHECK(who(authentication_of(options), ann) == "ann@x  [a,system:authenticated]");
  CHECK(who(authentication_of(options), ann + ",'email_verified':false") ==
        "oidc: email not verified");
  oidc.groups_prefix = "g:";
  oidc.username_prefix = "-";
  oidc.username_claim = "sub";
  CHECK(who(authentication_of(options), ann) == "ann  [g:a,system:authenticated]");
  oidc.username_prefix = "u:";
  oidc.required_claims = {{"hd", "x"}};
  CHECK(who(authentication_of(options), ann + ",'hd':'x'") == "u:ann  [g:a,system:authenticated]");
  CHECK(who(authentication_of(options), ann + ",'hd':'y'") ==
        "oidc: required claim hd value does not match");
  oidc.signing_algorithms = {"ES256", "PS256"};
  CHECK(who(authentication_of(options), ann) ==
        "oidc: verify token: oidc: id token signed with unsupported algorithm, expected "
        "[\"ES256\" \"PS256\"] got \"RS256\"");
  oidc.signing_algorithms = {"HS256"};
  CHECK(check_oidc_issuer(oidc, options.files).fault().message ==
        "oidc: unsupported signing alg: \"HS256\"");
  oidc.issuer_url = "http://shop.example";
  CHECK(check_oidc_issuer(oidc, options.files).fault().message ==
        "jwt[0].issuer.url: Invalid value: \"http://shop.example\": URL scheme must be https");
}

}  // namespace
}  // namespace tabernetes::auth
