// The calls of conversion webhooks that are under way, and whose pending work waits for them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/entropy.h"
#include "registry/crd/conversions.h"
#include "registry/strategy.h"
#include "server/pending/deadlines.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class WebhookCalls {
 public:
  using Resume = std::function<void()>;
  using Ticket = std::uint64_t;

  // All but `entropy` outlive this object. `can_call`: somebody takes the calls. `objects` has the
  // services that are webhooks.
  WebhookCalls(bool can_call, const registry::ObjectReader& objects, Deadlines& deadlines,
               const Time& now, Entropy entropy)
      : can_call_(can_call),
        objects_(objects),
        deadlines_(deadlines),
        now_(now),
        entropy_(std::move(entropy)) {}
  WebhookCalls(const WebhookCalls&) = delete;
  WebhookCalls& operator=(const WebhookCalls&) = delete;

  // Asks for all conversions that `pending` lacks, the objects of one kind and version in one
  // review, and calls `resume` once when all of them are answered: at once where the host makes no
  // calls. REQUIRES: `pending` lives until then, or until it is cancelled.
  Ticket ask(registry::PendingWork& pending, Resume resume);
  // Forgets who waits: `resume` is not called.
  void cancel(Ticket ticket);

  // Those that are to be made now.
  std::vector<WebhookCall> take_calls() { return std::exchange(to_make_, {}); }

  // An answer to a call that is not under way does nothing.
  void answer(std::uint64_t id, const WebhookAnswer& answer);

 private:
  using Question = registry::PendingWork::QuestionPtr;  // a ConversionQuestion

  struct UnderWay {
    Ticket waiter = 0;
    std::string uid, url;
    std::vector<Question> questions;  // not empty
    Deadlines::Handle deadline;
    bool expired = false;
  };
  struct Waiter {
    registry::PendingWork* pending = nullptr;
    std::size_t calls = 0;  // that are under way for it
    Resume resume;
  };

  void call(Ticket waiter, std::vector<Question> questions);
  WebhookCall::Service find_service(const registry::crd::ConversionWebhook& webhook) const;
  // One of the calls of this waiter is over.
  void finish(Ticket waiter);

  const bool can_call_;
  const registry::ObjectReader& objects_;
  Deadlines& deadlines_;
  const Time& now_;
  Entropy entropy_;
  std::uint64_t last_ = 0;  // of the ids and tickets
  std::map<std::uint64_t, UnderWay> calls_;
  std::map<Ticket, Waiter> waiters_;
  std::vector<WebhookCall> to_make_;
};

}  // namespace tabernetes::server
