#include "auth/authorizer_chain.h"

#include <algorithm>
#include <string>

#include "auth/rbac.h"

namespace tabernetes::auth {
namespace {

// Formats several errors as Go's aggregates: each once, in brackets. An aggregate among them is
// dissolved.
std::string aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string> each;
  for (std::string error : errors) {
    if (errors.size() > 1 && error.starts_with('[') && error.ends_with(']')) {
      error = error.substr(1, error.size() - 2);
    }
    if (std::find(each.begin(), each.end(), error) == each.end()) each.push_back(std::move(error));
  }
  std::string text;
  for (const std::string& error : each) text += (text.empty() ? "" : ", ") + error;
  return each.size() > 1 ? "[" + text + "]" : text;
}

}  // namespace

Decision AuthorizerChain::authorize(const Attributes& wanted) const {
  Decision all;
  if (is_master(wanted.user)) {
    all.verdict = Verdict::kAllow;
    return all;
  }
  std::vector<std::string> errors;
  for (const auto& part : parts_) {
    Decision one = part->authorize(wanted);
    if (one.verdict != Verdict::kNoOpinion) return one;
    if (!one.error.empty()) errors.push_back(std::move(one.error));
    if (one.reason.empty()) continue;
    all.reason += (all.reason.empty() ? "" : "\n") + one.reason;
  }
  all.error = aggregate(errors);
  return all;
}

void AuthorizerChain::explain(const Attributes& wanted, json::Arena& arena,
                              json::Value& steps) const {
  if (is_master(wanted.user)) {
    Decision allowed;
    allowed.verdict = Verdict::kAllow;
    return steps.push_back(arena, explained("system:masters", allowed, arena));
  }
  for (const auto& part : parts_) {
    part->explain(wanted, arena, steps);
    if (part->authorize(wanted).verdict != Verdict::kNoOpinion) return;
  }
}

Rules AuthorizerChain::rules_for(const User& user, std::string_view ns, json::Arena& arena) const {
  Rules all{
      .resources = json::Value::array(arena), .paths = json::Value::array(arena), .error = {}};
  std::vector<std::string> errors;
  for (const auto& part : parts_) {
    Rules some = part->rules_for(user, ns, arena);
    for (const json::Value& rule : some.resources.items()) all.resources.push_back(arena, rule);
    for (const json::Value& rule : some.paths.items()) all.paths.push_back(arena, rule);
    all.incomplete = all.incomplete || some.incomplete;
    if (!some.error.empty()) errors.push_back(std::move(some.error));
  }
  all.error = aggregate(errors);
  return all;
}

}  // namespace tabernetes::auth
