// The options of a cluster, and functions that parse and check the texts of users' options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/backend.h"
#include "tabernetes/certificates.h"
#include "tabernetes/expected.h"
#include "tabernetes/http.h"
#include "tabernetes/stopwatch.h"
#include "tabernetes/time.h"

namespace tabernetes {

namespace schema::openapi {
class Descriptions;
}

// Fills `size` bytes with random ones. The core has no other source of randomness.
using EntropySource = std::function<void(unsigned char* bytes, std::size_t size)>;

// An authorization mode. Policies of a file decide for kAbac, roles and bindings for kRbac; kNode
// lets kubelets do what their pods need; for kWebhook a service decides, which only
// Options::authorization_configuration can name.
enum class Authorization { kAlwaysAllow, kAlwaysDeny, kAbac, kRbac, kNode, kWebhook };

// How kube-apiserver's flags describe the webhook of mode kWebhook.
struct AuthorizationWebhook {
  std::string kubeconfig;           // the path of a file
  std::string version = "v1beta1";  // of SubjectAccessReview
  // How long decisions are kept; 0: they are not.
  Duration authorized_ttl = Duration::from_seconds(300);
  Duration unauthorized_ttl = Duration::from_seconds(30);
};

// How kube-apiserver's flags describe a webhook that knows tokens.
struct TokenReviewWebhook {
  std::string kubeconfig;                            // the path of a file; empty: there is none
  std::string version = "v1beta1";                   // of TokenReview
  Duration cache_ttl = Duration::from_seconds(120);  // how long answers are kept; 0: they are not
};

// How kube-apiserver's flags --oidc-* describe an issuer of tokens (OpenID Connect).
struct OidcIssuer {
  std::string issuer_url, client_id;
  std::string certificate_authority;  // PEM; empty: the authorities that the host trusts
  std::string keys_file;  // the path of the issuer's keys (JWKS); empty: they are fetched
  std::string username_claim = "sub";
  // Empty: the URL and "#", unless the claim is "email"; "-": none.
  std::string username_prefix;
  std::string groups_claim, groups_prefix;  // no claim: no groups
  std::map<std::string, std::string> required_claims;
  std::vector<std::string> signing_algorithms = {"RS256"};

  bool given() const { return !issuer_url.empty() && !client_id.empty(); }
};

// The headers in which a trusted proxy names the user: see ClientCertificate::as_proxy. Names and
// prefixes are in lower case, those that come first count first.
struct RequestHeaders {
  std::vector<std::string> usernames, uids, groups, extra_prefixes;
};

// A request that kube-apiserver would proxy to a node: for logs, a shell, a port.
struct NodeConnection {
  std::string what;  // the subresource: "log", "exec", "attach", "portforward" or "proxy"
  std::string node;  // empty for a proxy to a pod or service
  std::string ns, name, container;
};

// Answers instead of a node, or returns nullopt if there is no such node. Called by the
// writer, which admits a connection first; logs are only read.
// Must not call into the server.
using NodeConnector = std::function<std::optional<Response>(const NodeConnection&, const Request&)>;

// The texts that describe kinds and fields in OpenAPI documents, which `kubectl explain` shows.
//
// tools/explain writes them to a file, which a host loads at the first request for such a document:
//
//   auto texts = std::make_shared<tabernetes::OpenApiTexts>();
//   options.openapi_texts = texts;                // any number of clusters may share them
//   ...
//   if (texts->lacks(request.target)) texts->give(unpacked_file());
//   server.handle(request, ...);
//
// Any thread may call. The texts are set once and never change.
class OpenApiTexts {
 public:
  OpenApiTexts();
  ~OpenApiTexts();
  OpenApiTexts(const OpenApiTexts&) = delete;
  OpenApiTexts& operator=(const OpenApiTexts&) = delete;

  // Returns true if a request for this target needs the texts and they are not set.
  bool lacks(std::string_view target) const;

  // Sets the texts to the uncompressed content of the file. Does nothing after the first request
  // for a document. Fails for an invalid file: documents then have no texts.
  Expected<void> give(std::string_view file) const;
  // Declares that there is no such file: documents have no texts.
  void give_none() const;

  // For the core. Returns the texts; if none are set, none can be set from then on.
  const schema::openapi::Descriptions& descriptions() const;

