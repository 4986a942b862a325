// A question that one call over HTTPS answers: a review for a webhook, a document of an issuer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/kind/pending_work.h"
#include "registry/kind/webhook_client.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

class WebhookQuestion : public PendingWork::Question {
 public:
  using Question::Question;

  virtual const WebhookClient& client() const = 0;
  virtual std::string url() const = 0;
  // How long one call may take, and the fault if it takes longer.
  virtual Duration patience() const = 0;
  virtual std::string_view too_late() const { return "context deadline exceeded"; }
  virtual std::string_view method() const { return "POST"; }
  // Returns the body of the request. `uid` is new for each question.
  virtual std::string body(std::string_view uid) const = 0;
  virtual PendingWork::Answer read(std::string_view uid, const WebhookAnswer& answer) const = 0;
  // Returns after how long the call is to be made again, having failed `tries` times with that
  // answer; nullopt: not at all.
  virtual std::optional<Duration> retry_after(int /*tries*/, const WebhookAnswer&) const {
    return std::nullopt;
  }
};

inline constexpr Duration kFirstPause = Duration::from_milliseconds(500);

// Returns the pause before the next call of a webhook of authentication or authorization, or
// ImagePolicyWebhook; nullopt if `answer` is final. Source: upstream 1.36
// apiserver/pkg/util/webhook/webhook.go: 5 calls, with factor 1.5; there with up to 20 % of chance.
std::optional<Duration> retry_with_backoff(int tries, const WebhookAnswer& answer,
                                           Duration first_pause = kFirstPause);

}  // namespace tabernetes::registry
