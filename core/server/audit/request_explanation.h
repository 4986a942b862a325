// Why a request is answered as it is: who asked, what each authorizer and each admission plugin
// said.
#pragma once

#include "auth/authorizer.h"
#include "json/value.h"
#include "registry/kind/admission_steps.h"

namespace tabernetes::server {

// Returns {"user","action","allowed","reason","authorizers"}: what was asked, the decision, and how
// each authorizer came to its own; see auth::Authorizer::explain(). Texts are copied.
json::Value explain_access(const auth::Authorizer& authorizer, const auth::Attributes& attributes,
                           json::Arena& arena);

// Follows one request, until the end of its last attempt.
class RequestExplanation {
 public:
  void begin_attempt() {
    access_ = {};
    admission_.clear();
  }
  void set_access(const auth::Authorizer& authorizer, const auth::Attributes& attributes) {
    access_ = explain_access(authorizer, attributes, arena_);
  }
  registry::AdmissionSteps& admission() { return admission_; }

  // Returns the value of explain_access(), or null if it did not come to that.
  const json::Value& access() const { return access_; }
  // Returns [{"phase","plugin","resource","patch","refusal"}].
  json::Value steps(json::Arena& arena) const;

 private:
  json::Arena arena_;
  json::Value access_;
  registry::AdmissionSteps admission_;
};

}  // namespace tabernetes::server
