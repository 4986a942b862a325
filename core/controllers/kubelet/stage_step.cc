#include "controllers/kubelet/stage_step.h"

#include <algorithm>
#include <charconv>

#include "base/time/rfc3339.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

// Returns a number that differs between pods and is the same for one: from 0 to `end` - 1.
std::int64_t spread(const Value& pod, std::string_view over, std::int64_t end) {
  std::uint64_t hash = 14695981039346656037U;
  for (const std::string_view text : {text_at(pod, {"metadata", "uid"}), over}) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  // The low bits of such a hash depend on few bytes.
  hash ^= hash >> 32;
  return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(end));
}

// Returns when a pod came to the state from which a step begins: its deletion, its start, or else
// its creation.
Time begin_of(const Value& pod) {
  if (const auto deleted = parse_rfc3339(text_at(pod, {"metadata", "deletionTimestamp"}))) {
    return *deleted +
           Duration{-bounded_seconds(number_at(pod, {"metadata", "deletionGracePeriodSeconds"}))
                         .nanoseconds};
  }
  if (const auto started = parse_rfc3339(text_at(pod, {"status", "startTime"}))) return *started;
  return parse_rfc3339(text_at(pod, {"metadata", "creationTimestamp"})).value_or(Time{});
}

}  // namespace

std::optional<StagePath> StagePath::parse(std::string_view rest) {
  StagePath path;
  while (!rest.empty()) {
    if (rest.starts_with(".[")) rest.remove_prefix(1);
    const bool quoted = rest.starts_with("[\"");
    if (!quoted && !rest.starts_with('.')) return std::nullopt;
    rest.remove_prefix(quoted ? 2 : 1);
    const std::size_t end = std::min(rest.size(), rest.find_first_of(quoted ? "\"\\" : ".[|() \""));
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(end);
    if (quoted) {
      if (!rest.starts_with("\"]")) return std::nullopt;
      rest.remove_prefix(2);
    } else if (name.empty()) {
      return std::nullopt;
    }
    path.names_.emplace_back(name);
  }
  return path.names_.empty() ? std::nullopt : std::optional(std::move(path));
}

const Value* StagePath::find(const Value& object) const {
  const Value* at = &object;
  for (const std::string& name : names_) {
    at = at->is_object() ? at->find(name) : nullptr;
    if (at == nullptr) return nullptr;
  }
  return at->is_null() ? nullptr : at;
}

std::optional<std::int64_t> StageNumber::of(const Value& pod) const {
  const Value* found = from ? from->find(pod) : nullptr;
  if (found == nullptr) return fixed;
  if (found->is_int()) return found->as_int();
  if (!found->is_string()) return std::nullopt;
  const std::string_view text = found->as_string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Duration> StageSpan::of(const Value& pod, Time now) const {
  const Value* found = from ? from->find(pod) : nullptr;
  if (found == nullptr) return fixed;
  if (!found->is_string()) return std::nullopt;
  if (const auto time = parse_rfc3339(found->as_string())) return *time - now;
  return parse_duration(found->as_string());
}

Duration StageStep::delay_of(const Value& pod) const {
  const Time begin = begin_of(pod);
  const auto bounded = [](Duration span) {
    return std::clamp(span, Duration{}, bounded_seconds(kMostSeconds));
  };
  const std::optional<Duration> least = duration.of(pod, begin);
  if (!least) return {};
  const Duration from = bounded(*least);
  const std::optional<Duration> most = jitter.of(pod, begin);
  if (!most) return from;
  const Duration to = bounded(*most);
  if (!(from < to)) return to;
  return from + Duration{spread(pod, name, to.nanoseconds - from.nanoseconds)};
}

const StageStep* choose_step(const std::vector<const StageStep*>& steps, const Value& pod) {
  if (steps.size() == 1) return steps.front();
  std::vector<const StageStep*> candidates;  // whose weights are numbers
  std::vector<std::int64_t> weights;
  std::int64_t total = 0;
  for (const StageStep* step : steps) {
    const std::optional<std::int64_t> weight = step->weight.of(pod);
    if (!weight || *weight < 0) continue;
    candidates.push_back(step);
    weights.push_back(*weight);
    total = saturating_add(total, *weight);
  }
  const std::vector<const StageStep*>& all = candidates.empty() ? steps : candidates;
  const std::string_view over = all.front()->name;
  const auto count = static_cast<std::int64_t>(all.size());
  if (total == 0) return all[static_cast<std::size_t>(spread(pod, over, count))];
  std::int64_t left = spread(pod, over, total);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (left < weights[i]) return candidates[i];
    left -= weights[i];
  }
  return candidates.back();
}

}  // namespace tabernetes::controllers::kubelet
