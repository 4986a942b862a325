// The file with the texts of OpenAPI documents, which tools/explain makes. It is read when the
// first such document is requested.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "log.h"
#include "tabernetes/options.h"

namespace tabernetes::host {

class OpenApiTextsFile {
 public:
  // `file`: empty if there is none.
  OpenApiTextsFile(std::filesystem::path file, Log log) : file_(std::move(file)), log_(log) {}
  OpenApiTextsFile(const OpenApiTextsFile&) = delete;
  OpenApiTextsFile& operator=(const OpenApiTextsFile&) = delete;

  // Returns the texts for Options::openapi_texts.
  std::shared_ptr<const OpenApiTexts> texts() const { return texts_; }

  // Reads the file if a request for `target` needs it. Call it before the core handles the request,
  // on any thread. If the file cannot be read, documents have no texts, and the log says so once.
  void load_for(std::string_view target);

 private:
  void tell(const std::string& problem);

  const std::filesystem::path file_;
  const Log log_;
  const std::shared_ptr<const OpenApiTexts> texts_ = std::make_shared<const OpenApiTexts>();
  std::atomic<bool> told_ = false;
};

// Returns the file's path relative to the running binary, in the build or installed; empty if it is
// missing.
std::filesystem::path find_openapi_texts();

// Returns the content of `file`, decompressed if it is gzipped. On failure sets `problem` to the
// reason.
std::string read_gzip_file(const std::filesystem::path& file, std::string& problem);

}  // namespace tabernetes::host
