#include "auth/webhook_authorizer.h"

#include "auth/access_spec.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "registry/kind/review_question.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr registry::ReviewForm kAccessReview{
    .group = "authorization.k8s.io",
    .kind = "SubjectAccessReview",
    .scheme = "k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go:439",
    .status = {{"allowed", &Value::is_bool, "bool"},
               {"denied", &Value::is_bool, "bool"},
               {"reason", &Value::is_string, "string"},
               {"evaluationError", &Value::is_string, "string"}},
    .empty_status = R"({"allowed":false})"};

// Callers choose these texts: larger ones are not kept.
constexpr std::size_t kMostKept = 10'000;

bool may_keep(const Attributes& wanted) {
  return wanted.ns.size() + wanted.verb.size() + wanted.group.size() + wanted.version.size() +
             wanted.resource.size() + wanted.subresource.size() + wanted.name.size() +
             wanted.path.size() <
         kMostKept;
}

// Reads the status of a review.
Decision decision_of(std::string_view status, bool& allowed) {
  json::Arena arena;
  const Value read = codec::read_json(arena.copy(status), arena).value;
  allowed = json::bool_at(read, {"allowed"});
  Decision decision;
  decision.reason = read.string_at("reason");
  if (json::bool_at(read, {"denied"})) {
    decision.verdict = Verdict::kDeny;
    if (allowed) {
      decision.error = "webhook subject access review returned both allow and deny response";
    }
  } else if (allowed) {
    decision.verdict = Verdict::kAllow;
  }
  return decision;
}

}  // namespace

Decision WebhookAuthorizer::failed(std::string error) const {
  return {.verdict = webhook_->denies_on_error ? Verdict::kDeny : Verdict::kNoOpinion,
          .reason = {},
          .error = std::move(error)};
}

Decision WebhookAuthorizer::authorize(const Attributes& wanted) const {
  std::string error;
  switch (webhook_->conditions.check(wanted, error)) {
    case MatchConditions::Matched::kNo:
      return {};
    case MatchConditions::Matched::kFailed:
      return failed(std::move(error));
    case MatchConditions::Matched::kYes:
      break;
  }
  json::Arena arena;
  const SpecForm form = webhook_->version == "v1" ? SpecForm::kV1 : SpecForm::kV1beta1;
  std::string spec = codec::json_text(access_spec(wanted, form, arena));
  std::string key = webhook_->name + "/" + spec;
  bool allowed = false;
  if (const std::string* kept = asking_->decisions.find(key, now_)) {
    return decision_of(*kept, allowed);
  }
  if (asking_->pending == nullptr) {
    return {.verdict = Verdict::kDeny,
            .reason = {},
            .error = "this request cannot wait for an authorization webhook"};
  }
  const registry::PendingWork::Answer* answer =
      asking_->pending->ask(std::make_unique<const registry::ReviewQuestion>(
          kAccessReview,
          registry::ReviewQuestion::Webhook{webhook_->client, webhook_->version, webhook_->timeout},
          key, std::move(spec)));
  if (answer == nullptr) {
    return {.verdict = Verdict::kDeny, .reason = {}, .error = "waits for an authorization webhook"};
  }
  if (!answer->error.empty()) return failed(answer->error);
  Decision decision = decision_of(answer->text, allowed);
  const Duration ttl = allowed ? webhook_->authorized_ttl : webhook_->unauthorized_ttl;
  if (Duration{} < ttl && may_keep(wanted)) {
    asking_->decisions.put(std::move(key), answer->text, now_ + ttl);
  }
  return decision;
}

Rules WebhookAuthorizer::rules_for(const User&, std::string_view, json::Arena& arena) const {
  return {.resources = Value::array(arena),
          .paths = Value::array(arena),
          .incomplete = true,
          .error = "webhook authorizer does not support user rule resolution"};
}

}  // namespace tabernetes::auth
