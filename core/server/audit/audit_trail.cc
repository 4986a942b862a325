#include "server/audit/audit_trail.h"

#include <algorithm>
#include <utility>

#include "base/go/duration.h"
#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "server/audit/audited_objects.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::size_t kMostAgentBytes = 1024;

// Returns the addresses of headers that name one each, without what is no address.
std::vector<std::string> source_addresses(const Request& request) {
  std::vector<std::string> all;
  std::string_view list = find_header(request.headers, "x-forwarded-for");
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const auto address = parse_ip(go_trim_space(list.substr(0, comma)));
    if (address) all.push_back(address->to_string());
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  const auto real = parse_ip(find_header(request.headers, "x-real-ip"));
  if (real) {
    std::string text = real->to_string();
    if (all.empty() || all.back() != text) all.push_back(std::move(text));
  }
  const std::string& peer = request.peer.remote_address;
  if (!peer.empty() && (all.empty() || all.back() != peer)) all.push_back(peer);
  return all;
}

std::string agent_of(const Request& request) {
  const std::string_view agent = find_header(request.headers, "user-agent");
  if (agent.size() <= kMostAgentBytes) return std::string(agent);
  return std::string(agent.substr(0, kMostAgentBytes)) + "...TRUNCATED";
}

bool is_long(Duration taken) { return Duration::from_milliseconds(500) < taken; }

}  // namespace

// The stream of an answer whose last event is written when it ends, or when the client has gone.
class AuditedStream final : public Stream {
 public:
  AuditedStream(std::unique_ptr<Stream> stream, std::shared_ptr<AuditTrail> trail,
                AuditTrail::Outcome outcome, const Time& now)
      : stream_(std::move(stream)),
        trail_(std::move(trail)),
        outcome_(std::move(outcome)),
        now_(now) {}
  ~AuditedStream() override { trail_->write(AuditStage::kResponseComplete, now_, &outcome_); }

  Rope next() override { return stream_->next(); }
  bool ended() const override { return stream_->ended(); }
  void on_ready(std::function<void()> wake) override { stream_->on_ready(std::move(wake)); }
  void receive(std::string_view message) override { stream_->receive(message); }
  bool broken() const override { return stream_->broken(); }

 private:
  std::unique_ptr<Stream> stream_;
  const std::shared_ptr<AuditTrail> trail_;
  const AuditTrail::Outcome outcome_;
  const Time& now_;
};

AuditTrail::AuditTrail(std::shared_ptr<const Auditor> auditor, const Request& request, Time begun,
                       std::shared_ptr<AuditIds> ids)
    : auditor_(std::move(auditor)),
      ids_(std::move(ids)),
      begun_(begun),
      uri_(request.target),
      accept_(find_header(request.headers, "accept")),
      method_(request.method),
      id_(find_header(request.headers, "audit-id")),
      agent_(agent_of(request)),
      addresses_(source_addresses(request)) {}

void AuditTrail::explain_to(std::shared_ptr<RequestExplanation> explanation) {
  explanation_ = std::move(explanation);
  notes_.steps = &explanation_->admission();
}

void AuditTrail::begin_attempt() {
  if (explanation_) explanation_->begin_attempt();
  notes_.clear();
  identified_ = known_ = false;
  impersonated_ = {};
  constraint_.clear();
  asked_ = {};
  seen_ = {};
  request_object_.clear();
  request_garbled_ = false;
}

const std::string& AuditTrail::id() {
  if (id_.empty()) id_ = ids_->next();
  return id_;
}

void AuditTrail::identify(const auth::Attributes& request, bool known, bool long_running) {
  identified_ = true;
  known_ = known;
  long_running_ = long_running;
  scope_ = auditor_->policy.scope_of(request, known);
  if (known) user_ = request.user;
  verb_ = request.verb;
  on_resource_ = request.on_resource;
  if (!request.on_resource) return;
  asked_ = {.resource = std::string(request.resource),
            .ns = std::string(request.ns),
            .name = std::string(request.name),
            .uid = {},
            .group = std::string(request.group),
            .version = std::string(request.version),
            .resource_version = {},
            .subresource = std::string(request.subresource)};
}

void AuditTrail::impersonate(const auth::User& user, std::string_view constraint) {
  impersonated_ = user;
  constraint_ = constraint;
}

