#include "check_command.h"

#include <cstdio>
#include <utility>

#include "clock.h"
#include "manifests.h"
#include "tabernetes/check.h"

namespace tabernetes::host {
namespace {

std::string count_of(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

int check_files(const std::vector<std::string>& paths) {
  std::vector<std::string> problems;
  std::vector<ManifestFile> files;
  for (Manifest& manifest : read_manifests(paths, problems)) {
    files.push_back({std::move(manifest.name), std::move(manifest.text)});
  }
  for (const std::string& problem : problems) {
    std::fprintf(stderr, "tabernetes: %s\n", problem.c_str());
  }
  const ManifestCheck check = check_manifests(files, Clock::machine_time());
  std::size_t faults = 0;
  for (const ManifestFault& fault : check.faults) {
    std::fputs((line_of(fault) + '\n').c_str(), stdout);
    if (!fault.warning) ++faults;
  }
  const std::string summary = count_of(check.objects, "object") + " in " +
                              count_of(files.size(), "file") + ", " + count_of(faults, "fault");
  std::fprintf(stderr, "tabernetes check: %s\n", summary.c_str());
  return faults == 0 && problems.empty() ? 0 : 1;
}

}  // namespace tabernetes::host
