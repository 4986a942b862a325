// The playground: static files under /ui/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "tabernetes/request.h"
#include "tabernetes/response.h"

namespace tabernetes::host {

class StaticFiles {
 public:
  // Serves the files of `root`; an empty path serves none.
  explicit StaticFiles(const std::filesystem::path& root);

  // The answer to a request that is ours: below /ui/, or a browser's for `/`. Nothing for the rest,
  // which belongs to the API.
  std::optional<Response> answer(const Request& request) const;

 private:
  std::filesystem::path root_;  // canonical
};

// The folder of the playground as it lies relative to the running binary, in the build and when
// installed; empty if it is not there.
std::filesystem::path find_ui_folder();

// Whether an Accept header asks for a page rather than for an API answer, as browsers do.
bool prefers_html(std::string_view accept);

}  // namespace tabernetes::host
