#include "base/api/api_status.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

const GroupResource kPods{"", "pods"};
const GroupResource kDeployments{"apps", "deployments"};

// Prints "404 NotFound name/group/kind/retry [reason|message|field] message"; "-" without details.
std::string print(const ApiStatus& status) {
  std::string out = std::to_string(status.code) + " " + status.reason + " ";
  if (!status.details) {
    out += "-";
  } else {
    const StatusDetails& d = *status.details;
    out += d.name + "/" + d.group + "/" + d.kind + "/" + std::to_string(d.retry_after_seconds);
    for (const StatusCause& cause : d.causes) {
      out += " [" + cause.reason + "|" + cause.message + "|" + cause.field + "]";
    }
  }
  return out + " " + status.message;
}

TEST_CASE("api_status: every constructor gives the code, reason, details and text of the API",
          "[base]") {
  struct Case {
    const char* name;
    ApiStatus status;
    const char* expected;
  };
  const Case cases[] = {
      {"not found, core group", errors::not_found(kPods, "x"),
       R"(404 NotFound x//pods/0 pods "x" not found)"},
      {"not found, named group", errors::not_found(kDeployments, "x"),
       R"(404 NotFound x/apps/deployments/0 deployments.apps "x" not found)"},
      {"no such route", errors::route_not_found(),
       "404 NotFound ///0 the server could not find the requested resource"},
      {"already exists", errors::already_exists(kPods, "a"),
       R"(409 AlreadyExists a//pods/0 pods "a" already exists)"},
      {"no free generated name", errors::generate_name_conflict(kPods, "a-bcdfg"),
       R"(409 AlreadyExists a-bcdfg//pods/1 pods "a-bcdfg" already exists, the server was not able to generate a unique name for the object)"},
      {"conflict", errors::conflict(kDeployments, "a", "the object has been modified"),
       R"(409 Conflict a/apps/deployments/0 Operation cannot be fulfilled on deployments.apps "a": the object has been modified)"},
      {"conflict of a Kind", errors::conflict({"", "ConfigMap"}, "a", "why"),
       R"(409 Conflict a//ConfigMap/0 Operation cannot be fulfilled on ConfigMap "a": why)"},
      {"forbidden, named", errors::forbidden(kPods, "x", "why"),
       R"(403 Forbidden x//pods/0 pods "x" is forbidden: why)"},
      {"forbidden, without name", errors::forbidden(kPods, "", "why"),
       "403 Forbidden //pods/0 pods is forbidden: why"},
      {"forbidden path", errors::forbidden({}, "", "why"), "403 Forbidden ///0 forbidden: why"},
      {"bad request", errors::bad_request("no"), "400 BadRequest - no"},
      {"route does not take the method", errors::route_method_not_allowed(),
       "405 MethodNotAllowed ///0 the server does not allow this method on the requested "
       "resource"},
      {"verb not supported", errors::method_not_supported(kDeployments, "patch"),
       R"(405 MethodNotAllowed /apps/deployments/0 patch is not supported on resources of kind "deployments.apps")"},
      {"not acceptable", errors::not_acceptable("text"), "406 NotAcceptable - text"},
      {"unsupported media type", errors::unsupported_media_type("text"),
       "415 UnsupportedMediaType - text"},
      {"body too large", errors::request_entity_too_large("limit is 3145728"),
       "413 RequestEntityTooLarge - Request entity too large: limit is 3145728"},
      {"expired", errors::expired("old"), "410 Expired - old"},
      {"timeout", errors::timeout("slow", 0), "504 Timeout ///0 Timeout: slow"},
      {"future version", errors::too_large_resource_version("999999", "284"),
       "504 Timeout ///1 [ResourceVersionTooLarge|Too large resource version|] Timeout: Too large "
       "resource version: 999999, current: 284"},
      {"internal error", errors::internal_error("boom"),
       "500 InternalError ///0 [|boom|] Internal error occurred: boom"},
      {"bare 500", errors::plain_error("boom"), "500  - boom"},
      {"unprocessable", errors::unprocessable("bad patch"), "422 Invalid ///0 bad patch"},
      {"unprocessable without a text", errors::unprocessable(""),
       "422 Invalid ///0 the server rejected our request due to an error in our request"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) { CHECK(print(c.status) == c.expected); }
  }
}

}  // namespace
}  // namespace tabernetes
