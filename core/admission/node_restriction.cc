// NodeRestriction: a kubelet changes its own node, and what belongs to the pods on it. Source:
// upstream 1.36 plugin/pkg/admission/noderestriction.

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "admission/node_references.h"
#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "base/crypto/certificate_request.h"
#include "base/go/text.h"
#include "base/text/base64.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::Operation;

constexpr std::string_view kNodeUser = "system:node:", kNodeGroup = "system:nodes";
constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kOwnLabels[] = {"kubernetes.io/hostname",
                                           "topology.kubernetes.io/zone",
                                           "topology.kubernetes.io/region",
                                           "failure-domain.beta.kubernetes.io/zone",
                                           "failure-domain.beta.kubernetes.io/region",
                                           "beta.kubernetes.io/instance-type",
                                           "node.kubernetes.io/instance-type",
                                           "kubernetes.io/os",
                                           "kubernetes.io/arch",
                                           "beta.kubernetes.io/os",
                                           "beta.kubernetes.io/arch"};

// Returns the node that the user is; nullopt if it is none.
std::optional<std::string_view> node_of(const registry::User* user) {
  if (user == nullptr || !user->name.starts_with(kNodeUser)) return std::nullopt;
  const auto& groups = user->groups;
  if (std::find(groups.begin(), groups.end(), kNodeGroup) == groups.end()) return std::nullopt;
  return std::string_view(user->name).substr(kNodeUser.size());
}

bool is_within(std::string_view domain, std::string_view parent) {
  return domain == parent ||
         (domain.ends_with(parent) && domain[domain.size() - parent.size() - 1] == '.');
}

// Returns whether a node may not set the label.
bool is_forbidden_label(std::string_view label) {
  const std::size_t slash = label.find('/');
  const std::string_view domain = slash == label.npos ? "" : label.substr(0, slash);
  if (is_within(domain, "node-restriction.kubernetes.io")) return true;
  if (!is_within(domain, "kubernetes.io") && !is_within(domain, "k8s.io")) return false;
  const bool own =
      std::find(std::begin(kOwnLabels), std::end(kOwnLabels), label) != std::end(kOwnLabels);
  return !own && !is_within(domain, "kubelet.kubernetes.io") &&
         !is_within(domain, "node.kubernetes.io");
}

// Returns the forbidden labels that differ, joined by commas.
std::string forbidden_labels(const Value& now, const Value* before) {
  std::set<std::string_view> found;
  const auto compare = [&](const Value* some, const Value* others) {
    if (some == nullptr || !some->is_object()) return;
    for (const json::Member& label : some->members()) {
      const Value* other = others == nullptr ? nullptr : others->find(label.key);
      const bool same = other != nullptr && json::deep_equal(*other, label.value);
      if (!same && is_forbidden_label(label.key)) found.insert(label.key);
    }
  };
  const Value* labels = now.at({"metadata", "labels"});
  const Value* others = before == nullptr ? nullptr : before->at({"metadata", "labels"});
  compare(labels, others);
  compare(others, labels);
  std::string text;
  for (const std::string_view label : found) {
    text.append(text.empty() ? "" : ", ").append(label);
  }
  return text;
}

class NodeCheck {
 public:
  NodeCheck(const AdmissionRequest& request, const PluginState& state, std::string_view node)
      : request_(request), state_(state), node_(node), quoted_("node " + go_quote(node)) {}

  Result<void> pod() const {
    const std::string_view part = request_.context.subresource;
    if (part == "status") return pod_status();
    if (part == "eviction") return eviction();
    if (!part.empty()) {
      return refuse("unexpected pod subresource " + go_quote(part) +
                    ", only 'status' and 'eviction' are allowed");
    }
    if (request_.operation == Operation::kCreate) return mirror_pod();
    if (request_.operation != Operation::kDelete) {
      return refuse("unexpected operation \"UPDATE\", " + quoted_ +
                    " can only create and delete mirror pods");
    }
    TAB_TRY(const Value pod, find_pod(request_.name));
    if (text_at(pod, {"spec", "nodeName"}) == node_) return {};
    return refuse(quoted_ + " can only delete pods with spec.nodeName set to itself");
  }

