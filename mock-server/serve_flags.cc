#include "serve_flags.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <map>
#include <string_view>

#include "lower_case.h"
#include "tabernetes/options.h"
#include "time_text.h"

namespace tabernetes::host {
namespace {

using Read = std::string (*)(const Flag& flag, const std::string& value, bool first,
                             ServeFlags& flags);

std::string instead_of(const std::string& expected, const std::string& value) {
  return expected + ", not " + value;
}

// Returns the message of a fault, or an empty string.
template <typename T>
std::string fault_text(const Expected<T>& made) {
  return made ? std::string() : made.fault().message;
}

// "error, warn, info or debug"
std::string listed(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ";
    text += choices[i];
  }
  return text;
}

std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  for (bool more = true; more;) {
    const std::size_t comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
  }
  return items;
}

// Parsers of a kind of value, for a member of ServeFlags.

template <bool ServeFlags::*kMember>
std::string read_bool(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  if (value != "true" && value != "false") return instead_of("true or false", value);
  flags.*kMember = value == "true";
  return {};
}

template <std::string ServeFlags::*kMember>
std::string read_text(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.*kMember = value;
  return {};
}

template <auto kMember>
std::string read_number(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  const auto number_of = [](const std::string& text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  };
  std::uint64_t number = 0, most = 0;
  if (!number_of(flag.most, most) || !number_of(value, number) || number > most) {
    return instead_of("a whole number up to " + flag.most, value);
  }
  if constexpr (std::is_same_v<decltype(flags.*kMember), int&>) {
    flags.*kMember = static_cast<int>(number);
  } else {
    flags.*kMember = number;
  }
  return {};
}

template <std::vector<std::string> ServeFlags::*kMember>
std::string read_plugins(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  for (const std::string& name : items_of(value)) {
    const auto checked = check_admission_plugin(name);
    if (!checked) return fault_text(checked);
    (flags.*kMember).push_back(name);
  }
  return {};
}

// Returns the index of `value` among the choices, which are in the order of the enumerators.
std::optional<std::size_t> choice_of(const Flag& flag, const std::string& value) {
  const auto found = std::find(flag.choices.begin(), flag.choices.end(), value);
  if (found == flag.choices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - flag.choices.begin());
}

// Parsers of single flags.

std::string read_listen(const Flag& flag, const std::string& value, bool first, ServeFlags& flags) {
  const auto place = parse_listen_place(value);
  if (!place) return instead_of(flag.value + " or [IPV6]:PORT", value);
  flags.listen_given = !flags.listen.empty();  // the default comes first
  if (first) flags.listen.clear();
  flags.listen.push_back(*place);
  return {};
}

std::string read_load(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.load.push_back(value);
  return {};
}

std::string read_key_file(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.service_account_key_files.push_back(value);
  return {};
}

std::string read_clock(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.clock = parse_rfc3339(value);
  return flags.clock ? "" : instead_of("a time such as 2026-01-01T00:00:00Z", value);
}

std::string read_controllers(const Flag&, const std::string& value, bool first, ServeFlags& flags) {
  flags.controllers = first ? value : flags.controllers + "," + value;
  return fault_text(parse_controllers(flags.controllers));
}

std::string read_gates(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const auto gates = parse_feature_gates(value);
  if (!gates) return fault_text(gates);
  for (const auto& [name, on] : *gates) flags.feature_gates[name] = on;
  return {};
}

std::string read_authorization(const Flag&, const std::string& value, bool first,
                               ServeFlags& flags) {
  flags.authorization_mode = first ? value : flags.authorization_mode + "," + value;
  const auto modes = parse_authorization_modes(flags.authorization_mode);
  if (modes) flags.authorization = *modes;
  return fault_text(modes);
}

template <auto kWebhook, auto kMember>
std::string read_webhook_text(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  if (!flag.choices.empty() && !choice_of(flag, value)) {
    return instead_of(listed(flag.choices), value);
  }
  (flags.*kWebhook).*kMember = value;
  return {};
}

template <auto kWebhook, auto kMember>
std::string read_webhook_ttl(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::optional<Duration> span = parse_duration(value);
  if (!span || *span < Duration{}) return instead_of("a duration such as 5m", value);
  (flags.*kWebhook).*kMember = *span;
  return {};
}

