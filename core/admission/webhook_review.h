// Requests to admission webhooks and their answers: AdmissionReview of admission.k8s.io. Source:
// upstream 1.36 apiserver pkg/admission/plugin/webhook/request/admissionreview.go.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "admission/policy_request.h"
#include "admission/webhook_set.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/webhook_client.h"
#include "registry/kind/webhook_question.h"
#include "tabernetes/http.h"

namespace tabernetes::admission {

inline constexpr std::string_view kAdmissionReview = "admission review";

// Asks a webhook about a request. The answer's text is the `response` of its review; its error is
// why the call failed.
class AdmissionQuestion final : public registry::WebhookQuestion {
 public:
  // `facts` is the `request` of the review without its uid. `round` tells several questions of one
  // webhook about the same object apart.
  AdmissionQuestion(std::shared_ptr<const CompiledWebhook> webhook, int round,
                    std::int64_t timeout_seconds, std::string facts);

  const registry::WebhookClient& client() const override { return webhook_->client; }
  std::string url() const override { return client().url_within(timeout_seconds_); }
  Duration patience() const override { return Duration::from_seconds(timeout_seconds_); }
  // Returns the body of the request.
  std::string body(std::string_view uid) const override;
  registry::PendingWork::Answer read(std::string_view uid,
                                     const WebhookAnswer& answer) const override;

 private:
  std::shared_ptr<const CompiledWebhook> webhook_;
  std::int64_t timeout_seconds_;
  std::string facts_;
};

// Asks the webhook, which has matched the request as one for `type`. Returns null while there is no
// answer. REQUIRES: the request can wait.
const registry::PendingWork::Answer* ask(const std::shared_ptr<const CompiledWebhook>& webhook,
                                         int round, const PolicyRequest& request,
                                         const registry::ResourceType& type,
                                         const PolicyRequest::Objects& objects);

}  // namespace tabernetes::admission
