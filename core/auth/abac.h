// Attribute-based access control: authorizes by the policies of a file. Source: upstream 1.36
// pkg/auth/authorizer/abac, pkg/apis/abac.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/authorizer.h"

namespace tabernetes::auth {

class AbacPolicies final : public Authorizer {
 public:
  // Reads a file with a policy of JSON on each line; empty lines and those that begin with # are
  // skipped.
  explicit AbacPolicies(std::string_view text);

  // Returns the first error in the file; empty if there is none.
  const std::string& fault() const { return fault_; }

  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;
  std::string_view name() const override { return "ABAC"; }

 private:
  struct Policy {
    std::string user, group;
    bool readonly = false;
    std::string api_group, resource, ns, path;
  };

  // Returns what is wrong with a line, or an empty text.
  std::string add(std::string_view line);
  static bool concerns(const Policy& policy, const User& user);
  static bool covers(const Policy& policy, const Attributes& wanted);

  std::vector<Policy> policies_;
  std::string fault_;
};

}  // namespace tabernetes::auth
