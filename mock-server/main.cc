#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "check_command.h"
#include "data_commands.h"
#include "envtest_folder.h"
#include "etcd_stand_in.h"
#include "flags.h"
#include "kube_apiserver_line.h"
#include "serve.h"

namespace {

using tabernetes::host::CommandLine;

int run(const CommandLine& line) {
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  if (line.serve) return tabernetes::host::serve(*line.serve);
  if (!line.check.empty()) return tabernetes::host::check_files(line.check);
  if (line.data && line.data->name == "envtest") {
    return tabernetes::host::make_envtest_folder(line.data->from);
  }
  if (line.data) return tabernetes::host::run_data_command(*line.data);
  return line.exit_code;
}

// Runs in the place of kube-apiserver.
int run_kube_apiserver(const std::vector<std::string>& arguments) {
  const auto line = tabernetes::host::read_kube_apiserver_line(arguments);
  std::fputs(line.out.c_str(), stdout);
  std::fputs(line.err.c_str(), stderr);
  if (line.serve.empty()) return line.exit_code;
  std::vector<const char*> words = {"tabernetes"};
  for (const std::string& word : line.serve) words.push_back(word.c_str());
  return run(tabernetes::host::parse_command_line(static_cast<int>(words.size()), words.data()));
}

}  // namespace

int main(int argc, char** argv) {
  // The binary has other manners under the names of programs that it stands in for.
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (name == "kube-apiserver") return run_kube_apiserver({argv + 1, argv + argc});
  if (name == "etcd") return tabernetes::host::run_etcd_stand_in({argv + 1, argv + argc});
  return run(tabernetes::host::parse_command_line(argc, argv));
}
