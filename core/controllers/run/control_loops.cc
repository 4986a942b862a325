#include "controllers/run/control_loops.h"

#include <algorithm>
#include <utility>

#include "controllers/api/api_services.h"
#include "controllers/api/custom_definitions.h"
#include "controllers/api/event_expiry.h"
#include "controllers/api/flow_schemas.h"
#include "controllers/api/legacy_token_tracking.h"
#include "controllers/kubelet/kubelets.h"
#include "controllers/run/loop_table.h"
#include "controllers/scheduler/scheduler.h"

namespace tabernetes::controllers {
namespace {

std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
  if (!a || !b) return a ? a : b;
  return *b < *a ? b : a;
}

}  // namespace

ControlLoops::ControlLoops(registry::Registry& registry, const std::vector<std::string>& names,
                           bool scheduler)
    : registry_(registry) {
  add("customresourcedefinitions", std::make_unique<CustomDefinitions>());
  add("apiservices", std::make_unique<ApiServices>());
  add("flowschemas", std::make_unique<FlowSchemas>());
  add("event-ttl", std::make_unique<EventExpiry>());
  // Without tokens in Secrets there are no uses of them.
  if (std::find(names.begin(), names.end(), "serviceaccount-token-controller") != names.end()) {
    add("legacy-token-tracking", std::make_unique<LegacyTokenTracking>());
  }
  always_ = loops_.size();
  for (const LoopRow& row : loop_table()) {
    for (const std::string& name : names) {
      if (name == row.name) add(row.name, row.make());
    }
  }
  if (scheduler) add("scheduler", std::make_unique<Scheduler>());
}

ControlLoops::ControlLoops(const ControlLoops& other, registry::Registry& registry)
    : registry_(registry),
      always_(other.always_),
      leads_(other.leads_),
      informers_(other.informers_),
      event_correlator_(other.event_correlator_),
      seen_(other.seen_),
      started_(other.started_) {
  for (const Named& named : other.loops_) add(named.name, named.loop->clone());
}

void ControlLoops::add(std::string_view name, std::unique_ptr<ControlLoop> loop) {
  if (name == kubelet::kLoopName) kubelets_ = static_cast<kubelet::Kubelets*>(loop.get());
  loops_.push_back({name, std::move(loop)});
}

void ControlLoops::set_behaviour(std::shared_ptr<const kubelet::BehaviourRules> rules, Time now) {
  // Loops that have not begun observe everything when they do.
  if (started_) on_change(now);
  if (kubelets_ != nullptr) kubelets_->set_rules(std::move(rules), registry_, informers_, now);
}

void ControlLoops::on_answers(std::string_view name, std::string_view key, Time now) {
  for (const Named& named : loops_) {
    if (named.name == name) named.loop->on_answers(key, now);
  }
}

void ControlLoops::lead(bool leads) {
  if (std::exchange(leads_, leads) != leads) start_anew();
}

std::span<const ControlLoops::Named> ControlLoops::active() const {
  return {loops_.data(), leads_ ? loops_.size() : always_};
}

void ControlLoops::tell(std::string_view key, const store::RecordPtr& before,
                        const store::RecordPtr& current, Time time, bool anew) {
  const registry::ResourceType* type = registry_.resources().find_key(key);
  if (type == nullptr) return;
  arena_.clear();
  const LazyObject object_before(*type, before, arena_);
  const LazyObject object_now(*type, current, arena_);
  // The loops that always run do not read the informers.
  const Informers::PodChange pods = active().size() > always_
                                        ? informers_.observe(*type, key, object_before, object_now)
                                        : Informers::PodChange();
  const auto [ns, name] = registry::split_key(*type, key);
  const WatchEvent change{
      *type,      before.get(),      current.get(),  key, ns, name, time, object_before, object_now,
      informers_, pods.before.get(), pods.now.get(), anew};
  for (const Named& named : active()) named.loop->on_change(registry_, change);
}

void ControlLoops::observe_all(Time now) {
  for (const Named& named : active()) named.loop->resync();
  informers_.clear();
  event_correlator_.clear();
  registry_.store().tree().scan("", "", [&](std::string_view key, const store::RecordPtr& record) {
    tell(key, nullptr, record, now, true);
    return true;
  });
}

void ControlLoops::on_change(Time now) {
  const store::History& history = registry_.store().history();
  if (!std::exchange(started_, true) || !history.kept(seen_)) {
    observe_all(now);
    seen_ = history.end();
  }
  for (; seen_ < history.end(); ++seen_) {
    const store::EventPtr event = history.at(seen_);
    tell(event->key, event->previous, event->current, event->time, false);
  }
}

std::optional<Time> ControlLoops::next() const {
  std::optional<Time> first;
  for (const Named& named : active()) first = earlier(first, named.loop->next());
  return first;
}

std::optional<Time> ControlLoops::next_once() const {
  std::optional<Time> first;
  for (const Named& named : active()) first = earlier(first, named.loop->next_once());
  return first;
}

std::optional<std::string_view> ControlLoops::reconcile_due(Time due, Time now) {
  const std::optional<Time> first = next();
  if (!first || *first > due) {
    arena_.release();
    return std::nullopt;
  }
  std::optional<std::string_view> who;
  for (const Named& named : active()) {
    if (named.loop->next() != first) continue;
    arena_.clear();
    named.loop->reconcile_due(context(arena_, now, due));
    who = named.name;
    break;
  }
  on_change(now);
  return who;
}

}  // namespace tabernetes::controllers
