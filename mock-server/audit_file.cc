#include "audit_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "lower_case.h"
#include "text_file.h"

namespace tabernetes::host {

AuditFile::AuditFile(const std::string& path) {
  file_ = path == "-" ? STDOUT_FILENO
                      : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) problem_ = path + ": " + std::strerror(errno);
}

AuditFile::~AuditFile() {
  if (file_ > STDERR_FILENO) ::close(file_);
}

void AuditFile::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  line_.assign(line).append("\n");
  std::string_view rest = line_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // a full disk loses events, not requests
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

AuditLog open_audit_log(const AuditFlags& flags, const Log& log,
                        std::vector<std::string>& problems) {
  AuditLog audit;
  if (!flags.policy_file.empty()) {
    TextFile file = read_text_file(flags.policy_file);
    constexpr const char* kLoading = "loading audit policy file: ";
    if (!file.problem.empty()) {
      const std::size_t reason = file.problem.rfind(": ");
      problems.push_back(kLoading + ("failed to read file path \"" + flags.policy_file) +
                         "\": open " + flags.policy_file + ": " +
                         lower_case(file.problem.substr(reason + 2)));
      return {};
    }
    const auto checked = check_audit_policy(file.text);
    if (!checked) {
      problems.push_back(kLoading + checked.fault().message + ": from file " + flags.policy_file);
      return {};
    }
    if (!checked->empty()) log.warn(*checked);
    audit.policy = std::move(file.text);
  }
  if (flags.log_path.empty()) return {};
  if (flags.policy_file.empty()) return {};  // as upstream: without a policy, nothing is logged
  auto file = std::make_shared<AuditFile>(flags.log_path);
  if (!file->problem().empty()) {
    problems.push_back(file->problem());
    return {};
  }
  audit.sink = [file](std::string_view event) { file->write(event); };
  audit.format = flags.format == "legacy" ? AuditLog::Format::kLegacy : AuditLog::Format::kJson;
  if (flags.truncates) audit.most_bytes = static_cast<std::size_t>(flags.most_event_bytes);
  return audit;
}

}  // namespace tabernetes::host
