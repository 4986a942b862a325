#include "controllers/namespace_conditions.h"

#include <algorithm>
#include <string>

#include "base/rfc3339.h"
#include "base/sort.h"

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

std::string join(std::vector<std::string>& texts) {
  sort_stable(texts);
  std::string joined;
  for (const std::string& text : texts) joined.append(joined.empty() ? "" : ", ").append(text);
  return joined;
}

// Returns the problem; its reason is empty if there is none.
Verdict verdict_of(std::size_t type, NamespaceContent& content) {
  if (type == kContentFailure && !content.errors.empty()) {
    const std::string count = std::to_string(content.errors.size());
    return {"ContentDeletionFailed", "Failed to delete all resource types, " + count +
                                         " remaining: " + join(content.errors)};
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

Value* find_condition(Value& conditions, std::string_view type) {
  for (Value& condition : conditions.items()) {
    if (condition.string_at("type") == type) return &condition;
  }
  return nullptr;
}

}  // namespace

bool update_conditions(Value& status, NamespaceContent content, Time now, json::Arena& arena) {
  Value* conditions = status.find("conditions");
  if (conditions == nullptr) {
    status.set(arena, "conditions", Value::array(arena));
    conditions = status.find("conditions");
  }
  bool changed = false;
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    Verdict verdict = verdict_of(i, content);
    const std::string_view state = verdict.reason.empty() ? "False" : "True";
    if (verdict.reason.empty()) verdict = {kTypes[i].reason, std::string(kTypes[i].message)};
    Value* condition = find_condition(*conditions, kTypes[i].name);
    const bool is_new = condition == nullptr;
    if (is_new) {
      Value made = Value::object(arena);
      made.append(arena, "type", Value::string(kTypes[i].name));
      conditions->push_back(arena, made);
      condition = find_condition(*conditions, kTypes[i].name);
    }
    if (!is_new && condition->string_at("status") == state &&
        condition->string_at("message") == verdict.message &&
        condition->string_at("reason") == verdict.reason) {
      continue;
    }
    changed = true;
    if (condition->string_at("status") != state) {
      condition->set(arena, "lastTransitionTime", Value::string(arena.copy(format_rfc3339(now))));
    }
    condition->set(arena, "status", Value::string(state));
    condition->set(arena, "reason", Value::string(verdict.reason));
    condition->set(arena, "message", Value::string(arena.copy(verdict.message)));
  }
  return changed;
}

}  // namespace tabernetes::controllers
