// Reviews that are sent to the webhooks of kubeconfigs: of callers, of images. Source: upstream
// 1.36 apiserver/pkg/util/webhook/webhook.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/kind/webhook_question.h"

namespace tabernetes::registry {

// A kind of review: names, and the members of its status with their types.
struct ReviewForm {
  struct Member {
    std::string_view name;
    bool (json::Value::*is)() const;
    std::string_view type;
  };

  std::string_view group, kind;
  std::string_view scheme;        // see registry::ReviewKind
  Member status[4];               // those without a name are none
  std::string_view empty_status;  // as it is sent
};

// The answer's text is the `status` of the review; its error is why there is none.
class ReviewQuestion final : public WebhookQuestion {
 public:
  struct Webhook {
    const WebhookClient& client;
    std::string version;
    Duration timeout = Duration::from_seconds(30);
    Duration first_pause = kFirstPause;  // before the second call
  };

  // `key` is unique among the questions of a request, `spec` is JSON. REQUIRES: `form` is static,
  // the client outlives this object.
  ReviewQuestion(const ReviewForm& form, Webhook webhook, const std::string& key, std::string spec);

  const WebhookClient& client() const override { return webhook_.client; }
  std::string url() const override;
  Duration patience() const override { return webhook_.timeout; }
  std::string_view too_late() const override {
    return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  }
  std::string body(std::string_view uid) const override;
  PendingWork::Answer read(std::string_view uid, const WebhookAnswer& answer) const override;
  std::optional<Duration> retry_after(int tries, const WebhookAnswer& answer) const override {
    return retry_with_backoff(tries, answer, webhook_.first_pause);
  }

 private:
  const ReviewForm& form_;
  Webhook webhook_;
  std::string spec_;
};

}  // namespace tabernetes::registry
