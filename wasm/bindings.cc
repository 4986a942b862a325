// The border between JavaScript and the core: flat C exports that translate and decide nothing.
// Clusters are here, the functions that need none in functions.cc.
//
// Wake-ups never run JavaScript under a C++ frame: after each call the host drains tab_ready().
//
// The other side is wasm/src/core.ts.
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "border.h"
#include "tabernetes/api_server.h"
#include "tabernetes/cors.h"

// Fills with randomness; crypto.getRandomValues on the other side.
extern "C" __attribute__((import_module("host"), import_name("random"))) void host_random(
    unsigned char* bytes, std::size_t size);

namespace {

using tabernetes::Time;
using tabernetes::wasm::input;
using tabernetes::wasm::output;
using tabernetes::wasm::RecordReader;

Time time_of(double milliseconds) {
  return Time::from_unix_milliseconds(static_cast<std::int64_t>(milliseconds));
}

// Randomness by the hundred: asking the host costs more than what it gives.
void draw(unsigned char* bytes, std::size_t size) {
  static unsigned char pool[4096];
  static std::size_t left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (left == 0) host_random(pool, left = sizeof pool);
    bytes[i] = pool[--left];
  }
}

// In the place of a number of origins: those of this machine.
constexpr std::uint32_t kLocalOrigins = 0xffffffff;

std::uint64_t read_long(RecordReader& record) {
  const std::uint64_t low = record.word();
  return static_cast<std::uint64_t>(record.word()) << 32 | low;
}

tabernetes::Options read_options(double now) {
  RecordReader record(input);
  tabernetes::Options options;
  options.now = time_of(now);
  if (record.word() != 0) {
    options.seed = read_long(record);
  } else {
    options.entropy = draw;
  }
  options.nodes = static_cast<int>(record.word());
  options.server_address = record.text();
  options.admin = record.word() != 0;
  options.encoded_bytes = 16u << 20;
  options.calls_webhooks = true;
  options.compression = record.word() != 0;
  options.allow_privileged = record.word() != 0;
  options.watch_history =
      tabernetes::Duration::from_milliseconds(static_cast<std::int64_t>(read_long(record)));
  options.first_version = read_long(record);
  const std::uint32_t origins = record.word();
  if (origins == kLocalOrigins) {
    options.cors_allowed_origins.emplace_back(tabernetes::kLocalOrigins);
  } else {
    for (std::uint32_t left = origins; left > 0; --left) {
      options.cors_allowed_origins.push_back(record.text());
    }
  }
  for (std::uint32_t left = record.word(); left > 0; --left)
    options.controllers.push_back(record.text());
  for (std::uint32_t left = record.word(); left > 0; --left) {
    std::string gate = record.text();
    options.feature_gates[std::move(gate)] = record.word() != 0;
  }
  for (std::uint32_t left = record.word(); left > 0; --left)
    options.enable_admission_plugins.push_back(record.text());
  for (std::uint32_t left = record.word(); left > 0; --left)
    options.disable_admission_plugins.push_back(record.text());
  options.token_file = record.text();
  options.service_account_key = record.text();
  if (record.word() != 0) options.authorization = tabernetes::Authorization::kRbac;
  options.anonymous_auth = record.word() != 0;
  return options;
}

tabernetes::Request read_request() {
  RecordReader record(input);
  tabernetes::Request request;
  request.method = record.text();
  request.target = record.text();
  request.peer.local_address = record.text();
  request.peer.remote_address = record.text();
  for (std::uint32_t left = record.word(); left > 0; --left) {
    std::string name = record.text();
    request.headers.emplace_back(std::move(name), record.text());
  }
  request.body = record.text();
  return request;
}

// Gives a text; empty where it tells what is wrong: nothing.
const std::uint32_t* give_text(std::string text) {
  static std::string given;
  given = std::move(text);
  output.start();
  output.text(given);
  return output.words();
}

// A server and what of it the host has been told by number: answers given, streams open.
// Ids of requests and of streams come from one row, so one queue tells of both.
struct Cluster {
  // Destroyed from the bottom: streams leave their server, whose last replies still find a place.
  std::deque<std::uint32_t> ready;  // ids of answers and streams that have something new
  std::map<std::uint32_t, tabernetes::Response> answers;
  std::uint32_t last_id = 0;
  tabernetes::Response taken;  // holds what `output` points into
  tabernetes::Rope chunk;      // the same, of a stream
  std::vector<tabernetes::WebhookCall> calls;
  std::vector<tabernetes::LoadError> load_errors;
  std::unique_ptr<tabernetes::ApiServer> server;
  std::map<std::uint32_t, std::unique_ptr<tabernetes::Stream>> streams;
};

}  // namespace

// Record: seeded?, the seed if so; nodes; address; admin; compression; the history's milliseconds;
// the first version; origins for CORS; controllers; feature gates. Long numbers are two words, the
// lower one first.
TAB_EXPORT Cluster* tab_create(double now) {
  auto cluster = std::make_unique<Cluster>();
  cluster->server = std::make_unique<tabernetes::ApiServer>(read_options(now));
  return cluster.release();
}

TAB_EXPORT void tab_destroy(Cluster* cluster) { delete cluster; }

// Another cluster in the same memory, which it shares until one of the two changes something.
TAB_EXPORT Cluster* tab_fork(Cluster* parent) {
  auto cluster = std::make_unique<Cluster>();
  cluster->server = parent->server->fork();
  return cluster.release();
}

// Record: method, target, local address, remote address, headers, body. Gives the request's id.
TAB_EXPORT std::uint32_t tab_request(Cluster* cluster) {
  const std::uint32_t id = ++cluster->last_id;
  cluster->server->handle(read_request(), [cluster, id](tabernetes::Response response) {
    cluster->answers[id] = std::move(response);
    cluster->ready.push_back(id);
  });
  return id;
}