void AuditTrail::decide(const auth::Decision& decision) {
  const bool allowed = decision.verdict == auth::Verdict::kAllow;
  if (!allowed && !decision.error.empty()) {
    notes_.add("authorization.k8s.io/reason", "internal error");
    return;
  }
  notes_.add("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
  notes_.add("authorization.k8s.io/reason", decision.reason);
}

void AuditTrail::object_of_request(const Value& object, std::string_view api_version,
                                   std::string_view kind) {
  if (const Value* meta = object.find("metadata"); meta != nullptr && meta->is_object()) {
    seen_.ns = meta->string_at("namespace");
    seen_.name = meta->string_at("name");
    seen_.uid = meta->string_at("uid");
    seen_.resource_version = meta->string_at("resourceVersion");
  }
  if (!wants_request()) return;
  json::Arena arena;
  request_object_ = audited_object(object, api_version, kind, scope_.omits_managed_fields, arena);
}

void AuditTrail::patch_of_request(std::string_view patch) {
  if (!wants_request()) return;
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(patch, arena);
  request_garbled_ = !read.ok();
  if (read.ok()) codec::write_json(read.value, request_object_, codec::Floats::kAsSent);
}

bool AuditTrail::answers_with_object(const Response& response) const {
  if (response.body.empty() || response.status == 204 || response.status == 101) return false;
  const std::string_view path = std::string_view(uri_).substr(0, uri_.find('?'));
  if (response.status >= 400) return true;
  return !long_running_ && (path == "/api" || path == "/apis" || path.starts_with("/api/") ||
                            path.starts_with("/apis/"));
}

AuditTrail::Outcome AuditTrail::outcome_of(Response& response) const {
  Outcome outcome{.code = response.status, .status = {}, .object = {}};
  const bool wanted = scope_.level == AuditLevel::kRequestResponse && !long_running_;
  if (wanted && response.stream && response.stream->finite()) {
    while (!response.stream->ended()) response.body.append(response.stream->next());
    response.stream.reset();
  }
  if (!answers_with_object(response)) return outcome;
  const bool whole = scope_.level == AuditLevel::kRequestResponse;
  AuditedAnswer answer = audited_answer(
      response,
      {.accept = accept_, .whole = whole, .omits_managed_fields = scope_.omits_managed_fields});
  outcome.status = std::move(answer.status);
  outcome.object = std::move(answer.object);
  return outcome;
}

void AuditTrail::write_received() {
  if (received_ || !known_) return;
  received_ = true;
  write(AuditStage::kRequestReceived, begun_, nullptr);
}

void AuditTrail::finish(std::shared_ptr<AuditTrail> trail, Response& response, const Time& now) {
  if (!trail->identified_ || trail->scope_.level == AuditLevel::kNone) return;
  Outcome outcome = trail->outcome_of(response);
  if (!trail->known_) return trail->write(AuditStage::kResponseStarted, now, &outcome);
  trail->write_received();
  if (trail->long_running_) trail->write(AuditStage::kResponseStarted, now, &outcome);
  if (response.stream && !response.stream->finite()) {
    response.stream = std::make_unique<AuditedStream>(std::move(response.stream), std::move(trail),
                                                      std::move(outcome), now);
    return;
  }
  if (!trail->long_running_ && is_long(now - trail->begun_)) {
    trail->notes_.add("apiserver.latency.k8s.io/total", go_duration_text(now - trail->begun_));
  }
  trail->write(AuditStage::kResponseComplete, now, &outcome);
}

void AuditTrail::write(AuditStage stage, Time time, const Outcome* outcome) {
  if (!scope_.shows(stage)) return;
  id();
  if (auditor_->format == AuditLog::Format::kLegacy) {
    return auditor_->sink(legacy_event(stage, time, outcome));
  }
  if (request_garbled_ && outcome != nullptr && wants_request()) return;
  std::string event = json_event(stage, time, outcome, true);
  const std::size_t most = auditor_->most_bytes;
  if (most != 0 && event.size() > most) event = json_event(stage, time, outcome, false);
  if (most != 0 && event.size() > most) return;
  auditor_->sink(event);
}

}  // namespace tabernetes::server
