#include "kubeconfig.h"

#include <fcntl.h>
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

}  // namespace

// Includes a token, because kubectl without a credential prompts for a user name, and
// insecure-skip-tls-verify, because @kubernetes/client-node refuses plain http without it.
std::string kubeconfig_text(std::string_view server_url, std::string_view token) {
  std::string text =
      "apiVersion: v1\n"
      "kind: Config\n"
      "clusters:\n"
      "- name: tabernetes\n"
      "  cluster:\n"
      "    server: ";
  text += server_url;
  text +=
      "\n"
      "    insecure-skip-tls-verify: true\n"
      "users:\n"
      "- name: tabernetes\n"
      "  user:\n"
      "    token: ";
  text += token;
  text +=
      "\n"
      "contexts:\n"
      "- name: tabernetes\n"
      "  context:\n"
      "    cluster: tabernetes\n"
      "    user: tabernetes\n"
      "    namespace: default\n"
      "current-context: tabernetes\n";
  return text;
}

std::string write_kubeconfig(const fs::path& file, std::string_view server_url,
                             std::string_view token) {
  const std::string text = kubeconfig_text(server_url, token);
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