  Result<void> node() const {
    if (request_.name != node_) {
      return refuse(quoted_ + " is not allowed to modify node " + go_quote(request_.name));
    }
    if (request_.operation == Operation::kDelete) return {};
    const Value& now = request_.object;
    const Value* before = request_.old;
    const Value* source = now.at({"spec", "configSource"});
    const bool sourced = source != nullptr && !source->is_null();
    if (before == nullptr) {
      if (sourced) {
        return refuse(quoted_ + " is not allowed to create pods with a non-nil configSource");
      }
      const std::string labels = forbidden_labels(now, nullptr);
      if (labels.empty()) return {};
      return refuse(quoted_ + " is not allowed to set the following labels: " + labels);
    }
    if (sourced && !json::deep_equal(source, before->at({"spec", "configSource"}))) {
      return refuse(quoted_ +
                    " is not allowed to update configSource to a new non-nil "
                    "configSource");
    }
    if (!same_list(now, *before, {"spec", "taints"})) {
      return refuse(quoted_ + " is not allowed to modify taints");
    }
    if (!same_list(now, *before, {"metadata", "ownerReferences"})) {
      return refuse(quoted_ + " is not allowed to modify ownerReferences");
    }
    const std::string labels = forbidden_labels(now, before);
    return labels.empty() ? Result<void>() : refuse("is not allowed to modify labels: " + labels);
  }

  Result<void> claim() const {
    if (request_.context.subresource != "status") return refuse("may only update PVC status");
    json::Arena& arena = request_.context.arena;
    const auto bare = [&](const Value& claim) {
      Value copy = claim.clone(arena);
      if (Value* meta = copy.find("metadata")) {
        meta->erase("resourceVersion");
        meta->erase("managedFields");
      }
      if (Value* status = copy.find("status")) {
        for (const std::string_view member :
             {"capacity", "conditions", "allocatedResourceStatuses", "allocatedResources"}) {
          status->erase(member);
        }
        if (status->size() == 0) copy.erase("status");
      }
      return copy;
    };
    if (json::deep_equal(bare(request_.object), bare(*request_.old))) return {};
    return refuse(quoted_ +
                  " is not allowed to update fields other than status.quantity and "
                  "status.conditions");
  }

  Result<void> token() const {
    if (request_.operation != Operation::kCreate || request_.context.subresource != "token") {
      return {};
    }
    const Value& request = request_.object;
    const Value* bound = request.at({"spec", "boundObjectRef"});
    if (bound == nullptr || bound->string_at("apiVersion") != "v1" ||
        bound->string_at("kind") != "Pod" || bound->string_at("name").empty()) {
      return refuse("node requested token not bound to a pod");
    }
    const std::string_view uid = bound->string_at("uid");
    if (uid.empty()) return refuse("node requested token with a pod binding without a uid");
    TAB_TRY(const Value pod, find_pod(bound->string_at("name")));
    if (text_at(pod, {"metadata", "uid"}) != uid) {
      return refuse("the UID in the bound object reference (" + std::string(uid) +
                    ") does not match the UID in record. The object might have been deleted and "
                    "then recreated");
    }
    if (text_at(pod, {"spec", "nodeName"}) != node_) {
      return refuse("node requested token bound to a pod scheduled on a different node");
    }
    return audience(pod);
  }

  Result<void> lease() const {
    if (request_.ns != "kube-node-lease") {
      return refuse("can only access leases in the \"kube-node-lease\" system namespace");
    }
    return named("node lease");
  }

  Result<void> named(std::string_view what) const {
    if (request_.name == node_) return {};
    return refuse("can only access " + std::string(what) +
                  " with the same name as the requesting node");
  }

  Result<void> slice() const {
    const bool creates = request_.operation == Operation::kCreate;
    if (!creates && request_.operation != Operation::kDelete) return {};
    const Value& slice = creates ? request_.object : *request_.old;
    if (text_at(slice, {"spec", "nodeName"}) == node_) return {};
    return refuse("can only " + std::string(creates ? "create" : "delete") +
                  " ResourceSlice with the same NodeName as the requesting node");
  }

