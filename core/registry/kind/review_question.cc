#include "registry/kind/review_question.h"

#include <utility>

#include "base/go/duration.h"
#include "codec/json_writer.h"
#include "json/type_name.h"
#include "registry/kind/review_answer.h"

namespace tabernetes::registry {
namespace {

using json::Value;

constexpr std::string_view kReview = "review for a kubeconfig's webhook";

// Returns encoding/json's error for the status of a review; empty if there is none.
std::string status_fault(const ReviewForm& form, const Value& review) {
  const auto mistyped = [&](const Value& value, const std::string& field, std::string_view type) {
    return "json: cannot unmarshal " + std::string(json::go_type_name(value)) +
           " into Go struct field " + std::string(form.kind) + "." + field + " of type " +
           std::string(type);
  };
  const Value* status = review.find("status");
  if (status == nullptr || status->is_null()) return {};
  if (!status->is_object()) {
    return mistyped(*status, "status", "v1." + std::string(form.kind) + "Status");
  }
  for (const ReviewForm::Member& member : form.status) {
    const Value* given = member.name.empty() ? nullptr : status->find(member.name);
    if (given == nullptr || given->is_null() || (given->*member.is)()) continue;
    return mistyped(*given, "status." + std::string(member.name), member.type);
  }
  return {};
}

}  // namespace

ReviewQuestion::ReviewQuestion(const ReviewForm& form, Webhook webhook, const std::string& key,
                               std::string spec)
    : WebhookQuestion(kReview, std::string(form.kind) + "/" + key),
      form_(form),
      webhook_(std::move(webhook)),
      spec_(std::move(spec)) {}

std::string ReviewQuestion::url() const {
  return client().url + "?timeout=" + go_duration_text(webhook_.timeout);
}

std::string ReviewQuestion::body(std::string_view /*uid*/) const {
  std::string text = "{\"kind\":\"";
  text.append(form_.kind).append("\",\"apiVersion\":\"").append(form_.group).append("/");
  text.append(webhook_.version).append("\",\"metadata\":{},\"spec\":").append(spec_);
  return text.append(",\"status\":").append(form_.empty_status).append("}\n");
}

PendingWork::Answer ReviewQuestion::read(std::string_view /*uid*/,
                                         const WebhookAnswer& answer) const {
  json::Arena arena;
  Value review;
  std::string fault = read_review(
      answer, url(), {form_.group, webhook_.version, form_.kind, form_.scheme}, arena, review);
  if (fault.empty()) fault = status_fault(form_, review);
  if (!fault.empty()) return {.text = {}, .error = std::move(fault)};
  const Value* status = review.find("status");
  const bool given = status != nullptr && status->is_object();
  return {.text = given ? codec::json_text(*status) : "{}", .error = {}};
}

}  // namespace tabernetes::registry
