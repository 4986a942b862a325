#include "kubeconfig.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tabernetes::host;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
  std::ifstream in(file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(fs::temp_directory_path() / ("tabernetes-kubeconfig-" + std::to_string(getpid()))) {
    fs::create_directory(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const KubeconfigWish kWish{.server_url = "http://127.0.0.1:1", .authority = {}};

}  // namespace

TEST_CASE("kubeconfig: one cluster, one user, one context", "[host]") {
  CHECK(kubeconfig_text({.server_url = "http://127.0.0.1:8001", .authority = {}}) ==
        R"(apiVersion: v1
kind: Config
clusters:
- name: tabernetes
  cluster:
    server: http://127.0.0.1:8001
    insecure-skip-tls-verify: true
users:
- name: tabernetes
  user:
    token: tabernetes
contexts:
- name: tabernetes
  context:
    cluster: tabernetes
    user: tabernetes
    namespace: default
current-context: tabernetes
)");
}

TEST_CASE("kubeconfig: the file is its owner's, and replaced as a whole", "[host]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "config";
  std::ofstream(file) << "something older, and much longer than the new one\n"
                      << std::string(999, 'x');
  fs::permissions(file, fs::perms::all);

  REQUIRE(write_kubeconfig(file, kWish) == "");
  CHECK(read(file) == kubeconfig_text(kWish));
  struct stat facts {};
  REQUIRE(stat(file.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("kubeconfig: a folder that is not there is named", "[host]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "no" / "config";
  CHECK(write_kubeconfig(file, kWish) ==
        file.string() + ": the folder " + file.parent_path().string() + " does not exist");
  CHECK_FALSE(fs::exists(file.parent_path()));
}

TEST_CASE("kubeconfig: an authority and a certificate", "[host]") {
  const std::string text = kubeconfig_text({.server_url = "https://127.0.0.1:1",
                                            .authority = "one\n",
                                            .token = "",
                                            .certificate = {"two\n", "three\n"}});
  CHECK(text.find("    certificate-authority-data: b25lCg==\nusers:") != std::string::npos);
  CHECK(text.find("  user:\n    client-certificate-data: dHdvCg==\n"
                  "    client-key-data: dGhyZWUK\ncontexts:") != std::string::npos);
  CHECK(text.find("insecure") == std::string::npos);
}
