#include "admission/webhook_review.h"

#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "base/text/base64.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/type_name.h"
#include "registry/kind/review_answer.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::PendingWork;

constexpr std::string_view kReviewGroup = "admission.k8s.io";

std::string mistyped(const Value& value, std::string_view field, std::string_view type) {
  return "json: cannot unmarshal " + std::string(json::go_type_name(value)) +
         " into Go struct field " + std::string(field) + " of type " + std::string(type);
}

// Returns encoding/json's error for the response of a review; empty if there is none.
std::string type_fault(const Value& review) {
  const Value* response = review.find("response");
  if (response == nullptr || response->is_null()) return {};
  if (!response->is_object())
    return mistyped(*response, "AdmissionReview.response", "v1.AdmissionResponse");
  struct Member {
    std::string_view name;
    bool (Value::*is)() const;
    std::string_view type;
  };
  static constexpr Member kMembers[] = {
      {"uid", &Value::is_string, "types.UID"},
      {"allowed", &Value::is_bool, "bool"},
      {"status", &Value::is_object, "v1.Status"},
      {"patch", &Value::is_string, "[]uint8"},
      {"patchType", &Value::is_string, "v1.PatchType"},
      {"auditAnnotations", &Value::is_object, "map[string]string"},
      {"warnings", &Value::is_array, "[]string"}};
  for (const json::Member& given : response->members()) {
    for (const Member& member : kMembers) {
      if (member.name != given.key || given.value.is_null() || (given.value.*member.is)()) continue;
      return mistyped(given.value, "AdmissionResponse.response." + std::string(given.key),
                      member.type);
    }
    if (given.key != "patch" || !given.value.is_string()) continue;
    const Base64Text text = check_base64(given.value.as_string());
    if (text.error_at) {
      return "illegal base64 data at input byte " + std::to_string(*text.error_at);
    }
  }
  return {};
}

// Returns what is wrong with a review of version v1; empty if nothing is.
std::string invalid_response(const Value& review, std::string_view uid, WebhookKind kind) {
  const Value& response = *review.find("response");
  const std::string_view answered = response.string_at("uid");
  if (answered != uid) {
    return "expected response.uid=" + go_quote(uid) + ", got " + go_quote(answered);
  }
  if (review.string_at("kind").empty()) {
    return "expected webhook response of " +
           registry::group_version_kind("admission.k8s.io/v1", "AdmissionReview") +
           ", got /, Kind=";
  }
  const bool patch = !response.string_at("patch").empty();
  const Value* type = response.find("patchType");
  const bool typed = type != nullptr && type->is_string();
  if (kind == WebhookKind::kValidating) {
    if (patch) return "validating webhook may not return response.patch";
    return typed ? "validating webhook may not return response.patchType" : "";
  }
  if (patch && !typed) return "webhook returned response.patch but not response.patchType";
  if (!patch && typed) return "webhook returned response.patchType but not response.patch";
  if (typed && type->as_string().empty()) {
    return "webhook returned invalid response.patchType of \"\"";
  }
  return {};
}

PendingWork::Answer failed_call(std::string_view step, std::string_view why) {
  return {.text = {}, .error = std::string(step).append(why)};
}

}  // namespace

AdmissionQuestion::AdmissionQuestion(std::shared_ptr<const CompiledWebhook> webhook, int round,
                                     std::int64_t timeout_seconds, std::string facts)
    : WebhookQuestion(kAdmissionReview, webhook->id + "/" + std::to_string(round) + facts),
      webhook_(std::move(webhook)),
      timeout_seconds_(timeout_seconds),
      facts_(std::move(facts)) {}

std::string AdmissionQuestion::body(std::string_view uid) const {
  std::string text = "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/";
  text.append(webhook_->review_version).append("\",\"request\":{\"uid\":\"").append(uid);
  text.append("\",").append(std::string_view(facts_).substr(1)).append("}\n");
  return text;
}

PendingWork::Answer AdmissionQuestion::read(std::string_view uid,
                                            const WebhookAnswer& answer) const {
  constexpr std::string_view kCall = "failed to call webhook: ";
  constexpr std::string_view kResponse = "received invalid webhook response: ";
  json::Arena arena;
  Value review;
  const registry::ReviewKind kind{kReviewGroup, webhook_->review_version, "AdmissionReview",
                                  "k8s.io/apiserver/pkg/util/webhook/client.go:71"};
  std::string fault = registry::read_review(answer, url(), kind, arena, review);
  if (fault.empty()) fault = type_fault(review);
  if (!fault.empty()) return failed_call(kCall, fault);
  const Value* response = review.find("response");
  if (response == nullptr || response->is_null()) {
    return failed_call(kResponse, "webhook response was absent");
  }
  if (webhook_->review_version == "v1") fault = invalid_response(review, uid, webhook_->kind);
  if (!fault.empty()) return failed_call(kResponse, fault);
  return {.text = codec::json_text(*response), .error = {}};
}

const PendingWork::Answer* ask(const std::shared_ptr<const CompiledWebhook>& webhook, int round,
                               const PolicyRequest& request, const registry::ResourceType& type,
                               const PolicyRequest::Objects& objects) {
  const registry::WriteContext& context = request.request().context;
  const std::int64_t left = context.patience.nanoseconds / Duration::from_seconds(1).nanoseconds;
  const std::int64_t seconds = std::min(webhook->timeout_seconds, std::max<std::int64_t>(left, 1));
  std::string facts = codec::json_text(request.facts(type, &objects));
  return context.pending->ask(
      std::make_unique<const AdmissionQuestion>(webhook, round, seconds, std::move(facts)));
}

}  // namespace tabernetes::admission
