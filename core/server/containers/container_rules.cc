#include "server/containers/container_rules.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;

// Returns true if the rule speaks of a container of the pod that declares the ports it names.
bool speaks_of(const ContainerRule& rule, const PortAnswer& answer, const Value& pod) {
  for (const Value& spec : items_at(pod, {"spec", "containers"})) {
    if (!rule.match.of_container(spec)) continue;
    if (answer.port == 0 || rule.match.container.empty()) return true;
    for (const Value& port : items_at(spec, {"ports"})) {
      if (number_at(port, {"containerPort"}) == answer.port) return true;
    }
  }
  return false;
}

}  // namespace

bool CommandAnswer::fits(const std::vector<std::string>& command) const {
  if (line) {
    std::string joined;
    for (const std::string& word : command) joined.append(joined.empty() ? "" : " ").append(word);
    return matches_wildcard(*line, joined);
  }
  return std::equal(words.begin(), words.end(), command.begin(), command.end(),
                    [](const Wildcard& pattern, const std::string& word) {
                      return pattern.empty() ? word.empty() : matches_wildcard(pattern, word);
                    });
}

bool PortAnswer::fits(std::int64_t at, std::string_view with, std::string_view target) const {
  return (port == 0 || port == at) && (method.empty() || method == with) &&
         matches_wildcard(path, target.substr(0, target.find('?')));
}

ContainerRules::ContainerRules(std::vector<ContainerRule> rules, std::string document)
    : rules_(std::move(rules)), document_(std::move(document)) {
  for (const ContainerRule& rule : rules_) {
    asks_ = asks_ || !rule.log_url.empty() ||
            std::any_of(rule.ports.begin(), rule.ports.end(),
                        [](const PortAnswer& answer) { return !answer.url.empty(); });
  }
}

const ContainerRule* ContainerRules::log_rule_of(const Value& pod, const Value& spec) const {
  for (const ContainerRule& rule : rules_) {
    if (rule.log && rule.match.of_pod(pod) && rule.match.of_container(spec)) return &rule;
  }
  return nullptr;
}

const std::vector<LogLine>* ContainerRules::log_of(const Value& pod, const Value& spec) const {
  const ContainerRule* rule = log_rule_of(pod, spec);
  return rule == nullptr ? nullptr : &*rule->log;
}

std::string ContainerRules::log_url_of(const Value& pod, const Value& spec) const {
  const ContainerRule* rule = log_rule_of(pod, spec);
  return rule == nullptr ? std::string() : rule->log_url;
}

std::vector<const CommandAnswer*> ContainerRules::commands_of(const Value& pod,
                                                              const Value& spec) const {
  std::vector<const CommandAnswer*> answers;
  for (const ContainerRule& rule : rules_) {
    if (!rule.match.of_pod(pod) || !rule.match.of_container(spec)) continue;
    for (const CommandAnswer& answer : rule.commands) answers.push_back(&answer);
  }
  return answers;
}

std::vector<const PortAnswer*> ContainerRules::ports_of(const Value& pod) const {
  std::vector<const PortAnswer*> answers;
  for (const ContainerRule& rule : rules_) {
    if (!rule.match.of_pod(pod)) continue;
    for (const PortAnswer& answer : rule.ports) {
      if (speaks_of(rule, answer, pod)) answers.push_back(&answer);
    }
  }
  return answers;
}

}  // namespace tabernetes::server
