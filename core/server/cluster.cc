#include "server/cluster.h"

#include <algorithm>

namespace tabernetes::server {

// What the history has dropped meanwhile, the table finds by itself.
void Cluster::forget_replaced() {
  const store::History& history = store.history();
  if (surface->encoded.bytes() == 0 || !history.kept(forgotten_)) forgotten_ = history.end();
  for (; forgotten_ < history.end(); ++forgotten_) {
    const store::RecordPtr& previous = history.at(forgotten_)->previous;
    if (previous) surface->encoded.forget(previous);
  }
}

}  // namespace tabernetes::server
