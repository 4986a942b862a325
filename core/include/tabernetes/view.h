// An immutable state of a cluster that answers what only reads, on any thread.
//
//   std::shared_ptr<const View> view = server.view();     // on the writer's strand, after a change
//   std::optional<Response> response = view->answer(request, now);     // on any thread, without a
//   lock if (!response) ...                                    // server.handle() on the writer's
//   strand
#pragma once

#include <memory>
#include <optional>

#include "tabernetes/request.h"
#include "tabernetes/response.h"
#include "tabernetes/time.h"

namespace tabernetes {

// A view shows all that ApiServer::handle() had done when it was made, and nothing later: a host
// that publishes the newest one before it sends a write's answer keeps read-your-writes.
// Holding an old view keeps the objects of its time in memory.
class View {
 public:
  View() = default;
  virtual ~View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  // The answer that ApiServer::handle() would have given in the view's state, at `now` (which the
  // ages in tables are counted to); it has no stream. Any number of threads may call at a time; the
  // answer shares bytes with the view and may outlive it.
  //
  // Nothing: the request needs the writer. These are writes, watches, the host's control paths,
  // versions that the view has not reached, and states of the past that it does not hold: the
  // writer makes those, and the next view has them.
  virtual std::optional<Response> answer(const Request& request, Time now) const = 0;
};

}  // namespace tabernetes
