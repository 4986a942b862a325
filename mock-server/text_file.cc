#include "text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tabernetes::host {

TextFile read_text_file(const std::string& path) {
  TextFile result;
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  char piece[64 * 1024];
  while (file) {
    const std::size_t size = std::fread(piece, 1, sizeof piece, file.get());
    if (size == 0) break;
    result.text.append(piece, size);
  }
  if (!file || std::ferror(file.get()) != 0) {
    result.problem = path + ": " + std::strerror(errno != 0 ? errno : EIO);
  }
  return result;
}

}  // namespace tabernetes::host
