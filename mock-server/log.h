// What the host writes to stderr: a line each, as text or as one JSON object with the names of
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
  std::string content_type, user_agent, audit_id;  // of headers; may be empty
  std::string peer;                                // ADDRESS:PORT
  int status = 0;                                  // 101: the connection goes on as a WebSocket
  std::size_t bytes = 0;                           // written, head and body
  std::chrono::nanoseconds took{0};
};

// Small, and copied to those who write. Lines of several threads do not mix.
struct Log {
  LogLevel level = LogLevel::kWarn;
  LogFormat format = LogFormat::kText;

  bool requests() const { return level >= LogLevel::kInfo; }
  void request(const LoggedRequest& request) const;
  // Something that whoever runs the server should know; `message` is one line.
  void warn(const std::string& message) const;
};

// A request's line, with its end. `now`: since 1970.
std::string request_line(LogFormat format, const LoggedRequest& request,
                         std::chrono::nanoseconds now);

}  // namespace tabernetes::host
