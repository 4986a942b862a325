// API errors: ApiStatus holds the fields of metav1.Status; there is one constructor for each
// reason. Source: spec/rest.md 4, spec/lifecycle.md 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/group_version.h"

namespace tabernetes {

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;
  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;  // the resource in most errors, the Kind in Invalid
  std::string uid;
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;
  friend bool operator==(const StatusDetails&, const StatusDetails&) = default;
};

// A failure or, for a few calls, a success. Set but empty `details` are written as {}; unset ones
// are omitted.
struct ApiStatus {
  int code = 500;
  std::string reason;  // empty: omitted (a "bare" 500)
  std::string message;
  std::optional<StatusDetails> details;
  std::string continue_token;  // metadata.continue of an expired list
  // metadata.resourceVersion: only webhooks give one.
  std::string resource_version = {};
  friend bool operator==(const ApiStatus&, const ApiStatus&) = default;
};

// Lets the compiler pass and return a class that holds one pointer in a register.
#ifdef __clang__
#define TAB_AS_POINTER [[clang::trivial_abi]]
#else
#define TAB_AS_POINTER
#endif

// Owns the ApiStatus of a failed call. It is one pointer, because most calls can fail, few do, and
// every caller passes it on. A moved-from Failure is empty.
class TAB_AS_POINTER [[nodiscard]] Failure {
 public:
  Failure(ApiStatus status);  // NOLINT(google-explicit-constructor): a status is what is returned
  Failure(Failure&& other) noexcept : status_(std::exchange(other.status_, nullptr)) {}
  Failure& operator=(Failure&& other) noexcept {
    std::swap(status_, other.status_);
    return *this;
  }
  ~Failure() {
    if (status_ != nullptr) destroy(status_);
  }

  // REQUIRES (all three): not moved from.
  ApiStatus& operator*() const { return *status_; }
  ApiStatus* operator->() const { return status_; }
  operator const ApiStatus&() const { return *status_; }  // NOLINT(google-explicit-constructor)

 private:
  template <typename T>
  friend class Result;

  Failure() = default;
  static void destroy(ApiStatus* status);

  ApiStatus* status_ = nullptr;
};

namespace errors {

Failure not_found(const GroupResource& resource, std::string_view name);
Failure route_not_found();  // 404 with details {}
Failure already_exists(const GroupResource& resource, std::string_view name);
Failure generate_name_conflict(const GroupResource& resource, std::string_view name);
// `qualified` is the resource ("pods") or, for delete preconditions, the Kind ("Pod").
Failure conflict(const GroupResource& qualified, std::string_view name, std::string_view cause);
// Returns the message `forbidden: CAUSE` and details {} if `resource` is empty.
Failure forbidden(const GroupResource& resource, std::string_view name, std::string_view cause);
Failure bad_request(std::string_view message);
Failure unauthorized();
Failure route_method_not_allowed();  // 405 with details {}
Failure method_not_supported(const GroupResource& resource, std::string_view verb);
Failure not_acceptable(std::string_view message);
Failure unsupported_media_type(std::string_view message);
Failure request_entity_too_large(std::string_view text);
Failure expired(std::string_view message);
Failure timeout(std::string_view text, int retry_after_seconds);
// Returns `Timeout: Too large resource version: N, current: M` with its cause; spec/list-watch.md
// 2.
Failure too_large_resource_version(std::string_view requested, std::string_view current);
Failure internal_error(std::string_view text);
Failure plain_error(std::string_view message);  // 500 without a reason
// Returns 422 with reason Invalid and details {}. An empty message selects the server's general
// one.
Failure unprocessable(std::string_view message);

}  // namespace errors
}  // namespace tabernetes
