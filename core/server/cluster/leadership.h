// Which of several servers over one storage runs the control loops: the holder of the Lease
// kube-controller-manager in kube-system, as upstream's controller managers elect it. Source:
// upstream 1.36: client-go/tools/leaderelection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "json/value.h"
#include "server/pending/deadlines.h"
#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct Cluster;

class Leadership {
 public:
  // `identity` is unique among the servers. The loops rest until the lease is held. REQUIRES:
  // `cluster` outlives this object.
  Leadership(Cluster& cluster, std::string identity);
  ~Leadership();
  Leadership(const Leadership&) = delete;
  Leadership& operator=(const Leadership&) = delete;

  // Looks at the lease as it is stored, and tries to get or renew it when that is due. Must be
  // called after everything that may have changed the state, and when something may be written.
  void look();

  // Gives the lease back, if it is held, and does not try to get it again.
  void resign();

 private:
  void observe();
  void try_to_hold();
  void write_spec(const std::function<json::Value(const json::Value* before, json::Arena&)>& make);
  void wait();
  bool expired() const;

  Cluster& cluster_;
  const std::string identity_;
  store::RecordPtr seen_;  // the lease
  Time seen_at_;
  std::string holder_;
  Duration lasts_;
  bool due_ = true, resigned_ = false;
  std::optional<Deadlines::Handle> next_;
};

}  // namespace tabernetes::server
