// Reads rules of behaviour, as docs/behaviour.md describes them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/kubelet/behaviour_rules.h"
#include "json/document_part.h"
#include "tabernetes/expected.h"

namespace tabernetes::controllers::kubelet {

struct BehaviourRead {
  std::shared_ptr<const BehaviourRules> rules;
  std::vector<std::string> warnings;  // what of KWOK's Stages is not understood
};

// Reads a list of rules, an object with such a list at `rules`, or KWOK Stages; YAML or JSON, any
// number of documents. Fails for what is no rule, and says where.
Expected<BehaviourRead> read_behaviour(std::string_view document);

// Reads the part `match` of a rule; nothing if it is not given.
void read_rule_match(const json::DocumentPart& part, RuleMatch& match);

// Returns the rules of `given`, and behind them those of KWOK Stages, JSON by name.
BehaviourRead with_stages(const BehaviourRules& given,
                          const std::map<std::string, std::string, std::less<>>& stages);

// Returns the rules of a text that was checked by check_behaviour(); none for an empty text.
std::shared_ptr<const BehaviourRules> usual_behaviour(std::string_view document);

}  // namespace tabernetes::controllers::kubelet
