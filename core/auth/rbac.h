// Role-based access control: who may do what by the roles and bindings in a store.
// Source: spec/crd-auth-admission.md 6.5; upstream 1.36: plugin/pkg/auth/authorizer/rbac,
// pkg/registry/rbac/validation/rule.go.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "auth/authorizer.h"
#include "registry/resource_type.h"
#include "store/store.h"

namespace tabernetes::auth {

// A group that may do everything, whatever roles there are.
bool is_master(const User& user);

// A rule that a binding gives somebody.
struct Grant {
  const json::Value& binding;
  const json::Value& subject;  // by which it does
  const json::Value* rule;     // null: the role is not there
};

// What the roles and bindings of one state say. Never changes: any thread may ask it.
class Grants final : public Authorizer {
 public:
  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;

  // All rules that a user has in a namespace; empty: in the cluster. Of the cluster's bindings
  // first, in the order of names.
  std::vector<Grant> grants_to(const User& user, std::string_view ns) const;
  // The role that a roleRef names in a namespace; null: there is none.
  const json::Value* find_role(const json::Value& ref, std::string_view ns) const;

 private:
  friend class Roles;

  // An object of a record that it keeps alive.
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
  // `record` null: there is none any more.
  void put(std::string_view key, KeptPtr kept);

  std::vector<KeptPtr> objects_;  // by key
};

// Follows a store, and has what its roles and bindings grant: an object that stays as it is is read
// once.
class Roles {
 public:
  std::shared_ptr<const Grants> current(const store::Store& store,
                                        const registry::ResourceTable& resources);

 private:
  std::shared_ptr<const Grants> grants_;
  std::size_t seen_ = 0;  // the place in the history up to which they are known
};

}  // namespace tabernetes::auth
