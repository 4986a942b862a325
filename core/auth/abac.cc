#include "auth/abac.h"

#include <algorithm>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "codec/json_reader.h"
#include "json/access.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kAbacGroup = "abac.authorization.kubernetes.io/";

// Reads the members of a policy; notes the first that is of a wrong type.
class Members {
 public:
  explicit Members(const Value& object) : object_(object) {}

  std::string text(std::string_view name) {
    const Value* value = given(name);
    if (value == nullptr) return {};
    if (!value->is_string()) fail(name, "a string");
    return std::string(json::text_of(value));
  }
  bool truth(std::string_view name) {
    const Value* value = given(name);
    if (value == nullptr) return false;
    if (!value->is_bool()) fail(name, "true or false");
    return json::bool_at(object_, {name});
  }
  const std::string& fault() const { return fault_; }

 private:
  const Value* given(std::string_view name) const {
    const Value* value = object_.find(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  void fail(std::string_view name, std::string_view expected) {
    if (fault_.empty()) fault_ = std::string(name) + " must be " + std::string(expected);
  }

  const Value& object_;
  std::string fault_;
};

bool is_read(std::string_view verb) { return verb == "get" || verb == "list" || verb == "watch"; }

bool matches(std::string_view wanted, std::string_view value) {
  return wanted == "*" || wanted == value;
}

// A "*" at the end of a policy's path stands for anything.
bool matches_path(std::string_view wanted, std::string_view path) {
  if (matches(wanted, path)) return true;
  if (!wanted.ends_with('*')) return false;
  return path.starts_with(wanted.substr(0, wanted.find_last_not_of('*') + 1));
}

Value list_of(std::initializer_list<std::string_view> texts, json::Arena& arena) {
  Value list = Value::array(arena);
  for (const std::string_view text : texts) list.push_back(arena, Value::string(text));
  return list;
}

}  // namespace

AbacPolicies::AbacPolicies(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = go_trim_space(take_part(text, '\n'));
    if (line.empty() || line.front() == '#') continue;
    const std::string fault = add(line);
    if (fault.empty()) continue;
    fault_ = "line " + std::to_string(number) + ": " + fault;
    return;
  }
}

std::string AbacPolicies::add(std::string_view line) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(line, arena);
  if (!read.ok()) return read.error;
  if (!read.value.is_object()) return "a policy must be an object";
  const std::string_view version = read.value.string_at("apiVersion");
  const std::string_view kind = read.value.string_at("kind");
  const bool older = version.empty() || kind.empty() || version == std::string(kAbacGroup) + "v0";
  if ((!older && version != std::string(kAbacGroup) + "v1beta1") ||
      (!kind.empty() && kind != "Policy")) {
    return "no kind " + go_quote(kind) + " is registered for version " + go_quote(version);
  }
  const Value* spec = older ? &read.value : read.value.find("spec");
  const Value none = Value::object(arena);
  if (spec == nullptr || spec->is_null()) spec = &none;
  if (!spec->is_object()) return "spec must be an object";
  Members members(*spec);
  Policy policy{.user = members.text("user"),
                .group = members.text("group"),
                .readonly = members.truth("readonly"),
                .api_group = older ? "*" : members.text("apiGroup"),
                .resource = members.text("resource"),
                .ns = members.text("namespace"),
                .path = older ? "" : members.text("nonResourcePath")};
  if (!members.fault().empty()) return members.fault();
  const bool unnamed = older && policy.user.empty() && policy.group.empty();
  if (unnamed || policy.user == "*" || policy.group == "*") {
    policy.user.clear();
    policy.group = kAuthenticated;
  }
  if (older && policy.ns.empty() && policy.resource.empty()) policy.path = "*";
  if (older && policy.ns.empty()) policy.ns = "*";
  if (older && policy.resource.empty()) policy.resource = "*";
  policies_.push_back(std::move(policy));
  return {};
}

bool AbacPolicies::concerns(const Policy& policy, const User& user) {
  if (!policy.user.empty() && policy.user != user.name) return false;
  if (policy.group.empty()) return !policy.user.empty();
  return std::find(user.groups.begin(), user.groups.end(), policy.group) != user.groups.end();
}

bool AbacPolicies::covers(const Policy& policy, const Attributes& wanted) {
  if (policy.readonly && !is_read(wanted.verb)) return false;
  if (!wanted.on_resource) return matches_path(policy.path, wanted.path);
  return matches(policy.ns, wanted.ns) && matches(policy.resource, wanted.resource) &&
         matches(policy.api_group, wanted.group);
}

Decision AbacPolicies::authorize(const Attributes& wanted) const {
  for (const Policy& policy : policies_) {
    if (concerns(policy, wanted.user) && covers(policy, wanted)) {
      return {.verdict = Verdict::kAllow, .reason = {}, .error = {}};
    }
  }
  return {.verdict = Verdict::kNoOpinion, .reason = "No policy matched.", .error = {}};
}

Rules AbacPolicies::rules_for(const User& user, std::string_view ns, json::Arena& arena) const {
  Rules rules{.resources = Value::array(arena), .paths = Value::array(arena), .error = {}};
  for (const Policy& policy : policies_) {
    if (!concerns(policy, user) || !matches(policy.ns, ns)) continue;
    const Value verbs =
        policy.readonly ? list_of({"get", "list", "watch"}, arena) : list_of({"*"}, arena);
    Value rule = Value::object(arena);
    rule.append(arena, "verbs", verbs);
    if (!policy.resource.empty()) {
      Value resources = rule.clone(arena);
      resources.append(arena, "apiGroups", list_of({policy.api_group}, arena));
      resources.append(arena, "resources", list_of({policy.resource}, arena));
      rules.resources.push_back(arena, resources);
    }
    if (!policy.path.empty()) {
      rule.append(arena, "nonResourceURLs", list_of({policy.path}, arena));
      rules.paths.push_back(arena, rule);
    }
  }
  return rules;
}

}  // namespace tabernetes::auth
