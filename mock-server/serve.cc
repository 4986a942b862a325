#include "serve.h"

#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "audit_file.h"
#include "core_strand.h"
#include "etcd/backend.h"
#include "http_server.h"
#include "identity_files.h"
#include "io_threads.h"
#include "kubeconfig.h"
#include "listener.h"
#include "manifests.h"
#include "openapi_texts_file.h"
#include "proxy_caller.h"
#include "sqlite_backend.h"
#include "static_files.h"
#include "tabernetes/options.h"
#include "text_file.h"
#include "tls_files.h"
#include "webhook_caller.h"

namespace tabernetes::host {
namespace {

namespace asio = boost::asio;

// Time that a stop leaves slow peers to read their answers.
constexpr std::chrono::seconds kGracePeriod(3);

int fail(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) {
    std::fprintf(stderr, "tabernetes: %s\n", problem.c_str());
  }
  return 1;
}

// The system's random bytes, read in larger blocks than the core asks for: otherwise each uid would
// cost two system calls. Used bytes are erased, and a copy reads its own.
class SystemEntropy {
 public:
  SystemEntropy() = default;
  SystemEntropy(const SystemEntropy&) {}

  void draw(unsigned char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      if (left_ == 0) refill();
      bytes[i] = std::exchange(pool_[--left_], 0);
    }
  }

 private:
  void refill() {
    while (left_ == 0)
      left_ = static_cast<std::size_t>(std::max<ssize_t>(0, ::getrandom(pool_, sizeof pool_, 0)));
  }

  unsigned char pool_[256];
  std::size_t left_ = 0;
};

EntropySource system_entropy() {
  return [entropy = SystemEntropy()](unsigned char* bytes, std::size_t size) mutable {
    entropy.draw(bytes, size);
  };
}

// Returns a name that no other server has, as upstream's controller managers call themselves.
std::string own_identity() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::string name = std::string(host) + "_";
  unsigned char bytes[16];
  SystemEntropy().draw(bytes, sizeof bytes);
  static constexpr char kDigits[] = "0123456789abcdef";
  for (const unsigned char byte : bytes) {
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
}

// Returns the start time in microseconds as the first version. No server writes once a microsecond,
// so versions never overtake the clock.
std::uint64_t microseconds_of_this_start() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// Reads a file of rules, which `check` judges. Appends errors to `problems`.
std::string read_rules(const std::string& path, Expected<void> (*check)(std::string_view),
                       std::vector<std::string>& problems) {
  if (path.empty()) return {};
  TextFile file = read_text_file(path);
  if (!file.problem.empty()) {
    problems.push_back(std::move(file.problem));
    return {};
  }
  if (const auto checked = check(file.text); !checked) {
    problems.push_back(path + ": " + checked.fault().message);
  }
  return std::move(file.text);
}

// Texts of files that flags name.
struct RuleFiles {
  std::string behaviour, faults, containers;
};

