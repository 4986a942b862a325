// ValidatingAdmissionWebhook: asks all webhooks that match, side by side. Source: upstream 1.36
// apiserver pkg/admission/plugin/webhook/validating/dispatcher.go.

#include <optional>
#include <utility>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/webhook_call.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

// The failure that the client gets: of several, the one that was there first.
class FirstFailure {
 public:
  void add(Failure failure, std::size_t arrival) {
    if (failure_ && arrival_ <= arrival) return;
    failure_.emplace(std::move(failure));
    arrival_ = arrival;
  }
  Result<void> result() {
    if (failure_) return std::move(*failure_);
    return {};
  }

 private:
  std::optional<Failure> failure_;
  std::size_t arrival_ = 0;
};

struct Match {
  std::shared_ptr<const CompiledWebhook> webhook;
  const registry::ResourceType* type;
};

Result<std::vector<Match>> matches_of(const PluginState& state, const PolicyRequest& request) {
  std::vector<Match> matches;
  for (auto& webhook :
       state.validating_webhooks.candidates(request.request().type, request.equivalents())) {
    TAB_TRY(const registry::ResourceType* type, match_conditionally(*webhook, request));
    if (type != nullptr) matches.push_back({std::move(webhook), type});
  }
  return matches;
}

// Judges an answer.
void judge(const CompiledWebhook& webhook, Result<WebhookOutcome> outcome,
           const PolicyRequest& request, std::size_t place, FirstFailure& failure) {
  if (!outcome) return failure.add(std::move(outcome).failure(), 0);
  if (outcome->missing) return;
  if (!outcome->fault.empty()) {
    if (!webhook.fails_open()) {
      failure.add(call_failure(webhook, outcome->fault), outcome->arrival);
    } else if (registry::AuditNotes* notes = request.request().context.notes) {
      notes->add(
          "failed-open.validating.webhook.admission.k8s.io/round_0_index_" + std::to_string(place),
          std::string(webhook.name()));
    }
    return;
  }
  take_warnings(webhook, outcome->response, request);
  if (auto denial = denial_of(webhook, outcome->response)) {
    failure.add(std::move(*denial), outcome->arrival);
  }
}

}  // namespace

Result<void> ask_validating_webhooks(const AdmissionRequest& request, PluginState& state) {
  if (is_exempt_from_webhooks(request) || request.context.pending == nullptr) return {};
  state.follow(request.registry);
  const auto& equivalents = state.equivalents.of(request.registry, request.type);
  const PolicyRequest seen(request, equivalents, state.may_access);
  TAB_TRY(const std::vector<Match> matches, matches_of(state, seen));
  FirstFailure failure;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match& match = matches[i];
    judge(*match.webhook, call(match.webhook, 0, seen, *match.type), seen, i, failure);
  }
  // Nothing is decided before all have answered.
  TAB_CHECK(registry::may_persist(request.context.pending));
  return failure.result();
}

}  // namespace tabernetes::admission
