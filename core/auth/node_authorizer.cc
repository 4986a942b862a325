#include "auth/node_authorizer.h"

#include <algorithm>
#include <optional>
#include <string>

#include "auth/bootstrap_roles_text.h"
#include "auth/node_relations.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "registry/selectors/field_selector.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kNodeUsers = "system:node:", kNodes = "system:nodes";
constexpr std::string_view kLeases = "kube-node-lease";

// Returns the name of the node that the user is, which may be empty.
std::optional<std::string_view> node_of(const User& user) {
  const std::string_view name = user.name;
  if (!name.starts_with(kNodeUsers) ||
      std::find(user.groups.begin(), user.groups.end(), kNodes) == user.groups.end()) {
    return std::nullopt;
  }
  return name.substr(kNodeUsers.size());
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool is_read(const Attributes& wanted) { return is_one_of(wanted.verb, {"get", "list", "watch"}); }

bool is_change(const Attributes& wanted) { return is_one_of(wanted.verb, {"update", "patch"}); }

// Returns true if the item is in a list with commas.
bool lists(std::string_view items, std::string_view item) {
  while (!items.empty()) {
    const std::string_view one = take_part(items, ',');
    if (one == item || (one == "\"\"" && item.empty())) return true;
  }
  return false;
}

// Returns whether the rules of the role system:node cover the action.
bool in_node_role(const Attributes& wanted) {
  if (!wanted.on_resource) return false;
  std::string resource(wanted.resource);
  if (!wanted.subresource.empty()) resource.append("/").append(wanted.subresource);
  std::string_view text = bootstrap_roles_text();
  bool inside = false;
  while (!text.empty()) {
    std::string_view line = take_part(text, '\n');
    if (!line.starts_with("  ")) {
      if (inside) return false;
      inside = line.starts_with("system:node ");
      continue;
    }
    if (!inside) continue;
    line.remove_prefix(2);
    const std::string_view verbs = take_part(line, ' ');
    const std::string_view groups = take_part(line, ' ');
    if (lists(verbs, wanted.verb) && lists(groups, wanted.group) && lists(line, resource)) {
      return true;
    }
  }
  return false;
}

Decision allowed() { return {.verdict = Verdict::kAllow, .reason = {}, .error = {}}; }

Decision no_opinion(std::string reason = {}) {
  return {.verdict = Verdict::kNoOpinion, .reason = std::move(reason), .error = {}};
}

// A request of a node.
class NodeRequest {
 public:
  NodeRequest(std::string_view node, const Attributes& wanted, const NodeRelations& relations,
              bool certificates)
      : node_(node), wanted_(wanted), relations_(relations), certificates_(certificates) {}

  Decision decide() const {
    const std::string_view group = wanted_.group, resource = wanted_.resource;
    if (!wanted_.on_resource) return by_role();
    if (group.empty()) return core(resource);
    if (group == "resource.k8s.io" && resource == "resourceclaims") {
      return get(Related::kResourceClaim);
    }
    if (group == "resource.k8s.io" && resource == "resourceslices") return slice();
    if (group == "storage.k8s.io" && resource == "volumeattachments") {
      return get(Related::kAttachment);
    }
    if (group == "storage.k8s.io" && resource == "csinodes") return csi_node();
    if (group == "coordination.k8s.io" && resource == "leases") return lease();
    if (group == "certificates.k8s.io" && resource == "podcertificaterequests") {
      return certificates_ ? certificate_request() : no_opinion();
    }
    return by_role();
  }

 private:
  Decision core(std::string_view resource) const {
    if (resource == "secrets") return read(Related::kSecret);
    if (resource == "configmaps") return read(Related::kConfigMap);
    if (resource == "persistentvolumeclaims") {
      return wanted_.subresource == "status" ? claim_status() : get(Related::kClaim);
    }
    if (resource == "persistentvolumes") return get(Related::kVolume);
    if (resource == "serviceaccounts") return account();
    if (resource == "nodes") return node();
    if (resource == "pods") return pod();
    return by_role();
  }

  Decision by_role() const { return in_node_role(wanted_) ? allowed() : no_opinion(); }

  Decision related(Related kind) const {
    if (wanted_.name.empty()) return no_opinion("No Object name found");
    return related_by_name(kind);
  }
  Decision related_by_name(Related kind) const {
    if (relations_.has(node_, kind, wanted_.ns, wanted_.name)) return allowed();
    return no_opinion("no relationship found between node '" + std::string(node_) +
                      "' and this object");
  }

  Decision get(Related kind) const {
    if (wanted_.verb != "get") {
      return no_opinion("can only get individual resources of this type");
    }
    if (!wanted_.subresource.empty()) return no_opinion("cannot get subresource");
    return related(kind);
  }

  Decision read(Related kind) const {
    if (!is_read(wanted_)) return no_opinion("can only read resources of this type");
    if (!wanted_.subresource.empty()) return no_opinion("cannot read subresource");
    if (wanted_.ns.empty()) return no_opinion("can only read namespaced object of this type");
    return related(kind);
  }

  Decision claim_status() const {
    if (!is_change(wanted_)) return no_opinion("can only get/update/patch this type");
    return related(Related::kClaim);
  }

  Decision account() const {
    if (wanted_.verb == "get" && wanted_.subresource.empty()) {
      return read(Related::kServiceAccount);
    }
    if (wanted_.verb != "create" || wanted_.name.empty()) {
      return no_opinion("can only create tokens for individual service accounts");
    }
    if (wanted_.subresource != "token") {
      return no_opinion("can only create token subresource of serviceaccount");
    }
    return related_by_name(Related::kServiceAccount);
  }

  // What a node does with the object that has its own name. The name of a new one is not known yet:
  // NodeRestriction looks at it.
  bool is_own_verb() const {
    return is_one_of(wanted_.verb, {"get", "create", "update", "patch", "delete"});
  }
  bool is_own() const { return wanted_.verb == "create" || wanted_.name == node_; }

  Decision lease() const {
    if (!is_own_verb()) {
      return no_opinion("can only get, create, update, patch, or delete a node lease");
    }
    if (wanted_.ns != kLeases) {
      return no_opinion("can only access leases in the " + go_quote(kLeases) + " system namespace");
    }
    if (is_own()) return allowed();
    return no_opinion("can only access node lease with the same name as the requesting node");
  }

  Decision csi_node() const {
    if (!is_own_verb()) {
      return no_opinion("can only get, create, update, patch, or delete a CSINode");
    }
    if (!wanted_.subresource.empty()) return no_opinion("cannot authorize CSINode subresources");
    if (is_own()) return allowed();
    return no_opinion("can only access CSINode with the same name as the requesting node");
  }

  // Returns whether a field selector takes only objects of the node.
  bool selects_own(std::string_view field) const {
    const auto selector = registry::parse_field_selector(wanted_.field_selector);
    if (!selector) return false;
    using Term = registry::FieldSelector::Term;
    const Term own{std::string(field), registry::FieldSelector::Operator::kEquals,
                   std::string(node_)};
    const auto& terms = selector->terms();
    return std::find(terms.begin(), terms.end(), own) != terms.end();
  }

  Decision slice() const {
    if (!wanted_.subresource.empty()) {
      return no_opinion("cannot authorize ResourceSlice subresources");
    }
    if (wanted_.verb == "create") return allowed();
    if (is_own_verb()) return related(Related::kSlice);
    if (!is_one_of(wanted_.verb, {"watch", "list", "deletecollection"})) {
      return no_opinion(
          "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, "
          "update, patch, delete, deletecollection");
    }
    if (selects_own("spec.nodeName")) return allowed();
    return no_opinion(
        "can only list/watch/deletecollection resourceslices with nodeName field selector");
  }

  Decision certificate_request() const {
    if (!wanted_.subresource.empty()) {
      return no_opinion("nodes may not access the status subresource of PodCertificateRequests");
    }
    if (wanted_.verb == "create") return allowed();
    if (wanted_.verb == "get") return related(Related::kCertificateRequest);
    if (!is_read(wanted_)) {
      return no_opinion("nodes may not " + std::string(wanted_.verb) + " podcertificaterequests");
    }
    if (selects_own("spec.nodeName")) return allowed();
    return no_opinion("can only list/watch podcertificaterequests with nodeName field selector");
  }

  Decision node() const {
    if (wanted_.subresource == "status") return is_change(wanted_) ? allowed() : no_opinion();
    if (!wanted_.subresource.empty()) return no_opinion();
    if (wanted_.verb == "create" || is_change(wanted_)) return allowed();
    if (!is_read(wanted_)) return no_opinion();
    if (wanted_.name == node_) return allowed();
    const std::string start = "node '" + std::string(node_) + "' cannot read ";
    if (wanted_.name.empty()) return no_opinion(start + "all nodes, only its own Node object");
    return no_opinion(start + "'" + std::string(wanted_.name) + "', only its own Node object");
  }

  Decision pod() const {
    if (wanted_.subresource == "status") return is_change(wanted_) ? allowed() : no_opinion();
    if (wanted_.subresource == "eviction") {
      return wanted_.verb == "create" ? allowed() : no_opinion();
    }
    if (!wanted_.subresource.empty()) return no_opinion();
    if (wanted_.verb == "create" || wanted_.verb == "delete") return allowed();
    if (wanted_.verb == "get") return get(Related::kPod);
    if (!is_read(wanted_)) return no_opinion();
    if (selects_own("spec.nodeName")) return allowed();
    if (!wanted_.name.empty()) return related(Related::kPod);
    return no_opinion("can only list/watch pods with spec.nodeName field selector");
  }

  std::string_view node_;
  const Attributes& wanted_;
  const NodeRelations& relations_;
  bool certificates_;
};

}  // namespace

Decision NodeAuthorizer::authorize(const Attributes& wanted) const {
  const std::optional<std::string_view> node = node_of(wanted.user);
  if (!node) return no_opinion();
  if (node->empty()) return no_opinion("unknown node for user " + go_quote(wanted.user.name));
  const NodeRelations relations{*resources_, objects_};
  return NodeRequest(*node, wanted, relations, certificates_).decide();
}

Rules NodeAuthorizer::rules_for(const User& user, std::string_view, json::Arena& arena) const {
  Rules rules{
      .resources = json::Value::array(arena), .paths = json::Value::array(arena), .error = {}};
  if (!node_of(user)) return rules;
  rules.incomplete = true;
  rules.error = "node authorizer does not support user rule resolution";
  return rules;
}

}  // namespace tabernetes::auth
