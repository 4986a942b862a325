#include "options.h"

#include <emscripten.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "access_options.h"
#include "tabernetes/options.h"
#include "values.h"

EM_JS(void, host_random, (unsigned char* bytes, std::size_t size),
      { crypto.getRandomValues(HEAPU8.subarray(bytes, bytes + size)); });

EM_JS(double, host_stopwatch, (), { return performance.now(); });

namespace tabernetes::wasm {
namespace {

using emscripten::val;

constexpr std::size_t kEncodedBytes = std::size_t{16} << 20;

// Draws random bytes by the hundred: a call to the host costs more than the bytes.
void draw(unsigned char* bytes, std::size_t size) {
  static unsigned char pool[4096];
  static std::size_t left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (left == 0) {
      left = sizeof pool;
      host_random(pool, left);
    }
    bytes[i] = pool[--left];
  }
}

std::int64_t whole(const val& number) { return static_cast<std::int64_t>(number.as<double>()); }

// `given` is either 'local', for the origins of this machine, or a list of patterns.
std::vector<std::string> origins_of(const val& given) {
  if (given.isString()) return {std::string(kLocalOrigins)};
  return texts_of(given);
}

val array_of(const std::vector<std::string>& texts) {
  val array = val::array();
  for (const std::string& text : texts) array.call<void>("push", text);
  return array;
}

// Returns what the function `sign` signs; empty if there is none. It throws nothing.
CertificateSigner signer_of(const val& sign) {
  if (sign.isUndefined()) return {};
  return [sign](const CertificateOrder& order) -> Expected<std::string> {
    val wanted = val::object();
    wanted.set("request", order.request);
    wanted.set("keyUsages", array_of(order.key_usages));
    wanted.set("extendedKeyUsages", array_of(order.extended_key_usages));
    wanted.set("life", static_cast<double>(order.life.nanoseconds) / 1e6);
    const val signed_order = sign(wanted);
    std::string fault = signed_order["fault"].as<std::string>();
    if (!fault.empty()) return Fault{std::move(fault)};
    return signed_order["certificate"].as<std::string>();
  };
}

}  // namespace

Options options_of(const val& given) {
  Options options = access_options_of(given);
  options.now = Time::from_unix_milliseconds(whole(given["now"]));
  if (given["seed"].isUndefined()) {
    options.entropy = draw;
  } else {
    options.seed = parse_number(given["seed"].as<std::string>());
  }
  options.first_version = static_cast<std::uint64_t>(whole(given["firstVersion"]));
  // Their faults were asked for before.
  options.feature_gates = *parse_feature_gates(given["featureGates"].as<std::string>());
  options.controllers = *parse_controllers(given["controllers"].as<std::string>());
  options.scheduler = given["scheduler"].as<bool>();
  options.token_file = given["tokenFile"].as<std::string>();
  options.authorization_policy = given["authorizationPolicy"].as<std::string>();
  options.anonymous_auth = given["anonymousAuth"].as<bool>();
  options.bootstrap_token_auth = given["enableBootstrapTokenAuth"].as<bool>();
  options.service_account_key = given["serviceAccountKey"].as<std::string>();
  options.calls_webhooks = true;
  options.reaches_servers = true;
  options.front_proxy_authority = given["frontProxyAuthority"].as<std::string>();
  options.user_authority = given["userAuthority"].as<std::string>();
  options.disable_admission_plugins = texts_of(given["disableAdmissionPlugins"]);
  options.allow_privileged = given["allowPrivileged"].as<bool>();
  options.nodes = given["nodes"].as<int>();
  options.behaviour = given["behaviour"].as<std::string>();
  options.faults = given["faults"].as<std::string>();
  options.containers = given["containers"].as<std::string>();
  options.root_certificate = given["rootCertificate"].as<std::string>();
  options.sign_certificate = signer_of(given["signCertificate"]);
  options.server_address = given["serverAddress"].as<std::string>();
  options.watch_history = Duration::from_milliseconds(whole(given["watchHistory"]));
  options.request_timeout = Duration::from_milliseconds(whole(given["requestTimeout"]));
  options.priority_and_fairness = given["priorityAndFairness"].as<bool>();
  options.max_requests_inflight = given["maxRequestsInflight"].as<int>();
  options.max_mutating_requests_inflight = given["maxMutatingRequestsInflight"].as<int>();
  options.encoded_bytes = kEncodedBytes;
  options.compression = given["compression"].as<bool>();
  options.cors_allowed_origins = origins_of(given["corsAllowedOrigins"]);
  options.admin = given["admin"].as<bool>();
  if (given["measures"].as<bool>()) {
    options.stopwatch = [] { return static_cast<std::int64_t>(host_stopwatch() * 1e6); };
  }
  return options;
}

}  // namespace tabernetes::wasm