std::string read_watch_history(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::optional<Duration> span = parse_duration(value);
  if (!span || *span < Duration{}) return instead_of("a duration such as 90s", value);
  flags.watch_history = *span;
  return {};
}

std::string read_request_timeout(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::optional<Duration> span = parse_duration(value);
  if (!span || !(Duration{} < *span)) return instead_of("a duration such as 90s", value);
  flags.request_timeout = *span;
  return {};
}

std::string read_etcd_servers(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  for (std::string& url : items_of(value)) flags.etcd.servers.push_back(std::move(url));
  return {};
}

template <std::string EtcdSettings::*kMember>
std::string read_etcd_text(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.etcd.*kMember = value;
  return {};
}

template <auto kMember>
std::string read_tls_text(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.tls.*kMember = value;
  return {};
}

std::string read_tls(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  if (value != "true" && value != "false") return instead_of("true or false", value);
  flags.tls.on = value == "true";
  return {};
}

std::string read_tls_version(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  if (!choice_of(flag, value)) return instead_of(listed(flag.choices), value);
  flags.tls.min_version = value;
  return {};
}

std::string read_tls_for_names(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::vector<std::string> files = items_of(value);
  if (files.size() != 2 || files[0].empty() || files[1].empty()) {
    return instead_of("CERTFILE,KEYFILE", value);
  }
  flags.tls.for_names.emplace_back(files[0], files[1]);
  return {};
}

template <std::vector<std::string> TlsFlags::*kMember>
std::string read_tls_list(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  for (std::string& item : items_of(value)) (flags.tls.*kMember).push_back(std::move(item));
  return {};
}

// Headers are compared without regard to case.
template <std::vector<std::string> RequestHeaders::*kMember>
std::string read_header_names(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  for (const std::string& item : items_of(value)) {
    if (item.empty()) return "names of headers, none of them empty, not " + value;
    (flags.tls.headers.*kMember).push_back(lower_case(item));
  }
  return {};
}

// Flags of an issuer of tokens.
template <std::string OidcIssuer::*kMember>
std::string read_oidc_text(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.oidc_given = true;
  flags.oidc.*kMember = value;
  return {};
}

std::string read_oidc_authorities(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  flags.oidc_given = true;
  flags.oidc_ca_file = value;
  return {};
}

std::string read_oidc_claim(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos) return "malformed pair, expect string=string";
  flags.oidc_given = true;
  flags.oidc.required_claims[value.substr(0, equals)] = value.substr(equals + 1);
  return {};
}

std::string read_oidc_algorithms(const Flag&, const std::string& value, bool first,
                                 ServeFlags& flags) {
  flags.oidc_given = true;
  if (first) flags.oidc.signing_algorithms.clear();
  for (std::string& item : items_of(value)) {
    flags.oidc.signing_algorithms.push_back(std::move(item));
  }
  return {};
}

template <std::string AuditFlags::*kMember>
std::string read_audit_text(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  if (!flag.choices.empty() && !choice_of(flag, value)) {
    return instead_of(listed(flag.choices), value);
  }
  flags.audit.*kMember = value;
  return {};
}

// What every value of the flag has in common with upstream's: it is one of the choices.
std::string read_audit_choice(const Flag& flag, const std::string& value, bool, ServeFlags&) {
  return choice_of(flag, value) ? "" : instead_of(listed(flag.choices), value);
}

std::string read_audit_truncates(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  if (value != "true" && value != "false") return instead_of("true or false", value);
  flags.audit.truncates = value == "true";
  return {};
}

std::string read_audit_bytes(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number == 0) {
    return instead_of("a number of bytes", value);
  }
  flags.audit.most_event_bytes = number;
  return {};
}

std::string read_compaction(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const std::optional<Duration> span = parse_duration(value);
  if (!span || *span < Duration{}) return instead_of("a duration such as 5m", value);
  flags.etcd.compaction_interval = std::chrono::nanoseconds(span->nanoseconds);
  return {};
}

std::string read_service(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  const auto service = parse_webhook_service(value);
  if (!service) return instead_of("NAME.NAMESPACE[:PORT]=HOST:PORT", value);
  flags.webhook_services.push_back(*service);
  return {};
}

