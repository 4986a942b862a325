#include "auth/bootstrap_roles.h"

#include <string_view>

#include "auth/bootstrap_roles_text.h"
#include "base/text/parts.h"

namespace tabernetes::auth {
namespace {

using Items = std::string_view;  // separated by commas

void add_list(std::string_view key, Items items, std::string& out) {
  out.append(out.back() == '{' ? "\"" : ",\"").append(key).append("\":[");
  for (bool first = true; first || !items.empty(); first = false) {
    const std::string_view item = take_part(items, ',');
    out.append(first ? "\"" : ",\"").append(item == "\"\"" ? "" : item).append("\"");
  }
  out += ']';
}

void add_rule(std::string_view line, std::string& rules) {
  rules += rules.empty() ? "{" : ",{";
  add_list("verbs", take_part(line, ' '), rules);
  const Items first = take_part(line, ' ');
  if (line.empty()) {
    add_list("nonResourceURLs", first, rules);
  } else {
    add_list("apiGroups", first, rules);
    add_list("resources", take_part(line, ' '), rules);
    if (!line.empty()) add_list("resourceNames", line, rules);
  }
  rules += '}';
}

constexpr std::string_view kAggregate = R"("rbac.authorization.k8s.io/aggregate-to-)";

// A role being converted to the manifest, with its binding.
struct Role {
  std::string ns, name, binding, labels, gathered, subjects, rules;
  bool bound = false;

  explicit Role(std::string_view line) {
    std::string_view full = take_part(line, ' ');
    if (full.find('/') != std::string_view::npos) ns = take_part(full, '/');
    name = binding = full;
    while (!line.empty()) add(take_part(line, ' '));
  }

  void add(std::string_view word) {
    const char mark = word.front();
    const std::string label = std::string(kAggregate).append(word.substr(1)) + R"(":"true")";
    if (mark == '+') {
      labels += "," + label;
    } else if (mark == '<') {
      gathered = label;
    } else {
      add_subject(word);
    }
  }

  void add_subject(std::string_view word) {
    const std::string_view what = take_part(word, '=');
    if (what == "as") {
      binding = word;
      return;
    }
    bound = true;
    if (what == "nobody") return;
    subjects += subjects.empty() ? R"({"kind":")" : R"(,{"kind":")";
    subjects += what == "user" ? "User" : what == "group" ? "Group" : "ServiceAccount";
    subjects.append(R"(","name":")").append(word);
    if (what == "account") subjects += R"(","namespace":"kube-system)";
    subjects += "\"}";
  }

  std::string_view kind() const { return ns.empty() ? "ClusterRole" : "Role"; }

  void add_head(std::string_view suffix, const std::string& named, std::string_view more,
                std::string& out) const {
    out += R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":")";
    out.append(kind()).append(suffix).append(R"(","metadata":{"name":")").append(named);
    if (!ns.empty()) out.append(R"(","namespace":")").append(ns);
    out += R"(","annotations":{"rbac.authorization.kubernetes.io/autoupdate":"true"})";
    out += R"(,"labels":{"kubernetes.io/bootstrapping":"rbac-defaults")";
    out.append(more).append("}}");
  }

  void write(std::string& out, std::string& bindings) const {
    add_head("", name, labels, out);
    if (gathered.empty()) {
      out.append(R"(,"rules":[)").append(rules).append("]}\n");
    } else {
      out += R"(,"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{)";
      out.append(gathered).append("}}]}}\n");
    }
    if (!bound) return;
    write_binding(bindings);
  }

  void write_binding(std::string& out) const {
    add_head("Binding", binding, "", out);
    out.append(R"(,"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":")").append(kind());
    out.append(R"(","name":")").append(name).append("\"}");
    if (!subjects.empty()) out.append(R"(,"subjects":[)").append(subjects).append("]");
    out += "}\n";
  }
};

}  // namespace

std::string bootstrap_roles_manifest() {
  std::string out;
  std::string bindings;
  std::string_view left = bootstrap_roles_text();
  while (!left.empty()) {
    Role role(take_part(left, '\n'));
    while (left.starts_with(' ')) add_rule(take_part(left, '\n').substr(2), role.rules);
    role.write(out, bindings);
  }
  return out + bindings;
}

}  // namespace tabernetes::auth
