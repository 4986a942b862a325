#include "serve_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "tabernetes/options.h"
#include "time_text.h"

namespace tabernetes::host {
namespace {

// Refuses the value of a flag for what the core says of it.
void check(const std::string& flag, const Expected<void>& checked) {
  if (!checked) throw CLI::ValidationError(flag, checked.fault().message);
}

template <typename T>
T value_of(const std::string& flag, Expected<T> read) {
  if (!read) throw CLI::ValidationError(flag, read.fault().message);
  return *std::move(read);
}

void add_bool(CLI::App& app, const std::string& name, bool& value, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [name, &value](const std::string& text) {
           if (text != "true" && text != "false" && !text.empty()) {
             throw CLI::ValidationError(name, "true or false, not " + text);
           }
           value = text != "false";
         },
         help)
      ->type_name("BOOL")
      ->expected(0, 1);
}

// A whole number up to `most`.
template <class Number>
void add_number(CLI::App& app, const std::string& name, Number& value, std::uint64_t most,
                const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [name, most, &value](const std::string& text) {
           std::uint64_t number = 0;
           const auto [end, error] =
               std::from_chars(text.data(), text.data() + text.size(), number);
           if (error != std::errc() || end != text.data() + text.size() || number > most) {
             throw CLI::ValidationError(
                 name, "a whole number up to " + std::to_string(most) + ", not " + text);
           }
           value = static_cast<Number>(number);
         },
         help)
      ->type_name("N");
}

void add_listen(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--listen",
         [&flags](const std::vector<std::string>& texts) {
           flags.listen.clear();
           for (const std::string& text : texts) {
             const auto address = parse_listen_address(text);
             if (!address) {
               throw CLI::ValidationError("--listen", "HOST:PORT or [IPV6]:PORT, not " + text);
             }
             flags.listen.push_back(*address);
           }
         },
         "Address to serve on; port 0 picks a free one; repeatable (127.0.0.1:8001)")
      ->type_name("HOST:PORT")
      ->expected(1)
      ->take_all();
}

void add_clock(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::string>(
         "--clock",
         [&flags](const std::string& text) {
           flags.clock = parse_rfc3339(text);
           if (!flags.clock) {
             throw CLI::ValidationError("--clock",
                                        "a time such as 2026-01-01T00:00:00Z, not " + text);
           }
         },
         "The cluster's time; stands still until advanced (the real time, running)")
      ->type_name("TIME");
}

void add_watch_history(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::string>(
         "--watch-history",
         [&flags](const std::string& text) {
           const std::optional<Duration> span = parse_duration(text);
           if (!span || *span < Duration{}) {
             throw CLI::ValidationError("--watch-history", "a duration such as 90s, not " + text);
           }
           flags.watch_history = *span;
         },
         "How long old versions can be read and watched from (5m)")
      ->type_name("DURATION");
}

void add_webhook_services(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--webhook-service",
         [&flags](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const auto service = parse_webhook_service(text);
             if (!service) {
               throw CLI::ValidationError("--webhook-service",
                                          "NAME.NAMESPACE[:PORT]=HOST:PORT, not " + text);
             }
             flags.webhook_services.push_back(*service);
           }
         },
         "Where to call webhooks of this service: NAME.NAMESPACE[:PORT]=HOST:PORT; repeatable (as "
         "the Service says)")
      ->type_name("SERVICE")
      ->expected(1)
      ->take_all();
}

void add_controllers(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--controllers",
         [&flags](const std::vector<std::string>& lists) {
           std::string list;
           for (const std::string& item : lists) list += item + ",";
           flags.controllers = value_of("--controllers", parse_controllers(list));
         },
         "Control loops to run: all, none, or names, -name takes one away (all)")
      ->type_name("LIST")
      ->expected(1)
      ->take_all();
}

void add_feature_gates(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--feature-gates",
         [&flags](const std::vector<std::string>& lists) {
           for (const std::string& list : lists) {
             for (const auto& [name, on] : value_of("--feature-gates", parse_feature_gates(list))) {
               flags.feature_gates[name] = on;
             }
           }
         },
         "Kubernetes' feature gates: Name=true,Other=false")
      ->type_name("LIST")
      ->expected(1)
      ->take_all();
}

void add_plugins(CLI::App& app, const std::string& name, std::vector<std::string>& plugins,
                 const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [name, &plugins](const std::vector<std::string>& names) {
           for (const std::string& plugin : names) {
             check(name, check_admission_plugin(plugin));
             plugins.push_back(plugin);
           }
         },
         help)
      ->type_name("LIST")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
}

