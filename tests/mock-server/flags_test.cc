#include "flags.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace tabernetes::host;

namespace {

using Arguments = std::vector<const char*>;

CommandLine parse(const Arguments& arguments) {
  Arguments all = {"tabernetes"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return parse_command_line(static_cast<int>(all.size()), all.data());
}

}  // namespace

TEST_CASE("flags: the defaults of serve", "[host]") {
  const CommandLine line = parse({"serve"});
  REQUIRE(line.serve);
  CHECK(line.exit_code == 0);
  CHECK(line.serve->listen == std::vector<ListenAddress>{{"127.0.0.1", 8001}});
  CHECK(line.serve->nodes == 1);
  CHECK(line.serve->watch_history == tabernetes::Duration::from_seconds(300));
  CHECK(line.serve->ui);
  CHECK(line.serve->admin);
  CHECK_FALSE(line.serve->seed);
  CHECK_FALSE(line.serve->clock);
  CHECK(line.serve->log.level == LogLevel::kWarn);
}

TEST_CASE("flags: every flag of serve is read", "[host]") {
  const CommandLine line = parse({"serve",
                                  "--listen",
                                  "127.0.0.1:0",
                                  "--listen=[::1]:9",
                                  "--load",
                                  "a.yaml",
                                  "--load=-",
                                  "--kubeconfig",
                                  "kc",
                                  "--seed",
                                  "18446744073709551615",
                                  "--clock",
                                  "2026-01-01T00:00:00Z",
                                  "--controllers",
                                  "none",
                                  "--nodes",
                                  "3",
                                  "--feature-gates",
                                  "CBORServingAndStorage=true,WatchList=false",
                                  "--feature-gates=APIResponseCompression=false",
                                  "--watch-history",
                                  "1h30m",
                                  "--ui=false",
                                  "--authorization-mode=RBAC",
                                  "--anonymous-auth=false",
                                  "--token-auth-file",
                                  "tokens.csv",
                                  "--allow-privileged",
                                  "true",
                                  "--admin",
                                  "false",
                                  "--allowed-hosts",
                                  "a.test,.b.test",
                                  "--webhook-service",
                                  "hook.shop=localhost:9443",
                                  "--webhook-service=hook.shop:8443=[::1]:9",
                                  "--log",
                                  "info",
                                  "--log-format",
                                  "json"});
  INFO(line.err);
  REQUIRE(line.serve);
  const ServeFlags& flags = *line.serve;
  CHECK(flags.listen == std::vector<ListenAddress>{{"127.0.0.1", 0}, {"::1", 9}});
  CHECK(flags.load == std::vector<std::string>{"a.yaml", "-"});
  CHECK(flags.kubeconfig == "kc");
  CHECK(flags.seed == 18446744073709551615u);
  CHECK(flags.clock == tabernetes::Time{1'767'225'600'000'000'000});
  CHECK(flags.controllers.empty());
  CHECK(flags.nodes == 3);
  CHECK(flags.feature_gates == std::map<std::string, bool>{{"APIResponseCompression", false},
                                                           {"CBORServingAndStorage", true},
                                                           {"WatchList", false}});
  CHECK(flags.watch_history == tabernetes::Duration::from_seconds(5400));
  CHECK_FALSE(flags.ui);
  CHECK(flags.allow_privileged);
  CHECK(flags.authorization == tabernetes::Authorization::kRbac);
  CHECK_FALSE(flags.anonymous_auth);
  CHECK(flags.token_auth_file == "tokens.csv");
  CHECK_FALSE(flags.admin);
  CHECK(flags.allowed_hosts == std::vector<std::string>{"a.test", ".b.test"});
  CHECK(flags.webhook_services == std::vector<WebhookService>{{"hook.shop", {"localhost", 9443}},
                                                              {"hook.shop:8443", {"::1", 9}}});
  CHECK(flags.log.level == LogLevel::kInfo);
  CHECK(flags.log.format == LogFormat::kJson);
}

TEST_CASE("flags: a switch may stand alone", "[host]") {
  const CommandLine line = parse({"serve", "--ui", "--log", "error", "--admin"});
  INFO(line.err);
  REQUIRE(line.serve);
  CHECK(line.serve->ui);
  CHECK(line.serve->admin);
  CHECK(line.serve->log.level == LogLevel::kError);
}

TEST_CASE("flags: origins for CORS", "[host]") {
  using List = std::vector<std::string>;
  const auto origins = [](std::vector<const char*> flags) {
    flags.insert(flags.begin(), "serve");
    const CommandLine line = parse(flags);
    REQUIRE(line.serve);
    return line.serve->cors_allowed_origins;
  };
  CHECK(origins({}) == List{std::string(tabernetes::kLocalOrigins)});
  CHECK(origins({"--cors-allowed-origins", "^https://a$,//b(:|$)",
                 "--cors-allowed-origins=//c$"}) == List{"^https://a$", "//b(:|$)", "//c$"});
  CHECK(origins({"--cors-allowed-origins="}) == List{});
  const CommandLine loose = parse({"serve", "--cors-allowed-origins", "a.example"});
  CHECK(loose.exit_code == 2);
  CHECK(loose.err ==
        "tabernetes serve: --cors-allowed-origins: regular expression does not pin to start/end of "
        "host in the origin header (see tabernetes serve --help)\n");
}

TEST_CASE("flags: mistakes get one line and exit code 2", "[host]") {
  struct Case {
    Arguments arguments;
    const char* err;
  };
  const Case cases[] = {
      {{}, "tabernetes: a command is needed: serve or version (see tabernetes --help)\n"},
      {{"server"}, "tabernetes: unexpected argument server (see tabernetes --help)\n"},
      {{"serve", "x"}, "tabernetes serve: unexpected argument x (see tabernetes serve --help)\n"},
      {{"serve", "--tls"}, "tabernetes serve: unknown flag --tls (see tabernetes serve --help)\n"},
      {{"serve", "--data-dir=/tmp"},
       "tabernetes serve: unknown flag --data-dir (see tabernetes serve --help)\n"},
      {{"serve", "--etcd-servers", "http://x"},
       "tabernetes serve: unknown flag --etcd-servers (see tabernetes serve --help)\n"},
      {{"serve", "--authorization", "RBAC"},
       "tabernetes serve: unknown flag --authorization (see tabernetes serve --help)\n"},
      {{"serve", "--authorization-mode", "Node"},
       "tabernetes serve: --authorization-mode: AlwaysAllow or RBAC, not Node (see tabernetes "
       "serve --help)\n"},
      {{"serve", "--authorization-mode", "RBAC"},
       "tabernetes serve: --authorization-mode RBAC: --token-auth-file is needed, or nobody may do "
       "anything (see tabernetes serve --help)\n"},
      {{"serve", "--client-ca-file", "f"},
       "tabernetes serve: unknown flag --client-ca-file (see tabernetes serve --help)\n"},
      {{"serve", "--watch-history", "5"},
       "tabernetes serve: --watch-history: a duration such as 90s, not 5 (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--watch-history=-1s"},
       "tabernetes serve: --watch-history: a duration such as 90s, not -1s (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--cors-allowed-origins", ".*"},
       "tabernetes serve: --cors-allowed-origins: regular expression does not pin to start/end of "
       "host in the origin header (see tabernetes serve --help)\n"},
      {{"serve", "--listen", "8001"},
       "tabernetes serve: --listen: HOST:PORT or [IPV6]:PORT, not 8001 (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--webhook-service", "hook=localhost:1"},
       "tabernetes serve: --webhook-service: NAME.NAMESPACE[:PORT]=HOST:PORT, not hook=localhost:1 "
       "(see tabernetes serve --help)\n"},
      {{"serve", "--clock", "noon"},
       "tabernetes serve: --clock: a time such as 2026-01-01T00:00:00Z, not noon (see tabernetes "
       "serve --help)\n"},
      {{"serve", "--controllers", "all,-job"},
       "tabernetes serve: --controllers: unknown controller -job (see tabernetes serve --help)\n"},
      {{"serve", "--feature-gates", "NoSuch=true"},
       "tabernetes serve: --feature-gates: unrecognized feature gate: NoSuch (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--feature-gates", "WatchList"},
       "tabernetes serve: --feature-gates: missing bool value for WatchList (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--feature-gates", "ConsistentListFromCache=false"},
       "tabernetes serve: --feature-gates: cannot set feature gate ConsistentListFromCache to "
       "false, feature is locked to true (see tabernetes serve --help)\n"},
      {{"serve", "--nodes=10001"},
       "tabernetes serve: --nodes: a whole number up to 10000, not 10001 (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--nodes=-1"},
       "tabernetes serve: --nodes: a whole number up to 10000, not -1 (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--seed=18446744073709551616"},
       "tabernetes serve: --seed: a whole number up to 18446744073709551615, not "
       "18446744073709551616 (see tabernetes serve --help)\n"},
      {{"serve", "--seed", "1x"},
       "tabernetes serve: --seed: a whole number up to 18446744073709551615, not 1x (see "
       "tabernetes "
       "serve --help)\n"},
      {{"serve", "--seed"},
       "tabernetes serve: --seed: a value is needed (see tabernetes serve --help)\n"},
      {{"serve", "--ui=perhaps"},
       "tabernetes serve: --ui: true or false, not perhaps (see tabernetes serve --help)\n"},
      {{"serve", "--log", "loud"},
       "tabernetes serve: --log: error, warn, info or debug, not loud (see tabernetes serve "
       "--help)\n"},
      {{"serve", "--log-format=xml"},
       "tabernetes serve: --log-format: text or json, not xml (see tabernetes serve --help)\n"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.err) {
      const CommandLine line = parse(c.arguments);
      CHECK_FALSE(line.serve);
      CHECK(line.exit_code == 2);
      CHECK(line.err == c.err);
      CHECK(line.out == "");
    }
  }
}

TEST_CASE("flags: help and version are answers, not mistakes", "[host]") {
  for (const auto& arguments : std::vector<Arguments>{{"--help"}, {"serve", "--help"}}) {
    const CommandLine line = parse(arguments);
    CHECK_FALSE(line.serve);
    CHECK(line.exit_code == 0);
    CHECK(line.err == "");
    CHECK(line.out.find("Usage: tabernetes") != std::string::npos);
  }
  CHECK(parse({"serve", "--help"}).out.find("--allowed-hosts") != std::string::npos);
  CHECK(parse({"version"}).out.starts_with("tabernetes "));
}
