#include "connection_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace tabernetes::host {
namespace {

// Descriptors for files, event loops, and connections to other servers.
constexpr std::size_t kOwnDescriptors = 128;

constexpr std::string_view kReasons[] = {"handshake_timeout", "head_timeout", "idle_timeout",
                                         "body_timeout", "write_timeout"};

// Returns the limit of open files; 0: there is none.
std::size_t file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Returns 0 where the system does not tell.
std::size_t open_files() {
  std::error_code error;
  std::size_t count = 0;
  for (std::filesystem::directory_iterator each("/proc/self/fd", error), end; !error && each != end;
       each.increment(error)) {
    ++count;
  }
  return count;
}

class Page {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help);
    text_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void sample(std::string_view labels, std::uint64_t value) {
    text_.append(name_).append(labels).append(" ").append(std::to_string(value)).append("\n");
  }
  void single(std::string_view name, std::string_view type, std::string_view help,
              std::uint64_t value) {
    family(name, type, help);
    sample("", value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

}  // namespace

std::size_t most_connections() {
  const std::size_t files = file_limit();
  return files == 0 ? 0 : std::max(files - std::min(kOwnDescriptors, files / 2), std::size_t{1});
}

std::string ConnectionCounts::metrics() const {
  Page page;
  page.single("apiserver_tls_handshake_errors_total", "counter",
              "[ALPHA] TLS handshakes that failed.", failed_handshakes);
  page.single("process_max_fds", "gauge", "The limit of open files.", file_limit());
  page.single("process_open_fds", "gauge", "Open files.", open_files());
  page.single("tabernetes_connections", "gauge", "Connections of clients that are open.", open);
  page.single("tabernetes_connections_accepted_total", "counter", "Connections of clients.",
              accepted);
  page.family("tabernetes_connections_dropped_total", "counter",
              "Connections and streams of clients that took too long, by what they did.");
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    page.sample("{reason=\"" + std::string(kReasons[i]) + "\"}", dropped[i]);
  }
  page.single("tabernetes_connections_limit", "gauge",
              "How many may be open, 0 for any number; more wait.", limit);
  page.single("tabernetes_failed_accepts_total", "counter",
              "Connections that could not be accepted, for lack of descriptors or memory.",
              failed_accepts);
  return page.take();
}

ConnectionPlaces::ConnectionPlaces(std::shared_ptr<ConnectionCounts> counts, std::size_t limit,
                                   std::function<void()> when_free)
    : counts_(std::move(counts)), limit_(limit), when_free_(std::move(when_free)) {
  counts_->limit = limit;
}

std::shared_ptr<void> ConnectionPlaces::take() {
  ++counts_->open;
  return {nullptr, [self = shared_from_this()](void*) {
            if (self->counts_->open-- == self->limit_) self->when_free_();
          }};
}

}  // namespace tabernetes::host
