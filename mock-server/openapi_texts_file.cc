#include "openapi_texts_file.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace tabernetes::host {

namespace fs = std::filesystem;

void OpenApiTextsFile::load_for(std::string_view target) {
  if (!texts_->lacks(target)) return;
  std::string problem = file_.empty() ? "openapi-texts.gz is not beside the program" : "";
  const std::string content = file_.empty() ? "" : read_gzip_file(file_, problem);
  if (!problem.empty()) {
    texts_->give_none();
  } else if (const auto given = texts_->give(content); !given) {
    problem = file_.string() + ": " + given.fault().message;
  }
  if (!problem.empty()) tell(problem);
}

void OpenApiTextsFile::tell(const std::string& problem) {
  if (!told_.exchange(true)) log_.warn("OpenAPI documents have no descriptions: " + problem);
}

fs::path find_openapi_texts() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = binary.parent_path();
  // In the build the file is beside the binary; installed, in share/tabernetes.
  for (const fs::path& candidate :
       {folder / "openapi-texts.gz", folder / "../share/tabernetes/openapi-texts.gz"}) {
    if (fs::exists(candidate, error)) return fs::canonical(candidate, error);
  }
  return {};
}

std::string read_gzip_file(const fs::path& file, std::string& problem) {
  errno = 0;
  const gzFile in = ::gzopen(file.c_str(), "rb");
  if (in == nullptr) {
    problem = file.string() + ": " + std::strerror(errno);
    return {};
  }
  std::string content;
  std::vector<char> piece(std::size_t{64} << 10);
  int size = 0;
  while ((size = ::gzread(in, piece.data(), static_cast<unsigned>(piece.size()))) > 0) {
    content.append(piece.data(), static_cast<std::size_t>(size));
  }
  int fault = Z_OK;
  const std::string said = ::gzerror(in, &fault);
  if (fault == Z_ERRNO) {
    problem = file.string() + ": " + std::strerror(errno);
  } else if (fault != Z_OK) {
    problem = said;  // the message names the file
  }
  ::gzclose(in);
  return problem.empty() ? content : std::string();
}

}  // namespace tabernetes::host
