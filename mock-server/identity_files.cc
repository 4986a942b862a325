#include "identity_files.h"

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

}  // namespace

IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems) {
  IdentityFiles files;
  files.token_file = read_file(flags.token_auth_file, problems);
  files.service_account_key = read_file(flags.service_account_signing_key_file, problems);
  files.authorization_policy = read_file(flags.authorization_policy_file, problems);
  if (!problems.empty()) return files;
  if (const auto checked = check_authorization_policy(files.authorization_policy); !checked) {
    problems.push_back(flags.authorization_policy_file + ": " + checked.fault().message);
  }
  if (const auto checked = check_token_file(files.token_file); !checked) {
    problems.push_back(flags.token_auth_file + ": " + checked.fault().message);
  }
  if (flags.service_account_signing_key_file.empty()) return files;
  if (const auto checked = check_signing_key(files.service_account_key); !checked) {
    problems.push_back(flags.service_account_signing_key_file + ": " + checked.fault().message);
  }
  return files;
}

}  // namespace tabernetes::host
