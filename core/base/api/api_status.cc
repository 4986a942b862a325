// Source of messages, codes and details: spec/rest.md 4.2; upstream 1.36: apimachinery
// pkg/api/errors.
#include "base/api/api_status.h"

#include "base/go/text.h"

namespace tabernetes {

Failure::Failure(ApiStatus status) : status_(new ApiStatus(std::move(status))) {}

void Failure::destroy(ApiStatus* status) { delete status; }

namespace errors {
namespace {

constexpr std::string_view kNoSuchRoute = "the server could not find the requested resource";
constexpr std::string_view kNoSuchMethod =
    "the server does not allow this method on the requested resource";
constexpr std::string_view kRejected =
    "the server rejected our request due to an error in our request";

ApiStatus status(int code, std::string_view reason, std::string message) {
  ApiStatus result;
  result.code = code;
  result.reason = reason;
  result.message = std::move(message);
  return result;
}

ApiStatus with_details(ApiStatus result, StatusDetails details) {
  result.details = std::move(details);
  return result;
}

// Returns the quoted form used in messages: `pods "a"`, `deployments.apps "a"`.
std::string named(const GroupResource& resource, std::string_view name) {
  return resource.to_string() + " " + go_quote(name);
}

StatusDetails details_of(const GroupResource& resource, std::string_view name) {
  StatusDetails details;
  details.name = name;
  details.group = resource.group;
  details.kind = resource.resource;
  return details;
}

}  // namespace

Failure not_found(const GroupResource& resource, std::string_view name) {
  return with_details(status(404, "NotFound", named(resource, name) + " not found"),
                      details_of(resource, name));
}

Failure route_not_found() {
  return with_details(status(404, "NotFound", std::string(kNoSuchRoute)), {});
}

Failure already_exists(const GroupResource& resource, std::string_view name) {
  return with_details(status(409, "AlreadyExists", named(resource, name) + " already exists"),
                      details_of(resource, name));
}

Failure generate_name_conflict(const GroupResource& resource, std::string_view name) {
  StatusDetails details = details_of(resource, name);
  details.retry_after_seconds = 1;
  return with_details(
      status(409, "AlreadyExists",
             named(resource, name) + " already exists, the server was not able to generate a " +
                 "unique name for the object"),
      std::move(details));
}

Failure conflict(const GroupResource& qualified, std::string_view name, std::string_view cause) {
  return with_details(status(409, "Conflict",
                             "Operation cannot be fulfilled on " + named(qualified, name) + ": " +
                                 std::string(cause)),
                      details_of(qualified, name));
}

Failure forbidden(const GroupResource& resource, std::string_view name, std::string_view cause) {
  std::string message;
  if (resource.resource.empty()) {
    message = "forbidden: ";  // no resource: a non-resource path such as /healthz
  } else {
    message = (name.empty() ? resource.to_string() : named(resource, name)) + " is forbidden: ";
  }
  message += cause;
  return with_details(status(403, "Forbidden", std::move(message)), details_of(resource, name));
}

Failure bad_request(std::string_view message) {
  return status(400, "BadRequest", std::string(message));
}

Failure unauthorized() { return status(401, "Unauthorized", "Unauthorized"); }

Failure route_method_not_allowed() {
  return with_details(status(405, "MethodNotAllowed", std::string(kNoSuchMethod)), {});
}

Failure method_not_supported(const GroupResource& resource, std::string_view verb) {
  return with_details(status(405, "MethodNotAllowed",
                             std::string(verb) + " is not supported on resources of kind " +
                                 go_quote(resource.to_string())),
                      details_of(resource, {}));
}

Failure not_acceptable(std::string_view message) {
  return status(406, "NotAcceptable", std::string(message));
}

Failure unsupported_media_type(std::string_view message) {
  return status(415, "UnsupportedMediaType", std::string(message));
}

Failure request_entity_too_large(std::string_view text) {
  return status(413, "RequestEntityTooLarge", "Request entity too large: " + std::string(text));
}

Failure expired(std::string_view message) { return status(410, "Expired", std::string(message)); }

Failure timeout(std::string_view text, int retry_after_seconds) {
  StatusDetails details;
  details.retry_after_seconds = retry_after_seconds;
  return with_details(status(504, "Timeout", "Timeout: " + std::string(text)), std::move(details));
}

Failure too_large_resource_version(std::string_view requested, std::string_view current) {
  Failure result = timeout("Too large resource version: " + std::string(requested) +
                               ", current: " + std::string(current),
                           1);
  result->details->causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  return result;
}

Failure internal_error(std::string_view text) {
  StatusDetails details;
  details.causes.push_back({"", std::string(text), ""});
  return with_details(status(500, "InternalError", "Internal error occurred: " + std::string(text)),
                      std::move(details));
}

Failure plain_error(std::string_view message) { return status(500, "", std::string(message)); }

Failure unprocessable(std::string_view message) {
  return with_details(status(422, "Invalid", std::string(message.empty() ? kRejected : message)),
                      {});
}

}  // namespace errors
}  // namespace tabernetes
