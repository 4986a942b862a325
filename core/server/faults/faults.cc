#include "server/faults/faults.h"

#include <algorithm>

namespace tabernetes::server {
namespace {

bool fits_resource(const Wildcard& pattern, const FaultSubject& subject) {
  return matches_wildcard(pattern, subject.resource) ||
         (!subject.group.empty() &&
          matches_wildcard(pattern, subject.resource + "." + subject.group));
}

}  // namespace

bool FaultMatch::fits(const FaultSubject& subject) const {
  if (!verbs.empty() && std::find(verbs.begin(), verbs.end(), subject.verb) == verbs.end()) {
    return false;
  }
  if (resource) {
    if (subject.resource.empty() || !fits_resource(*resource, subject)) return false;
    if (subresource.empty() ? !subject.subresource.empty()
                            : !matches_wildcard(subresource, subject.subresource)) {
      return false;
    }
  }
  return matches_wildcard(path, subject.path) && matches_wildcard(ns, subject.ns) &&
         matches_wildcard(name, subject.name) && matches_wildcard(user, subject.user) &&
         matches_wildcard(user_agent, subject.user_agent);
}

bool Faults::strikes(const FaultRule& rule, std::int64_t nth) {
  if (nth < rule.first || nth > rule.last) return false;
  if (rule.share >= 1) return true;
  constexpr std::uint64_t kParts = 1'000'000;
  return static_cast<double>(entropy_.below(kParts)) < rule.share * static_cast<double>(kParts);
}

std::optional<FaultAct> Faults::meet(const FaultSubject& subject) {
  for (std::size_t i = 0; i < rules_->rules.size(); ++i) {
    const FaultRule& rule = rules_->rules[i];
    if (!rule.match.fits(subject)) continue;
    if (!strikes(rule, ++counts_[i].fitting)) continue;
    ++counts_[i].hit;
    FaultAct act = rule.act;
    const std::int64_t spread = act.delay_to.nanoseconds - act.delay_from.nanoseconds;
    if (spread > 0) {
      act.delay_from.nanoseconds +=
          static_cast<std::int64_t>(entropy_.below(static_cast<std::uint64_t>(spread) + 1));
      act.delay_to = act.delay_from;
    }
    return act;
  }
  return std::nullopt;
}

}  // namespace tabernetes::server
