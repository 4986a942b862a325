#include "server/version.h"

namespace tabernetes::server {

// Clients compare gitVersion as a semantic version and show the rest. The commit is left empty and
// the build date is that of an unstamped build, so that answers do not depend on the machine that
// built the server.
TextAnswer answer_version() {
  return {200, kApplicationJson,
          R"({
  "major": "1",
  "minor": "36",
  "emulationMajor": "1",
  "emulationMinor": "36",
  "minCompatibilityMajor": "1",
  "minCompatibilityMinor": "35",
  "gitVersion": "v1.36.2",
  "gitCommit": "",
  "gitTreeState": "clean",
  "buildDate": "1970-01-01T00:00:00Z",
  "goVersion": "go1.26.10",
  "compiler": "gc",
  "platform": "linux/amd64"
})",
          false};
}

}  // namespace tabernetes::server
