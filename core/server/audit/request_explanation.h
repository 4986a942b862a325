// Why a request is answered as it is: who asked, what each authorizer and each admission plugin
// said.
#pragma once

#include <cstdint>
#include <optional>

#include "auth/authorizer.h"
#include "json/value.h"
#include "registry/kind/admission_steps.h"

namespace tabernetes::server {

// Returns {"user","action","allowed","reason","microseconds","authorizers"}: what was asked, the
// decision, how long it took (with a stopwatch), and how each authorizer came to its own; see
// auth::Authorizer::explain(). Texts are copied.
json::Value explain_access(const auth::Authorizer& authorizer, const auth::Attributes& attributes,
                           const Stopwatch& stopwatch, json::Arena& arena);

// Adds "microseconds" to an object.
void add_duration(json::Value& object, Duration took, json::Arena& arena);

// Follows one request, until the end of its last attempt.
class RequestExplanation {
 public:
  // With an empty stopwatch, durations are left out.
  explicit RequestExplanation(const Stopwatch& stopwatch = {})
      : began_(stopwatch ? stopwatch() : 0), admission_(stopwatch) {}

  void begin_attempt() {
    access_ = {};
    admission_.clear();
  }
  void set_access(const auth::Authorizer& authorizer, const auth::Attributes& attributes) {
    access_ = explain_access(authorizer, attributes, admission_.stopwatch(), arena_);
  }
  registry::AdmissionSteps& admission() { return admission_; }

  // Returns the value of explain_access(), or null if it did not come to that.
  const json::Value& access() const { return access_; }
  // Returns [{"phase","plugin","resource","refusal","patch","microseconds"}].
  json::Value steps(json::Arena& arena) const;
  // Returns the time since the beginning, with all waiting; nullopt without a stopwatch.
  std::optional<Duration> took() const;

 private:
  std::int64_t began_;
  json::Arena arena_;
  json::Value access_;
  registry::AdmissionSteps admission_;
};

}  // namespace tabernetes::server
