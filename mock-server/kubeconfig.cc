#include "kubeconfig.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tabernetes::host {
namespace {

namespace fs = std::filesystem;

std::string write_text(const fs::path& file, std::string_view text) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return std::strerror(errno);
  std::string problem;
  while (!text.empty() && problem.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      problem = std::strerror(errno);
    } else {
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  if (::close(fd) != 0 && problem.empty()) problem = std::strerror(errno);
  return problem;
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

// Returns what the user shows. There is always something, because kubectl prompts for a user name
// without a credential.
std::string credentials(const KubeconfigWish& wish) {
  std::string text;
  if (!wish.certificate.pem.empty()) {
    text += "    client-certificate-data: " + base64(wish.certificate.pem) + "\n";
    text += "    client-key-data: " + base64(wish.certificate.key) + "\n";
  }
  if (!wish.token.empty()) text += "    token: " + wish.token + "\n";
  return text;
}

}  // namespace

std::string kubeconfig_text(const KubeconfigWish& wish) {
  // @kubernetes/client-node refuses plain http without insecure-skip-tls-verify.
  const std::string trust = wish.authority.empty()
                                ? "insecure-skip-tls-verify: true"
                                : "certificate-authority-data: " + base64(wish.authority);
  return "apiVersion: v1\n"
         "kind: Config\n"
         "clusters:\n"
         "- name: tabernetes\n"
         "  cluster:\n"
         "    server: " +
         wish.server_url + "\n    " + trust +
         "\n"
         "users:\n"
         "- name: tabernetes\n"
         "  user:\n" +
         credentials(wish) +
         "contexts:\n"
         "- name: tabernetes\n"
         "  context:\n"
         "    cluster: tabernetes\n"
         "    user: tabernetes\n"
         "    namespace: default\n"
         "current-context: tabernetes\n";
}

std::string write_kubeconfig(const fs::path& file, const KubeconfigWish& wish) {
  const std::string text = kubeconfig_text(wish);
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    return file.string() + ": the folder " + folder.string() + " does not exist";
  }
  // A pipe or a terminal is written directly, not replaced.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    const std::string problem = write_text(file, text);
    return problem.empty() ? problem : file.string() + ": " + problem;
  }
  fs::path temporary = file;
  temporary += ".tmp" + std::to_string(::getpid());
  std::string problem = write_text(temporary, text);
  if (problem.empty()) {
    fs::rename(temporary, file, error);
    if (error) problem = error.message();
  }
  if (problem.empty()) return problem;
  fs::remove(temporary, error);
  return file.string() + ": " + problem;
}

}  // namespace tabernetes::host
