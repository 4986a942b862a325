// The last requests that a cluster has answered, whoever answered them: the writer or a view.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/algorithm/atomic_lazy.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct LoggedRequest {
  Time begun;  // when it arrived, in the cluster's time
  std::string method, target, user_agent;
  std::string user;                  // empty: refused before it was known
  int status = 0;                    // 0: none was sent
  std::optional<std::size_t> bytes;  // of the body; unset for a stream
  std::string fault;                 // what a rule of faults did to it
};

// A ring of entries. Like the encoding cache it has no locks: whoever reads or writes an entry
// takes it out of its place for that time. A request whose entry another thread has at that moment
// replaces it. Safe on any thread.
class RequestLog {
 public:
  static constexpr std::size_t kMost = 1000;

  RequestLog() = default;
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  // Adds a request with its answer; the oldest entry goes when there are kMost.
  void add(const Request& request, const Response& response, Time begun, std::string user,
           std::string fault = {});
  // Returns the entries, oldest first.
  std::vector<LoggedRequest> entries() const;
  void clear();

 private:
  struct Entry : LoggedRequest {
    std::uint64_t number = 0;  // of all requests ever
  };
  using Place = std::atomic<Entry*>;
  Place* places() const;

  std::atomic<std::uint64_t> next_{0};
  AtomicLazy<std::unique_ptr<Place[]>> places_;
};

}  // namespace tabernetes::server