  Result<void> certificate() const {
    if (request_.operation != Operation::kCreate) return {};
    const std::string_view signer = text_at(request_.object, {"spec", "signerName"});
    if (signer != "kubernetes.io/kubelet-serving" &&
        signer != "kubernetes.io/kube-apiserver-client-kubelet") {
      return {};
    }
    const RequestSubject subject = read_request_subject(
        base64_decode(text_at(request_.object, {"spec", "request"})).value_or(std::string()));
    if (!subject.fault.empty()) return refuse("unable to parse csr: " + subject.fault);
    const std::string wanted = std::string(kNodeUser) + std::string(node_);
    if (subject.common_name == wanted) return {};
    return refuse("can only create a node CSR with CN=" + wanted);
  }

 private:
  Failure refuse(const std::string& why) const { return refusal(request_, why); }

  static bool same_list(const Value& now, const Value& before, json::Path path) {
    const json::Range<Value> some = items_at(now, path), others = items_at(before, path);
    return std::equal(
        some.begin(), some.end(), others.begin(), others.end(),
        [](const Value& one, const Value& other) { return json::deep_equal(one, other); });
  }

  Result<Value> find_pod(std::string_view name) const {
    const Value pod = request_.registry.find_object({"", "v1", "pods"}, request_.ns, name,
                                                    request_.context.arena);
    if (!pod.is_object()) return errors::not_found({"", "pod"}, name);
    return pod;
  }

  Result<void> mirror_pod() const {
    const Value& pod = request_.object;
    if (pod.at({"metadata", "annotations", kMirror}) == nullptr) {
      return refuse("pod does not have " + go_quote(kMirror) + " annotation, " + quoted_ +
                    " can only create mirror pods");
    }
    if (text_at(pod, {"spec", "nodeName"}) != node_) {
      return refuse(quoted_ + " can only create pods with spec.nodeName set to itself");
    }
    TAB_CHECK(owner(items_at(pod, {"metadata", "ownerReferences"})));
    const auto [what, why] = find_reference(pod);
    if (!why.empty()) return refuse("error checking mirror pod for API references: " + why);
    if (what.empty()) return {};
    return refuse(quoted_ + " can not create pods that reference " + what);
  }

  Result<void> owner(const json::Range<Value>& owners) const {
    const std::string may = quoted_ + " can only create pods with ";
    if (owners.size() > 1) return refuse(may + "a single owner reference set to itself");
    if (owners.size() == 0) return refuse(may + "an owner reference set to itself");
    const Value& owner = owners[0];
    if (owner.string_at("apiVersion") != "v1" || owner.string_at("kind") != "Node" ||
        owner.string_at("name") != node_) {
      return refuse(may + "an owner reference set to itself");
    }
    if (!bool_at(owner, {"controller"})) {
      return refuse(may + "a controller owner reference set to itself");
    }
    if (bool_at(owner, {"blockOwnerDeletion"})) {
      return refuse(quoted_ + " must not set blockOwnerDeletion on an owner reference");
    }
    const Value node =
        request_.registry.find_object({"", "v1", "nodes"}, {}, node_, request_.context.arena);
    if (!node.is_object()) return errors::not_found({"", "node"}, node_);
    const std::string_view uid = text_at(node, {"metadata", "uid"});
    if (owner.string_at("uid") == uid) return {};
    return refuse("node " + std::string(node_) + " UID mismatch: expected " +
                  std::string(owner.string_at("uid")) + " got " + std::string(uid));
  }