std::string read_hosts(const Flag&, const std::string& value, bool, ServeFlags& flags) {
  for (std::string& host : items_of(value)) flags.allowed_hosts.push_back(std::move(host));
  return {};
}

std::string read_origins(const Flag&, const std::string& value, bool first, ServeFlags& flags) {
  if (first) flags.cors_allowed_origins.clear();
  if (value.empty()) return {};
  for (std::string& origin : items_of(value)) {
    if (const auto checked = check_cors_origin(origin); !checked) return fault_text(checked);
    flags.cors_allowed_origins.push_back(std::move(origin));
  }
  return {};
}

std::string read_log(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  const auto level = choice_of(flag, value);
  if (!level) return instead_of(listed(flag.choices), value);
  flags.log.level = static_cast<LogLevel>(*level);
  return {};
}

std::string read_log_format(const Flag& flag, const std::string& value, bool, ServeFlags& flags) {
  const auto format = choice_of(flag, value);
  if (!format) return instead_of(listed(flag.choices), value);
  flags.log.format = static_cast<LogFormat>(*format);
  return {};
}

const std::map<std::string_view, Read>& readers() {
  static const std::map<std::string_view, Read> readers = {
      {"config", &read_text<&ServeFlags::config>},
      {"listen", &read_listen},
      {"load", &read_load},
      {"kubeconfig", &read_text<&ServeFlags::kubeconfig>},
      {"seed", &read_number<&ServeFlags::seed>},
      {"clock", &read_clock},
      {"controllers", &read_controllers},
      {"scheduler", &read_bool<&ServeFlags::scheduler>},
      {"nodes", &read_number<&ServeFlags::nodes>},
      {"behaviour", &read_text<&ServeFlags::behaviour>},
      {"faults", &read_text<&ServeFlags::faults>},
      {"containers", &read_text<&ServeFlags::containers>},
      {"feature-gates", &read_gates},
      {"enable-admission-plugins", &read_plugins<&ServeFlags::enable_admission_plugins>},
      {"disable-admission-plugins", &read_plugins<&ServeFlags::disable_admission_plugins>},
      {"admission-control-config-file", &read_text<&ServeFlags::admission_control_config_file>},
      {"allow-privileged", &read_bool<&ServeFlags::allow_privileged>},
      {"authorization-mode", &read_authorization},
      {"authorization-policy-file", &read_text<&ServeFlags::authorization_policy_file>},
      {"authorization-config", &read_text<&ServeFlags::authorization_config>},
      {"authorization-webhook-config-file",
       &read_webhook_text<&ServeFlags::authorization_webhook, &AuthorizationWebhook::kubeconfig>},
      {"authorization-webhook-version",
       &read_webhook_text<&ServeFlags::authorization_webhook, &AuthorizationWebhook::version>},
      {"authorization-webhook-cache-authorized-ttl",
       &read_webhook_ttl<&ServeFlags::authorization_webhook,
                         &AuthorizationWebhook::authorized_ttl>},
      {"authorization-webhook-cache-unauthorized-ttl",
       &read_webhook_ttl<&ServeFlags::authorization_webhook,
                         &AuthorizationWebhook::unauthorized_ttl>},
      {"authentication-config", &read_text<&ServeFlags::authentication_config>},
      {"oidc-issuer-url", &read_oidc_text<&OidcIssuer::issuer_url>},
      {"oidc-client-id", &read_oidc_text<&OidcIssuer::client_id>},
      {"oidc-username-claim", &read_oidc_text<&OidcIssuer::username_claim>},
      {"oidc-username-prefix", &read_oidc_text<&OidcIssuer::username_prefix>},
      {"oidc-groups-claim", &read_oidc_text<&OidcIssuer::groups_claim>},
      {"oidc-groups-prefix", &read_oidc_text<&OidcIssuer::groups_prefix>},
      {"oidc-required-claim", &read_oidc_claim},
      {"oidc-signing-algs", &read_oidc_algorithms},
      {"oidc-ca-file", &read_oidc_authorities},
      {"oidc-jwks-file", &read_oidc_text<&OidcIssuer::keys_file>},
      {"authentication-token-webhook-config-file",
       &read_webhook_text<&ServeFlags::token_webhook, &TokenReviewWebhook::kubeconfig>},
      {"authentication-token-webhook-version",
       &read_webhook_text<&ServeFlags::token_webhook, &TokenReviewWebhook::version>},
      {"authentication-token-webhook-cache-ttl",
       &read_webhook_ttl<&ServeFlags::token_webhook, &TokenReviewWebhook::cache_ttl>},
      {"anonymous-auth", &read_bool<&ServeFlags::anonymous_auth>},
      {"tls", &read_tls},
      {"tls-cert-file", &read_tls_text<&TlsFlags::cert_file>},
      {"tls-private-key-file", &read_tls_text<&TlsFlags::key_file>},
      {"tls-sni-cert-key", &read_tls_for_names},
      {"tls-min-version", &read_tls_version},
      {"tls-san", &read_tls_list<&TlsFlags::names>},
      {"cert-dir", &read_tls_text<&TlsFlags::cert_dir>},
      {"client-ca-file", &read_tls_text<&TlsFlags::client_ca_file>},
      {"requestheader-client-ca-file", &read_tls_text<&TlsFlags::proxy_ca_file>},
      {"requestheader-allowed-names", &read_tls_list<&TlsFlags::proxy_names>},
      {"requestheader-username-headers", &read_header_names<&RequestHeaders::usernames>},
      {"requestheader-uid-headers", &read_header_names<&RequestHeaders::uids>},
      {"requestheader-group-headers", &read_header_names<&RequestHeaders::groups>},
      {"requestheader-extra-headers-prefix", &read_header_names<&RequestHeaders::extra_prefixes>},
      {"enable-bootstrap-token-auth", &read_bool<&ServeFlags::bootstrap_token_auth>},
      {"token-auth-file", &read_text<&ServeFlags::token_auth_file>},
      {"service-account-signing-key-file",
       &read_text<&ServeFlags::service_account_signing_key_file>},
      {"service-account-key-file", &read_key_file},
      {"audit-policy-file", &read_audit_text<&AuditFlags::policy_file>},
      {"audit-log-path", &read_audit_text<&AuditFlags::log_path>},
      {"audit-log-format", &read_audit_text<&AuditFlags::format>},
      {"audit-log-mode", &read_audit_choice},
      {"audit-log-version", &read_audit_choice},
      {"audit-log-maxage", &read_number<&ServeFlags::unused>},
      {"audit-log-maxbackup", &read_number<&ServeFlags::unused>},
      {"audit-log-maxsize", &read_number<&ServeFlags::unused>},
      {"audit-log-truncate-enabled", &read_audit_truncates},
      {"audit-log-truncate-max-event-size", &read_audit_bytes},
      {"data-dir", &read_text<&ServeFlags::data_dir>},
      {"etcd-servers", &read_etcd_servers},
      {"etcd-cafile", &read_etcd_text<&EtcdSettings::ca_file>},
      {"etcd-certfile", &read_etcd_text<&EtcdSettings::cert_file>},
      {"etcd-keyfile", &read_etcd_text<&EtcdSettings::key_file>},
      {"etcd-prefix", &read_etcd_text<&EtcdSettings::prefix>},
      {"etcd-compaction-interval", &read_compaction},
      {"watch-history", &read_watch_history},
      {"request-timeout", &read_request_timeout},
      {"enable-priority-and-fairness", &read_bool<&ServeFlags::priority_and_fairness>},
      {"max-requests-inflight", &read_number<&ServeFlags::max_requests_inflight>},
      {"max-mutating-requests-inflight", &read_number<&ServeFlags::max_mutating_requests_inflight>},
      {"max-connections", &read_number<&ServeFlags::max_connections>},
      {"webhook-service", &read_service},
      {"allowed-hosts", &read_hosts},
      {"cors-allowed-origins", &read_origins},
      {"admin", &read_bool<&ServeFlags::admin>},
      {"ui", &read_bool<&ServeFlags::ui>},
      {"log", &read_log},
      {"log-format", &read_log_format},
  };
  return readers;
}

}  // namespace

