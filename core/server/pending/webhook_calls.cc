#include "server/pending/webhook_calls.h"

#include <string_view>
#include <utility>

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
  std::vector<Question> questions = pending.take(registry::custom::kConversion);
  const Ticket ticket = ++last_;
  // Counts one extra call until all are made, so that immediate failures do not resume early.
  waiters_.emplace(ticket, Waiter{&pending, 1, std::move(resume)});
  while (!questions.empty()) call(ticket, take_alike(questions));
  finish(ticket);
  return ticket;
}

void WebhookCalls::call(Ticket waiter, std::vector<Question> questions) {
  const std::uint64_t id = ++last_;
  const registry::custom::CustomVersion& to = conversion(questions.front()).to();
  const registry::custom::ConversionWebhook& webhook = *to.kind->webhook();
  InFlightCall& made = calls_[id];
  made = {waiter, make_uid(entropy_), webhook.url, std::move(questions), {}, false};
  ++waiters_[waiter].calls;
  made.deadline = deadlines_.add(now_ + kPatience, [this, id] {
    calls_[id].expired = true;
    answer(id, {.fault = Fault{std::string(kTooLate)}});
  });
  if (!can_call_) return answer(id, {.fault = Fault{std::string(kNoCaller)}});
  WebhookCall& wanted_call = pending_calls_.emplace_back();
  wanted_call.id = id;
  wanted_call.url = made.url;
  wanted_call.ca_bundle = webhook.ca_bundle;
  wanted_call.body = registry::custom::conversion_review(to, made.uid, texts_of(made.questions));
  if (!webhook.service_name.empty()) wanted_call.service = find_service(webhook);
}

WebhookCall::Service WebhookCalls::find_service(
    const registry::custom::ConversionWebhook& webhook) const {
  return {webhook.service_name + "." + webhook.service_namespace + ":" +
              std::to_string(webhook.service_port),
          route_to_service(objects_, webhook.service_namespace, webhook.service_name,
                           webhook.service_port)};
}

void WebhookCalls::answer(std::uint64_t id, const WebhookAnswer& answer) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const InFlightCall made = std::move(found->second);
  calls_.erase(found);
  if (!made.expired) deadlines_.cancel(made.deadline);
  const auto waiter = waiters_.find(made.waiter);
  if (waiter == waiters_.end()) return;  // it was cancelled
  std::vector<registry::PendingWork::Answer> reviewed =
      registry::custom::read_conversion_review(conversion(made.questions.front()).to(), made.uid,
                                               texts_of(made.questions), made.url, answer);
  for (std::size_t i = 0; i < reviewed.size(); ++i) {
    waiter->second.pending->answer(*made.questions[i], std::move(reviewed[i]));
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
