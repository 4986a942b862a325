// AuthenticationConfiguration of apiserver.config.k8s.io: who issues tokens and who may be
// anonymous. Source: upstream 1.36 apiserver/pkg/apis/apiserver/validation,
// apiserver/pkg/authentication/cel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/compile.h"
#include "registry/kind/webhook_client.h"
#include "registry/kind/webhook_kubeconfig.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {

struct ClaimExpression {
  std::string source;
  std::string name;  // the key of an extra, or the message of a rule
  cel::Program program;
};

// Where a property of the user comes from: a claim, an expression, or nowhere.
struct ClaimMapping {
  std::string claim, prefix;
  std::optional<ClaimExpression> expression;
};

struct JwtIssuer {
  JwtIssuer();
  JwtIssuer(const JwtIssuer&) = delete;
  JwtIssuer& operator=(const JwtIssuer&) = delete;

  // Of the variables of expressions, `claims` and `user`; the programs keep pointers to them.
  json::Arena types;
  const cel::Type* const claims_type;
  const cel::Type* const user_type;
  std::string url;
  registry::WebhookClient discovery;  // where its configuration is
  std::string keys;                   // its keys (JWKS), if they are not fetched
  // Of signatures; empty: all that are known.
  std::vector<std::string> algorithms;
  std::vector<std::string> audiences;
  ClaimMapping username, groups, uid;
  std::vector<ClaimExpression> extra;
  std::vector<std::pair<std::string, std::string>> required_claims;
  std::vector<ClaimExpression> claim_rules, user_rules;
};

struct AnonymousAccess {
  bool enabled = false;
  std::vector<std::string> paths;  // empty: all
};

struct AuthenticationConfiguration {
  std::vector<std::shared_ptr<const JwtIssuer>> issuers;
  std::optional<AnonymousAccess> anonymous;

  // Returns whether callers without credentials may ask for the path; `usual` if the configuration
  // says nothing.
  bool allows_anonymous(std::string_view path, bool usual) const;
};

// Reads and validates the configuration. `files` are the files that it names; `algorithms` are
// those of its issuers.
Expected<AuthenticationConfiguration> read_authentication_configuration(
    std::string_view text, const registry::Files& files = {},
    const std::vector<std::string>& algorithms = {});

// Returns the paths of the files that the options name: keys of issuers.
std::vector<std::string> key_files_of(const Options& options);

// Returns the configuration of the options; an invalid one knows nobody, and nobody may be
// anonymous.
AuthenticationConfiguration authentication_of(const Options& options);

}  // namespace tabernetes::auth
