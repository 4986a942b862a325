#include "server/http/request_deadline.h"

#include <algorithm>

#include "base/go/duration.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kLongSubresources[] = {"attach", "exec", "log", "portforward", "proxy"};

}  // namespace

bool is_long_running(const Request& request, const Query& query, const ResourcePath* path) {
  if (path == nullptr) return request.target.starts_with("/debug/pprof/");
  if (path->watch_prefix) return true;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && path->name.empty()) return query.boolean("watch").value_or(false);
  return std::find(std::begin(kLongSubresources), std::end(kLongSubresources), path->subresource) !=
         std::end(kLongSubresources);
}

Result<Duration> request_deadline(const Query& query, Duration most) {
  const std::string_view text = query.get("timeout");
  if (text.empty()) return most;
  const GoDuration asked = go_parse_duration(text);
  if (!asked.error.empty()) {
    return errors::bad_request("invalid timeout specified in the request URL - " + asked.error);
  }
  return Duration{} < asked.value ? std::min(asked.value, most) : most;
}

Response answer_out_of_time() {
  Response response;
  response.status = 504;
  // Upstream writes it without negotiation or a look at the content.
  response.headers = {{"Cache-Control", "no-cache, private"},
                      {"Content-Type", "text/plain; charset=utf-8"}};
  response.body.append_static(
      R"({"metadata":{},"status":"Failure","message":"Timeout: request did not complete within )"
      R"(the allotted timeout","reason":"Timeout","details":{},"code":504})"
      "\n");
  return response;
}

}  // namespace tabernetes::server
