#include "static_files.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>

using namespace tabernetes;
using namespace tabernetes::host;
namespace fs = std::filesystem;

namespace {

// A playground of a few files, with a secret file beside it.
class Playground {
 public:
  Playground()
      : top_(fs::temp_directory_path() / ("tabernetes-ui-" + std::to_string(getpid()))),
        root_(top_ / "ui") {
    fs::create_directories(root_ / "assets");
    fs::create_directories(top_ / "ui-secret");
    write(root_ / "index.html", "<title>ui</title>");
    write(root_ / "assets/a b.js", "1;");
    write(root_ / "tabernetes.wasm", std::string("\0asm", 4));
    write(top_ / "secret.txt", "secret");
    write(top_ / "ui-secret/x.txt", "secret");
    fs::create_symlink(top_ / "secret.txt", root_ / "link.txt");
  }
  ~Playground() { fs::remove_all(top_); }
  const fs::path& root() const { return root_; }

 private:
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  fs::path top_;
  fs::path root_;
};

Request get(std::string target, Headers headers = {}) {
  return Request{"GET", std::move(target), std::move(headers), "", {}};
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace

TEST_CASE("playground: files are found, and nothing outside", "[host]") {
  const Playground playground;
  const StaticFiles files(playground.root());
  struct Case {
    const char* target;
    int status;
    const char* type = "text/plain; charset=utf-8";
    const char* body = nullptr;
  };
  static constexpr Case kCases[] = {
      {"/ui/", 200, "text/html; charset=utf-8", "<title>ui</title>"},
      {"/ui/index.html?v=1", 200, "text/html; charset=utf-8", "<title>ui</title>"},
      {"/ui/assets/a%20b.js", 200, "text/javascript; charset=utf-8", "1;"},
      {"/ui/tabernetes.wasm", 200, "application/wasm"},
      {"/ui/assets/../tabernetes.wasm", 200, "application/wasm"},
      {"/ui/none", 404},
      {"/ui/assets/", 404},
      {"/ui/../secret.txt", 404},
      {"/ui/%2e%2e/secret.txt", 404},
      {"/ui/..%2fsecret.txt", 404},
      {"/ui/../ui-secret/x.txt", 404},
      {"/ui//etc/passwd", 404},
      {"/ui/%2fetc/passwd", 404},
      {"/ui/..%5csecret.txt", 404},
      {"/ui/link.txt", 404},
      {"/ui/index.html%00.txt", 404},
      {"/ui/%zz", 404},
      {"/ui/%", 404},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.target) {
      const auto answer = files.answer(get(c.target));
      REQUIRE(answer);
      CHECK(answer->status == c.status);
      CHECK(header(*answer, "Content-Type") == c.type);
      if (c.body != nullptr) CHECK(answer->body.flatten() == c.body);
    }
  }
}

TEST_CASE("playground: the API's requests pass", "[host]") {
  const Playground playground;
  const StaticFiles files(playground.root());
  CHECK_FALSE(files.answer(get("/")));
  CHECK_FALSE(files.answer(get("/", {{"accept", "*/*"}})));
  CHECK_FALSE(files.answer(get("/", {{"accept", "application/json, text/html"}})));
  CHECK_FALSE(files.answer(get("/api", {{"accept", "text/html"}})));
  CHECK_FALSE(files.answer(get("/uix")));
  CHECK_FALSE(StaticFiles(fs::path()).answer(get("/ui/")));
}

TEST_CASE("playground: a browser that opens / is sent there", "[host]") {
  const Playground playground;
  const StaticFiles files(playground.root());
  const Headers browser = {{"accept", "text/html,application/xhtml+xml,*/*;q=0.8"}};
  for (const char* target : {"/", "/ui"}) {
    const auto answer = files.answer(get(target, browser));
    REQUIRE(answer);
    CHECK(answer->status == 302);
    CHECK(header(*answer, "Location") == "/ui/");
  }
}

TEST_CASE("playground: a file that the browser has is not sent again", "[host]") {
  const Playground playground;
  const StaticFiles files(playground.root());
  const auto first = files.answer(get("/ui/"));
  REQUIRE(first);
  const std::string tag = header(*first, "Etag");
  REQUIRE(tag != "");
  const auto second = files.answer(get("/ui/", {{"if-none-match", tag}}));
  REQUIRE(second);
  CHECK(second->status == 304);
  CHECK(second->body.empty());
  CHECK(files.answer(get("/ui/", {{"if-none-match", "\"other\""}}))->status == 200);
}

TEST_CASE("playground: only reading is allowed", "[host]") {
  const Playground playground;
  const StaticFiles files(playground.root());
  Request request = get("/ui/");
  request.method = "POST";
  CHECK(files.answer(request)->status == 405);
}

TEST_CASE("playground: it is told what serves it", "[host]") {
  const Playground playground;
  struct Case {
    PageHost host;
    const char* body;
  };
  static constexpr Case kCases[] = {
      {{}, "{\"server\":true,\"admin\":true,\"clock\":\"runs\"}\n"},
      {{.admin = false, .clock_stands_still = true},
       "{\"server\":true,\"admin\":false,\"clock\":\"stands\"}\n"},
  };
  for (const Case& c : kCases) {
    const auto answer = StaticFiles(playground.root(), c.host).answer(get("/ui/host.json"));
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(header(*answer, "Content-Type") == "application/json");
    CHECK(header(*answer, "Cache-Control") == "no-store");
    CHECK(answer->body.flatten() == c.body);
  }
}

TEST_CASE("playground: no page of others may show it in a frame", "[host]") {
  const Playground playground;
  const auto answer = StaticFiles(playground.root()).answer(get("/ui/"));
  REQUIRE(answer);
  CHECK(header(*answer, "Content-Security-Policy") == "frame-ancestors 'none'");
}
