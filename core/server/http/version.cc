#include "server/http/version.h"

#include <string>
#include <utility>

namespace tabernetes::server {

TextResponse answer_version() {
  const std::pair<std::string_view, std::string_view> members[] = {
      {"major", kVersion.major},
      {"minor", kVersion.minor},
      {"emulationMajor", kVersion.major},
      {"emulationMinor", kVersion.minor},
      {"minCompatibilityMajor", "1"},
      {"minCompatibilityMinor", "35"},
      {"gitVersion", kVersion.git_version},
      {"gitCommit", ""},
      {"gitTreeState", kVersion.git_tree_state},
      {"buildDate", kVersion.build_date},
      {"goVersion", kVersion.go_version},
      {"compiler", kVersion.compiler},
      {"platform", kVersion.platform},
  };
  std::string body;
  for (const auto& [name, value] : members) {
    body.append(body.empty() ? "{\n" : ",\n");
    body.append("  \"").append(name).append("\": \"").append(value).append("\"");
  }
  return {200, kApplicationJson, body + "\n}", false};
}

}  // namespace tabernetes::server
