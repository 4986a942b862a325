#include "admission/webhook_call.h"

#include <utility>

#include "admission/expression_evaluation.h"
#include "admission/request.h"
#include "admission/webhook_review.h"
#include "base/go/text.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/sort_deep.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

constexpr int kLeastErrorCode = 400;

std::optional<StatusDetails> details_of(const Value& status) {
  const Value* given = status.find("details");
  if (given == nullptr || !given->is_object()) return std::nullopt;
  StatusDetails details;
  details.name = given->string_at("name");
  details.group = given->string_at("group");
  details.kind = given->string_at("kind");
  details.uid = given->string_at("uid");
  for (const Value& cause : items_at(*given, {"causes"})) {
    details.causes.push_back({std::string(cause.string_at("reason")),
                              std::string(cause.string_at("message")),
                              std::string(cause.string_at("field"))});
  }
  details.retry_after_seconds = static_cast<int>(number_at(*given, {"retryAfterSeconds"}));
  return details;
}

}  // namespace

Result<const ResourceType*> match_conditionally(const CompiledWebhook& webhook,
                                                const PolicyRequest& request) {
  TAB_TRY(const ResourceType* matched, match_webhook(webhook.spec, request));
  if (matched == nullptr || webhook.conditions.all().empty()) return matched;
  const PolicyInputs inputs = request.inputs(*matched, {});
  std::string error;
  switch (check_conditions(webhook.conditions.all(), inputs, webhook.fails_open(), error)) {
    case Applies::kYes:
      return matched;
    case Applies::kNo:
      return nullptr;
    case Applies::kFailed:
      break;
  }
  return refusal(request.request(), error);
}

Result<WebhookOutcome> call(const std::shared_ptr<const CompiledWebhook>& webhook, int round,
                            const PolicyRequest& request, const ResourceType& type) {
  const registry::WriteContext& context = request.request().context;
  if (context.shows_dry_run() && !webhook->is_free_of_effects()) {
    return errors::bad_request("admission webhook " + go_quote(webhook->name()) +
                               " does not support dry run");
  }
  WebhookOutcome outcome;
  if (webhook->review_version.empty()) {
    outcome.fault =
        "could not create admission objects: webhook does not accept known AdmissionReview "
        "versions (v1, v1beta1)";
    return outcome;
  }
  PolicyRequest::Objects objects{request.in_version(request.object(), type),
                                 request.in_version(request.old(), type)};
  // In the order of its type: earlier steps may have added members at the end.
  if (objects.object.is_object()) {
    TAB_TRY(objects.object, request.decoded(objects.object, type));
  }
  if (!type.built_in() && !request.is_of_own_kind()) {
    for (Value* shown : {&objects.object, &objects.old}) {
      *shown = shown->clone(request.arena());
      json::sort_deep(*shown);
    }
  }
  const registry::PendingWork::Answer* answer = ask(webhook, round, request, type, objects);
  outcome.missing = answer == nullptr;
  if (answer == nullptr) return outcome;
  outcome.arrival = answer->arrival;
  outcome.fault = answer->error;
  if (answer->error.empty()) {
    outcome.response = codec::read_json(request.arena().copy(answer->text), request.arena()).value;
  }
  return outcome;
}

void take_warnings(const CompiledWebhook& webhook, const Value& response,
                   const PolicyRequest& request) {
  if (registry::AuditNotes* notes = request.request().context.notes) {
    for (const json::Member& note : json::members_at(response, {"auditAnnotations"})) {
      if (note.key.find('/') != note.key.npos) continue;
      notes->add(std::string(webhook.name()) + "/" + std::string(note.key),
                 std::string(text_of(note.value)));
    }
  }
  std::vector<std::string>* warnings = request.request().context.warnings;
  if (warnings == nullptr) return;
  for (const Value& warning : items_at(response, {"warnings"})) {
    warnings->emplace_back(text_of(warning));
  }
}

std::optional<Failure> denial_of(const CompiledWebhook& webhook, const Value& response) {
  if (bool_at(response, {"allowed"})) return std::nullopt;
  const Value* given = response.find("status");
  const Value none;
  const Value& status = given != nullptr && given->is_object() ? *given : none;
  ApiStatus denial;
  denial.code = static_cast<int>(number_at(status, {"code"}));
  if (denial.code < kLeastErrorCode) denial.code = kLeastErrorCode;
  denial.reason = status.string_at("reason");
  denial.details = details_of(status);
  denial.resource_version = text_at(status, {"metadata", "resourceVersion"});
  denial.continue_token = text_at(status, {"metadata", "continue"});
  denial.message = "admission webhook " + go_quote(webhook.name()) + " denied the request";
  const std::string_view message = status.string_at("message");
  if (!message.empty()) {
    denial.message.append(": ").append(message);
  } else if (!denial.reason.empty()) {
    denial.message.append(": ").append(denial.reason);
  } else {
    denial.message += " without explanation";
  }
  return Failure(std::move(denial));
}

Failure call_failure(const CompiledWebhook& webhook, std::string_view fault) {
  return errors::internal_error("failed calling webhook " + go_quote(webhook.name()) + ": " +
                                std::string(fault));
}

}  // namespace tabernetes::admission
