#include "tls_files.h"

#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "tabernetes/options.h"
#include "text_file.h"

namespace tabernetes::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAuthorityName = "tabernetes-ca";
constexpr const char* kFrontProxyAuthority = "tabernetes-front-proxy-ca";

// Throws std::runtime_error if the file cannot be read.
std::string contents(const std::string& path) {
  TextFile file = read_text_file(path);
  if (!file.problem.empty()) throw std::runtime_error(file.problem);
  return std::move(file.text);
}

std::string contents_or_empty(const std::string& path) {
  return path.empty() ? std::string() : contents(path);
}

// Writes a file that others may read only if `mode` says so. Throws std::runtime_error.
void keep(const fs::path& path, const std::string& text, mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  const bool written =
      fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string problem = written ? std::string() : std::strerror(errno);
  if (fd >= 0) ::close(fd);
  if (!written) throw std::runtime_error(path.string() + ": " + problem);
}

void keep(const fs::path& folder, const std::string& name, const Certificate& certificate) {
  keep(folder / (name + ".crt"), certificate.pem, 0644);
  keep(folder / (name + ".key"), certificate.key, 0600);
}

// Returns the authority that the folder has, or makes it. No folder: that of the start, if there
// was one.
Certificate authority_of(const std::string& folder, const std::string& file,
                         const char* common_name, const Certificate* before) {
  if (folder.empty()) return before != nullptr ? *before : make_authority(common_name);
  const fs::path place(folder);
  std::error_code error;
  fs::create_directories(place, error);
  if (error) throw std::runtime_error(folder + ": " + error.message());
  if (fs::exists(place / (file + ".crt"), error)) {
    return {contents((place / (file + ".crt")).string()),
            contents((place / (file + ".key")).string())};
  }
  Certificate made = make_authority(common_name);
  keep(place, file, made);
  return made;
}

std::vector<std::string> server_names(const TlsFlags& tls, const std::vector<std::string>& hosts) {
  std::vector<std::string> names = {"localhost",
                                    "kubernetes",
                                    "kubernetes.default",
                                    "kubernetes.default.svc",
                                    "kubernetes.default.svc.cluster.local",
                                    "127.0.0.1",
                                    "::1"};
  const auto add = [&names](const std::string& name) {
    const bool wildcard = name == "0.0.0.0" || name == "::";
    if (wildcard || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(name);
  };
  for (const std::string& host : hosts) add(host);
  for (const std::string& name : tls.names) add(name);
  return names;
}

int version_number(const std::string& name) {
  static const std::map<std::string, int> kVersions = {{"VersionTLS10", TLS1_VERSION},
                                                       {"VersionTLS11", TLS1_1_VERSION},
                                                       {"VersionTLS12", TLS1_2_VERSION},
                                                       {"VersionTLS13", TLS1_3_VERSION}};
  return kVersions.at(name);
}

// Throws std::runtime_error if a text that is not empty has no certificate.
void need_authority(const std::string& pem) {
  if (pem.empty()) return;
  BIO* text = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* first = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
  BIO_free(text);
  X509_free(first);
  if (first == nullptr) throw std::runtime_error("no certificate of an authority in PEM");
}

// Joins PEM texts.
std::string joined_pem(std::string text, const std::string& more) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + more;
}

// Returns whether the cluster issues certificates to users.
bool signs(const ServeFlags& flags) {
  const std::vector<std::string> loops = *parse_controllers(flags.controllers);
  return std::find(loops.begin(), loops.end(), "certificatesigningrequest-signing-controller") !=
         loops.end();
}

TlsFiles prepare(const ServeFlags& flags, const std::vector<std::string>& hosts,
                 const TlsFiles* before) {
  const TlsFlags& tls = flags.tls;
  TlsFiles files;
  TlsSettings settings;
  const Certificate authority =
      authority_of(tls.cert_dir, "ca", kAuthorityName, before ? &before->signer : nullptr);
  if (tls.cert_file.empty()) {
    settings.own = issue_certificate(
        authority,
        {.common_name = "kube-apiserver", .organizations = {}, .names = server_names(tls, hosts)});
    if (!tls.cert_dir.empty()) keep(tls.cert_dir, "apiserver", settings.own);
    files.authority = authority.pem;
  } else {
    settings.own = {contents(tls.cert_file), contents(tls.key_file)};
    files.authority = settings.own.pem;
  }
  for (const auto& [certificate, key] : tls.for_names) {
    settings.for_names.push_back({contents(certificate), contents(key)});
  }
  settings.least_version = version_number(tls.min_version);
  settings.user_authorities = contents_or_empty(tls.client_ca_file);
  need_authority(settings.user_authorities);
  settings.proxy_authorities = contents_or_empty(tls.proxy_ca_file);
  settings.proxies = tls.proxy_names;
  if (flags.authorization != std::vector{Authorization::kAlwaysAllow}) {
    files.admin = issue_certificate(
        authority,
        {.common_name = "kubernetes-admin", .organizations = {"system:masters"}, .names = {}});
  }
  if (!files.admin.pem.empty() || signs(flags)) {
    settings.user_authorities = joined_pem(settings.user_authorities, authority.pem);
  }
  files.signer = authority;
  files.user_authorities = settings.user_authorities;
  const Certificate front = authority_of(tls.cert_dir, "front-proxy-ca", kFrontProxyAuthority,
                                         before ? &before->front_proxy_signer : nullptr);
  files.front_proxy_signer = front;
  files.front_proxy = issue_certificate(
      front, {.common_name = "front-proxy-client", .organizations = {}, .names = {}});
  files.server = std::make_shared<TlsServer>(settings);
  return files;
}

}  // namespace

TlsFiles prepare_tls(const ServeFlags& flags, const std::vector<std::string>& hosts,
                     const TlsFiles* before, std::vector<std::string>& problems) {
  if (!flags.tls.serves()) return {};
  try {
    return prepare(flags, hosts, before);
  } catch (const std::runtime_error& error) {
    problems.emplace_back(error.what());
    return {};
  }
}

}  // namespace tabernetes::host
