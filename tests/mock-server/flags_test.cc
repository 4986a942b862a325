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
  CHECK(line.serve->listen == std::vector<ListenPlace>{ListenAddress{"127.0.0.1", 8001}});
  CHECK(line.serve->controllers == "all");
  CHECK(line.serve->scheduler);
  CHECK(line.serve->nodes == 1);
  CHECK(line.serve->anonymous_auth);
  CHECK_FALSE(line.serve->allow_privileged);
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
                                  "--scheduler=false",
                                  "--nodes",
                                  "3",
                                  "--behaviour",
                                  "rules.yaml",
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
  CHECK(flags.listen ==
        std::vector<ListenPlace>{ListenAddress{"127.0.0.1", 0}, ListenAddress{"::1", 9}});
  CHECK(flags.load == std::vector<std::string>{"a.yaml", "-"});
  CHECK(flags.kubeconfig == "kc");
  CHECK(flags.seed == 18446744073709551615u);
  CHECK(flags.clock == tabernetes::Time{1'767'225'600'000'000'000});
  CHECK(flags.controllers == "none");
  CHECK_FALSE(flags.scheduler);
  CHECK(flags.nodes == 3);
  CHECK(flags.behaviour == "rules.yaml");
  CHECK(flags.feature_gates == std::map<std::string, bool>{{"APIResponseCompression", false},
                                                           {"CBORServingAndStorage", true},
                                                           {"WatchList", false}});
  CHECK(flags.watch_history == tabernetes::Duration::from_seconds(5400));
  CHECK_FALSE(flags.ui);
  CHECK(flags.allow_privileged);
  CHECK(flags.authorization == std::vector{tabernetes::Authorization::kRbac});
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
