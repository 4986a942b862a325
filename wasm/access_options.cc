#include "access_options.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "values.h"

namespace tabernetes::wasm {
namespace {

using emscripten::val;

std::string text_in(const val& object, const char* name) { return object[name].as<std::string>(); }

Duration span_in(const val& object, const char* name) {
  return Duration::from_milliseconds(static_cast<std::int64_t>(object[name].as<double>()));
}

std::map<std::string, std::string> texts_by_name(const val& object) {
  std::map<std::string, std::string> texts;
  const val names = val::global("Object").call<val>("keys", object);
  for (const std::string& name : texts_of(names)) texts[name] = text_in(object, name.c_str());
  return texts;
}

OidcIssuer issuer_of(const val& oidc) {
  OidcIssuer issuer;
  if (oidc.isUndefined()) return issuer;
  issuer.issuer_url = text_in(oidc, "issuerUrl");
  issuer.client_id = text_in(oidc, "clientId");
  issuer.certificate_authority = text_in(oidc, "certificateAuthority");
  issuer.keys_file = text_in(oidc, "keysFile");
  issuer.username_claim = text_in(oidc, "usernameClaim");
  issuer.username_prefix = text_in(oidc, "usernamePrefix");
  issuer.groups_claim = text_in(oidc, "groupsClaim");
  issuer.groups_prefix = text_in(oidc, "groupsPrefix");
  issuer.required_claims = texts_by_name(oidc["requiredClaims"]);
  issuer.signing_algorithms = texts_of(oidc["signingAlgorithms"]);
  return issuer;
}

bool has_webhook(const Options& options) {
  const auto& modes = options.authorization;
  return std::find(modes.begin(), modes.end(), Authorization::kWebhook) != modes.end();
}

val fault_of(const char* option, std::string fault) {
  return object_of({{"option", val(option)}, {"fault", val(std::move(fault))}});
}

}  // namespace

Options access_options_of(const val& given) {
  Options options;
  options.authorization = *parse_authorization_modes(text_in(given, "authorizationMode"));
  options.enable_admission_plugins = texts_of(given["enableAdmissionPlugins"]);
  options.admission_configuration = text_in(given, "admissionConfiguration");
  options.authentication_configuration = text_in(given, "authenticationConfiguration");
  options.authorization_configuration = text_in(given, "authorizationConfiguration");
  options.files = texts_by_name(given["files"]);
  options.token_webhook = {.kubeconfig = text_in(given, "authenticationWebhookFile"),
                           .version = text_in(given, "authenticationWebhookVersion"),
                           .cache_ttl = span_in(given, "authenticationWebhookCacheTtl")};
  options.oidc = issuer_of(given["oidc"]);
  const AuthorizationWebhook webhook{
      .kubeconfig = text_in(given, "authorizationWebhookFile"),
      .version = text_in(given, "authorizationWebhookVersion"),
      .authorized_ttl = span_in(given, "authorizationWebhookCacheAuthorizedTtl"),
      .unauthorized_ttl = span_in(given, "authorizationWebhookCacheUnauthorizedTtl")};
  if (!webhook.kubeconfig.empty() && has_webhook(options)) {
    options.authorization_configuration =
        authorization_configuration_of(options.authorization, webhook);
  }
  return options;
}

val missing_files_of(const val& given) { return array_of(missing_files(access_options_of(given))); }

val access_fault(const val& given) {
  const Options options = access_options_of(given);
  const auto& files = options.files;
  const bool by_mode = !text_in(given, "authorizationWebhookFile").empty();
  const char* const authorization = by_mode ? "authorizationWebhook" : "authorizationConfiguration";
  if (!options.authorization_configuration.empty()) {
    const auto checked =
        check_authorization_configuration(options.authorization_configuration, files);
    if (!checked) return fault_of(authorization, fault_text(checked));
  }
  if (!options.authentication_configuration.empty()) {
    const auto checked =
        check_authentication_configuration(options.authentication_configuration, files);
    if (!checked) return fault_of("authenticationConfiguration", fault_text(checked));
  }
  if (const auto checked = check_oidc_issuer(options.oidc, files); !checked) {
    return fault_of("oidc", fault_text(checked));
  }
  if (const auto checked = check_admission_configuration(options.admission_configuration, files,
                                                         options.enable_admission_plugins);
      !checked) {
    return fault_of("admissionConfiguration", fault_text(checked));
  }
  const auto checked = check_token_webhook(options.token_webhook, files);
  return fault_of("authenticationWebhook", fault_text(checked));
}

}  // namespace tabernetes::wasm
