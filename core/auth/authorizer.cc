#include "auth/authorizer.h"

#include "base/go/text.h"

namespace tabernetes::auth {
namespace {

using json::Value;

class AlwaysAllow final : public Authorizer {
 public:
  std::string_view name() const override { return "AlwaysAllow"; }
  Decision authorize(const Attributes&) const override {
    return {.verdict = Verdict::kAllow, .reason = {}, .error = {}};
  }

  Rules rules_for(const User&, std::string_view, json::Arena& arena) const override {
    return {.resources = all_of({"verbs", "apiGroups", "resources"}, arena),
            .paths = all_of({"verbs", "nonResourceURLs"}, arena),
            .error = {}};
  }

 private:
  // Returns a list with one rule that has "*" everywhere.
  static Value all_of(std::initializer_list<std::string_view> keys, json::Arena& arena) {
    Value every = Value::array(arena);
    every.push_back(arena, Value::string("*"));
    Value rule = Value::object(arena);
    for (const std::string_view key : keys) rule.append(arena, key, every);
    Value rules = Value::array(arena);
    rules.push_back(arena, rule);
    return rules;
  }
};

class AlwaysDeny final : public Authorizer {
 public:
  std::string_view name() const override { return "AlwaysDeny"; }
  Decision authorize(const Attributes&) const override {
    return {.verdict = Verdict::kNoOpinion, .reason = "Everything is forbidden.", .error = {}};
  }

  Rules rules_for(const User&, std::string_view, json::Arena& arena) const override {
    return {.resources = Value::array(arena), .paths = Value::array(arena), .error = {}};
  }
};

// Escapes characters that a page could take for HTML.
std::string sanitized(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string refusal(const Attributes& wanted) {
  std::string text = "User " + go_quote(wanted.user.name) + " cannot " + std::string(wanted.verb);
  if (!wanted.on_resource) return text + " path " + go_quote(wanted.path);
  std::string resource(wanted.resource);
  if (!wanted.subresource.empty()) resource.append("/").append(wanted.subresource);
  text += " resource " + go_quote(resource) + " in API group " + go_quote(wanted.group);
  if (wanted.ns.empty()) return text + " at the cluster scope";
  return text + " in the namespace " + go_quote(wanted.ns);
}

}  // namespace

json::Value explained(std::string_view authorizer, const Decision& decision, json::Arena& arena) {
  constexpr std::string_view kVerdicts[] = {"Allow", "Deny", "NoOpinion"};
  Value step = Value::object(arena);
  step.append(arena, "authorizer", Value::string(arena.copy(authorizer)));
  step.append(arena, "verdict",
              Value::string(kVerdicts[static_cast<std::size_t>(decision.verdict)]));
  if (!decision.reason.empty()) {
    step.append(arena, "reason", Value::string(arena.copy(decision.reason)));
  }
  if (!decision.error.empty()) {
    step.append(arena, "error", Value::string(arena.copy(decision.error)));
  }
  return step;
}

void Authorizer::explain(const Attributes& attributes, json::Arena& arena, Value& steps) const {
  steps.push_back(arena, explained(name(), authorize(attributes), arena));
}

const Authorizer& always_allow() {
  static constexpr AlwaysAllow authorizer;
  return authorizer;
}

const Authorizer& always_deny() {
  static constexpr AlwaysDeny authorizer;
  return authorizer;
}

Failure forbidden(const Attributes& attributes, std::string_view reason) {
  std::string why = sanitized(refusal(attributes));
  if (!reason.empty()) why.append(": ").append(reason);
  return errors::forbidden({std::string(attributes.group), std::string(attributes.resource)},
                           attributes.name, why);
}

Result<void> check_access(const Authorizer& authorizer, const Attributes& attributes) {
  const Decision decision = authorizer.authorize(attributes);
  if (decision.verdict == Verdict::kAllow) return {};
  return forbidden(attributes, decision.reason);
}

}  // namespace tabernetes::auth
