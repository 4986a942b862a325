#include "cluster.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "input.h"
#include "options.h"
#include "tabernetes/options.h"
#include "values.h"

namespace tabernetes::wasm {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

// Begins the names of lines of Request::host_identity, and of no header.
constexpr char kOfHost = ':';
// By MessageType.
constexpr std::array<const char*, 3> kMessageTypes = {"none", "text", "binary"};
constexpr std::size_t kSmallChunk = std::size_t{64} << 10;

// Removes the first line, including its line break, from `rest` and returns it without the break.
std::string take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string line(rest.substr(0, end));
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return line;
}

Request read_request(unsigned head_size, unsigned body_size) {
  InputReader input;
  std::string_view head = input.take(head_size);
  Request request;
  request.method = take_line(head);
  request.target = take_line(head);
  request.peer.local_address = take_line(head);
  request.peer.remote_address = take_line(head);
  while (!head.empty()) {
    std::string name = take_line(head);
    const bool of_host = name.starts_with(kOfHost);
    if (of_host) name.erase(0, 1);
    Headers& lines = of_host ? request.host_identity : request.headers;
    lines.emplace_back(std::move(name), take_line(head));
  }
  request.body = input.take(body_size);
  return request;
}

void write_head(const Headers& headers, std::string& head) {
  head.clear();
  for (const auto& [name, value] : headers) {
    head += name;
    head += '\n';
    head += value;
    head += '\n';
  }
}

// Rounds up, so that a host that sleeps until then finds the work due.
double milliseconds_up(Time time) {
  return static_cast<double>((time.unix_nanoseconds + 999'999) / 1'000'000);
}

val service_of(const WebhookCall::Service& service) {
  return object_of({{"name", val(service.name)},
                    {"address", val(service.address ? *service.address : std::string())},
                    {"fault", val(fault_text(service.address))}});
}

// Returns the service of a call. The name is empty if the webhook is not a service.
val service_of(const WebhookCall& call) {
  if (!call.service)
    return object_of({{"name", val("")}, {"address", val("")}, {"fault", val("")}});
  return service_of(*call.service);
}

// Returns the headers of alternating lines.
Headers read_head(std::string_view head) {
  Headers headers;
  while (!head.empty()) {
    const std::string_view name = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(name.size() + 1, head.size()));
    const std::string_view value = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(value.size() + 1, head.size()));
    headers.emplace_back(name, value);
  }
  return headers;
}

}  // namespace

Cluster::Cluster(const val& options) : texts_(std::make_shared<const OpenApiTexts>()) {
  Options chosen = options_of(options);
  chosen.openapi_texts = texts_;
  if (!options["backend"].isUndefined()) {
    backend_ = std::make_shared<HostBackend>(stored_of(options["backend"]["stored"]));
    chosen.backend = backend_;
  }
  server_ = std::make_unique<ApiServer>(std::move(chosen));
  bring_up_to_date();
}

Cluster::Cluster(std::unique_ptr<ApiServer> server, std::shared_ptr<const OpenApiTexts> texts)
    : texts_(std::move(texts)), server_(std::move(server)) {
  bring_up_to_date();
}

Cluster* Cluster::fork() const { return new Cluster(server_->fork(), texts_); }

val Cluster::state() const { return val(typed_memory_view(std::size(state_), state_)); }