// The next id of a request that is answered or of a stream that woke; 0 if there is none.
TAB_EXPORT std::uint32_t tab_ready(Cluster* cluster) {
  if (cluster->ready.empty()) return 0;
  const std::uint32_t id = cluster->ready.front();
  cluster->ready.pop_front();
  return id;
}

// Takes an answer: status, id of the stream or 0, whether that is the body of a finite answer, to
// be read to its end at once, whether messages are bytes, whether to gzip the body, headers, slices
// of the body.
TAB_EXPORT const std::uint32_t* tab_take_answer(Cluster* cluster, std::uint32_t id) {
  cluster->taken = std::move(cluster->answers[id]);
  cluster->answers.erase(id);
  tabernetes::Response& answer = cluster->taken;
  std::uint32_t stream = 0;
  const bool finite = answer.stream && answer.stream->finite();
  if (answer.stream) cluster->streams[stream = ++cluster->last_id] = std::move(answer.stream);
  output.start();
  output.word(static_cast<std::size_t>(answer.status));
  output.word(stream);
  output.word(finite ? 1 : 0);
  output.word(answer.message_type == tabernetes::MessageType::kBinary ? 1 : 0);
  output.word(answer.content_encoding == tabernetes::ContentEncoding::kGzip ? 1 : 0);
  output.word(answer.headers.size());
  for (const auto& [name, value] : answer.headers) {
    output.text(name);
    output.text(value);
  }
  output.rope(answer.body);
  return output.words();
}

// Reads a stream: whether it has ended, slices. If there is nothing, its id becomes ready later.
TAB_EXPORT const std::uint32_t* tab_stream_next(Cluster* cluster, std::uint32_t id) {
  output.start();
  const auto found = cluster->streams.find(id);
  if (found == cluster->streams.end()) {
    cluster->chunk = {};
    output.word(1);
  } else {
    tabernetes::Stream& stream = *found->second;
    cluster->chunk = stream.next();
    output.word(stream.ended() ? 1 : 0);
    if (cluster->chunk.empty() && !stream.ended() && !stream.finite())
      stream.on_ready([cluster, id] { cluster->ready.push_back(id); });
  }
  output.rope(cluster->chunk);
  return output.words();
}

TAB_EXPORT void tab_stream_close(Cluster* cluster, std::uint32_t id) { cluster->streams.erase(id); }

// Takes the calls of webhooks that are to be made: of each its id, the URL, who may have signed the
// certificate, the body, the service, its address, why it has none. To be asked for after every
// call.
TAB_EXPORT const std::uint32_t* tab_take_webhook_calls(Cluster* cluster) {
  cluster->calls = cluster->server->take_webhook_calls();
  output.start();
  output.word(cluster->calls.size());
  for (const tabernetes::WebhookCall& call : cluster->calls) {
    output.word(static_cast<std::size_t>(call.id));
    for (const std::string* text :
         {&call.url, &call.ca_bundle, &call.body, &call.service, &call.address, &call.fault})
      output.text(*text);
  }
  return output.words();
}

// Record: the call's id, the status, why there is no answer, the body.
TAB_EXPORT void tab_answer_webhook(Cluster* cluster) {
  RecordReader record(input);
  const std::uint64_t id = record.word();
  tabernetes::WebhookAnswer answer;
  answer.status = static_cast<int>(record.word());
  answer.error = record.text();
  answer.body = record.text();
  cluster->server->answer_webhook(id, answer);
}

// Input: a manifest as it is, without a length. Gives the errors: document, message.
TAB_EXPORT const std::uint32_t* tab_load(Cluster* cluster) {
  const std::string manifest = std::move(input);  // may be large: not kept
  input = {};
  cluster->load_errors = cluster->server->load(manifest);
  output.start();
  output.word(cluster->load_errors.size());
  for (const tabernetes::LoadError& error : cluster->load_errors) {
    output.word(error.document);
    output.text(error.message);
  }
  return output.words();
}

TAB_EXPORT void tab_mark_initial_state(Cluster* cluster) { cluster->server->mark_initial_state(); }

TAB_EXPORT void tab_reset(Cluster* cluster) { cluster->server->reset(); }

// Gives the document. The host, when it has copied it, calls tab_release().
TAB_EXPORT const std::uint32_t* tab_snapshot(Cluster* cluster) {
  return give_text(cluster->server->snapshot());
}

TAB_EXPORT void tab_release() { give_text({}); }

// Input: the document as it is. Gives what is wrong with it.
TAB_EXPORT const std::uint32_t* tab_restore(Cluster* cluster) {
  const std::string document = std::move(input);
  input = {};
  return give_text(cluster->server->restore(document));
}

// Input: a version as it is, or nothing. Gives why it cannot be.
TAB_EXPORT const std::uint32_t* tab_compact(Cluster* cluster) {
  return give_text(cluster->server->compact(input));
}

TAB_EXPORT void tab_advance(Cluster* cluster, double now) {
  cluster->server->advance(time_of(now));
}

// Rounded up, so that a host that sleeps until then finds the work due; infinite if there is none.
TAB_EXPORT double tab_next_deadline(Cluster* cluster) {
  const auto deadline = cluster->server->next_deadline();
  return deadline ? static_cast<double>((deadline->unix_nanoseconds + 999'999) / 1'000'000)
                  : INFINITY;
}

TAB_EXPORT double tab_now(Cluster* cluster) {
  return static_cast<double>(cluster->server->time().unix_nanoseconds / 1'000'000);
}
