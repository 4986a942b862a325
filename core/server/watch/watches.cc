#include "server/watch/watches.h"

#include <algorithm>
#include <utility>

namespace tabernetes::server {
namespace {

constexpr std::size_t kAllLogsBytes = 64u << 20;
constexpr std::size_t kLogBytes = 1u << 20;
// A group begins at most this many changes back, so that many watches that reconnect together share
// the events they missed.
constexpr std::size_t kReachBack = 1024;

constexpr Duration kShortestDefault = Duration::from_seconds(1800);

}  // namespace

std::shared_ptr<WatchGroup> Watches::group_of(WatchKey content, std::size_t position) {
  std::weak_ptr<WatchGroup>& known = groups_[content.id()];
  if (auto group = known.lock(); group && !group->ended() && !group->retired()) {
    return group;
  }
  const std::size_t end = store.settled_end();
  if (position + kReachBack < end) position = end - kReachBack;
  auto group = std::make_shared<WatchGroup>(*this, std::move(content), position);
  known = group;
  return group;
}

void Watches::forget(WatchGroup& group) {
  std::erase(changed_, &group);
  const auto known = groups_.find(group.content().id());
  // After an interruption a new group may have taken its place.
  if (known != groups_.end() && known->second.expired()) groups_.erase(known);
}

std::size_t Watches::log_limit() const {
  return std::min(kLogBytes, kAllLogsBytes / std::max<std::size_t>(groups_.size(), 1));
}

// Returns between half an hour and an hour. Source: spec/list-watch.md 4.9.
Duration Watches::default_duration() {
  return {kShortestDefault.nanoseconds +
          static_cast<std::int64_t>(
              entropy_.below(static_cast<std::uint64_t>(kShortestDefault.nanoseconds)))};
}

void Watches::prepare_for_compaction() {
  for (const auto& [id, known] : groups_) {
    if (const auto group = known.lock()) group->read_all();
  }
}

void Watches::end_obsolete(const registry::ResourceTable& resources) {
  for (const auto& [id, known] : groups_) {
    const auto group = known.lock();
    const registry::ResourceType* type = group ? group->content().type : nullptr;
    if (type == nullptr || type->built_in()) continue;
    const schema::Resource& resource = *type->resource;
    const registry::ResourceType* served =
        resources.find(resource.group, resource.version, resource.plural);
    if (served == nullptr || served->id != type->id) group->retire();
  }
}

void Watches::flush() {
  for (WatchGroup* group : std::exchange(changed_, {})) group->catch_up();
  for (const std::function<void()>& wake : std::exchange(wakes_, {})) wake();
}

}  // namespace tabernetes::server
