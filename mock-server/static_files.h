// The playground: static files under /ui/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "tabernetes/http.h"

namespace tabernetes::host {

// Facts about this server that the page reads at /ui/host.json. On a plain web server that is a
// file of the page itself, which says `{"server":false}`.
struct PageHost {
  bool admin = true;                // true if /-/tabernetes/ answers
  bool clock_stands_still = false;  // true if time only moves by requests
};

class StaticFiles {
 public:
  // Serves the files of `root`; none if it is empty.
  explicit StaticFiles(const std::filesystem::path& root, PageHost host = {});

  // Returns the answer to a request for a path below /ui/, or to a browser's request for `/`.
  // Returns nullopt for all others, which belong to the API.
  std::optional<Response> answer(const Request& request) const;

 private:
  std::filesystem::path root_;  // canonical
  PageHost host_;
};

// Returns the playground's folder relative to the running binary, in the build or installed; empty
// if it is missing.
std::filesystem::path find_ui_folder();

// Returns true if an Accept header asks for a page, as browsers do, rather than for an API answer.
bool prefers_html(std::string_view accept);

}  // namespace tabernetes::host
