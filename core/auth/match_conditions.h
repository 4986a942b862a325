// The match conditions of an authorization webhook: CEL over the spec of a SubjectAccessReview.
// Source: upstream 1.36 apiserver/pkg/authorization/cel.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "auth/authorizer.h"
#include "cel/compile.h"

namespace tabernetes::auth {

class MatchConditions {
 public:
  MatchConditions();
  MatchConditions(const MatchConditions&) = delete;
  MatchConditions& operator=(const MatchConditions&) = delete;

  // Adds a condition. Returns why it does not compile, or an empty text.
  std::string add(std::string_view expression);

  enum class Matched { kYes, kNo, kFailed };
  // kFailed: `error` says why no condition is false although not all are true.
  Matched check(const Attributes& wanted, std::string& error) const;

 private:
  json::Arena types_;
  cel::Variable request_;
  std::deque<std::pair<std::string, cel::Program>> conditions_;
};

}  // namespace tabernetes::auth
