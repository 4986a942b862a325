#include "registry/kind/webhook_question.h"

namespace tabernetes::registry {

std::optional<Duration> retry_with_backoff(int tries, const WebhookAnswer& answer,
                                           Duration first_pause) {
  constexpr int kMostCalls = 5;
  const bool reset = answer.fault && answer.fault->message.ends_with("connection reset by peer");
  const bool again =
      reset ||
      (!answer.fault && (answer.status == 429 || answer.status == 500 || answer.status == 504));
  if (!again || tries >= kMostCalls) return std::nullopt;
  Duration pause = first_pause;
  for (int i = 1; i < tries; ++i) pause.nanoseconds = pause.nanoseconds * 3 / 2;
  return pause;
}

}  // namespace tabernetes::registry