Options core_options(const ServeFlags& flags, const IdentityFiles& identity, RuleFiles rules,
                     const std::optional<ListenAddress>& address,
                     std::shared_ptr<const OpenApiTexts> openapi_texts,
                     std::shared_ptr<store::Backend> backend, const TlsFiles& tls) {
  Options options;
  options.root_certificate = tls.authority;
  options.front_proxy_authority = tls.front_proxy_signer.pem;
  options.user_authority = tls.user_authorities;
  if (tls.server) {
    options.sign_certificate = [authority = tls.signer](const CertificateOrder& order) {
      return sign_order(authority, order);
    };
  }
  if (flags.seed) {
    options.seed = *flags.seed;
  } else {
    options.entropy = system_entropy();
    options.first_version = microseconds_of_this_start();
  }
  options.feature_gates = flags.feature_gates;
  options.enable_admission_plugins = flags.enable_admission_plugins;
  options.disable_admission_plugins = flags.disable_admission_plugins;
  options.admission_configuration = identity.admission_configuration;
  options.token_file = identity.token_file;
  options.service_account_key = identity.service_account_key;
  options.service_account_verification_keys = identity.service_account_verification_keys;
  options.authorization = flags.authorization;
  options.authorization_policy = identity.authorization_policy;
  options.authorization_configuration = identity.authorization_configuration;
  options.authentication_configuration = identity.authentication_configuration;
  options.files = identity.files;
  options.oidc = identity.oidc;
  options.token_webhook = identity.token_webhook;
  options.anonymous_auth = flags.anonymous_auth;
  options.request_headers = flags.tls.headers;
  options.bootstrap_token_auth = flags.bootstrap_token_auth;
  options.controllers = *parse_controllers(flags.controllers);
  options.scheduler = flags.scheduler;
  options.nodes = flags.nodes;
  options.behaviour = std::move(rules.behaviour);
  options.faults = std::move(rules.faults);
  options.containers = std::move(rules.containers);
  options.server_address = address ? to_string(*address) : std::string();
  options.watch_history = flags.watch_history;
  options.request_timeout = flags.request_timeout;
  options.priority_and_fairness = flags.priority_and_fairness;
  options.max_requests_inflight = flags.max_requests_inflight;
  options.max_mutating_requests_inflight = flags.max_mutating_requests_inflight;
  options.cors_allowed_origins = flags.cors_allowed_origins;
  options.allow_privileged = flags.allow_privileged;
  options.admin = flags.admin;
  // A clock that stands still is for answers that are the same each time.
  if (!flags.clock) {
    options.stopwatch = [] {
      return std::chrono::duration_cast<std::chrono::nanoseconds>(
                 std::chrono::steady_clock::now().time_since_epoch())
          .count();
    };
  }
  options.calls_webhooks = true;
  options.reaches_servers = true;
  options.openapi_texts = std::move(openapi_texts);
  if (backend && backend->shared()) options.identity = own_identity();
  options.backend = std::move(backend);
  return options;
}

HttpSettings http_settings(const ServeFlags& flags, const std::vector<Listener>& listeners) {
  HttpSettings settings;
  for (const Listener& listener : listeners) {
    if (!listener.place.is_unix()) settings.hosts.listening.push_back(listener.place.address.host);
  }
  settings.hosts.allowed = flags.allowed_hosts;
  // Who gives the certificate a name wants the server to answer for it.
  std::copy(flags.tls.names.begin(), flags.tls.names.end(),
            std::back_inserter(settings.hosts.allowed));
  settings.cors_origins = flags.cors_allowed_origins;
  if (flags.ui) settings.ui = find_ui_folder();
  settings.page_host = {.admin = flags.admin, .clock_stands_still = flags.clock.has_value()};
  settings.log = flags.log;
  settings.limits.connections = flags.max_connections > 0
                                    ? static_cast<std::size_t>(flags.max_connections)
                                    : most_connections();
  return settings;
}

// Returns the first address that is listened on; nullopt: only Unix sockets are.
std::optional<ListenAddress> first_address(const std::vector<Listener>& listeners) {
  for (const Listener& listener : listeners) {
    if (!listener.place.is_unix()) return listener.place.address;
  }
  return std::nullopt;
}

// Returns the URL under which this machine reaches the server.
std::string url_of(ListenAddress address, bool tls) {
  if (address.host == "0.0.0.0") address.host = "127.0.0.1";
  if (address.host == "::") address.host = "::1";
  return (tls ? "https://" : "http://") + to_string(address);
}

std::string url_of(const ListenPlace& place, bool tls) {
  return place.is_unix() ? to_string(place) : url_of(place.address, tls);
}

std::vector<std::string> hosts_of(const std::vector<Listener>& listeners) {
  std::vector<std::string> hosts;
  for (const Listener& listener : listeners) {
    if (!listener.place.is_unix()) hosts.push_back(listener.place.address.host);
  }
  return hosts;
}

// Binds what the flags ask for, and takes what another program has opened, in whose presence there
// is no default address. Sets the problem of the last one on failure.
std::vector<Listener> open_listeners(const ServeFlags& flags) {
  std::vector<Listener> listeners = inherited_listeners();
  for (std::size_t i = 0; i < listeners.size(); ++i) {
    if (listeners[i].problem.empty()) continue;
    std::swap(listeners[i], listeners.back());
    return listeners;
  }
  if (!listeners.empty() && !flags.listen_given) return listeners;
  for (const ListenPlace& place : flags.listen) {
    listeners.push_back(bind_listener(place));
    if (!listeners.back().problem.empty()) break;
  }
  return listeners;
}

