#include "server/front/timed_reply.h"

#include <algorithm>
#include <utility>

#include "server/encode/answer.h"
#include "server/front/view.h"
#include "server/http/request_deadline.h"

namespace tabernetes::server {
namespace {

// Source: upstream 1.36: apiserver/pkg/endpoints/handlers/rest.go, requestTimeoutUpperBound.
constexpr Duration kMostOfWrites = Duration::from_seconds(34);

Query query_of(const Request& request) {
  const std::string_view target = request.target;
  return Query::parse(target.substr(std::min(target.find('?'), target.size() - 1) + 1));
}

// Returns whether it writes one object; a deletion of many only has the time of a read.
bool writes_one(const Request& request) {
  if (request.method == "POST" || request.method == "PUT" || request.method == "PATCH") return true;
  if (request.method != "DELETE") return false;
  const std::string_view target = request.target;
  const auto path = find_resource_path(path_segments(target.substr(0, target.find('?'))));
  return path && !path->name.empty();
}

Duration time_of(const Request& request, Duration limit) {
  const Result<Duration> asked = request_deadline(query_of(request), limit);
  const Duration most = asked ? *asked : limit;
  return writes_one(request) ? std::min(most, kMostOfWrites) : most;
}

Response out_of_time(const Request& request, Duration limit) {
  if (!writes_one(request) || time_of(request, limit) < kMostOfWrites) return answer_out_of_time();
  return answer_error(request, query_of(request),
                      *errors::timeout("request did not complete within requested timeout - "
                                       "context deadline exceeded",
                                       0));
}

}  // namespace

TimedReply::TimedReply(Cluster& cluster, const Request& request, Reply reply)
    : cluster_(cluster),
      request_{.method = request.method,
               .target = request.target,
               .headers = request.headers,
               .body = {},
               .peer = {}},
      begun_(cluster.now),
      reply_(std::move(reply)) {}

void TimedReply::give(Response response) {
  if (given()) return;
  if (timer_) cluster_.deadlines.cancel(*std::exchange(timer_, std::nullopt));
  const Reply reply = std::exchange(reply_, nullptr);
  reply(std::move(response));
}

void TimedReply::wait() {
  if (given()) return;
  timer_ = cluster_.deadlines.add(begun_ + time_of(request_, limit()), [self = shared_from_this()] {
    self->timer_.reset();
    self->give_up();
  });
}

Duration TimedReply::limit() const { return cluster_.server->options.request_timeout; }

void TimedReply::give_up() {
  Response response = out_of_time(request_, limit());
  cluster_.server->cors.add_headers(request_, response);
  add_audit_id(request_, *cluster_.audit_ids, response);
  give(std::move(response));
}

}  // namespace tabernetes::server
