// The audit log of --audit-log-path: a line for each event, in a file or on stdout.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "flags.h"
#include "log.h"
#include "tabernetes/audit.h"

namespace tabernetes::host {

class AuditFile {
 public:
  // Opens `path` to add to it; "-" is stdout. problem() says if that fails.
  explicit AuditFile(const std::string& path);
  ~AuditFile();
  AuditFile(const AuditFile&) = delete;
  AuditFile& operator=(const AuditFile&) = delete;

  const std::string& problem() const { return problem_; }
  // Adds a line, in one write. Callable from any thread.
  void write(std::string_view line);

 private:
  std::mutex mutex_;
  int file_ = -1;
  std::string line_;
  std::string problem_;
};

// Returns the log that the flags ask for: without a sink if they ask for none. Appends errors to
// `problems`; warns of a policy that has mistakes but can be used.
AuditLog open_audit_log(const AuditFlags& flags, const Log& log,
                        std::vector<std::string>& problems);

}  // namespace tabernetes::host
