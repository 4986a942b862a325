// Calls of webhooks in progress, and the pending work that waits for them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/entropy.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/strategy.h"
#include "registry/kind/webhook_client.h"
#include "registry/kind/webhook_question.h"
#include "server/pending/deadlines.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class WebhookCalls {
 public:
  using Resume = std::function<void()>;
  using Ticket = std::uint64_t;

  // REQUIRES: everything but `entropy` outlives this object. `can_call`: the host makes the calls.
  // `objects` contains the services of webhooks.
  WebhookCalls(bool can_call, const registry::ObjectReader& objects, Deadlines& deadlines,
               const Time& now, Entropy entropy)
      : can_call_(can_call),
        objects_(objects),
        deadlines_(deadlines),
        now_(now),
        entropy_(std::move(entropy)) {}
  WebhookCalls(const WebhookCalls&) = delete;
  WebhookCalls& operator=(const WebhookCalls&) = delete;

  // Requests everything that `pending` lacks, all conversions of a kind and version in one review,
  // and calls `resume` once when all are answered: at once if the host makes no calls. REQUIRES:
  // `pending` lives until then, or until it is cancelled.
  Ticket ask(registry::PendingWork& pending, Resume resume);
  // Forgets the waiting request: `resume` is not called.
  void cancel(Ticket ticket);

  // Returns the calls to be made now.
  std::vector<WebhookCall> take_calls() { return std::exchange(pending_calls_, {}); }

  // Passes on an answer; does nothing if the call is not in progress.
  void answer(std::uint64_t id, const WebhookAnswer& answer);

 private:
  using Question = registry::PendingWork::QuestionPtr;

  struct InFlightCall {
    Ticket waiter = 0;
    std::string uid, url, body;
    registry::WebhookClient client;
    // Not empty; several conversions, or one WebhookQuestion.
    std::vector<Question> questions;
    Deadlines::Handle deadline = {};
    bool expired = false;
    int tries = 1;
  };
  struct Waiter {
    registry::PendingWork* pending = nullptr;
    std::size_t calls = 0;  // number of calls in progress
    Resume resume;
  };

  void convert(Ticket waiter, std::vector<Question> questions);
  void review(Ticket waiter, Question question);
  void call(InFlightCall made, Duration patience, std::string_view too_late);
  // Hands the call to the host.
  void post(std::uint64_t id, const InFlightCall& made);
  // Posts it again after the time that the answer or the question names; returns whether one does.
  bool retry(std::uint64_t id, InFlightCall& made, const WebhookAnswer& answer);
  // Ends a call that took too long.
  void expire(std::uint64_t id, std::string_view too_late);
  WebhookCall::Service find_service(const registry::WebhookClient& client) const;
  // Notes that one of the waiter's calls is complete.
  void finish(Ticket waiter);

  const bool can_call_;
  const registry::ObjectReader& objects_;
  Deadlines& deadlines_;
  const Time& now_;
  Entropy entropy_;
  std::uint64_t last_ = 0;  // last id or ticket used
  std::map<std::uint64_t, InFlightCall> calls_;
  std::map<Ticket, Waiter> waiters_;
  std::vector<WebhookCall> pending_calls_;
};

}  // namespace tabernetes::server
