#include "auth/rbac_rule.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::auth {
namespace {

using json::Value;
using RuleList = std::vector<const Value*>;

bool has(const Value& rule, std::string_view list, std::string_view text) {
  for (const Value& item : items_at(rule, {list})) {
    if (item.as_string() == text) return true;
  }
  return false;
}

bool has_or_all(const Value& rule, std::string_view list, std::string_view text) {
  return has(rule, list, "*") || has(rule, list, text);
}

bool covers_resource(const Value& rule, const std::string_view resource) {
  if (has_or_all(rule, "resources", resource)) return true;
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return false;
  return has(rule, "resources", "*" + std::string(resource.substr(slash)));
}

bool covers_name(const Value& rule, std::string_view name) {
  return items_at(rule, {"resourceNames"}).empty() || has(rule, "resourceNames", name);
}

bool covers_path(const Value& rule, std::string_view path) {
  for (const Value& item : items_at(rule, {"nonResourceURLs"})) {
    std::string_view held = item.as_string();
    if (held == path) return true;
    if (!held.ends_with('*')) continue;
    while (held.ends_with('*')) held.remove_suffix(1);
    if (path.starts_with(held)) return true;
  }
  return false;
}

std::string listed(std::string_view name, std::string_view text) {
  return std::string(name) + ":[" + go_quote(text) + "], ";
}

// A line whose verbs are still being collected.
struct Line {
  std::string head, verbs;
};

// Missing verbs on one resource share a line; each verb on a path has its own.
void add_line(const Action& action, std::vector<Line>& lines) {
  std::string head = action.on_resource
                         ? listed("APIGroups", action.group) +
                               listed("Resources", action.resource) +
                               (action.name.empty() ? "" : listed("ResourceNames", action.name))
                         : listed("NonResourceURLs", action.path);
  const std::string verb = go_quote(action.verb);
  for (Line& line : lines) {
    if (line.head != head || (!action.on_resource && line.verbs != verb)) continue;
    if ((" " + line.verbs + " ").find(" " + verb + " ") == std::string::npos) {
      line.verbs += " " + verb;
    }
    return;
  }
  lines.push_back({std::move(head), verb});
}

}  // namespace

bool covers(const Value& rule, const Action& action) {
  if (!has_or_all(rule, "verbs", action.verb)) return false;
  if (!action.on_resource) return covers_path(rule, action.path);
  return has_or_all(rule, "apiGroups", action.group) && covers_resource(rule, action.resource) &&
         covers_name(rule, action.name);
}

std::vector<std::string_view> fields_that_differ(const Value& rule, const Action& action) {
  std::vector<std::string_view> fields;
  const auto need = [&](bool met, std::string_view field) {
    if (!met) fields.push_back(field);
  };
  need(has_or_all(rule, "verbs", action.verb), "verbs");
  if (!action.on_resource) {
    need(covers_path(rule, action.path), "nonResourceURLs");
    return fields;
  }
  need(has_or_all(rule, "apiGroups", action.group), "apiGroups");
  need(covers_resource(rule, action.resource), "resources");
  need(covers_name(rule, action.name), "resourceNames");
  return fields;
}

void each_action(const Value& rule, const std::function<void(const Action&)>& visit) {
  const auto verbs = items_at(rule, {"verbs"});
  const auto names = items_at(rule, {"resourceNames"});
  for (const Value& group : items_at(rule, {"apiGroups"})) {
    for (const Value& resource : items_at(rule, {"resources"})) {
      for (const Value& verb : verbs) {
        Action action{verb.as_string(), true, group.as_string(), resource.as_string(), {}, {}};
        if (names.empty()) visit(action);
        for (const Value& name : names) {
          action.name = name.as_string();
          visit(action);
        }
      }
    }
  }
  for (const Value& path : items_at(rule, {"nonResourceURLs"})) {
    for (const Value& verb : verbs) {
      visit(Action{verb.as_string(), false, {}, {}, {}, path.as_string()});
    }
  }
}

std::vector<std::string> missing_rights(const RuleList& held, const RuleList& wanted) {
  std::vector<Line> lines;
  for (const Value* rule : wanted) {
    each_action(*rule, [&](const Action& action) {
      const bool is_held = std::any_of(held.begin(), held.end(),
                                       [&](const Value* one) { return covers(*one, action); });
      if (!is_held) add_line(action, lines);
    });
  }
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const Line& line : lines) texts.push_back("{" + line.head + "Verbs:[" + line.verbs + "]}");
  sort_stable(texts, [](const std::string& a, const std::string& b) { return a < b; });
  return texts;
}

}  // namespace tabernetes::auth
