// Errors as the API shows them: the fields of metav1.Status, and one constructor for each reason.
// Source: spec/rest.md 4, spec/lifecycle.md 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/group_version.h"

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

// A failure, or for a few calls a success. `details` written as {} differs from none.
struct ApiStatus {
  int code = 500;
  std::string reason;  // empty: left out (a "bare" 500)
  std::string message;
  std::optional<StatusDetails> details;
  std::string continue_token;  // metadata.continue of an expired list
  friend bool operator==(const ApiStatus&, const ApiStatus&) = default;
};

namespace errors {

ApiStatus not_found(const GroupResource& resource, std::string_view name);
ApiStatus route_not_found();  // 404 with details {}
ApiStatus already_exists(const GroupResource& resource, std::string_view name);
ApiStatus generate_name_conflict(const GroupResource& resource, std::string_view name);
// `qualified` is the resource ("pods") or, for delete preconditions, the Kind ("Pod").
ApiStatus conflict(const GroupResource& qualified, std::string_view name, std::string_view cause);
// Without a resource the message is `forbidden: CAUSE` and the details are {}.
ApiStatus forbidden(const GroupResource& resource, std::string_view name, std::string_view cause);
ApiStatus bad_request(std::string_view message);
ApiStatus unauthorized();
ApiStatus route_method_not_allowed();  // 405 with details {}
ApiStatus method_not_supported(const GroupResource& resource, std::string_view verb);
ApiStatus not_acceptable(std::string_view message);
ApiStatus unsupported_media_type(std::string_view message);
ApiStatus request_entity_too_large(std::string_view text);
ApiStatus expired(std::string_view message);
ApiStatus timeout(std::string_view text, int retry_after_seconds);
// `Timeout: Too large resource version: N, current: M` with its cause; spec/list-watch.md 2.
ApiStatus too_large_resource_version(std::string_view requested, std::string_view current);
ApiStatus internal_error(std::string_view text);
ApiStatus plain_error(std::string_view message);  // 500 without a reason
// 422 reason Invalid with details {}; an empty message stands for the server's general one.
ApiStatus unprocessable(std::string_view message);

}  // namespace errors
}  // namespace tabernetes
