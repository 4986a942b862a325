// How a cluster is made: what a host may choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tabernetes/node_connection.h"
#include "tabernetes/openapi_texts.h"
#include "tabernetes/time.h"

namespace tabernetes {

// Fills `size` bytes with random ones. The only way randomness enters the core.
using EntropySource = std::function<void(unsigned char* bytes, std::size_t size)>;

// Who may do what: everybody everything, or what roles and bindings say.
enum class Authorization { kAlwaysAllow, kRbac };

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
  // Kubernetes' names; hosts refuse unknown ones.
  std::map<std::string, bool> feature_gates;
  std::vector<std::string> controllers;  // control loops to run: see controllers.h
  // `token,user,uid,"group1,group2"` a line: tokens that callers may show; see token_file_fault()
  // in identity.h. Where it is empty, and everybody may do everything, a token that
  // this cluster has not issued is ignored.
  std::string token_file;
  Authorization authorization = Authorization::kAlwaysAllow;
  bool anonymous_auth = true;  // callers without a token are system:anonymous; else refused
  // An RSA private key as PEM, to sign the tokens of service accounts with. Empty: a key that
  // everybody knows, as it is part of the source.
  std::string service_account_key;
  // Who answers in the place of nodes; nobody: as if they could not be reached.
  NodeConnector connect_to_node;
  // Whether the host calls webhooks: see ApiServer::take_webhook_calls(). Otherwise each call
  // fails.
  bool calls_webhooks = false;
  // Names of admission plugins to run beside those that are on by default, and of those not to run.
  // Hosts refuse unknown ones (see admission_plugins.h).
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
  // Regular expressions (see cors.h): pages of these origins may read answers. Empty: none.
  std::vector<std::string> cors_allowed_origins;
  bool admin = true;  // the /-/tabernetes/ endpoints
  // What OpenAPI documents say of kinds and fields; null: nothing.
  std::shared_ptr<const OpenApiTexts> openapi_texts;
};

}  // namespace tabernetes
