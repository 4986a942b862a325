// A cluster as JavaScript sees it: an ApiServer and the numbers that stand for its requests,
// streams, webhook calls and proposals.
//
// Wake-ups never run JavaScript under a C++ frame: they queue numbers, and the host takes them with
// next_ready() after each call. wasm/src/core.ts is the other side.
#pragma once

#include <emscripten/val.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend.h"
#include "output.h"
#include "tabernetes/api_server.h"

namespace tabernetes::wasm {

// An answer without head and body; places() locates those.
struct AnswerFacts {
  int status = 0;
  unsigned stream = 0;  // the stream that follows; 0 if none
  bool finite = false;  // the stream is a long body, to be read to its end at once
  // With status 101: how the stream's chunks are sent: none, text or binary; none: the bytes of a
  // protocol that is no WebSocket
  std::string messages;
  bool gzip = false;    // the host must compress the body; the headers say so already
  bool lost = false;    // there is no answer: the connection closes instead
  unsigned places = 0;  // number of places: one for the head, then one per slice of the body
};

// The state of a stream after a chunk was read.
enum class StreamGoesOn {
  kEnded,  // it has ended
  kLater,  // its number becomes ready when there is more
  kNow,    // there may be more now; read again
  kBroken  // it has ended before its end
};

// Times are milliseconds since 1970. Requests, streams, webhook calls and proposals share one
// sequence of numbers.
class Cluster {
 public:
  // With the option `backend`, changes are proposed to the host; its `stored` says what there is
  // of earlier runs, with the changes that give_changes() has taken.
  explicit Cluster(const emscripten::val& options);

  // Returns an independent cluster in the same memory, copied on write. The caller deletes it.
  Cluster* fork() const;

  // Returns a Float64Array that each call updates: the time, the next deadline (infinite if none),
  // the number of ready ids, 1 while the time is paused, and the number of audit events to take.
  // Its length becomes 0 when the memory grows; then call state() again.
  emscripten::val state() const;

  // Input: the head (one line each: method, target, local address, remote address, then alternating
  // header names and values), then the body. Returns the request's number, or 0 if it asks for an
  // OpenAPI document: then call give_openapi_texts() and hand it in again.
  unsigned request(unsigned head_size, unsigned body_size);

  // Input: the texts of OpenAPI documents, or nothing if there are none. Returns an error, empty
  // for success. Once is enough for a cluster and its forks.
  std::string give_openapi_texts(unsigned size);

  // Returns the number of the next answered request, woken stream, pending webhook call or
  // proposal; 0 if none.
  unsigned next_ready();
  // Returns all such numbers as a Uint32Array, valid until the next call.
  emscripten::val take_ready();

  // Takes the answer of request `id`. Its places are those of its head (alternating header names
  // and values, one line each) and of the slices of its body.
  AnswerFacts take_answer(unsigned id);

  // Input: the numbers of `count` streams, 4 bytes each. Reads each of them and returns the number
  // of places: for each stream one pair of numbers (its slices, and its StreamGoesOn) and then its
  // slices.
  unsigned read_streams(unsigned count);
  // Input: a message that the client of stream `id` has sent, or bytes of another protocol. Ignored
  // if the stream has ended.
  void receive(unsigned id, unsigned size);
  void close_stream(unsigned id);

  // Returns the places of what was read last, valid until the next call.
  emscripten::val places() const { return places_.view(); }

  // Returns the webhook call `id`, or undefined if `id` numbers something else.
  emscripten::val webhook_call(unsigned id) const;
  // Input: the body of the answer. `error` says why there is no answer; empty if there is one.
  void answer_webhook(unsigned id, int status, const std::string& error,
                      const std::string& content_type, unsigned body_size);

  // Returns the request to another server `id`, or undefined if `id` numbers something else. Its
  // body is a view, valid until the next call. An id that comes again: see take_proxied_input().
  emscripten::val proxy_call(unsigned id) const;
  // Input: the body of the answer, or its beginning with `more`. `head`: its headers, alternating
  // names and values, one line each. `error` says why there is no answer; empty if there is one.
  void answer_proxy(unsigned id, int status, const std::string& error, const std::string& head,
                    unsigned body_size, bool more);
  // Input: more of the body. `state`: "more", "ended" or "broken".
  void continue_proxy_answer(unsigned id, unsigned size, const std::string& state);
  // Output: what is to be sent on the connection that the other server has upgraded for the request
  // `id`. Returns false if there is nothing: then nobody reads its answer any more.
  bool take_proxied_input(unsigned id);

  // Returns the facts of the batch `id`, and sets the places of its changes; or undefined if `id`
  // numbers something else. See HostBackend.
  emscripten::val proposal(unsigned id);
  // Gives the outcome of the batch `id`, if it has none yet: `durable`, `conflict` with the changes
  // that give_changes() has taken, or `failed` with a fault.
  void finish_proposal(unsigned id, const std::string& kind, const std::string& fault);

  // Input: a manifest. Returns a list of errors.
  emscripten::val load(unsigned size);
  void mark_initial_state();
  void reset();
  // Input: a token file, which requests count by from now on. Returns an error, empty for success.
  std::string use_token_file(unsigned size);

  // Output: the snapshot document.
  void snapshot() const;
  // Input: a snapshot document. Returns an error, empty for success.
  std::string restore(unsigned size);
  // Drops the history before `resource_version` (empty: the present one). Returns an error, empty
  // for success.
  std::string compact(const std::string& resource_version);

  void advance(double now);
  // The same after a long break of the host.
  void wake(double now);

  // Logs requests from now on. Input: the policy. Returns its fault, empty for success, and a
  // warning. `most_bytes`: see AuditLog.
  emscripten::val set_audit_log(unsigned size, bool legacy, unsigned most_bytes);
  void end_audit_log();
  // Output: the events since the last call, one line each.
  void take_audit_events();

  // Answers a request to /-/tabernetes/`call` for the host itself. Input: the body. Output: that of
  // the answer. Returns its status.
  int administer(const std::string& method, const std::string& call, unsigned size);

 private:
  Cluster(std::unique_ptr<ApiServer> server, std::shared_ptr<const OpenApiTexts> texts);

  // Appends the next chunk of `stream` to chunks_.
  StreamGoesOn read_chunk(Stream& stream, unsigned id);
  // Updates state_. Must follow every piece of work.
  void bring_up_to_date();
  // Updates only the numbers of ready ids and audit events.
  void count_ready();

  // Destroyed in reverse order: streams leave their server first, and its last replies still find
  // their maps.
  std::deque<unsigned> ready_;
  std::vector<unsigned> taken_ready_;
  std::map<unsigned, Response> answers_;
  std::map<unsigned, WebhookCall> calls_;      // not answered yet
  std::map<unsigned, ProxyCall> proxied_;      // not answered yet
  std::map<unsigned, std::uint64_t> flowing_;  // the ids of the server for those that go on
  std::map<unsigned, std::string> inputs_;     // for those that are upgraded, not taken yet
  unsigned last_id_ = 0;
  std::vector<std::string> audit_events_;
  double state_[5] = {};
  Response taken_;    // owns the bytes that places_ points to
  std::string head_;  // the same
  Rope chunks_;       // the same, for streams
  Places places_;
  std::shared_ptr<const OpenApiTexts> texts_;
  std::shared_ptr<HostBackend> backend_;  // null: in memory
  unsigned proposal_ = 0;                 // the number of the batch under way; 0 if none
  std::unique_ptr<ApiServer> server_;
  std::map<unsigned, std::unique_ptr<Stream>> streams_;
};

}  // namespace tabernetes::wasm