 private:
  struct Given;
  std::unique_ptr<Given> given_;
};

struct Options {
  Time now;                // the time at which the cluster begins
  std::uint64_t seed = 0;  // determines UIDs and suffixes if `entropy` is empty
  EntropySource entropy;   // empty: reproducible from `seed`
  // The first resourceVersion. A host that loses its state at a restart chooses a higher one each
  // time, such as the start time in microseconds: versions of earlier runs are then old. Otherwise
  // they would be in the future, and clients would wait for them.
  std::uint64_t first_version = 1;
  // How long a request waits for a resourceVersion in the future.
  Duration freshness_wait = Duration::from_seconds(3);
  // By name. REQUIRES: check_feature_gates() succeeds.
  std::map<std::string, bool> feature_gates;
  std::vector<std::string> controllers;  // control loops to run: see parse_controllers()
  bool scheduler = false;                // binds pods to nodes, as kube-scheduler does
  // The known tokens, in lines `token,user,uid,"group1,group2"`: see check_token_file(). If it is
  // empty and everything is allowed, tokens that this cluster has not issued are ignored.
  std::string token_file;
  // The modes that are asked in turn until one allows. REQUIRES: not empty, each once.
  std::vector<Authorization> authorization = {Authorization::kAlwaysAllow};
  // An AuthorizationConfiguration, as YAML or JSON; if it is not empty, its authorizers are asked
  // instead of these modes. See check_authorization_configuration().
  std::string authorization_configuration;
  // The texts of the files that configurations name, by path: see missing_files().
  std::map<std::string, std::string> files;
  // For kAbac, a policy on each line: see check_authorization_policy().
  std::string authorization_policy;
  // An AuthenticationConfiguration, as YAML or JSON: issuers of tokens, and who may be anonymous;
  // empty: none. See check_authentication_configuration().
  std::string authentication_configuration;
  // Instead of such a configuration. See check_oidc_issuer().
  OidcIssuer oidc;
  TokenReviewWebhook token_webhook;   // asked about tokens that nobody else knows
  bool bootstrap_token_auth = false;  // accepts the tokens of nodes that join
  bool anonymous_auth = true;         // accepts callers without a token, as system:anonymous
  RequestHeaders request_headers;
  // The private key (PEM), RSA or ECDSA, that signs tokens of service accounts: see
  // check_signing_key(). Empty: the public development key, which is part of the source.
  std::string service_account_key;
  // Signs for the cluster's authority what is approved. Empty: nothing is signed.
  CertificateSigner sign_certificate;
  // The certificate (PEM) with which clients verify the server, as published in the cluster. Empty:
  // a placeholder.
  std::string root_certificate;
  // Keys (PEM, public or private) whose tokens of service accounts are accepted; empty: the key
  // that signs. See check_verification_keys().
  std::string service_account_verification_keys;
  // Answers instead of nodes. Empty: nodes cannot be reached.
  NodeConnector connect_to_node;
  // True if the host calls webhooks: see ApiServer::take_webhook_calls(). Otherwise each call
  // fails.
  bool calls_webhooks = false;
  // True if the host sends requests to aggregated API servers: see ApiServer::take_proxy_calls().
  // Otherwise they are not available.
  bool reaches_servers = false;
  // PEM: the authority of the client certificate that the host shows them, as published in the
  // cluster, and that of the users' certificates. Empty: not published.
  std::string front_proxy_authority, user_authority;
  // Admission plugins to run in addition to the default ones, and those not to run. Unknown names
  // are ignored: see check_admission_plugin().
  std::vector<std::string> enable_admission_plugins, disable_admission_plugins;
  // The configuration of plugins, an AdmissionConfiguration as YAML or JSON; empty: none. See
  // check_admission_configuration().
  std::string admission_configuration;
  // Allows privileged containers, as kube-apiserver's --allow-privileged.
  bool allow_privileged = false;
  int nodes = 0;  // simulated nodes to register
  // How simulated pods and nodes behave, as docs/behaviour.md describes it; empty: as usual. See
  // check_behaviour().
  std::string behaviour;
  // What stands behind logs, shells and ports of simulated containers, as docs/containers.md
  // describes it; empty: as usual. See check_containers().
  std::string containers;
  // What goes wrong on purpose, as docs/faults.md describes it; empty: nothing. See check_faults().
  std::string faults;
  std::string server_address = "127.0.0.1:8001";  // as published in the cluster
  // How long old versions can be read and watched from, up to 100,000 changes and 256 MiB.
  Duration watch_history = Duration::from_seconds(300);
  // Memory limit of the cache of encodings other than JSON.
  std::size_t encoded_bytes = std::size_t{64} << 20;
  // True if the host can compress bodies: see Response::content_encoding.
  bool compression = true;
  // Regular expressions of the origins whose pages may read answers: see check_cors_origin().
  std::vector<std::string> cors_allowed_origins;
  bool admin = true;  // the /-/tabernetes/ endpoints
  // Measures the steps of requests that are explained. Empty: nobody learns how long they took.
  Stopwatch stopwatch;
  // How long a request may take, unless it is a watch or a connection.
  Duration request_timeout = Duration::from_seconds(60);
  // How many requests may be in flight: reads, and all others. By priority and fairness the sum of
  // both is divided among the priority levels that are stored; otherwise each is a limit of its
  // own, and 0 is none. REQUIRES: check_limits() succeeds.
  bool priority_and_fairness = true;
  int max_requests_inflight = 400, max_mutating_requests_inflight = 200;
  // Keeps what the cluster stores; null: it is in memory only. The cluster begins with what is
  // there, and its time and versions go on. Forks have none.
  std::shared_ptr<store::Backend> backend;
  // With shared storage: this server's name among the others, which elect the one that runs the
  // control loops. Empty: this one runs them.
  std::string identity;
  // The descriptions in OpenAPI documents; null: none.
  std::shared_ptr<const OpenApiTexts> openapi_texts;
};

// The following functions parse and check texts as kube-apiserver does its flags. Faults have its
// messages, without the name of the flag.

// Parses a list in the format of kube-controller-manager's --controllers. Returns the names of the
// loops that are on: `*` or `all` turns on all, `foo` turns on one, `-foo` turns it off wherever it
// is in the list, `none` does nothing. Fails for loops that are not implemented here.
Expected<std::vector<std::string>> parse_controllers(std::string_view text);

// Parses a list in the format of --feature-gates ("Name=true,kube:Other=false"). All gates of
// kube-apiserver 1.36 are known, also those that change nothing here.
Expected<std::map<std::string, bool>> parse_feature_gates(std::string_view text);

// Fails unless the numbers of an Options are not negative, and by priority and fairness not both 0.
Expected<void> check_limits(bool priority_and_fairness, int requests, int mutating_requests);

// Checks a complete set of chosen gates. Fails for an unknown gate, a locked one, or one that is on
// while a gate that it needs is off.
Expected<void> check_feature_gates(const std::map<std::string, bool>& gates);

// Fails unless the text is valid for Options::behaviour.
Expected<void> check_behaviour(std::string_view text);

// Fails unless the text is valid for Options::containers.
Expected<void> check_containers(std::string_view text);

// Fails unless the text is valid for Options::faults.
Expected<void> check_faults(std::string_view text);

// Fails unless kube-apiserver 1.36 has an admission plugin of that name. All of them are known,
// also those that change nothing here.
Expected<void> check_admission_plugin(std::string_view name);

// Fails unless the text is valid for Options::admission_configuration, with `files` as in the
// options, and has what the plugins need that are to be enabled.
Expected<void> check_admission_configuration(std::string_view text,
                                             const std::map<std::string, std::string>& files = {},
                                             const std::vector<std::string>& enabled = {});

// Parses the names of modes for Options::authorization, separated by commas.
Expected<std::vector<Authorization>> parse_authorization_modes(std::string_view text);
// Returns the names of modes, separated by commas.
std::string authorization_modes_text(const std::vector<Authorization>& modes);
// Fails unless the text is valid for Options::authorization_configuration; `files` as in the
// options. Returns the modes of the configuration.
Expected<std::vector<Authorization>> check_authorization_configuration(
    std::string_view text, const std::map<std::string, std::string>& files);
// Returns the configuration that does what `modes`, with kWebhook among them, and the flags of the
// webhook say.
std::string authorization_configuration_of(const std::vector<Authorization>& modes,
                                           const AuthorizationWebhook& webhook);
// Fails unless the text is valid for Options::authentication_configuration; `files` as in the
// options.
Expected<void> check_authentication_configuration(
    std::string_view text, const std::map<std::string, std::string>& files = {});
// Fails unless there is no issuer, or one that can be used; `files` as in the options.
Expected<void> check_oidc_issuer(const OidcIssuer& issuer,
                                 const std::map<std::string, std::string>& files = {});
// Fails unless the webhook can be called.
Expected<void> check_token_webhook(const TokenReviewWebhook& webhook,
                                   const std::map<std::string, std::string>& files);
// Returns the paths of files that the configurations of these options name and Options::files
// lacks. A host adds those that it can read, and asks again until it gets no new ones: files name
// others.
std::vector<std::string> missing_files(const Options& options);
// Fails unless the text is valid for Options::authorization_policy.
Expected<void> check_authorization_policy(std::string_view text);

// Fails unless the text is valid for Options::token_file.
Expected<void> check_token_file(std::string_view text);
// Returns the first token of such a file (for a kubeconfig), or nullopt if it has none.
std::optional<std::string> first_token(std::string_view text);

// Fails unless the text is valid for Options::service_account_key: an RSA or ECDSA private key as
// PEM.
Expected<void> check_signing_key(std::string_view pem);
// Fails unless the text is valid for Options::service_account_verification_keys.
Expected<void> check_verification_keys(std::string_view pem);

// The origins of this machine, at any port: for Options::cors_allowed_origins.
inline constexpr std::string_view kLocalOrigins =
    R"(^https?://(localhost|[^/:@]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$)";

// Fails unless the text is a valid item of Options::cors_allowed_origins: a regular expression that
// is pinned to the start and end of the host. Otherwise `example.com` matches `evil-example.com`.
Expected<void> check_cors_origin(std::string_view pattern);

// Returns true if an item of `origins` matches `origin`.
bool cors_allows(const std::vector<std::string>& origins, std::string_view origin);

}  // namespace tabernetes
