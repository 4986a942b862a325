// GET /version: which Kubernetes this server is. Source: spec/rest.md 1.8.
#pragma once

#include "server/http/text_answer.h"

namespace tabernetes::server {

// What the server says that it is. Clients compare the version as a semantic one and show the rest.
// There is no commit, and the build date is that of an unstamped build, so that answers do not
// depend on the machine that built the server.
struct Version {
  std::string_view major, minor, git_version, git_tree_state, build_date, go_version, compiler,
      platform;
};
inline constexpr Version kVersion = {
    "1", "36", "v1.36.2", "clean", "1970-01-01T00:00:00Z", "go1.26.10", "gc", "linux/amd64"};

// Pretty JSON without a final newline.
TextAnswer answer_version();

}  // namespace tabernetes::server
