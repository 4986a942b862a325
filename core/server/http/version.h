// GET /version: the version of Kubernetes that this server implements. Source: spec/rest.md 1.8.
#pragma once

#include "server/http/text_answer.h"

namespace tabernetes::server {

// The server's version. Clients parse it as a semantic version and display the rest. The commit is
// empty and the build date that of an unstamped build, so that answers do not depend on the build
// machine.
struct Version {
  std::string_view major, minor, git_version, git_tree_state, build_date, go_version, compiler,
      platform;
};
inline constexpr Version kVersion = {
    "1", "36", "v1.36.2", "clean", "1970-01-01T00:00:00Z", "go1.26.10", "gc", "linux/amd64"};

// Returns pretty JSON without a final newline.
TextResponse answer_version();

}  // namespace tabernetes::server
