// Archives as `tar` writes and reads them, which is how kubectl copies files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

struct TarEntry {
  enum class Kind { kFile, kFolder, kLink, kOther };
  std::string name;
  Kind kind = Kind::kFile;
  int mode = 0644;
  Time changed;
  std::string bytes;  // of a link its target
};

// Appends an entry in the form of POSIX 1988 (ustar), with GNU's form for long names.
void write_tar_entry(const TarEntry& entry, std::string& out);
// Appends the end of an archive.
void write_tar_end(std::string& out);

struct TarRead {
  std::vector<TarEntry> entries;
  bool ended = false;  // the end of the archive was there
  bool broken = false;
};
// Reads ustar, GNU and pax.
TarRead read_tar(std::string_view archive);

// Returns true once the bytes have a whole archive, or something that is none.
class TarWatcher {
 public:
  bool complete(std::string_view archive);

 private:
  std::size_t at_ = 0;
};

}  // namespace tabernetes::server
