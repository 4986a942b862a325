// Role-based access control: authorizes by the roles and bindings in a store. Source:
// spec/crd-auth-admission.md 6.5; upstream 1.36: plugin/pkg/auth/authorizer/rbac,
// pkg/registry/rbac/validation/rule.go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "auth/authorizer.h"
#include "registry/kind/resource_type.h"
#include "store/store.h"

namespace tabernetes::auth {

// Returns whether the user is in the group that may do everything, regardless of roles.
bool is_master(const User& user);

// A rule that a binding grants to a user.
struct Grant {
  const json::Value& binding;
  const json::Value& subject;  // the one that matches the user
  const json::Value* rule;     // null if the role does not exist
};

// The permissions granted by the roles and bindings of one state. Immutable: safe on any thread.
class Grants final : public Authorizer {
 public:
  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;
  std::string_view name() const override { return "RBAC"; }
  // Adds `bindings`: those that name the user, each with the rules of its role and what of the
  // action each lacks.
  void explain(const Attributes& attributes, json::Arena& arena, json::Value& steps) const override;

  // Returns all rules granted to a user in a namespace (empty: in the cluster), those of cluster
  // role bindings first, sorted by name.
  std::vector<Grant> grants_to(const User& user, std::string_view ns) const;
  // Returns the role that a roleRef in a namespace refers to, or null.
  const json::Value* find_role(const json::Value& ref, std::string_view ns) const;

 private:
  friend class Roles;

  // An object, and the record that it views.
  struct Kept {
    store::RecordPtr record;
    std::shared_ptr<json::Arena> arena;
    json::Value object;
  };
  using KeptPtr = std::shared_ptr<const Kept>;
  using Place = std::vector<KeptPtr>::const_iterator;

  Place find_place(std::string_view key) const;
  void add_grants(std::string_view prefix, std::string_view ns, const User& user,
                  std::vector<Grant>& grants) const;
  // A null `kept` removes the object.
  void put(std::string_view key, KeptPtr kept);

  std::vector<KeptPtr> objects_;  // by key
};

// Tracks a store's roles and bindings; unchanged objects are decoded once.
class Roles {
 public:
  std::shared_ptr<const Grants> current(const store::Store& store,
                                        const registry::ResourceTable& resources);
  // Reads the history from `position` on again, which has other events of the same effect there.
  void rewind(std::size_t position) { seen_ = std::min(seen_, position); }

 private:
  std::shared_ptr<const Grants> grants_;
  std::size_t seen_ = 0;  // the history position up to which `grants_` is current
};

}  // namespace tabernetes::auth
