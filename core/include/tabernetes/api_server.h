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

#include "tabernetes/options.h"
#include "tabernetes/request.h"
#include "tabernetes/response.h"
#include "tabernetes/time.h"
#include "tabernetes/view.h"
#include "tabernetes/webhook.h"

namespace tabernetes {

// What went wrong with one document of a manifest.
struct LoadError {
  std::size_t document = 0;  // counted from 1
  std::string message;       // the message of the Status that the request would have got
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
  // CRDs first. Existing objects are replaced. Nothing is stored for a document with an error.
  std::vector<LoadError> load(std::string_view manifest);

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
  // clock moves on to the document's and never back. Empty, or what is wrong and nothing changed.
  std::string restore(std::string_view document);

  // Drops the history before `resource_version` (empty: now): older versions answer 410. Empty, or
  // why it cannot be: no version, not reached yet, compacted already.
  std::string compact(std::string_view resource_version = {});

  // The time of the last advance().
  Time time() const;

 private:
  class Impl;
  explicit ApiServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace tabernetes