void Cluster::bring_up_to_date() {
  for (WebhookCall& call : server_->take_webhook_calls()) {
    ready_.push_back(++last_id_);
    calls_[last_id_] = std::move(call);
  }
  for (ProxyCall& call : server_->take_proxy_calls()) {
    ready_.push_back(++last_id_);
    proxied_.emplace(last_id_, std::move(call));
  }
  for (const ProxiedInput& sent : server_->take_proxied_input()) {
    for (const auto& [id, own] : flowing_) {
      if (own != sent.id || sent.bytes.empty()) continue;
      std::string& input = inputs_[id];
      if (input.empty()) ready_.push_back(id);
      input += sent.bytes;
    }
  }
  for (const std::uint64_t abandoned : server_->take_abandoned_proxy_calls()) {
    for (const auto& [id, own] : flowing_) {
      if (own == abandoned) ready_.push_back(id);
    }
  }
  if (backend_ && backend_->take_proposed()) ready_.push_back(proposal_ = ++last_id_);
  const auto deadline = server_->next_deadline();
  state_[0] = static_cast<double>(server_->time().unix_nanoseconds / 1'000'000);
  state_[1] = deadline ? milliseconds_up(*deadline) : INFINITY;
  state_[3] = server_->paused() ? 1 : 0;
  count_ready();
}

void Cluster::count_ready() {
  state_[2] = static_cast<double>(ready_.size());
  state_[4] = static_cast<double>(audit_events_.size());
}

unsigned Cluster::request(unsigned head_size, unsigned body_size) {
  Request request = read_request(head_size, body_size);
  if (texts_->lacks(request.target)) return 0;
  const unsigned id = ++last_id_;
  server_->handle(std::move(request), [this, id](Response response) {
    answers_[id] = std::move(response);
    ready_.push_back(id);
  });
  bring_up_to_date();
  return id;
}

std::string Cluster::give_openapi_texts(unsigned size) {
  if (size == 0) {
    texts_->give_none();
    return {};
  }
  InputReader input;
  return fault_text(texts_->give(input.take(size)));
}

unsigned Cluster::next_ready() {
  if (ready_.empty()) return 0;
  const unsigned id = ready_.front();
  ready_.pop_front();
  count_ready();
  return id;
}

val Cluster::take_ready() {
  taken_ready_.assign(ready_.begin(), ready_.end());
  ready_.clear();
  count_ready();
  return val(typed_memory_view(taken_ready_.size(), taken_ready_.data()));
}

AnswerFacts Cluster::take_answer(unsigned id) {
  const auto found = answers_.find(id);
  taken_ = std::move(found->second);
  answers_.erase(found);
  write_head(taken_.headers, head_);
  places_.clear();
  places_.add(head_);
  for (const Slice& slice : taken_.body.slices()) places_.add(slice.view());

  AnswerFacts facts{.status = taken_.status};
  facts.messages = kMessageTypes[static_cast<std::size_t>(taken_.message_type)];
  facts.places = places_.count();
  facts.lost = taken_.lost;
  facts.gzip = taken_.content_encoding == ContentEncoding::kGzip;
  if (taken_.stream) {
    facts.finite = taken_.stream->finite();
    facts.stream = ++last_id_;
    streams_[facts.stream] = std::move(taken_.stream);
  }
  return facts;
}

unsigned Cluster::read_streams(unsigned count) {
  const std::string_view numbers = InputReader().take(count * sizeof(unsigned));
  chunks_ = {};
  places_.clear();
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(unsigned)) {
    unsigned id = 0;
    std::memcpy(&id, numbers.data() + at, sizeof id);
    const std::size_t first = chunks_.slices().size();
    const auto found = streams_.find(id);
    const StreamGoesOn goes_on =
        found == streams_.end() ? StreamGoesOn::kEnded : read_chunk(*found->second, id);
    const std::size_t end = chunks_.slices().size();
    places_.add_numbers(static_cast<unsigned>(end - first), static_cast<unsigned>(goes_on));
    for (std::size_t i = first; i < end; ++i) places_.add(chunks_.slices()[i].view());
  }
  count_ready();
  return places_.count();
}

