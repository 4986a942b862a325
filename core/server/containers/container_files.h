// The files of a simulated container: what its image, its volumes and its pod put there, and what
// was written since.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

struct File {
  enum class Kind { kFile, kFolder, kLink };
  Kind kind = Kind::kFile;
  // Of a file; of a link its target.
  mutable std::shared_ptr<const std::string> bytes = nullptr;
  int mode = 0644;
  Time changed = {};
  std::function<std::string()> make = nullptr;  // makes the bytes, when they are read first

  std::string_view text() const;
};
File plain_file(std::string bytes, Time changed, int mode = 0644);
File folder(Time changed, int mode = 0755);

// Files by their path below a root, which is "": "/etc/hostname".
using FileTree = std::map<std::string, File, std::less<>>;

// What was written over a tree; nothing: removed.
using WrittenFiles = std::map<std::string, std::optional<File>, std::less<>>;

// Returns an absolute path without `.`, `..` and double slashes; the root is "".
std::string normal_path(std::string_view path, std::string_view folder = "");

// The files as one container sees them. Copies share what is written.
class ContainerFiles {
 public:
  struct Mount {
    std::string path;                       // "" or "/etc/config"
    FileTree files;                         // what is there from the beginning
    std::shared_ptr<WrittenFiles> written;  // null: read-only
    std::string below;                      // the part of the volume that is mounted: "/sub"
  };

  ContainerFiles() = default;
  // `mounts`: the first is that of the root.
  explicit ContainerFiles(std::vector<Mount> mounts);

  // Follows links. Paths are absolute, in normal form.
  std::optional<File> find(std::string_view path) const;
  bool is_folder(std::string_view path) const;
  // Returns the names in a folder, in order.
  std::vector<std::string> names_in(std::string_view folder) const;

  // Return why not, in the words of a C library; empty: done.
  std::string_view put(std::string_view path, File file);
  std::string_view remove(std::string_view path);  // of a folder all that is in it

 private:
  const Mount& mount_of(std::string_view path) const;
  std::optional<File> find_here(std::string_view path) const;
  bool is_mount(std::string_view path) const;
  std::size_t written_bytes() const;

  std::vector<Mount> mounts_;
};

}  // namespace tabernetes::server
