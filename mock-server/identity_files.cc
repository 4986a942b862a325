#include "identity_files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tabernetes/identity.h"

namespace tabernetes::host {
namespace {

std::string read_file(const std::string& path, std::vector<std::string>& problems) {
  if (path.empty()) return {};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad()) problems.push_back(path + ": " + std::strerror(errno));
  return text;
}

}  // namespace

IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems) {
  IdentityFiles files;
  files.token_file = read_file(flags.token_auth_file, problems);
  files.service_account_key = read_file(flags.service_account_signing_key_file, problems);
  if (!problems.empty()) return files;
  if (const std::string fault = token_file_fault(files.token_file); !fault.empty()) {
    problems.push_back(flags.token_auth_file + ": " + fault);
  }
  if (!flags.service_account_signing_key_file.empty() &&
      !is_signing_key(files.service_account_key)) {
    problems.push_back(flags.service_account_signing_key_file + ": no RSA private key in PEM");
  }
  return files;
}

}  // namespace tabernetes::host