// A small chunk most likely empties the stream, so the stream is read once more here and the host
// need not do so.
StreamGoesOn Cluster::read_chunk(Stream& stream, unsigned id) {
  const Rope chunk = stream.next();
  chunks_.append(chunk);
  if (stream.finite()) return stream.ended() ? StreamGoesOn::kEnded : StreamGoesOn::kNow;
  if (chunk.size() >= kSmallChunk) return StreamGoesOn::kNow;
  if (!chunk.empty()) {
    const Rope more = stream.next();
    chunks_.append(more);
    if (!more.empty()) return StreamGoesOn::kNow;
  }
  if (stream.ended()) return stream.broken() ? StreamGoesOn::kBroken : StreamGoesOn::kEnded;
  stream.on_ready([this, id] { ready_.push_back(id); });
  return StreamGoesOn::kLater;
}

void Cluster::receive(unsigned id, unsigned size) {
  InputReader input;
  const std::string_view message = input.take(size);
  if (const auto found = streams_.find(id); found != streams_.end()) {
    found->second->receive(message);
  }
  bring_up_to_date();
}

void Cluster::close_stream(unsigned id) {
  streams_.erase(id);
  bring_up_to_date();  // the stream may have come from another server
}

val Cluster::proxy_call(unsigned id) const {
  const auto found = proxied_.find(id);
  if (found == proxied_.end()) return val::undefined();
  const ProxyCall& call = found->second;
  std::string head, upgrade;
  write_head(call.headers, head);
  write_head(call.upgrade, upgrade);
  return object_of(
      {{"id", val(id)},
       {"method", val(call.method)},
       {"url", val(call.url)},
       {"head", val(head)},
       {"upgrade", val(upgrade)},
       {"caBundle", val(call.ca_bundle)},
       {"insecure", val(call.insecure)},
       {"body", val(typed_memory_view(call.body.size(),
                                      reinterpret_cast<const unsigned char*>(call.body.data())))},
       {"service", service_of(call.service)},
       {"patience", val(static_cast<double>(call.patience.nanoseconds) / 1e6)},
       {"whole", val(call.whole)}});
}

void Cluster::answer_proxy(unsigned id, int status, const std::string& error,
                           const std::string& head, unsigned body_size, bool more) {
  const auto found = proxied_.find(id);
  if (found == proxied_.end()) return;
  ProxyAnswer answer;
  if (!error.empty()) answer.fault = Fault{error};
  answer.status = status;
  answer.headers = read_head(head);
  InputReader input;
  answer.body = std::string(input.take(body_size));
  answer.more = more;
  const std::uint64_t own = found->second.id;
  if (more) flowing_[id] = own;
  proxied_.erase(found);
  server_->answer_proxy(own, std::move(answer));
  bring_up_to_date();
}

void Cluster::continue_proxy_answer(unsigned id, unsigned size, const std::string& state) {
  const auto found = flowing_.find(id);
  if (found == flowing_.end()) return;
  InputReader input;
  const ProxiedBody goes_on = state == "more"    ? ProxiedBody::kMore
                              : state == "ended" ? ProxiedBody::kEnded
                                                 : ProxiedBody::kBroken;
  const std::uint64_t own = found->second;
  if (goes_on != ProxiedBody::kMore) {
    flowing_.erase(found);
    inputs_.erase(id);
  }
  server_->continue_proxy_answer(own, std::string(input.take(size)), goes_on);
  bring_up_to_date();
}

bool Cluster::take_proxied_input(unsigned id) {
  const auto found = inputs_.find(id);
  if (found == inputs_.end()) return false;
  give_output(std::move(found->second));
  inputs_.erase(found);
  return true;
}

val Cluster::webhook_call(unsigned id) const {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return val::undefined();
  const WebhookCall& call = found->second;
  const val headers = array_of(call.headers, [](const Headers::value_type& line) {
    return array_of({std::string(line.first), std::string(line.second)});
  });
  return object_of({{"id", val(id)},
                    {"url", val(call.url)},
                    {"caBundle", val(call.ca_bundle)},
                    {"body", val(call.body)},
                    {"service", service_of(call)},
                    {"method", val(call.method)},
                    {"headers", headers},
                    {"certificate", val(call.client_certificate)},
                    {"key", val(call.client_key)},
                    {"serverName", val(call.server_name)},
                    {"insecure", val(call.unverified)}});
}

