#include "static_files.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "request_gate.h"

namespace tabernetes::host {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, std::string_view> kContentTypes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".yaml", "application/yaml"},
};

std::string_view content_type(const fs::path& file) {
  const std::string extension = file.extension().string();
  for (const auto& [known, type] : kContentTypes) {
    if (known == extension) return type;
  }
  return "application/octet-stream";
}

Response redirect(std::string location) {
  Response response;
  response.status = 302;
  response.headers = {{"Location", std::move(location)}};
  return response;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Undoes percent-encoding. Returns nullopt if it is malformed or yields a byte that no file name
// has.
std::optional<std::string> percent_decode(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0' || c == '\\') return std::nullopt;
    result += c;
  }
  return result;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

// Returns the file for `path` (the decoded part after /ui/), or nullopt. A link that leads outside
// of `root` is refused.
std::optional<fs::path> find_file(const fs::path& root, const std::string& path) {
  std::error_code error;
  fs::path file = fs::canonical(root / fs::path(path).relative_path(), error);
  if (error || !is_below(file, root)) return std::nullopt;
  if (fs::is_directory(file, error)) file /= "index.html";
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  return file;
}

std::string entity_tag(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto changed =
      static_cast<long long>(fs::last_write_time(file, error).time_since_epoch().count());
  return '"' + std::to_string(size) + '-' + std::to_string(changed) + '"';
}

// Answers /ui/host.json: the page learns that a tabernetes server serves it, and which options
// matter.
Response host_facts(const PageHost& host) {
  Response response;
  response.headers = {{"Content-Type", "application/json"},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}};
  const nlohmann::ordered_json facts = {
      {"server", true},
      {"admin", host.admin},
      {"clock", host.clock_stands_still ? "stands" : "runs"},
  };
  response.body.append(facts.dump() + '\n');
  return response;
}

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

StaticFiles::StaticFiles(const fs::path& root, PageHost host) : host_(host) {
  std::error_code error;
  if (!root.empty()) root_ = fs::canonical(root, error);
}

std::optional<Response> StaticFiles::answer(const Request& request) const {
  if (root_.empty()) return std::nullopt;
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (path == "/" && reads && prefers_html(header(request.headers, "accept"))) {
    return redirect("/ui/");
  }
  if (path == "/ui") return redirect("/ui/");
  if (!path.starts_with("/ui/")) return std::nullopt;
  if (!reads) return text_answer(405, "405 method not allowed\n");

  if (path == "/ui/host.json") return host_facts(host_);
  const auto decoded = percent_decode(path.substr(4));
  const auto file = decoded ? find_file(root_, *decoded) : std::nullopt;
  if (!file) return text_answer(404, "404 page not found\n");
  Response response;
  const std::string tag = entity_tag(*file);
  response.headers = {{"Content-Type", std::string(content_type(*file))},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", "frame-ancestors 'none'"},
                      {"Etag", tag},
                      {"X-Content-Type-Options", "nosniff"}};
  if (header(request.headers, "if-none-match") == tag) {
    response.status = 304;
    return response;
  }
  std::ifstream in(*file, std::ios::binary);
  response.body.append(
      std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
  return response;
}

fs::path find_ui_folder() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = binary.parent_path();
  // Relative to build/native/tabernetes for dist/ui, and to bin/tabernetes for share/tabernetes/ui.
  for (const fs::path& candidate :
       {folder / "../../dist/ui", folder / "../../../dist/ui", folder / "../share/tabernetes/ui"}) {
    if (fs::exists(candidate / "index.html", error)) return fs::canonical(candidate, error);
  }
  return {};
}

bool prefers_html(std::string_view accept) {
  const std::size_t html = accept.find("text/html");
  return html != std::string_view::npos && html < accept.find("application/json") &&
         html < accept.find("application/yaml");
}

}  // namespace tabernetes::host
