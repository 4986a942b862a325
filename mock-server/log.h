// Writes the host's log to stderr: one line each, as text or as one JSON object with the names of
// kube-apiserver's log (apiserver/pkg/server/httplog, 1.36).
//
//   GET /api/v1/pods 200 1532 bytes 0.4 ms
//   {"ts":1767225600000.25,"msg":"HTTP","v":0,"verb":"LIST","URI":"/api/v1/pods",…,"resp":200}
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace tabernetes::host {

enum class LogLevel { kError, kWarn, kInfo, kDebug };
enum class LogFormat { kText, kJson };

// A request and its answer.
struct LoggedRequest {
  std::string method, target;
  std::string content_type, user_agent, audit_id;  // header values; may be empty
  std::string peer;                                // ADDRESS:PORT
  int status = 0;                                  // 101 if the connection became a WebSocket
  std::size_t bytes = 0;                           // written, head and body
  std::chrono::nanoseconds took{0};
};

// A small value that each writer copies. Lines of several threads do not mix.
struct Log {
  LogLevel level = LogLevel::kWarn;
  LogFormat format = LogFormat::kText;

  bool requests() const { return level >= LogLevel::kInfo; }
  void request(const LoggedRequest& request) const;
  // Warns the operator. `message` is one line.
  void warn(const std::string& message) const;
};

// Returns the line for a request, with its line break. `now` is the time since 1970.
std::string request_line(LogFormat format, const LoggedRequest& request,
                         std::chrono::nanoseconds now);

}  // namespace tabernetes::host
