#include "identity_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "tabernetes/options.h"
#include "text_file.h"

namespace tabernetes::host {
namespace {

std::string read_file(const std::string& path, std::vector<std::string>& problems) {
  if (path.empty()) return {};
  TextFile file = read_text_file(path);
  if (!file.problem.empty()) problems.push_back(std::move(file.problem));
  return std::move(file.text);
}

// kube-apiserver's clients of webhooks want absolute paths.
std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

// Reads the files that configurations name; those that do not exist are the core's to report.
void read_named_files(const Options& wanted, IdentityFiles& files,
                      std::vector<std::string>& problems) {
  Options known = wanted;
  for (bool more = true; more;) {
    more = false;
    for (const std::string& path : missing_files(known)) {
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) continue;
      TextFile file = read_text_file(path);
      if (!file.problem.empty()) {
        problems.push_back(std::move(file.problem));
        return;
      }
      more = known.files.emplace(path, std::move(file.text)).second || more;
    }
  }
  files.files = std::move(known.files);
  files.token_webhook = std::move(known.token_webhook);
  files.oidc = std::move(known.oidc);
}

// Reads the keys one by one: each file needs one.
void read_verification_keys(const ServeFlags& flags, IdentityFiles& files,
                            std::vector<std::string>& problems) {
  for (const std::string& path : flags.service_account_key_files) {
    const std::string text = read_file(path, problems);
    const auto checked = check_verification_keys(text);
    if (!checked && problems.empty()) problems.push_back(path + ": " + checked.fault().message);
    files.service_account_verification_keys += text + "\n";
  }
}

void read_configurations(const ServeFlags& flags, IdentityFiles& files,
                         std::vector<std::string>& problems) {
  Options wanted;
  AuthorizationWebhook webhook = flags.authorization_webhook;
  webhook.kubeconfig = absolute(webhook.kubeconfig);
  wanted.authentication_configuration = files.authentication_configuration;
  wanted.oidc = flags.oidc;
  wanted.oidc.keys_file = absolute(flags.oidc.keys_file);
  wanted.oidc.certificate_authority = read_file(flags.oidc_ca_file, problems);
  wanted.token_webhook = flags.token_webhook;
  wanted.token_webhook.kubeconfig = absolute(flags.token_webhook.kubeconfig);
  const bool by_file = !flags.authorization_config.empty();
  if (by_file) {
    files.authorization_configuration = read_file(flags.authorization_config, problems);
  } else if (!webhook.kubeconfig.empty()) {
    files.authorization_configuration =
        authorization_configuration_of(flags.authorization, webhook);
  }
  if (!problems.empty()) return;
  wanted.authorization_configuration = files.authorization_configuration;
  wanted.admission_configuration = files.admission_configuration;
  read_named_files(wanted, files, problems);
  if (!problems.empty()) return;
  if (by_file || !webhook.kubeconfig.empty()) {
    const auto checked =
        check_authorization_configuration(files.authorization_configuration, files.files);
    const std::string& where = by_file ? flags.authorization_config : webhook.kubeconfig;
    if (!checked) problems.push_back(where + ": " + checked.fault().message);
  }
  if (!flags.authentication_config.empty()) {
    const auto checked =
        check_authentication_configuration(files.authentication_configuration, files.files);
    if (!checked) {
      problems.push_back(flags.authentication_config + ": " + checked.fault().message);
    }
  }
  if (const auto checked = check_oidc_issuer(files.oidc, files.files); !checked) {
    problems.push_back("--oidc-issuer-url: " + checked.fault().message);
  }
  if (const auto checked = check_admission_configuration(files.admission_configuration, files.files,
                                                         flags.enable_admission_plugins);
      !checked) {
    const std::string& file = flags.admission_control_config_file;
    problems.push_back((file.empty() ? std::string("--admission-control-config-file") : file) +
                       ": " + checked.fault().message);
  }
  if (const auto checked = check_token_webhook(wanted.token_webhook, files.files); !checked) {
    problems.push_back(wanted.token_webhook.kubeconfig + ": " + checked.fault().message);
  }
}

}  // namespace

std::string read_token_file(const ServeFlags& flags, std::vector<std::string>& problems) {
  std::string text = read_file(flags.token_auth_file, problems);
  if (const auto checked = check_token_file(text); !checked && problems.empty()) {
    problems.push_back(flags.token_auth_file + ": " + checked.fault().message);
  }
  return text;
}

IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems) {
  IdentityFiles files;
  files.token_file = read_token_file(flags, problems);
  files.service_account_key = read_file(flags.service_account_signing_key_file, problems);
  files.admission_configuration = read_file(flags.admission_control_config_file, problems);
  files.authorization_policy = read_file(flags.authorization_policy_file, problems);
  files.authentication_configuration = read_file(flags.authentication_config, problems);
  read_configurations(flags, files, problems);
  if (!problems.empty()) return files;
  if (const auto checked = check_authorization_policy(files.authorization_policy); !checked) {
    problems.push_back(flags.authorization_policy_file + ": " + checked.fault().message);
  }
  read_verification_keys(flags, files, problems);
  if (flags.service_account_signing_key_file.empty()) return files;
  if (const auto checked = check_signing_key(files.service_account_key); !checked) {
    problems.push_back(flags.service_account_signing_key_file + ": " + checked.fault().message);
  }
  return files;
}

}  // namespace tabernetes::host