  Result<void> pod_status() const {
    const Value& now = request_.object;
    if (request_.operation != Operation::kUpdate) {
      const std::string_view name = request_.operation == Operation::kCreate ? "CREATE" : "DELETE";
      return refuse("unexpected operation " + go_quote(name));
    }
    const Value& before = *request_.old;
    if (text_at(before, {"spec", "nodeName"}) != node_) {
      return refuse(quoted_ +
                    " can only update pod status for pods with spec.nodeName set to itself");
    }
    const Value none = Value::object(request_.context.arena);
    const auto labels = [&](const Value& pod) -> const Value& {
      const Value* found = pod.at({"metadata", "labels"});
      return found != nullptr && found->is_object() ? *found : none;
    };
    if (!json::deep_equal(labels(now), labels(before))) {
      return refuse(quoted_ + " cannot update labels through pod status");
    }
    if (!same_list(now, before, {"status", "resourceClaimStatuses"})) {
      return refuse(quoted_ + " cannot update resource claim statues");
    }
    if (!json::deep_equal(now.at({"status", "extendedResourceClaimStatus"}),
                          before.at({"status", "extendedResourceClaimStatus"}))) {
      return refuse(quoted_ + " cannot update extended resource claim status");
    }
    return {};
  }

  Result<void> eviction() const {
    const std::string_view own = text_at(request_.object, {"metadata", "name"});
    const std::string_view name = request_.name.empty() ? own : request_.name;
    if (name.empty()) return refuse("could not determine pod from request data");
    TAB_TRY(const Value pod, find_pod(name));
    if (text_at(pod, {"spec", "nodeName"}) == node_) return {};
    return refuse("node " + std::string(node_) +
                  " can only evict pods with spec.nodeName set to itself");
  }

  // A node requests tokens for the audiences that its pods have.
  Result<void> audience(const Value& pod) const {
    const json::Range<Value> audiences = items_at(request_.object, {"spec", "audiences"});
    if (audiences.size() > 1) return refuse("node may only request 0 or 1 audiences");
    const std::string_view wanted = audiences.size() == 0 ? "" : text_of(audiences[0]);
    const AudienceSearch found = find_audience(request_, pod, wanted);
    if (found.found) return {};
    if (!found.errors.empty()) {
      return refuse("error validating audience " + go_quote(wanted) + ": " +
                    go_aggregate(found.errors));
    }
    const registry::User& user = *request_.context.user;
    const AccessAnswer answer =
        ask_access(state_.may_access, {user, "request-serviceaccounts-token-audience", "", "v1",
                                       wanted, "", request_.ns, request_.name});
    if (answer.allowed) return {};
    if (!answer.error.empty()) {
      return refuse("audience " + go_quote(wanted) +
                    " not found in pod spec volume, error authorizing " + user.name +
                    " to request tokens for this audience: " + answer.error);
    }
    return refuse("audience " + go_quote(wanted) + " not found in pod spec volume, " + user.name +
                  " is not authorized to request tokens for this audience");
  }

  const AdmissionRequest& request_;
  const PluginState& state_;
  const std::string_view node_;
  const std::string quoted_;
};

}  // namespace

Result<void> restrict_node(const AdmissionRequest& request, PluginState& state) {
  const std::optional<std::string_view> node = node_of(request.context.user);
  if (!node) return {};
  if (node->empty()) {
    return refusal(request,
                   "could not determine node from user " + go_quote(request.context.user->name));
  }
  struct Row {
    std::string_view group, plural;
    Result<void> (NodeCheck::*check)() const;
  };
  static constexpr Row kRows[] = {
      {"", "pods", &NodeCheck::pod},
      {"", "nodes", &NodeCheck::node},
      {"", "persistentvolumeclaims", &NodeCheck::claim},
      {"", "serviceaccounts", &NodeCheck::token},
      {"coordination.k8s.io", "leases", &NodeCheck::lease},
      {"resource.k8s.io", "resourceslices", &NodeCheck::slice},
      {"certificates.k8s.io", "certificatesigningrequests", &NodeCheck::certificate}};
  const schema::Resource& resource = *request.type.resource;
  const NodeCheck check(request, state, *node);
  if (resource.group == "storage.k8s.io" && resource.plural == "csinodes") {
    return check.named("CSINode");
  }
  for (const Row& row : kRows) {
    if (row.group == resource.group && row.plural == resource.plural) return (check.*row.check)();
  }
  return {};
}

}  // namespace tabernetes::admission
