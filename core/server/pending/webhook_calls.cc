#include "server/pending/webhook_calls.h"

#include <string_view>
#include <utility>

#include "base/text/parts.h"
#include "custom/conversion/conversion_review.h"
#include "server/pending/service_route.h"

namespace tabernetes::server {
namespace {

using Question = registry::PendingWork::QuestionPtr;

constexpr Duration kPatience = Duration::from_seconds(30);
constexpr std::string_view kTooLate =
    "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
constexpr std::string_view kNoCaller = "this host calls no webhooks";

const registry::custom::ConversionQuestion& conversion(const Question& question) {
  return static_cast<const registry::custom::ConversionQuestion&>(*question);
}

// REQUIRES: it is no conversion.
const registry::WebhookQuestion& webhook_question(const Question& question) {
  return static_cast<const registry::WebhookQuestion&>(*question);
}

// Returns after how long the server wants to be called again, if it says so.
std::optional<Duration> named_pause(const WebhookAnswer& answer) {
  const bool may_retry = answer.status == 429 || answer.status >= 500;
  const std::string& after = answer.retry_after;
  if (!may_retry || after.empty() || after.size() > 4 ||
      after.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return Duration::from_seconds(std::stoi(after));
}

std::vector<std::string_view> texts_of(const std::vector<Question>& questions) {
  std::vector<std::string_view> texts;
  texts.reserve(questions.size());
  for (const Question& each : questions) texts.push_back(conversion(each).object());
  return texts;
}

// Returns the start of an object's text up to its apiVersion: members are sorted.
std::string_view version_of(const Question& question) {
  const std::string_view text = conversion(question).object();
  return text.substr(0, text.find(','));
}

// Removes and returns the questions that share a review with the first one.
std::vector<Question> take_alike(std::vector<Question>& all) {
  std::vector<Question> alike;
  const registry::custom::CustomVersion* to = &conversion(all.front()).to();
  const std::string version(version_of(all.front()));
  std::erase_if(all, [&](Question& each) {
    if (&conversion(each).to() != to || version_of(each) != version) return false;
    alike.push_back(std::move(each));
    return true;
  });
  return alike;
}

}  // namespace

WebhookCalls::Ticket WebhookCalls::ask(registry::PendingWork& pending, Resume resume) {
  std::vector<Question> conversions = pending.take(registry::custom::kConversion);
  std::vector<Question> reviews = pending.take_all();
  const Ticket ticket = ++last_;
  // Counts one extra call until all are made, so that immediate failures do not resume early.
  waiters_.emplace(ticket, Waiter{&pending, 1, std::move(resume)});
  while (!conversions.empty()) convert(ticket, take_alike(conversions));
  for (Question& question : reviews) review(ticket, std::move(question));
  finish(ticket);
  return ticket;
}

void WebhookCalls::convert(Ticket waiter, std::vector<Question> questions) {
  const registry::custom::CustomVersion& to = conversion(questions.front()).to();
  const registry::WebhookClient& client = *to.kind->webhook();
  std::string uid = make_uid(entropy_);
  std::string body = registry::custom::conversion_review(to, uid, texts_of(questions));
  const std::int64_t seconds = kPatience.nanoseconds / Duration::from_seconds(1).nanoseconds;
  call({waiter, std::move(uid), client.url_within(seconds), std::move(body), client,
        std::move(questions)},
       kPatience, kTooLate);
}

void WebhookCalls::review(Ticket waiter, Question question) {
  const registry::WebhookQuestion& asked = webhook_question(question);
  std::string uid = make_uid(entropy_);
  std::string body = asked.body(uid);
  std::vector<Question> questions;
  questions.push_back(std::move(question));
  call({waiter, std::move(uid), asked.url(), std::move(body), asked.client(), std::move(questions)},
       asked.patience(), asked.too_late());
}

void WebhookCalls::call(InFlightCall made, Duration patience, std::string_view too_late) {
  const std::uint64_t id = ++last_;
  ++waiters_[made.waiter].calls;
  made.deadline = deadlines_.add(now_ + patience, [this, id, too_late] { expire(id, too_late); });
  const InFlightCall& kept = calls_[id] = std::move(made);
  if (!can_call_) return answer(id, {.fault = Fault{std::string(kNoCaller)}});
  post(id, kept);
}

void WebhookCalls::post(std::uint64_t id, const InFlightCall& made) {
  WebhookCall& wanted = pending_calls_.emplace_back();
  wanted.id = id;
  wanted.url = made.url;
  wanted.ca_bundle = made.client.ca_bundle;
  wanted.body = made.body;
  if (made.client.is_service()) wanted.service = find_service(made.client);
  const Question& first = made.questions.front();
  if (first->kind() != registry::custom::kConversion) {
    wanted.method = webhook_question(first).method();
  }
  wanted.headers = made.client.headers;
  wanted.client_certificate = made.client.client_certificate;
  wanted.client_key = made.client.client_key;
  wanted.server_name = made.client.server_name;
  wanted.unverified = made.client.unverified;
}

WebhookCall::Service WebhookCalls::find_service(const registry::WebhookClient& client) const {
  return {client.service_name + "." + client.service_namespace + ":" +
              std::to_string(client.service_port),
          route_to_service(objects_, client.service_namespace, client.service_name,
                           client.service_port)};
}

bool WebhookCalls::retry(std::uint64_t id, InFlightCall& made, const WebhookAnswer& answer) {
  std::optional<Duration> pause = named_pause(answer);
  if (!pause && made.questions.front()->kind() != registry::custom::kConversion) {
    const registry::WebhookQuestion& asked = webhook_question(made.questions.front());
    pause = asked.retry_after(made.tries, answer);
    // Each of these calls has the whole time.
    if (pause) {
      ++made.tries;
      deadlines_.cancel(made.deadline);
      made.deadline =
          deadlines_.add(now_ + *pause + asked.patience(),
                         [this, id, too_late = asked.too_late()] { expire(id, too_late); });
    }
  }
  if (!pause) return false;
  deadlines_.add(now_ + *pause, [this, id] {
    const auto found = calls_.find(id);
    if (found != calls_.end()) post(id, found->second);
  });
  return true;
}

void WebhookCalls::expire(std::uint64_t id, std::string_view too_late) {
  calls_[id].expired = true;
  answer(id, {.fault = Fault{std::string(too_late)}});
}

void WebhookCalls::answer(std::uint64_t id, const WebhookAnswer& answer) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || (!found->second.expired && retry(id, found->second, answer))) return;
  const InFlightCall made = std::move(found->second);
  calls_.erase(found);
  if (!made.expired) deadlines_.cancel(made.deadline);
  const auto waiter = waiters_.find(made.waiter);
  if (waiter == waiters_.end()) return;  // it was cancelled
  registry::PendingWork& pending = *waiter->second.pending;
  if (made.questions.front()->kind() != registry::custom::kConversion) {
    const Question& asked = made.questions.front();
    pending.answer(*asked, webhook_question(asked).read(made.uid, answer));
  } else {
    std::vector<registry::PendingWork::Answer> reviewed =
        registry::custom::read_conversion_review(conversion(made.questions.front()).to(), made.uid,
                                                 texts_of(made.questions), made.url, answer);
    for (std::size_t i = 0; i < reviewed.size(); ++i) {
      pending.answer(*made.questions[i], std::move(reviewed[i]));
    }
  }
  finish(made.waiter);
}

void WebhookCalls::finish(Ticket ticket) {
  const auto waiter = waiters_.find(ticket);
  if (waiter == waiters_.end() || --waiter->second.calls > 0) return;
  const Resume resume = std::move(waiter->second.resume);
  waiters_.erase(waiter);
  resume();
}

void WebhookCalls::cancel(Ticket ticket) { waiters_.erase(ticket); }

}  // namespace tabernetes::server
