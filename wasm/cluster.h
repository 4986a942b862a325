// A cluster as JavaScript sees it: a server, and what of it the host has been told by number.
//
// Wake-ups never run JavaScript under a C++ frame: they queue numbers, and after each call the host
// takes these with next_ready(). The other side is wasm/src/core.ts.
#pragma once

#include <emscripten/val.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "output.h"
#include "tabernetes/api_server.h"

namespace tabernetes::wasm {

// An answer without its head and its body, which the places give.
struct AnswerFacts {
  int status = 0;
  unsigned stream = 0;  // the number of the stream that follows; 0: none does
  bool finite = false;  // the stream is a long body, to be read to its end at once
  bool binary = false;  // messages of a WebSocket are bytes
  bool gzip = false;    // the body is to be compressed; the headers say so
  unsigned places = 0;  // how many there are: that of the head, and of the slices of the body
};

// How a stream goes on after what it has given.
enum class StreamGoesOn {
  kEnded,  // it does not
  kLater,  // its number becomes ready when there is more
  kNow,    // there may be more at once
};

// Times are milliseconds since 1970. Numbers of requests, of streams and of calls of webhooks come
// from one row.
class Cluster {
 public:
  explicit Cluster(const emscripten::val& options);

  // Another cluster in the same memory, which it shares until one of the two changes something. The
  // host's to delete.
  Cluster* fork() const;

  // Numbers that each call brings up to date: the time; when the next work is due (infinite:
  // never); how many numbers are ready; how the stream that was read last goes on (StreamGoesOn).
  // As a Float64Array, whose length is 0 once the memory has grown.
  emscripten::val state() const;

  // Input: the head (a line each: method, target, local address, remote address, names and values
  // of headers in turns), then the body. Gives the request's number; 0: it is for an OpenAPI
  // document and is to be handed in again after give_openapi_texts().
  unsigned request(unsigned head_size, unsigned body_size);

  // Input: the texts of OpenAPI documents; nothing: there are none. Gives what is wrong with them.
  // Once is enough for a cluster and its forks.
  std::string give_openapi_texts(unsigned size);

  // The next request that is answered, stream that woke or webhook that is to be called; 0: none.
  unsigned next_ready();
  // All of them at once, as a Uint32Array; good until the next call.
  emscripten::val take_ready();

  // Takes an answer. Its places are those of its head (names and values of headers in turns, a line
  // each) and of the slices of its body.
  AnswerFacts take_answer(unsigned id);

  // Reads a stream. Gives how many places there are, those of the slices; the state tells how it
  // goes on.
  unsigned read_stream(unsigned id);
  void close_stream(unsigned id);

  // Where what was read last lies; good until the next call.
  emscripten::val places() const { return places_.view(); }

  // A webhook that is to be called, or undefined where `id` is the number of something else.
  emscripten::val webhook_call(unsigned id) const;
  // Input: the body. `error` tells why there is no answer; empty: there is one.
  void answer_webhook(unsigned id, int status, const std::string& error, unsigned body_size);

  // Input: a manifest. Gives a list of errors.
  emscripten::val load(unsigned size);
  void mark_initial_state();
  void reset();

  // Output: the document.
  void snapshot() const;
  // Input: the document. Gives what is wrong with it.
  std::string restore(unsigned size);
  // Of a version, or of the present one if empty. Gives why it cannot be.
  std::string compact(const std::string& resource_version);

  void advance(double now);

 private:
  Cluster(std::unique_ptr<ApiServer> server, std::shared_ptr<const OpenApiTexts> texts);

  // Fills the chunk with what a stream has.
  StreamGoesOn read_chunk(Stream& stream, unsigned id);
  // To be done after work: tells the state.
  void bring_up_to_date();
  // The same where only numbers may have become ready.
  void count_ready() { state_[2] = static_cast<double>(ready_.size()); }

  // Destroyed from the bottom: streams leave their server, whose last replies still find a place.
  std::deque<unsigned> ready_;
  std::vector<unsigned> taken_ready_;
  std::map<unsigned, Response> answers_;
  std::map<unsigned, WebhookCall> calls_;  // until they are answered
  unsigned last_id_ = 0;
  double state_[4] = {};
  Response taken_;    // holds what the places point to
  std::string head_;  // the same
  Rope chunk_;        // the same, of a stream
  Places places_;
  std::shared_ptr<const OpenApiTexts> texts_;
  std::unique_ptr<ApiServer> server_;
  std::map<unsigned, std::unique_ptr<Stream>> streams_;
};

}  // namespace tabernetes::wasm
