// The answer to a request that waits for shared storage: by whoever has it, or at the request's
// deadline by a 504, as by kube-apiserver over an etcd that does not answer.
#pragma once

#include <memory>
#include <optional>

#include "server/cluster/cluster.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

class TimedReply : public std::enable_shared_from_this<TimedReply> {
 public:
  // REQUIRES: `cluster` is there when the request is answered.
  TimedReply(Cluster& cluster, const Request& request, Reply reply);

  // Answers, unless that has happened.
  void give(Response response);
  // Returns whether it is answered.
  bool given() const { return reply_ == nullptr; }
  // From now on answers at the deadline, if nobody has before.
  void wait();

 private:
  void give_up();
  Duration limit() const;  // of any request

  Cluster& cluster_;
  const Request request_;  // without its body
  const Time begun_;
  Reply reply_;
  std::optional<Deadlines::Handle> timer_;
};

}  // namespace tabernetes::server
