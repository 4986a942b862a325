// The file with the texts of OpenAPI documents (tools/explain makes it): read when the first such
// document is asked for.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "log.h"
#include "tabernetes/openapi_texts.h"

namespace tabernetes::host {

class OpenApiTextsFile {
 public:
  // `file`: empty if there is none.
  OpenApiTextsFile(std::filesystem::path file, Log log) : file_(std::move(file)), log_(log) {}
  OpenApiTextsFile(const OpenApiTextsFile&) = delete;
  OpenApiTextsFile& operator=(const OpenApiTextsFile&) = delete;

  // For Options::openapi_texts.
  std::shared_ptr<const OpenApiTexts> texts() const { return texts_; }

  // Reads the file if a request for `target` needs it: to be called before the core is asked, on
  // any thread. Where it cannot be read, documents have no texts, and the log says so once.
  void load_for(std::string_view target);

 private:
  void tell(const std::string& problem);

  const std::filesystem::path file_;
  const Log log_;
  const std::shared_ptr<const OpenApiTexts> texts_ = std::make_shared<const OpenApiTexts>();
  std::atomic<bool> told_ = false;
};

// Where the file lies relative to the running binary, in the build and when installed; empty if it
// is not there.
std::filesystem::path find_openapi_texts();

// What `file` holds, unpacked if it is packed; `problem` says why it cannot be read.
std::string read_gzip_file(const std::filesystem::path& file, std::string& problem);

}  // namespace tabernetes::host
