#include "server/containers/container_files.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tabernetes::server {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // that a container writes
constexpr std::size_t kMostFiles = 100'000;
constexpr int kMostLinks = 16;

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string_view parent_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

}  // namespace

File plain_file(std::string bytes, Time changed, int mode) {
  return {.bytes = std::make_shared<const std::string>(std::move(bytes)),
          .mode = mode,
          .changed = changed};
}

File folder(Time changed, int mode) {
  return {.kind = File::Kind::kFolder, .mode = mode, .changed = changed};
}

std::string_view File::text() const {
  if (bytes == nullptr && make != nullptr) bytes = std::make_shared<const std::string>(make());
  return bytes == nullptr ? std::string_view() : std::string_view(*bytes);
}

std::string normal_path(std::string_view path, std::string_view folder) {
  std::string whole(path.starts_with('/') ? "" : folder);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      whole.resize(std::min(whole.rfind('/'), whole.size()));
    } else {
      whole.append("/").append(part);
    }
  }
  return whole;
}

ContainerFiles::ContainerFiles(std::vector<Mount> mounts) : mounts_(std::move(mounts)) {
  FileTree& root = mounts_.front().files;
  const Time begun = root.empty() ? Time{} : root.begin()->second.changed;
  root.try_emplace("", folder(begun));
  for (const Mount& mount : mounts_) {
    for (std::string_view above = mount.path; !above.empty(); above = parent_of(above)) {
      root.try_emplace(std::string(parent_of(above)), folder(begun));
    }
  }
}

// The one with the longest path.
const ContainerFiles::Mount& ContainerFiles::mount_of(std::string_view path) const {
  const Mount* found = &mounts_.front();
  for (const Mount& mount : mounts_) {
    if (path != mount.path && !is_below(path, mount.path)) continue;
    if (mount.path.size() >= found->path.size()) found = &mount;
  }
  return *found;
}

bool ContainerFiles::is_mount(std::string_view path) const {
  return std::any_of(mounts_.begin(), mounts_.end(), [&](const Mount& mount) {
    return mount.path == path || is_below(mount.path, path);
  });
}

std::optional<File> ContainerFiles::find_here(std::string_view path) const {
  const Mount& mount = mount_of(path);
  const std::string key = mount.below + std::string(path.substr(mount.path.size()));
  if (mount.written != nullptr) {
    const auto written = mount.written->find(key);
    if (written != mount.written->end()) return written->second;
    // A folder that was removed took along what was in it.
    for (std::string_view above = key; !above.empty(); above = parent_of(above)) {
      const auto gone = mount.written->find(above);
      if (gone != mount.written->end() && !gone->second) return std::nullopt;
    }
  }
  const auto file = mount.files.find(key);
  if (file != mount.files.end()) return file->second;
  if (key == mount.below)
    return folder(mount.files.empty() ? Time{} : mount.files.begin()->second.changed);
  return std::nullopt;
}

std::optional<File> ContainerFiles::find(std::string_view path) const {
  std::string at(path);
  for (int links = 0; links < kMostLinks; ++links) {
    std::optional<File> file = find_here(at);
    if (!file || file->kind != File::Kind::kLink) return file;
    at = normal_path(file->text(), parent_of(at));
  }
  return std::nullopt;
}

bool ContainerFiles::is_folder(std::string_view path) const {
  const std::optional<File> file = find(path);
  return file && file->kind == File::Kind::kFolder;
}

std::vector<std::string> ContainerFiles::names_in(std::string_view folder) const {
  std::set<std::string> names;
  const auto add = [&](std::string_view path) {
    if (!is_below(path, folder)) return;
    const std::string_view rest = path.substr(folder.size() + 1);
    names.emplace(rest.substr(0, rest.find('/')));
  };
  const Mount& mount = mount_of(folder);
  const auto add_key = [&](std::string_view key) {
    if (key.starts_with(mount.below)) {
      add(mount.path + std::string(key.substr(mount.below.size())));
    }
  };
  for (const auto& [key, file] : mount.files) add_key(key);
  if (mount.written != nullptr) {
    for (const auto& [key, file] : *mount.written) {
      if (file) add_key(key);
    }
  }
  for (const Mount& other : mounts_) add(other.path);
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const std::string path = std::string(folder) + "/" + name;
    if (is_mount(path) || find_here(path)) found.push_back(name);
  }
  return found;
}

std::size_t ContainerFiles::written_bytes() const {
  std::size_t bytes = 0;
  for (const Mount& mount : mounts_) {
    if (mount.written == nullptr) continue;
    if (mount.written->size() > kMostFiles) return kMostBytes + 1;
    for (const auto& [path, file] : *mount.written) bytes += file ? file->text().size() : 0;
  }
  return bytes;
}

std::string_view ContainerFiles::put(std::string_view path, File file) {
  if (path.empty()) return "Is a directory";
  if (!is_folder(parent_of(path))) {
    return find(parent_of(path)) ? "Not a directory" : "No such file or directory";
  }
  const Mount& mount = mount_of(path);
  if (mount.written == nullptr) return "Read-only file system";
  if (const auto there = find(path);
      there && there->kind == File::Kind::kFolder && file.kind != File::Kind::kFolder) {
    return "Is a directory";
  }
  if (written_bytes() + file.text().size() > kMostBytes) return "No space left on device";
  const std::string key = mount.below + std::string(path.substr(mount.path.size()));
  (*mount.written)[key] = std::move(file);
  return {};
}

std::string_view ContainerFiles::remove(std::string_view path) {
  const Mount& mount = mount_of(path);
  if (is_mount(path)) return "Device or resource busy";
  if (mount.written == nullptr) return "Read-only file system";
  if (!find_here(path)) return "No such file or directory";
  const std::string key = mount.below + std::string(path.substr(mount.path.size()));
  std::erase_if(*mount.written, [&](const auto& entry) { return is_below(entry.first, key); });
  (*mount.written)[key] = std::nullopt;
  return {};
}

}  // namespace tabernetes::server
