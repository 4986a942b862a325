#include "server/audit/audit_policy.h"

#include <algorithm>
#include <iterator>

namespace tabernetes::server {
namespace {

constexpr std::string_view kLevelNames[] = {"None", "Metadata", "Request", "RequestResponse"};
constexpr std::string_view kStageNames[] = {"RequestReceived", "ResponseStarted",
                                            "ResponseComplete", "Panic"};

bool has_text(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool shares_one(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](const std::string& text) { return has_text(others, text); });
}

bool path_matches(std::string_view pattern, std::string_view path) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

bool resource_matches(std::string_view pattern, const auth::Attributes& request) {
  if (pattern == "*") return true;
  const std::string_view resource = request.resource, part = request.subresource;
  if (part.empty() && pattern == resource) return true;
  if (!part.empty() && pattern.size() == resource.size() + 1 + part.size() &&
      pattern.starts_with(resource) && pattern[resource.size()] == '/' && pattern.ends_with(part)) {
    return true;
  }
  if (!part.empty() && pattern.starts_with("*/") && pattern.substr(2) == part) return true;
  return pattern.ends_with("/*") && pattern.substr(0, pattern.size() - 2) == resource;
}

bool one_matches(const AuditedResources& wanted, const auth::Attributes& request) {
  if (wanted.group != request.group) return false;
  if (wanted.resources.empty()) return true;
  if (!wanted.names.empty() && !has_text(wanted.names, request.name)) return false;
  return std::any_of(
      wanted.resources.begin(), wanted.resources.end(),
      [&](const std::string& pattern) { return resource_matches(pattern, request); });
}

std::uint8_t stages_of(const std::vector<std::string>& names) {
  std::uint8_t stages = 0;
  for (unsigned i = 0; i < std::size(kStageNames); ++i) {
    if (has_text(names, kStageNames[i])) stages = static_cast<std::uint8_t>(stages | (1U << i));
  }
  return stages;
}

}  // namespace

std::string_view name_of(AuditLevel level) { return kLevelNames[static_cast<int>(level)]; }
std::string_view name_of(AuditStage stage) { return kStageNames[static_cast<int>(stage)]; }

bool AuditRule::matches(const auth::Attributes& request, bool known) const {
  if (!users.empty() && (!known || !has_text(users, request.user.name))) return false;
  if (!groups.empty() && (!known || !shares_one(groups, request.user.groups))) return false;
  if (!verbs.empty() && !has_text(verbs, request.verb)) return false;
  if (!namespaces.empty() || !resources.empty()) {
    if (!request.on_resource) return false;
    if (!namespaces.empty() && !has_text(namespaces, request.ns)) return false;
    return resources.empty() ||
           std::any_of(resources.begin(), resources.end(), [&](const AuditedResources& wanted) {
             return one_matches(wanted, request);
           });
  }
  if (paths.empty()) return true;
  return !request.on_resource &&
         std::any_of(paths.begin(), paths.end(), [&](const std::string& pattern) {
           return path_matches(pattern, request.path);
         });
}

AuditScope AuditPolicy::scope_of(const auth::Attributes& request, bool known) const {
  for (const AuditRule& rule : rules) {
    if (!rule.matches(request, known)) continue;
    const auto level = std::find(std::begin(kLevelNames), std::end(kLevelNames), rule.level);
    return {.level = static_cast<AuditLevel>(level - std::begin(kLevelNames)),
            .omitted = static_cast<std::uint8_t>(stages_of(omitted_stages) |
                                                 stages_of(rule.omitted_stages)),
            .omits_managed_fields = rule.omits_managed_fields.value_or(omits_managed_fields)};
  }
  return {};
}

}  // namespace tabernetes::server
