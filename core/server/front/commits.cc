#include "server/front/commits.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace tabernetes::server {
namespace {

// How long after a failure the backend is asked again if nobody writes.
constexpr Duration kPause = Duration::from_seconds(1);

}  // namespace

Commits::Commits(Cluster& cluster, store::Backend& backend, std::function<void()> go_on)
    : cluster_(cluster), backend_(backend), go_on_(std::move(go_on)), shared_(backend.shared()) {
  cluster_.store.hold_changes();
  cluster_.shown = {cluster_.registry.shared_resources(), cluster_.authorizer()};
  if (!shared_) return;
  cluster_.store.skip_to(store::kFirstTentative);
  backend_.listen([this] {
    news_ = true;
    if (!under_way_) go_on_();
  });
  backend_.watch_health([this](std::optional<Fault> fault) {
    cluster_.storage_fault =
        fault ? std::make_shared<const std::string>(std::move(fault->message)) : nullptr;
    go_on_();
  });
}

std::size_t Commits::proposed_end() const {
  return under_way_ ? proposed_.end : cluster_.store.settled_end();
}

// The history begins anew when the whole state is replaced.
bool Commits::has_more() const {
  const store::History& history = cluster_.store.history();
  return !history.kept(proposed_end()) || proposed_end() < history.end();
}

void Commits::wait(Resume resume) {
  waiting_.emplace_back(has_more() ? number_ + 1 : number_, std::move(resume));
}

bool Commits::step() {
  if (!outcome_ && !under_way_ && (asks_ || has_more())) propose();
  if (!outcome_) return shared_ && !under_way_ && take_news();
  take(*std::exchange(outcome_, std::nullopt));
  return true;
}

void Commits::note_request(store::Revision before, store::Revision last) {
  if (shared_) requests_.push_back({before, last});
}

bool Commits::lost_some() const {
  return std::any_of(renumbered_.changes.begin(), renumbered_.changes.end(),
                     [](const Renumbered::Change& change) { return change.revision == 0; });
}

void Commits::catch_up(Caught resume) {
  asks_next_.push_back(std::move(resume));
  ask_for_news();
}

// Asks the backend for all who wait, unless it is being asked.
void Commits::ask_for_news() {
  if (asking_ || asks_next_.empty()) return;
  asking_ = true;
  asked_ = std::exchange(asks_next_, {});
  asks_now_ = true;
  backend_.catch_up([this, number = ++questions_](std::optional<Fault> fault) {
    if (number != questions_ || !asking_ || caught_) return;
    caught_ = std::move(fault);
    if (!asks_now_ && !under_way_) go_on_();
  });
  asks_now_ = false;
}

// Takes in what others have stored, and lets go on who waited for it.
bool Commits::take_news() {
  bool any = false;
  const std::optional<std::optional<Fault>> caught = std::exchange(caught_, std::nullopt);
  if (std::exchange(news_, false) || caught) {
    store::News news = backend_.take_news();
    if (news.whole || news.revision > cluster_.store.settled_revision()) {
      take_in(cluster_, std::move(news));
      any = true;
    }
  }
  if (!caught) return any;
  asking_ = false;
  if (*caught) {
    cluster_.storage_fault = std::make_shared<const std::string>((*caught)->message);
    if (!retry_) ask_again_later();
  }
  const std::vector<Caught> asked = std::exchange(asked_, {});
  ask_for_news();
  for (const Caught& each : asked) each(*caught);
  return true;
}

void Commits::propose() {
  store::Batch batch =
      make_batch(cluster_, cluster_.store.settled_end(), std::exchange(requests_, {}));
  if (shared_) noted_ = note_node_ports(cluster_, batch);
  proposed_ = {cluster_.store.snapshot(),
               cluster_.store.history().end(),
               {cluster_.registry.shared_resources(), cluster_.authorizer()}};
  ++number_;
  under_way_ = true;
  cluster_.rests = shared_;
  asks_ = false;
  proposing_ = true;
  backend_.propose(std::move(batch), [this, number = number_](store::Outcome outcome) {
    if (!under_way_ || number != number_ || outcome_) return;
    outcome_ = std::move(outcome);
    if (!proposing_) go_on_();
  });
  proposing_ = false;
}

void Commits::take(store::Outcome outcome) {
  under_way_ = false;
  cluster_.rests = false;
  if (outcome.kind == Fate::kDurable && shared_) {
    settle_node_ports(cluster_, noted_, outcome);
    const auto& all = outcome.revisions;
    const bool nothing =
        !all.empty() && std::all_of(all.begin(), all.end(), [](auto each) { return each == 0; });
    renumbered_ = renumber(cluster_, std::move(outcome));
    accept(!nothing);
  } else if (outcome.kind == Fate::kDurable) {
    accept(true);
  } else {
    go_back(std::move(outcome));
  }
}

void Commits::accept(bool stored) {
  if (!shared_) {
    cluster_.store.settle(std::move(proposed_.state), proposed_.end);
    cluster_.shown = std::move(proposed_.shown);
  }
  proposed_ = {};
  if (stored) cluster_.storage_fault = nullptr;
  if (stored && retry_) cluster_.deadlines.cancel(*std::exchange(retry_, std::nullopt));
  resume(number_, Fate::kDurable);
}

void Commits::go_back(store::Outcome outcome) {
  proposed_ = {};
  cluster_.undo();
  if (outcome.kind == Fate::kConflict) {
    adopt(cluster_, std::move(outcome.others));
    cluster_.store.settle(cluster_.store.snapshot(), cluster_.store.history().end());
    cluster_.shown = {cluster_.registry.shared_resources(), cluster_.authorizer()};
  } else {
    cluster_.storage_fault = std::make_shared<const std::string>(std::move(outcome.fault.message));
    ask_again_later();
  }
  resume(std::numeric_limits<std::uint64_t>::max(), outcome.kind);
}

void Commits::ask_again_later() {
  if (retry_) cluster_.deadlines.cancel(*retry_);
  retry_ = cluster_.deadlines.add(cluster_.now + kPause, [this] {
    retry_.reset();
    asks_ = true;
  });
}

void Commits::resume(std::uint64_t up_to, Fate fate) {
  std::deque<Resume> now;
  while (!waiting_.empty() && waiting_.front().first <= up_to) {
    now.push_back(std::move(waiting_.front().second));
    waiting_.pop_front();
  }
  for (const Resume& each : now) each(fate);
}

}  // namespace tabernetes::server
