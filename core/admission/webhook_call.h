// Asking a webhook about a request, and what its answer means for it. Source: upstream 1.36
// apiserver pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go,
// errors/statuserror.go.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admission/policy_request.h"
#include "admission/webhook_set.h"

namespace tabernetes::admission {

// Returns the type as which the webhook matches the request, or null. Errors: 403 for conditions
// that cannot be decided, 404 for a missing namespace.
Result<const registry::ResourceType*> match_conditionally(const CompiledWebhook& webhook,
                                                          const PolicyRequest& request);

// What came of a call.
struct WebhookOutcome {
  bool missing = false;  // there is no answer yet
  // Why the call failed; empty if it did not.
  std::string fault;
  json::Value response;     // if neither
  std::size_t arrival = 0;  // see PendingWork
};

// Calls the webhook, which matched as `type`; `round` is 0 or 1. Errors: 400 if it does not support
// a dry run.
Result<WebhookOutcome> call(const std::shared_ptr<const CompiledWebhook>& webhook, int round,
                            const PolicyRequest& request, const registry::ResourceType& type);

// Adds the warnings of a response, and its annotations of audit events.
void take_warnings(const CompiledWebhook& webhook, const json::Value& response,
                   const PolicyRequest& request);

// Returns the denial of a response that does not allow the request; nullopt if it does.
std::optional<Failure> denial_of(const CompiledWebhook& webhook, const json::Value& response);

// Returns 500: the call failed with that fault.
Failure call_failure(const CompiledWebhook& webhook, std::string_view fault);

}  // namespace tabernetes::admission
