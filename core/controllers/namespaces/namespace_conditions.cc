#include "controllers/namespaces/namespace_conditions.h"

#include <string>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

struct Verdict {
  std::string_view reason;
  std::string message;
};

// A condition, with its reason and message if there is no problem.
struct ConditionType {
  std::string_view name, reason, message;
};
constexpr ConditionType kTypes[] = {
    {"NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered",
     "All resources successfully discovered"},
    {"NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions",
     "All legacy kube types successfully parsed"},
    {"NamespaceDeletionContentFailure", "ContentDeleted",
     "All content successfully deleted, may be waiting on finalization"},
    {"NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"},
    {"NamespaceFinalizersRemaining", "ContentHasNoFinalizers",
     "All content-preserving finalizers finished"},
};
constexpr std::size_t kDiscoveryFailure = 0;
constexpr std::size_t kContentFailure = 2;
constexpr std::size_t kContentRemaining = 3;
constexpr std::size_t kFinalizersRemaining = 4;

// Returns "a has 1 resource instances, b has 2 resource instances".
std::string join_counts(const std::map<std::string, std::size_t>& counts, std::string_view verb) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += ", ";
    text.append(name).append(verb).append(std::to_string(count)).append(" resource instances");
  }
  return text;
}

std::string sorted_list(std::vector<std::string>& texts) {
  sort_stable(texts);
  return join(texts, ", ");
}

// Returns client-go's error of a discovery that failed for some group versions.
std::string discovery_failure(const std::vector<std::string>& failed) {
  std::string text = "Discovery failed for some groups, " + std::to_string(failed.size()) +
                     " failing: unable to retrieve the complete list of server APIs: ";
  for (const std::string& each : failed) {
    if (&each != failed.data()) text += ", ";
    text += each + ": stale GroupVersion discovery: " + each;
  }
  return text;
}

// Returns the problem; its reason is empty if there is none.
Verdict verdict_of(std::size_t type, NamespaceContent& content) {
  if (type == kDiscoveryFailure && !content.undiscovered.empty()) {
    return {"DiscoveryFailed", discovery_failure(content.undiscovered)};
  }
  if (type == kContentFailure && !content.errors.empty()) {
    const std::string count = std::to_string(content.errors.size());
    return {"ContentDeletionFailed", "Failed to delete all resource types, " + count +
                                         " remaining: " + sorted_list(content.errors)};
  }
  // Upstream does not report these while pods remain.
  if (content.pods_only) return {};
  if (type == kContentRemaining && !content.remaining.empty()) {
    return {"SomeResourcesRemain",
            "Some resources are remaining: " + join_counts(content.remaining, " has ")};
  }
  if (type == kFinalizersRemaining && !content.finalizers.empty()) {
    return {"SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: " +
                                        join_counts(content.finalizers, " in ")};
  }
  return {};
}

// Returns true if the namespace says just that already.
bool has_condition(const Value& status, const registry::Condition& wanted) {
  for (const Value& known : items_in(status, "conditions")) {
    if (known.string_at("type") != wanted.type) continue;
    return known.string_at("status") == wanted.status &&
           known.string_at("reason") == wanted.reason &&
           known.string_at("message") == wanted.message;
  }
  return false;
}

}  // namespace

bool update_conditions(Value& status, NamespaceContent content, Time now, json::Arena& arena) {
  bool changed = false;
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    Verdict verdict = verdict_of(i, content);
    const bool good = verdict.reason.empty();
    if (good) verdict = {kTypes[i].reason, std::string(kTypes[i].message)};
    const registry::Condition condition{kTypes[i].name, good ? "False" : "True", verdict.reason,
                                        verdict.message};
    if (has_condition(status, condition)) continue;
    changed = true;
    registry::set_condition(status, condition, now, arena);
  }
  return changed;
}

}  // namespace tabernetes::controllers
