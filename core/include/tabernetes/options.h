// How a cluster is made: what a host may choose, and what it is told about what people wrote.
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

#include "tabernetes/expected.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes {

namespace schema::openapi {
class Descriptions;
}

// Fills `size` bytes with random ones. The only way randomness enters the core.
using EntropySource = std::function<void(unsigned char* bytes, std::size_t size)>;

// Who may do what: everybody everything, or what roles and bindings say.
enum class Authorization { kAlwaysAllow, kRbac };

// A request that kube-apiserver would hand to a node: for logs, a shell, a port.
struct NodeConnection {
  std::string what;  // "log", "exec", "attach", "portforward" or "proxy"
  std::string node;  // empty for a proxy to a pod or service
  std::string ns, name, container;
};

// Answers in the place of the nodes; nothing: there is no such node. Called on any thread that
// reads; must not call back into the server.
using NodeConnector = std::function<std::optional<Response>(const NodeConnection&, const Request&)>;

// The texts that describe kinds and fields in OpenAPI documents, which `kubectl explain` shows.
//
// They are a file of their own (tools/explain makes it) that a host loads when the first such
// document is asked for:
//
//   auto texts = std::make_shared<tabernetes::OpenApiTexts>();
//   options.openapi_texts = texts;                // any number of clusters may share them
//   ...
//   if (texts->lacks(request.target)) texts->give(unpacked_file());
//   server.handle(request, ...);
//
// Any thread may call: the texts are given once, and never change.
class OpenApiTexts {
 public:
  OpenApiTexts();
  ~OpenApiTexts();
  OpenApiTexts(const OpenApiTexts&) = delete;
  OpenApiTexts& operator=(const OpenApiTexts&) = delete;

  // Whether a request for this target is to wait until the texts have been given.
  bool lacks(std::string_view target) const;

  // Gives the content of the file, unpacked: documents have its texts from then on. What is given
  // after the first document was asked for is left aside. Fails for a file that is wrong: documents
  // then have no texts.
  Expected<void> give(std::string_view file) const;
  // There is no such file: documents have no texts.
  void give_none() const;

  // For the core: what was given; from then on that it was nothing, if it was.
  const schema::openapi::Descriptions& descriptions() const;

 private:
  struct Given;
  std::unique_ptr<Given> given_;
};

struct Options {
  Time now;                // the cluster's first moment
  std::uint64_t seed = 0;  // fixes uids and suffixes when `entropy` is empty
  EntropySource entropy;   // the host's randomness; empty: reproducible from `seed`
  // What resourceVersions begin at. A host that loses its state when it is started anew begins
  // higher each time, such as at the microseconds of the start: versions of its earlier life are
  // then old ones, not ones of the future, after which a client would hear nothing.
  std::uint64_t first_version = 1;
  // How long a request waits for a resourceVersion that is not reached yet.
  Duration freshness_wait = Duration::from_seconds(3);
  // By Kubernetes' names; hosts refuse unknown ones: see check_feature_gates().
  std::map<std::string, bool> feature_gates;
  std::vector<std::string> controllers;  // control loops to run: see parse_controllers()
  // `token,user,uid,"group1,group2"` a line: tokens that callers may show; see check_token_file().
  // Where it is empty, and everybody may do everything, a token that this cluster has not issued is
  // ignored.
  std::string token_file;
  Authorization authorization = Authorization::kAlwaysAllow;
  bool anonymous_auth = true;  // callers without a token are system:anonymous; else refused
  // An RSA private key as PEM, to sign the tokens of service accounts with: see
  // check_signing_key(). Empty: a key that everybody knows, as it is part of the source.
  std::string service_account_key;
  // Who answers in the place of nodes; nobody: as if they could not be reached.
  NodeConnector connect_to_node;
  // Whether the host calls webhooks: see ApiServer::take_webhook_calls(). Otherwise each call
  // fails.
  bool calls_webhooks = false;
  // Names of admission plugins to run beside those that are on by default, and of those not to run.
  // Hosts refuse unknown ones: see check_admission_plugin().
  std::vector<std::string> enable_admission_plugins, disable_admission_plugins;
  // As kube-apiserver's --allow-privileged: containers may be as powerful as their node.
  bool allow_privileged = false;
  int nodes = 0;                                  // simulated nodes to register
  std::string server_address = "127.0.0.1:8001";  // what the cluster says of itself
  // How long versions that are not the present one can be read and watched from. Memory bounds it
  // too: 100,000 changes, 256 MiB.
  Duration watch_history = Duration::from_seconds(300);
  // How much memory encodings other than JSON may take that are kept for those who ask again.
  std::size_t encoded_bytes = std::size_t{64} << 20;
  // Whether the host can compress bodies: see Response::content_encoding.
  bool compression = true;
  // Regular expressions (see check_cors_origin()): pages of these origins may read answers. Empty:
  // none.
  std::vector<std::string> cors_allowed_origins;
  bool admin = true;  // the /-/tabernetes/ endpoints
  // What OpenAPI documents say of kinds and fields; null: nothing.
  std::shared_ptr<const OpenApiTexts> openapi_texts;
};

// What people write as options, read and checked as kube-apiserver does its flags. A fault has the
// words of that server, without the name of the flag.

// Reads a list as kube-controller-manager's --controllers, into the names of the loops that it
// turns on: `*` is all of them, `foo` adds one, `-foo` takes one away whatever else the list says.
// `all` and `none` are `*` and the empty list. Names of loops that there are not here are refused,
// as they would do nothing.
Expected<std::vector<std::string>> parse_controllers(std::string_view text);

// Parses a list in the format of --feature-gates ("Name=true,kube:Other=false"). All gates of
// kube-apiserver 1.36 are known, also those that change nothing here.
Expected<std::map<std::string, bool>> parse_feature_gates(std::string_view text);

// Checks a complete set of chosen gates. Fails for an unknown gate, a locked one, or one that is on
// while a gate that it needs is off.
Expected<void> check_feature_gates(const std::map<std::string, bool>& gates);

// Fails unless kube-apiserver 1.36 has an admission plugin of that name. Those that do nothing here
// yet are known too.
Expected<void> check_admission_plugin(std::string_view name);

// Fails unless Options::token_file may be this.
Expected<void> check_token_file(std::string_view text);
// Returns the first token of such a file, for a kubeconfig that is to work; nothing if it has none.
std::optional<std::string> first_token(std::string_view text);

// Fails unless Options::service_account_key may be this: an RSA private key as PEM.
Expected<void> check_signing_key(std::string_view pem);

// Pages of this machine, at any port: for Options::cors_allowed_origins.
inline constexpr std::string_view kLocalOrigins =
    R"(^https?://(localhost|[^/:@]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$)";

// Fails unless an item of Options::cors_allowed_origins may be this: a regular expression that says
// where the host begins and ends, or it would let in `evil-example.com` for `example.com`.
Expected<void> check_cors_origin(std::string_view pattern);

// Whether an item of the list `origins` matches `origin`.
bool cors_allows(const std::vector<std::string>& origins, std::string_view origin);

}  // namespace tabernetes
