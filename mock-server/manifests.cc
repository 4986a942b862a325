#include "manifests.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <utility>

#include "text_file.h"

namespace tabernetes::host {
namespace {

namespace fs = std::filesystem;

void read_file(const fs::path& path, std::vector<Manifest>& manifests,
               std::vector<std::string>& problems) {
  TextFile file = read_text_file(path.string());
  if (file.problem.empty()) return manifests.push_back({path.string(), std::move(file.text)});
  problems.push_back(std::move(file.problem));
}

void read_folder(const fs::path& folder, std::vector<Manifest>& manifests,
                 std::vector<std::string>& problems) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path extension = entry->path().extension();
    if (extension != ".yaml" && extension != ".yml" && extension != ".json") continue;
    if (!entry->is_directory()) files.push_back(entry->path());
  }
  if (error) {
    problems.push_back(folder.string() + ": " + error.message());
    return;
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) read_file(file, manifests, problems);
}

}  // namespace

std::vector<Manifest> read_manifests(const std::vector<std::string>& paths,
                                     std::vector<std::string>& problems) {
  std::vector<Manifest> manifests;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-") {
      manifests.push_back({"-", std::string(std::istreambuf_iterator<char>(std::cin), {})});
    } else if (fs::is_directory(path, error)) {
      read_folder(path, manifests, problems);
    } else {
      read_file(path, manifests, problems);
    }
  }
  return manifests;
}

// The core orders namespaces and CRDs first within one manifest. Manifests that fail are tried
// again as long as a round makes progress.
std::vector<std::string> load_manifests(ApiServer& server, const std::vector<Manifest>& manifests) {
  std::vector<const Manifest*> pending;
  pending.reserve(manifests.size());
  for (const Manifest& manifest : manifests) pending.push_back(&manifest);

  std::vector<std::string> problems;
  std::optional<std::size_t> before;
  do {
    if (!problems.empty()) before = problems.size();
    problems.clear();
    std::vector<const Manifest*> failed;
    for (const Manifest* manifest : pending) {
      const std::vector<LoadFault> faults = server.load(manifest->text);
      for (const LoadFault& found : faults) {
        problems.push_back(manifest->name + ": document " + std::to_string(found.document) + ": " +
                           found.fault.message);
      }
      if (!faults.empty()) failed.push_back(manifest);
    }
    pending = std::move(failed);
  } while (!problems.empty() && (!before || problems.size() < *before));
  return problems;
}

}  // namespace tabernetes::host