void add_identity(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::string>(
         "--authorization-mode",
         [&flags](const std::string& text) {
           if (text != "AlwaysAllow" && text != "RBAC") {
             throw CLI::ValidationError("--authorization-mode", "AlwaysAllow or RBAC, not " + text);
           }
           flags.authorization =
               text == "RBAC" ? Authorization::kRbac : Authorization::kAlwaysAllow;
         },
         "Who may do what: AlwaysAllow, or RBAC as roles and bindings say (AlwaysAllow)")
      ->type_name("MODE");
  add_bool(app, "--anonymous-auth", flags.anonymous_auth,
           "Answer callers without a token, as system:anonymous (true)");
  app.add_option(
         "--token-auth-file", flags.token_auth_file,
         "Tokens that callers may show: token,user,uid,\"group1,group2\" a line; others are "
         "then refused")
      ->type_name("FILE");
  app.add_option(
         "--service-account-signing-key-file", flags.service_account_signing_key_file,
         "RSA key (PEM) that signs the tokens of service accounts (one that everybody knows)")
      ->type_name("FILE");
}

// Throws what is wrong with an item of `list`.
void read_origins(std::string_view list, std::vector<std::string>& origins) {
  if (list == "{}") return;  // how CLI11 writes an empty value
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string origin(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    check("--cors-allowed-origins", check_cors_origin(origin));
    origins.push_back(origin);
  }
}

void add_cors(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::vector<std::string>>(
         "--cors-allowed-origins",
         [&flags](const std::vector<std::string>& lists) {
           flags.cors_allowed_origins.clear();
           for (const std::string& list : lists) read_origins(list, flags.cors_allowed_origins);
         },
         "Origins whose pages may read answers: regular expressions; empty for none (those of this "
         "machine)")
      ->type_name("LIST")
      ->expected(0, 1)
      ->take_all();
}

void add_log(CLI::App& app, ServeFlags& flags) {
  app.add_option_function<std::string>(
         "--log",
         [&flags](const std::string& text) {
           static const std::map<std::string, LogLevel> kLevels = {{"error", LogLevel::kError},
                                                                   {"warn", LogLevel::kWarn},
                                                                   {"info", LogLevel::kInfo},
                                                                   {"debug", LogLevel::kDebug}};
           const auto level = kLevels.find(text);
           if (level == kLevels.end()) {
             throw CLI::ValidationError("--log", "error, warn, info or debug, not " + text);
           }
           flags.log.level = level->second;
         },
         "What to write to stderr: error, warn, info (a line a request) or debug (warn)")
      ->type_name("LEVEL");
  app.add_option_function<std::string>(
         "--log-format",
         [&flags](const std::string& text) {
           if (text != "text" && text != "json") {
             throw CLI::ValidationError("--log-format", "text or json, not " + text);
           }
           flags.log.format = text == "json" ? LogFormat::kJson : LogFormat::kText;
         },
         "How to write it: text, or json with the names of kube-apiserver's log (text)")
      ->type_name("FORMAT");
}

}  // namespace

void add_serve_flags(CLI::App& app, ServeFlags& flags) {
  add_listen(app, flags);
  app.add_option("--load", flags.load,
                 "Manifests at start: a file, a folder or - for stdin; YAML or JSON; repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--kubeconfig", flags.kubeconfig,
                 "Write a kubeconfig that reaches this server to FILE")
      ->type_name("FILE");
  add_number(app, "--seed", flags.seed, std::numeric_limits<std::uint64_t>::max(),
             "Make uids and generated names reproducible");
  add_clock(app, flags);
  add_controllers(app, flags);
  add_number(app, "--nodes", flags.nodes, 10'000, "Simulated nodes (1)");
  add_feature_gates(app, flags);
  add_plugins(app, "--enable-admission-plugins", flags.enable_admission_plugins,
              "Admission plugins to run beside those that are on");
  add_plugins(app, "--disable-admission-plugins", flags.disable_admission_plugins,
              "Admission plugins not to run");
  add_bool(app, "--allow-privileged", flags.allow_privileged,
           "Let containers be as powerful as their node (false)");
  add_identity(app, flags);
  add_watch_history(app, flags);
  add_webhook_services(app, flags);
  app.add_option("--allowed-hosts", flags.allowed_hosts,
                 "Host names answered: a guard against DNS rebinding; .example.com for all below "
                 "it, * for any (loopback names and the listen addresses)")
      ->type_name("LIST")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  add_cors(app, flags);
  add_bool(app, "--admin", flags.admin, "Serve the /-/tabernetes/ endpoints (true)");
  add_bool(app, "--ui", flags.ui, "Serve the playground under /ui/ (true)");
  add_log(app, flags);
}

}  // namespace tabernetes::host