ServeFlags usual_flags() {
  ServeFlags flags;
  flags.cors_allowed_origins = {std::string(kLocalOrigins)};
  for (const Flag& flag : flag_table()) {
    if (flag.usual.empty()) continue;
    [[maybe_unused]] const std::string fault = read_flag(flag, flag.usual, true, flags);
    assert(fault.empty());
  }
  flags.oidc_given = false;
  return flags;
}

std::string read_flag(const Flag& flag, const std::string& value, bool first, ServeFlags& flags) {
  const auto reader = readers().find(flag.name);
  assert(reader != readers().end());
  return reader->second(flag, value, first, flags);
}

namespace {

std::string check_tls(const TlsFlags& tls) {
  if (tls.cert_file.empty() != tls.key_file.empty()) {
    return "--tls-cert-file and --tls-private-key-file: each needs the other";
  }
  if (tls.serves()) return {};
  const auto needs = [](const char* name) {
    return std::string(name) + ": --tls or --tls-cert-file is needed";
  };
  if (!tls.for_names.empty()) return needs("--tls-sni-cert-key");
  if (!tls.names.empty()) return needs("--tls-san");
  if (!tls.cert_dir.empty()) return needs("--cert-dir");
  if (!tls.client_ca_file.empty()) return needs("--client-ca-file");
  if (!tls.proxy_ca_file.empty()) return needs("--requestheader-client-ca-file");
  return {};
}

std::string check_authorization(const ServeFlags& flags) {
  const auto has = [&](Authorization mode) {
    const std::vector<Authorization>& modes = flags.authorization;
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  };
  const bool by_file = !flags.authorization_policy_file.empty();
  const AuthorizationWebhook& webhook = flags.authorization_webhook;
  const AuthorizationWebhook usual;
  const bool by_webhook = !webhook.kubeconfig.empty();
  if (!flags.authorization_config.empty()) {
    if (flags.authorization_mode == "AlwaysAllow" && !by_webhook &&
        webhook.version == usual.version && webhook.authorized_ttl == usual.authorized_ttl &&
        webhook.unauthorized_ttl == usual.unauthorized_ttl) {
      return {};
    }
    return "--authorization-config can not be specified when --authorization-mode or "
           "--authorization-webhook-* flags are defined";
  }
  if (has(Authorization::kWebhook) != by_webhook) {
    return by_webhook ? "cannot specify --authorization-webhook-config-file without mode Webhook"
                      : "authorization-mode Webhook's authorization config file not passed";
  }
  if (has(Authorization::kAbac) && !by_file) {
    return "--authorization-mode ABAC: --authorization-policy-file is needed";
  }
  if (by_file && !has(Authorization::kAbac)) {
    return "--authorization-policy-file: --authorization-mode ABAC is needed";
  }
  const bool known_only = has(Authorization::kRbac) || has(Authorization::kNode);
  if (known_only && !by_file && !by_webhook && flags.token_webhook.kubeconfig.empty() &&
      flags.authentication_config.empty() && !flags.oidc_given &&
      !has(Authorization::kAlwaysAllow) && flags.token_auth_file.empty() && !flags.tls.serves()) {
    return "--authorization-mode " + flags.authorization_mode +
           ": --token-auth-file is needed, or nobody may do anything";
  }
  return {};
}

}  // namespace

std::string check_together(const ServeFlags& flags) {
  if (flags.oidc_given && !flags.authentication_config.empty()) {
    return "authentication-config file and oidc-* flags are mutually exclusive";
  }
  if (flags.oidc_given && !flags.oidc.given()) {
    return "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags "
           "are set";
  }
  if (std::string problem = check_authorization(flags); !problem.empty()) return problem;
  if (std::string problem = check_tls(flags.tls); !problem.empty()) return problem;
  if (!flags.etcd.servers.empty() && !flags.data_dir.empty()) {
    return "--etcd-servers and --data-dir: a cluster is kept in one of them";
  }
  const auto limits = check_limits(flags.priority_and_fairness, flags.max_requests_inflight,
                                   flags.max_mutating_requests_inflight);
  if (!limits) return "--max-requests-inflight: " + fault_text(limits);
  const auto checked = check_feature_gates(flags.feature_gates);
  return checked ? std::string() : "--feature-gates: " + fault_text(checked);
}

}  // namespace tabernetes::host