KubeconfigWish kubeconfig_wish(const ListenAddress& address, const IdentityFiles& identity,
                               const TlsFiles& tls) {
  KubeconfigWish wish{.server_url = url_of(address, tls.server != nullptr),
                      .authority = tls.authority,
                      .certificate = tls.admin};
  if (!identity.token_file.empty()) wish.token = first_token(identity.token_file).value_or("");
  if (!tls.admin.pem.empty()) wish.token.clear();
  return wish;
}

// Writes the kubeconfig that the flags ask for. Returns an error, empty for success.
std::string write_wanted_kubeconfig(const ServeFlags& flags,
                                    const std::optional<ListenAddress>& address,
                                    const IdentityFiles& identity, const TlsFiles& tls) {
  if (flags.kubeconfig.empty()) return {};
  const std::string problem =
      address ? write_kubeconfig(flags.kubeconfig, kubeconfig_wish(*address, identity, tls))
              : flags.kubeconfig +
                    ": A Unix socket has no address for it: --listen HOST:PORT is needed";
  return problem.empty() ? problem : "cannot write the kubeconfig " + problem;
}

// Raises the limit of open files as far as the system allows, since each watch is one.
void raise_file_limit() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Shuts `server` down on the first SIGINT or SIGTERM, and aborts it on the second or after the
// grace period.
class StopOnSignal {
 public:
  // `abort` ends the calls of other servers.
  StopOnSignal(IoThreads& threads, HttpServer& server, CoreStrand& core,
               std::function<void()> abort)
      : threads_(threads),
        signals_(threads[0].context(), SIGINT, SIGTERM),
        grace_(threads[0].context()),
        server_(server),
        core_(core),
        abort_(std::move(abort)) {
    wait();
  }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      server_.shut_down();
      grace_.expires_after(kGracePeriod);
      grace_.async_wait([this](const boost::system::error_code&) { end(); });
      signals_.async_wait([this](const boost::system::error_code& again, int) {
        if (!again) end();
      });
      server_.when_idle([this] { end(); });
    });
  }

  void end() {
    server_.abort();
    abort_();
    core_.run([this] { core_.server().resign(); });
    core_.stop();
    signals_.cancel();
    grace_.cancel();
    threads_.release();
  }

  IoThreads& threads_;
  asio::signal_set signals_;
  asio::steady_timer grace_;
  HttpServer& server_;
  CoreStrand& core_;
  const std::function<void()> abort_;
};

// Calls `read` on each SIGHUP, on thread 0.
class ReadAnewOnSignal {
 public:
  ReadAnewOnSignal(IoThreads& threads, std::function<void()> read)
      : signals_(threads[0].context(), SIGHUP), read_(std::move(read)) {
    wait();
  }
  void stop() { signals_.cancel(); }

 private:
  void wait() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      read_();
      wait();
    });
  }

  asio::signal_set signals_;
  const std::function<void()> read_;
};

// Reads certificates and tokens anew. What cannot be used is told, and the old ones stay.
void read_anew(const ServeFlags& flags, const std::vector<std::string>& hosts,
               const TlsFiles& first, HttpServer& server, CoreStrand& core) {
  std::vector<std::string> problems;
  const TlsFiles tls = prepare_tls(flags, hosts, &first, problems);
  for (const std::string& problem : problems) {
    flags.log.warn("SIGHUP: " + problem + "; the certificates stay");
  }
  if (tls.server) server.use_tls(tls.server);
  problems.clear();
  const std::string tokens = read_token_file(flags, problems);
  for (const std::string& problem : problems) {
    flags.log.warn("SIGHUP: " + problem + "; the tokens stay");
  }
  if (flags.token_auth_file.empty() || !problems.empty()) return;
  core.run([&core, tokens] { core.server().set_token_file(tokens); });
}

}  // namespace

