#include "server/webhook_calls.h"

#include <string_view>
#include <utility>

#include "server/service_route.h"

namespace tabernetes::server {
namespace {

using Wanted = registry::crd::Conversions::Wanted;

constexpr Duration kPatience = Duration::from_seconds(30);
constexpr std::string_view kTooLate =
    "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
constexpr std::string_view kNoCaller = "this host calls no webhooks";

std::vector<std::string_view> texts_of(const std::vector<Wanted>& wanted) {
  std::vector<std::string_view> texts;
  texts.reserve(wanted.size());
  for (const Wanted& each : wanted) texts.push_back(each.object);
  return texts;
}

// What an object's text begins with: the members are sorted.
std::string_view version_of(const Wanted& wanted) {
  return std::string_view(wanted.object).substr(0, wanted.object.find(','));
}

// Takes those that go into one review with the first one.
std::vector<Wanted> take_alike(std::vector<Wanted>& all) {
  std::vector<Wanted> alike;
  const registry::crd::CustomVersion* to = all.front().to;
  const std::string version(version_of(all.front()));
  std::erase_if(all, [&](Wanted& each) {
    if (each.to != to || version_of(each) != version) return false;
    alike.push_back(std::move(each));
    return true;
  });
  return alike;
}

}  // namespace

WebhookCalls::Ticket WebhookCalls::ask(Resume resume) {
  std::vector<Wanted> wanted = conversions_.take_wanted();
  const Ticket ticket = ++last_;
  // One call more, until all are made: those that fail at once do not resume before.
  waiters_.emplace(ticket, Waiter{1, std::move(resume)});
  while (!wanted.empty()) call(ticket, take_alike(wanted));
  finish(ticket);
  return ticket;
}

void WebhookCalls::call(Ticket waiter, std::vector<Wanted> wanted) {
  const std::uint64_t id = ++last_;
  const registry::crd::CustomVersion& to = *wanted.front().to;
  const registry::crd::ConversionWebhook& webhook = *to.kind->webhook();
  UnderWay& made = calls_[id];
  made = {waiter, make_uid(entropy_), webhook.url, std::move(wanted), {}, false};
  ++waiters_[waiter].calls;
  made.deadline = deadlines_.add(now_ + kPatience, [this, id] {
    calls_[id].expired = true;
    answer(id, {.error = std::string(kTooLate)});
  });
  if (!can_call_) return answer(id, {.error = std::string(kNoCaller)});
  WebhookCall& wanted_call = to_make_.emplace_back();
  wanted_call.id = id;
  wanted_call.url = made.url;
  wanted_call.ca_bundle = webhook.ca_bundle;
  wanted_call.body = registry::crd::conversion_review(to, made.uid, texts_of(made.wanted));
  if (!webhook.service_name.empty()) find_service(webhook, wanted_call);
}

void WebhookCalls::find_service(const registry::crd::ConversionWebhook& webhook,
                                WebhookCall& call) const {
  call.service = webhook.service_name + "." + webhook.service_namespace + ":" +
                 std::to_string(webhook.service_port);
  ServiceRoute route = route_to_service(objects_, webhook.service_namespace, webhook.service_name,
                                        webhook.service_port);
  call.address = std::move(route.address);
  call.fault = std::move(route.fault);
}

void WebhookCalls::answer(std::uint64_t id, const WebhookAnswer& answer) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const UnderWay made = std::move(found->second);
  calls_.erase(found);
  if (!made.expired) deadlines_.cancel(made.deadline);
  std::vector<registry::crd::ReviewedObject> reviewed = registry::crd::read_conversion_review(
      *made.wanted.front().to, made.uid, texts_of(made.wanted), made.url, answer);
  for (std::size_t i = 0; i < reviewed.size(); ++i) {
    conversions_.learn(made.wanted[i], std::move(reviewed[i]));
  }
  finish(made.waiter);
}

void WebhookCalls::finish(Ticket ticket) {
  const auto waiter = waiters_.find(ticket);
  if (waiter == waiters_.end() || --waiter->second.calls > 0) return;
  const Resume resume = std::move(waiter->second.resume);
  waiters_.erase(waiter);
  resume();
  // What was learnt is of no use any more once nobody waits.
  if (waiters_.empty()) conversions_.forget();
}

void WebhookCalls::cancel(Ticket ticket) { waiters_.erase(ticket); }

}  // namespace tabernetes::server
