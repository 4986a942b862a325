// The command line of `tabernetes`, and the file that it may name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "etcd/etcd_settings.h"
#include "listen_address.h"
#include "log.h"
#include "tabernetes/options.h"
#include "tabernetes/time.h"
#include "webhook_target.h"

namespace tabernetes::host {

// The flags of HTTPS and of certificates of clients.
struct TlsFlags {
  bool on = false;  // --tls
  std::string cert_file, key_file, cert_dir;
  std::vector<std::pair<std::string, std::string>> for_names;  // certificates and keys
  std::string min_version;
  std::vector<std::string> names;
  std::string client_ca_file, proxy_ca_file;
  std::vector<std::string> proxy_names;
  RequestHeaders headers;

  bool serves() const { return on || !cert_file.empty(); }
};

// The flags of the audit log.
struct AuditFlags {
  std::string policy_file, log_path;  // empty: none; "-": stdout
  std::string format;                 // "json" or "legacy"
  bool truncates = false;
  std::uint64_t most_event_bytes = 0;
};

// What `tabernetes serve` is asked to do; flags/serve.json describes each.
struct ServeFlags {
  std::string config;  // read already
  std::vector<ListenPlace> listen;
  bool listen_given = false;      // rather than the default
  std::vector<std::string> load;  // files, folders, "-"
  std::string kubeconfig;         // empty: none is written
  std::optional<std::uint64_t> seed;
  std::optional<Time> clock;  // stands still
  std::string controllers;    // for parse_controllers()
  bool scheduler = false;
  int nodes = 0;
  std::string behaviour;   // path; empty: none
  std::string faults;      // the same
  std::string containers;  // the same
  std::map<std::string, bool> feature_gates;
  std::vector<std::string> enable_admission_plugins, disable_admission_plugins;
  std::string admission_control_config_file;                      // path; empty: none
  std::string token_auth_file, service_account_signing_key_file;  // paths; empty: none
  std::vector<std::string> service_account_key_files;
  std::string data_dir;  // empty: the cluster is in memory
  EtcdSettings etcd;
  TlsFlags tls;
  AuditFlags audit;
  int unused = 0;  // of flags without effect
  Duration watch_history;
  Duration request_timeout;
  bool priority_and_fairness = false;
  int max_requests_inflight = 0, max_mutating_requests_inflight = 0;
  int max_connections = 0;  // 0: as many as the limit of open files leaves
  std::vector<WebhookService> webhook_services;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> cors_allowed_origins;
  bool allow_privileged = false;
  std::string authorization_mode;  // for parse_authorization_modes()
  std::vector<Authorization> authorization;
  std::string authorization_policy_file, authorization_config;  // paths; empty: none
  std::string authentication_config;
  AuthorizationWebhook authorization_webhook;
  OidcIssuer oidc;  // its keys_file is as it was given
  std::string oidc_ca_file;
  bool oidc_given = false;  // one of the flags of an issuer
  TokenReviewWebhook token_webhook;
  bool anonymous_auth = false, bootstrap_token_auth = false;
  bool admin = false;
  bool ui = false;
  Log log;
};

// A command on a folder: backup, restore, check-data or envtest, and its arguments.
struct DataCommand {
  std::string name;
  std::string from, to;  // `to` is empty for the last two
};

// A command line, read: `serve`, a command on data, or an answer to print and an exit code (help,
// version, mistakes).
struct CommandLine {
  std::optional<ServeFlags> serve;
  std::optional<DataCommand> data;
  std::vector<std::string> check;  // the files of `check`
  std::string out;
  std::string err;
  int exit_code = 0;  // 2 for a wrong command line or file, 1 for a file that cannot be read
};

// Reads the file that --config names, too.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace tabernetes::host
