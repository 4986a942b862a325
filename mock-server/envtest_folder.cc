#include "envtest_folder.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace tabernetes::host {
namespace {

namespace fs = std::filesystem;

// Returns an empty path if there is none.
fs::path find_in_path(const std::string& program) {
  const char* folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    fs::path found = fs::path(rest.substr(0, colon)) / program;
    if (found.is_absolute() && ::access(found.c_str(), X_OK) == 0) return found;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return {};
}

// Throws fs::filesystem_error.
void link(const fs::path& target, const fs::path& link) {
  if (fs::is_symlink(link)) fs::remove(link);
  fs::create_symlink(target, link);
}

}  // namespace

int make_envtest_folder(const std::string& path) {
  try {
    const fs::path folder = fs::absolute(path).lexically_normal();
    const fs::path own = fs::read_symlink("/proc/self/exe");
    const fs::path kubectl = find_in_path("kubectl");
    fs::create_directories(folder);
    link(own, folder / "kube-apiserver");
    link(own, folder / "etcd");
    if (kubectl.empty()) {
      std::fputs("tabernetes: no kubectl in PATH: none is linked\n", stderr);
    } else if (kubectl.parent_path() != folder) {
      link(kubectl, folder / "kubectl");
    }
    std::printf("export KUBEBUILDER_ASSETS=%s\n", folder.c_str());
    return 0;
  } catch (const fs::filesystem_error& error) {
    const fs::path& place = error.path2().empty() ? error.path1() : error.path2();
    std::fprintf(stderr, "tabernetes: %s: %s\n", place.c_str(), error.code().message().c_str());
    return 1;
  }
}

}  // namespace tabernetes::host
