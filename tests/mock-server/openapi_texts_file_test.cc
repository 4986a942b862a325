#include "openapi_texts_file.h"

#include <unistd.h>
#include <zlib.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>

using namespace tabernetes;
using namespace tabernetes::host;
namespace fs = std::filesystem;

namespace {

// A folder for one file.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tabernetes-texts-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }

  fs::path write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
    return file();
  }
  fs::path pack(const std::string& content) const {
    const gzFile out = ::gzopen(file().c_str(), "wb");
    ::gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
    ::gzclose(out);
    return file();
  }
  std::string bytes() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  fs::path file() const { return path_ / "texts.gz"; }

 private:
  fs::path path_;
};

std::string problem_of(const fs::path& file) {
  std::string problem;
  CHECK(read_gzip_file(file, problem).empty());
  return problem;
}

constexpr const char* kTexts =
    R"({"format":1,"kubernetes":"1.36","texts":[],"types":{},"parameters":{}})";

}  // namespace

TEST_CASE("openapi texts file: what gzip packed is read, and what it did not") {
  const Folder folder;
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += std::to_string(i) + "\n";
  std::string problem;
  CHECK(read_gzip_file(folder.pack(large), problem) == large);
  CHECK(read_gzip_file(folder.write("plain"), problem) == "plain");
  CHECK(problem.empty());
}

TEST_CASE("openapi texts file: a file that is missing, cut or damaged says so") {
  const Folder folder;
  const std::string name = folder.file().string();
  CHECK(problem_of(folder.file()) == name + ": No such file or directory");
  std::string content;
  for (int i = 0; i < 1000; ++i) content += std::to_string(i);
  folder.pack(content);
  const std::string whole = folder.bytes();
  folder.write(whole.substr(0, whole.size() / 2));
  CHECK(problem_of(folder.file()) == name + ": unexpected end of file");
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // a byte of the checksum
  folder.write(damaged);
  CHECK(problem_of(folder.file()) == name + ": incorrect data check");
}

TEST_CASE("openapi texts file: it is read for OpenAPI documents only, and once") {
  const Folder folder;
  OpenApiTextsFile file(folder.pack(kTexts), Log{LogLevel::kError});
  file.load_for("/api/v1/pods");
  CHECK(file.texts()->lacks("/openapi/v2"));
  file.load_for("/openapi/v2");
  CHECK(!file.texts()->lacks("/openapi/v2"));
}

TEST_CASE("openapi texts file: without a good one documents go without") {
  const Folder folder;
  for (const fs::path& path : {fs::path(), folder.file(), folder.write("{}")}) {
    INFO(path);
    OpenApiTextsFile file(path, Log{LogLevel::kError});
    file.load_for("/openapi/v3");
    CHECK(!file.texts()->lacks("/openapi/v3"));
  }
}
