#include "log.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tabernetes/http.h"
#include "time_text.h"

namespace tabernetes::host {
namespace {

using Json = nlohmann::ordered_json;

std::chrono::nanoseconds since_1970() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
}

// Returns the members that begin each line of klog's JSON.
Json begin_line(std::chrono::nanoseconds now, std::string_view message) {
  return {
      {"ts", std::chrono::duration<double, std::milli>(now).count()}, {"msg", message}, {"v", 0}};
}

// Bytes from a peer may be invalid UTF-8, so they are replaced.
std::string end_line(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string text_line(const LoggedRequest& request) {
  char numbers[80];
  const std::chrono::duration<double, std::milli> took = request.took;
  std::snprintf(numbers, sizeof numbers, " %d %zu bytes %.1f ms\n", request.status, request.bytes,
                took.count());
  return request.method + ' ' + request.target + numbers;
}

std::string json_line(const LoggedRequest& request, std::chrono::nanoseconds now) {
  const RequestSummary summary =
      summarize_request(request.method, request.target, request.content_type);
  Json line = begin_line(now, "HTTP");
  line["verb"] = summary.verb;
  line["URI"] = request.target;
  line["latency"] = go_duration(request.took);
  line["userAgent"] = request.user_agent;
  line["audit-ID"] = request.audit_id;
  line["srcIP"] = request.peer;
  if (!summary.resource.empty()) line["resource"] = summary.resource;
  line["bytes"] = request.bytes;
  if (request.status == 101) {
    line["hijacked"] = true;
  } else {
    line["resp"] = request.status;
  }
  return end_line(line);
}

void write(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }

}  // namespace

std::string request_line(LogFormat format, const LoggedRequest& request,
                         std::chrono::nanoseconds now) {
  return format == LogFormat::kJson ? json_line(request, now) : text_line(request);
}

void Log::request(const LoggedRequest& request) const {
  if (requests()) write(request_line(format, request, since_1970()));
}

void Log::warn(const std::string& message) const {
  if (level < LogLevel::kWarn) return;
  write(format == LogFormat::kJson ? end_line(begin_line(since_1970(), message))
                                   : "tabernetes: " + message + '\n');
}

}  // namespace tabernetes::host
