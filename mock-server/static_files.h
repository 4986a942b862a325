// The playground: static files under /ui/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes::host {

// What the page should know of the server that serves it; it reads that at /ui/host.json, where a
// plain web server has a file of the page's own that says `{"server":false}`.
struct PageHost {
  bool admin = true;                // whether /-/tabernetes/ answers
  bool clock_stands_still = false;  // whether time only moves when it is told to
};

class StaticFiles {
 public:
  // Serves the files of `root`; an empty path serves none.
  explicit StaticFiles(const std::filesystem::path& root, PageHost host = {});

  // The answer to a request that is ours: below /ui/, or a browser's for `/`. Nothing for the rest,
  // which belongs to the API.
  std::optional<Response> answer(const Request& request) const;

 private:
  std::filesystem::path root_;  // canonical
  PageHost host_;
};

// The folder of the playground as it lies relative to the running binary, in the build and when
// installed; empty if it is not there.
std::filesystem::path find_ui_folder();

// Whether an Accept header asks for a page rather than for an API answer, as browsers do.
bool prefers_html(std::string_view accept);

}  // namespace tabernetes::host
