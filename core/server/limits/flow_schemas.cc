#include "server/limits/flow_schemas.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;
using Names = FlowSchemaSpec::Names;

Names names_in(const Value& object, std::string_view key) {
  Names names;
  for (const Value& each : items_in(object, key)) names.emplace_back(text_of(each));
  return names;
}

FlowSchemaSpec::Subject read_subject(const Value& subject) {
  using Kind = FlowSchemaSpec::Subject::Kind;
  const std::string_view kind = subject.string_at("kind");
  if (kind == "User") return {Kind::kUser, {}, std::string(text_at(subject, {"user", "name"}))};
  if (kind == "Group") return {Kind::kGroup, {}, std::string(text_at(subject, {"group", "name"}))};
  return {Kind::kServiceAccount, std::string(text_at(subject, {"serviceAccount", "namespace"})),
          std::string(text_at(subject, {"serviceAccount", "name"}))};
}

FlowSchemaSpec::Rule read_rule(const Value& stored) {
  FlowSchemaSpec::Rule rule;
  for (const Value& each : items_in(stored, "subjects")) {
    rule.subjects.push_back(read_subject(each));
  }
  for (const Value& each : items_in(stored, "resourceRules")) {
    rule.resources.push_back({.verbs = names_in(each, "verbs"),
                              .groups = names_in(each, "apiGroups"),
                              .resources = names_in(each, "resources"),
                              .namespaces = names_in(each, "namespaces"),
                              .cluster_scope = bool_at(each, {"clusterScope"})});
  }
  for (const Value& each : items_in(stored, "nonResourceRules")) {
    rule.paths.push_back({names_in(each, "verbs"), names_in(each, "nonResourceURLs")});
  }
  return rule;
}

// A list of nothing but "*" covers everything.
bool lists(const Names& names, std::string_view name) {
  if (names.size() == 1 && names.front() == "*") return true;
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_account(std::string_view user, std::string_view ns, std::string_view name) {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  if (!user.starts_with(kPrefix)) return false;
  user.remove_prefix(kPrefix.size());
  if (!user.starts_with(ns)) return false;
  user.remove_prefix(ns.size());
  if (!user.starts_with(":")) return false;
  return name == "*" || user.substr(1) == name;
}

bool is_subject(const FlowSchemaSpec::Subject& subject, const auth::User& user) {
  using Kind = FlowSchemaSpec::Subject::Kind;
  switch (subject.kind) {
    case Kind::kUser:
      return subject.name == "*" || subject.name == user.name;
    case Kind::kGroup:
      return subject.name == "*" ||
             std::find(user.groups.begin(), user.groups.end(), subject.name) != user.groups.end();
    case Kind::kServiceAccount:
      break;
  }
  return is_account(user.name, subject.ns, subject.name);
}

bool lists_resource(const Names& names, const auth::Attributes& request) {
  if (request.subresource.empty()) return lists(names, request.resource);
  if (names.size() == 1 && names.front() == "*") return true;
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    const std::size_t whole = request.resource.size();
    return name.size() == whole + 1 + request.subresource.size() &&
           name.starts_with(request.resource) && name[whole] == '/' &&
           name.ends_with(request.subresource);
  });
}

bool covers_resource(const FlowSchemaSpec::ResourceRule& rule, const auth::Attributes& request) {
  if (!lists(rule.verbs, request.verb) || !lists_resource(rule.resources, request) ||
      !lists(rule.groups, request.group)) {
    return false;
  }
  return request.ns.empty() ? rule.cluster_scope : lists(rule.namespaces, request.ns);
}

// A path covers what is below it too; its "*" at the end changes nothing.
bool covers_path(std::string_view rule, std::string_view path) {
  if (rule == "*" || rule == path) return true;
  if (rule.ends_with('*')) rule.remove_suffix(1);
  if (!path.starts_with(rule)) return false;
  return rule.ends_with('/') || path.substr(rule.size()).starts_with('/');
}

bool covers_path(const FlowSchemaSpec::PathRule& rule, const auth::Attributes& request) {
  return lists(rule.verbs, request.verb) &&
         std::any_of(rule.paths.begin(), rule.paths.end(),
                     [&](std::string_view path) { return covers_path(path, request.path); });
}

bool covers_by(const FlowSchemaSpec::Rule& rule, const auth::Attributes& request) {
  const auto is_asker = [&](const auto& subject) { return is_subject(subject, request.user); };
  if (std::none_of(rule.subjects.begin(), rule.subjects.end(), is_asker)) return false;
  if (request.on_resource) {
    return std::any_of(rule.resources.begin(), rule.resources.end(),
                       [&](const auto& each) { return covers_resource(each, request); });
  }
  return std::any_of(rule.paths.begin(), rule.paths.end(),
                     [&](const auto& each) { return covers_path(each, request); });
}

}  // namespace

LevelSpec read_level(const Value& object) {
  const bool exempt = text_at(object, {"spec", "type"}) == "Exempt";
  const std::string_view part = exempt ? "exempt" : "limited";
  const auto number = [&](json::Path path) { return static_cast<int>(number_at(object, path)); };
  LevelSpec level{.name = std::string(text_at(object, {"metadata", "name"})),
                  .uid = std::string(text_at(object, {"metadata", "uid"})),
                  .exempt = exempt,
                  .shares = number({"spec", part, "nominalConcurrencyShares"}),
                  .lendable_percent = number({"spec", part, "lendablePercent"}),
                  .borrowing_percent = {}};
  if (has(object, {"spec", part, "borrowingLimitPercent"})) {
    level.borrowing_percent = number({"spec", part, "borrowingLimitPercent"});
  }
  level.queues = number({"spec", part, "limitResponse", "queuing", "queues"});
  level.hand_size = number({"spec", part, "limitResponse", "queuing", "handSize"});
  level.queue_length = number({"spec", part, "limitResponse", "queuing", "queueLengthLimit"});
  return level;
}

FlowSchemaSpec read_flow_schema(const Value& object) {
  using Flows = FlowSchemaSpec::Flows;
  const std::string_view flows = text_at(object, {"spec", "distinguisherMethod", "type"});
  FlowSchemaSpec schema{
      .name = std::string(text_at(object, {"metadata", "name"})),
      .uid = std::string(text_at(object, {"metadata", "uid"})),
      .level = std::string(text_at(object, {"spec", "priorityLevelConfiguration", "name"})),
      .precedence = number_at(object, {"spec", "matchingPrecedence"}),
      .flows = flows == "ByUser"        ? Flows::kByUser
               : flows == "ByNamespace" ? Flows::kByNamespace
                                        : Flows::kOne,
      .rules = {}};
  for (const Value& each : items_at(object, {"spec", "rules"})) {
    schema.rules.push_back(read_rule(each));
  }
  return schema;
}

bool covers(const FlowSchemaSpec& schema, const auth::Attributes& request) {
  return std::any_of(schema.rules.begin(), schema.rules.end(),
                     [&](const auto& rule) { return covers_by(rule, request); });
}

const Flow& FlowTable::classify(const auth::Attributes& request) const {
  const Flow* otherwise = &flows.back();
  for (const Flow& flow : flows) {
    if (covers(flow.schema, request)) return flow;
    if (flow.schema.name == "catch-all") otherwise = &flow;
  }
  return *otherwise;
}

}  // namespace tabernetes::server