void Cluster::answer_webhook(unsigned id, int status, const std::string& error,
                             const std::string& content_type, unsigned body_size) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  InputReader input;
  server_->answer_webhook(found->second.id,
                          {.fault = error.empty() ? std::nullopt : std::optional(Fault{error}),
                           .status = status,
                           .body = std::string(input.take(body_size)),
                           .content_type = content_type});
  calls_.erase(found);
  bring_up_to_date();
}

val Cluster::proposal(unsigned id) {
  if (id != proposal_) return val::undefined();
  places_.clear();
  backend_->locate(places_);
  return backend_->facts();
}

void Cluster::finish_proposal(unsigned id, const std::string& kind, const std::string& fault) {
  store::Outcome outcome = outcome_of(kind, fault);
  if (id != proposal_) return;
  proposal_ = 0;
  backend_->finish(std::move(outcome));
  bring_up_to_date();
}

val Cluster::load(unsigned size) {
  InputReader input;
  const val faults = array_of(server_->load(input.take(size)), [](const LoadFault& found) {
    return object_of({{"document", val(static_cast<unsigned>(found.document))},
                      {"message", val(found.fault.message)}});
  });
  bring_up_to_date();
  return faults;
}

void Cluster::mark_initial_state() { server_->mark_initial_state(); }

void Cluster::reset() {
  server_->reset();
  bring_up_to_date();
}

std::string Cluster::use_token_file(unsigned size) {
  InputReader input;
  const std::string_view text = input.take(size);
  std::string fault = fault_text(check_token_file(text));
  if (fault.empty()) server_->set_token_file(text);
  return fault;
}

void Cluster::snapshot() const { give_output(server_->snapshot()); }

std::string Cluster::restore(unsigned size) {
  InputReader input;
  std::string fault = fault_text(server_->restore(input.take(size)));
  bring_up_to_date();
  return fault;
}

std::string Cluster::compact(const std::string& resource_version) {
  std::string fault = fault_text(server_->compact(resource_version));
  bring_up_to_date();
  return fault;
}

void Cluster::advance(double now) {
  server_->advance(Time::from_unix_milliseconds(static_cast<std::int64_t>(now)));
  bring_up_to_date();
}

void Cluster::wake(double now) {
  server_->wake(Time::from_unix_milliseconds(static_cast<std::int64_t>(now)));
  bring_up_to_date();
}

val Cluster::set_audit_log(unsigned size, bool legacy, unsigned most_bytes) {
  InputReader input;
  AuditLog log{.policy = std::string(input.take(size)),
               .sink = [this](std::string_view event) { audit_events_.emplace_back(event); },
               .format = legacy ? AuditLog::Format::kLegacy : AuditLog::Format::kJson,
               .most_bytes = most_bytes};
  const Expected<std::string> warning = check_audit_policy(log.policy);
  std::string fault = fault_text(warning);
  if (warning) fault = fault_text(server_->set_audit_log(std::move(log)));
  return object_of({{"fault", val(fault)}, {"warning", val(warning ? *warning : std::string())}});
}

void Cluster::end_audit_log() { static_cast<void>(server_->set_audit_log({})); }

void Cluster::take_audit_events() {
  std::string lines;
  for (const std::string& event : audit_events_) lines.append(event).append("\n");
  audit_events_.clear();
  count_ready();
  give_output(std::move(lines));
}

int Cluster::administer(const std::string& method, const std::string& call, unsigned size) {
  InputReader input;
  Request request;
  request.method = method;
  request.target = "/-/tabernetes/" + call;
  request.body = input.take(size);
  const Response response = server_->administer(request);
  std::string body;
  for (const Slice& slice : response.body.slices()) body += slice.view();
  give_output(std::move(body));
  bring_up_to_date();
  return response.status;
}

}  // namespace tabernetes::wasm
