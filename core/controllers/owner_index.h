// Who depends on whom: from the uid of an owner to the objects whose ownerReferences name it.
//
// A copy-on-write tree as the store's own, so that a fork shares it: one small record a reference,
// at OWNER-UID/KEY-OF-THE-DEPENDENT.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/tree.h"

namespace tabernetes::controllers {

class OwnerIndex {
 public:
  struct Dependent {
    std::string key;        // in the store
    bool blocking = false;  // it says that it blocks its owner's deletion
  };

  OwnerIndex() = default;
  OwnerIndex(const OwnerIndex& other) : tree_(other.tree_.tree()) {}
  OwnerIndex& operator=(const OwnerIndex&) = delete;

  // Adds the dependent, or changes what it says.
  void put(std::string_view owner, std::string_view key, bool blocking);
  void erase(std::string_view owner, std::string_view key);
  void clear() { tree_.reset({}); }

  std::vector<Dependent> dependents(std::string_view owner) const;  // in the order of their keys
  bool has_dependents(std::string_view owner) const;

 private:
  store::TreeWriter tree_;
};

}  // namespace tabernetes::controllers
