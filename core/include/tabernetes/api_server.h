// A Kubernetes API server in memory.
//
// Does no I/O, reads no clock, draws no entropy of its own: the host passes requests and the time
// in and takes answers out. One writer: handle() and advance() must not overlap.
//
//   tabernetes::ApiServer server(options);
//   server.advance(clock.now());
//   server.handle(request, [&](tabernetes::Response response) { ... });
//   timer.arm(server.next_deadline());
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/expected.h"
#include "tabernetes/http.h"
#include "tabernetes/options.h"
#include "tabernetes/time.h"

namespace tabernetes {

// What went wrong with one document of a manifest.
struct LoadFault {
  std::size_t document = 0;  // counted from 1
  Fault fault;               // what a request would have got
};

// An immutable state of a cluster that answers what only reads, on any thread.
//
//   const std::shared_ptr<const View> view = server.view();  // on the writer's strand
//   if (auto response = view->answer(request, now)) return send(std::move(*response));
//   // else server.handle() on the writer's strand
//
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

class ApiServer {
 public:
  explicit ApiServer(Options options = {});
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // Answers `request` as of the last advance(). Every failure is a Response that carries a Status;
  // there is no other error path. `reply` may be called before this returns, or later: see Reply.
  void handle(Request request, Reply reply);

  // Moves time on and does all work due: timeouts, bookmarks, waiting answers.
  // An earlier time than the last one is ignored.
  void advance(Time now);

  // The state as it is now, for reading on other threads: see View. Cheap, and the same view until
  // something changes.
  std::shared_ptr<const View> view();

  // Calls of webhooks that the host is to make: to be asked for after whatever may have read or
  // written objects, the reading of a stream included. Each is to be answered once; an answer that
  // comes too late does nothing.
  std::vector<WebhookCall> take_webhook_calls();
  void answer_webhook(std::uint64_t id, const WebhookAnswer& answer);

  // When advance() next has work; nothing if only a request can bring some.
  std::optional<Time> next_deadline() const;

  // Creates the objects of a manifest (YAML or JSON, many documents, `kind: List`), namespaces and
  // CRDs first. Existing objects are replaced. Nothing is stored for a document with a fault.
  std::vector<LoadFault> load(std::string_view manifest);

  // Keeps the present state as the one that reset() goes back to.
  void mark_initial_state();
  // Back to the initial objects, at a new version: none is used twice. Watches end, older versions
  // are gone, the clock stays.
  void reset();

  // This cluster as it is now, going on by itself: the same objects, versions, history, clock and
  // random numbers to come. Constant time, nothing is copied. Open watches and waiting answers stay
  // here. The two may be used from different threads.
  std::unique_ptr<ApiServer> fork() const;

  // The whole cluster as one JSON document, for restore(); core/server/cluster/snapshot_document.h
  // describes its form.
  std::string snapshot() const;
  // Puts the document's state in the place of this one; watches end, older versions are gone. It
  // gets a version newer than both, as none is used twice; but the document's own in a fresh
  // cluster: one of which nothing was asked, or to which nothing was written since start-up. The
  // clock moves on to the document's and never back. Where it fails nothing has changed.
  Expected<void> restore(std::string_view document);

  // Drops the history before `resource_version` (empty: now): older versions answer 410. Fails for
  // what is no version, is not reached yet, or is compacted already.
  Expected<void> compact(std::string_view resource_version = {});

  // The time of the last advance().
  Time time() const;

 private:
  class Impl;
  explicit ApiServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tabernetes
