// A Kubernetes API server in memory, or with a backend that stores its changes (Options::backend):
// then answers, views and watches show what is durable, and a Reply may also be called when the
// backend has given an outcome. load(), reset() and restore() return before theirs are durable.
//
// Does no I/O and has neither a clock nor entropy of its own: the host passes in requests and the
// time, and receives answers. There is one writer: handle() and advance() must not overlap.
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

#include "tabernetes/audit.h"
#include "tabernetes/expected.h"
#include "tabernetes/http.h"
#include "tabernetes/options.h"
#include "tabernetes/proxy.h"
#include "tabernetes/time.h"

namespace tabernetes {

// The fault of one document of a manifest.
struct LoadFault {
  std::size_t document = 0;  // counted from 1
  Fault fault;               // that of a request
};

// An immutable state of a cluster that answers reading requests on any thread.
//
//   const std::shared_ptr<const View> view = server.view();  // on the writer's strand
//   if (auto response = view->answer(request, now)) return send(std::move(*response));
//   // else server.handle() on the writer's strand
//
// A view has the effects of all earlier calls of ApiServer::handle(), and of no later ones; with a
// backend, of all that is durable. With a host that publishes the newest view before it sends the
// answer to a write, clients read their own writes. An old view keeps the objects of its time in
// memory.
class View {
 public:
  View() = default;
  virtual ~View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  // Returns the answer of ApiServer::handle() in the view's state at `now` (ages in tables depend
  // on it), without a stream. Any number of threads may call at a time. The answer shares bytes
  // with the view and may outlive it.
  //
  // Returns nullopt if the request needs the writer: writes, watches, the host's control paths,
  // versions later than the view, and past states that it does not have. The writer builds past
  // states, and the next view has them.
  virtual std::optional<Response> answer(const Request& request, Time now) const = 0;
};

class ApiServer {
 public:
  explicit ApiServer(Options options = {});
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // Answers `request` at the time of the last advance(). Every failure is a Response with a Status.
  // `reply` may be called before this returns, or later: see Reply.
  void handle(Request request, Reply reply);

  // Sets the time and does all work that is due: timeouts, bookmarks, waiting answers. Ignores a
  // time before the last one.
  void advance(Time now);

  // The same after a long break of the host, such as a laptop's sleep: work that came due meanwhile
  // is done once, at `now`, instead of at its own times.
  void wake(Time now);

  // Returns the present state for reading on other threads: see View. Constant time. Returns the
  // same view until something changes.
  std::shared_ptr<const View> view();

  // Returns the webhook calls for the host to make. The host takes them after everything that may
  // have read or written objects, also after reading a stream, and answers each once. An answer
  // that comes too late does nothing.
  std::vector<WebhookCall> take_webhook_calls();
  void answer_webhook(std::uint64_t id, const WebhookAnswer& answer);

  // Replaces Options::token_file: requests count from now on, of forks too. REQUIRES:
  // check_token_file() succeeds.
  void set_token_file(std::string_view text);

  // Return the requests to other servers for the host to make, and the ids of those that it may
  // give up, as nobody reads their answers any more. The host takes them as it takes webhook calls,
  // and answers each once.
  std::vector<ProxyCall> take_proxy_calls();
  std::vector<std::uint64_t> take_abandoned_proxy_calls();
  void answer_proxy(std::uint64_t id, ProxyAnswer answer);
  // Passes on more of the body of an answer with ProxyAnswer::more, until `state` says that it has
  // ended.
  void continue_proxy_answer(std::uint64_t id, std::string bytes, ProxiedBody state);

  // Returns what the host is to send on connections that other servers have upgraded, in order.
  std::vector<ProxiedInput> take_proxied_input();

  // Returns the time at which advance() next has work, or nullopt if only a request can cause some.
  // A new cluster in memory has some at once: it gets its first objects, and its control loops take
  // their first turn, in the first call that reads or changes it.
  std::optional<Time> next_deadline() const;

  // Creates the objects of a manifest (YAML or JSON, many documents, `kind: List`), namespaces and
  // CRDs first. Replaces existing objects. Stores nothing of a document with a fault.
  std::vector<LoadFault> load(std::string_view manifest);

  // Saves the present state for reset().
  void mark_initial_state();
  // Restores the initial objects at a new version: none is used twice. Ends watches and drops older
  // versions. Does not change the clock.
  void reset();

  // Returns an independent cluster in the present state: the same objects, versions, history, clock
  // and future random numbers. Constant time: nothing is copied. Open watches and waiting answers
  // stay with the original. The two may be used on different threads.
  std::unique_ptr<ApiServer> fork() const;

  // Returns the cluster as one JSON document for restore(). core/server/cluster/snapshot_document.h
  // describes it.
  std::string snapshot() const;
  // Replaces the state by the document's. Ends watches and drops older versions. The new version is
  // newer than both, as none is used twice. It is the document's own in a fresh cluster: one
  // without requests, or without writes since start-up. Advances the clock to the document's, never
  // back. Changes nothing if it fails.
  Expected<void> restore(std::string_view document);

  // Drops the history before `resource_version` (empty: the present one): older versions answer
  // 410. Fails for a text that is not a version, and for a version in the future or compacted
  // already.
  Expected<void> compact(std::string_view resource_version = {});

  // With shared storage: lets another server run the control loops at once, as this one ends. They
  // do not run here any more.
  void resign();

  // Returns the time of the last advance().
  Time time() const;
  // Returns true while the cluster's time stands still because a request said so. The host then
  // calls advance() only to move it by hand, and lets time go on from time() later.
  bool paused() const;

  // Logs requests from now on, in place of an earlier log; not any more if the log has no sink.
  // Forks are not logged.
  Expected<void> set_audit_log(AuditLog log);

  // Answers a request under /-/tabernetes/ for the host itself: at once, and also if Options::admin
  // is false.
  Response administer(const Request& request);

 private:
  class Impl;
  explicit ApiServer(std::unique_ptr<Impl> impl);

  // Returns what is behind this object for whatever reads or changes the cluster: a new one begins.
  Impl& live() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace tabernetes