int serve(const ServeFlags& flags) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write
  raise_file_limit();

  std::vector<std::string> problems;
  const std::vector<Manifest> manifests = read_manifests(flags.load, problems);
  const IdentityFiles identity = read_identity_files(flags, problems);
  RuleFiles rules{.behaviour = read_rules(flags.behaviour, &check_behaviour, problems),
                  .faults = read_rules(flags.faults, &check_faults, problems),
                  .containers = read_rules(flags.containers, &check_containers, problems)};
  AuditLog audit = open_audit_log(flags.audit, flags.log, problems);
  if (!problems.empty()) return fail(problems);

  // Bound before the core exists, because the core's options need the port; accepting begins last.
  const std::vector<Listener> listeners = open_listeners(flags);
  if (!listeners.back().problem.empty()) return fail({listeners.back().problem});
  const std::optional<ListenAddress> address = first_address(listeners);
  const TlsFiles tls = prepare_tls(flags, hosts_of(listeners), nullptr, problems);
  if (!problems.empty()) return fail(problems);

  std::shared_ptr<SqliteBackend> backend;  // null: in memory, or in etcd
  std::shared_ptr<EtcdBackend> etcd;
  try {
    if (!flags.etcd.servers.empty()) etcd = std::make_shared<EtcdBackend>(flags.etcd, flags.log);
    if (!flags.data_dir.empty())
      backend = std::make_shared<SqliteBackend>(flags.data_dir, flags.log);
  } catch (const std::runtime_error& error) {
    return fail({error.what()});
  }

  IoThreads threads(IoThreads::default_count());
  const auto texts = std::make_shared<OpenApiTextsFile>(find_openapi_texts(), flags.log);
  const std::shared_ptr<store::Backend> any =
      etcd ? std::static_pointer_cast<store::Backend>(etcd) : backend;
  CoreStrand core(
      threads, core_options(flags, identity, std::move(rules), address, texts->texts(), any, tls),
      flags.clock);
  const auto not_stored = [&] { return backend && !backend->problem().empty(); };
  if (not_stored()) return fail({backend->problem()});
  problems = load_manifests(core.server(), manifests);
  if (not_stored()) return fail({backend->problem()});
  if (!problems.empty()) return fail(problems);
  core.server().mark_initial_state();
  if (audit.sink) (void)core.server().set_audit_log(std::move(audit));  // its policy was checked
  if (not_stored()) return fail({backend->problem()});

  HttpSettings settings = http_settings(flags, listeners);
  settings.openapi_texts = texts;
  settings.tls = tls.server;
  HttpServer server(threads, core, std::move(settings));
  for (const Listener& listener : listeners) {
    const std::string problem = server.serve(listener.socket);
    if (!problem.empty())
      return fail({"cannot listen on " + to_string(listener.place) + ": " + problem});
  }
  if (const std::string problem = write_wanted_kubeconfig(flags, address, identity, tls);
      !problem.empty()) {
    return fail({problem});
  }
  WebhookCaller webhooks(threads, core, flags.webhook_services, flags.log);
  ProxyCaller proxies(threads, core, flags.webhook_services, tls.front_proxy, flags.log);
  ReadAnewOnSignal renewal(threads,
                           [&] { read_anew(flags, hosts_of(listeners), tls, server, core); });
  StopOnSignal stop(threads, server, core, [&] {
    webhooks.abort();
    proxies.abort();
    renewal.stop();
  });
  core.run([] {});  // publishes the loaded objects and the first deadline
  const auto deliver = [&threads, &core](Task done) {
    threads[0].run([&core, done = std::move(done)]() mutable { core.run(std::move(done)); });
  };
  if (backend) backend->start(deliver);
  if (etcd) etcd->start(deliver);
  for (const Listener& listener : listeners) {
    std::printf("tabernetes ready %s\n", url_of(listener.place, tls.server != nullptr).c_str());
  }
  std::fflush(stdout);
  threads.run();
  if (backend) backend->stop();
  if (etcd) etcd->stop();
  return 0;
}

}  // namespace tabernetes::host
