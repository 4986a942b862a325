#include "server/request/resource_version.h"

#include "base/go/text.h"

namespace tabernetes::server {

Result<store::Revision> parse_version(const registry::ResourceType& type, VersionCheck verb,
                                      std::string_view text) {
  if (text.empty()) return store::Revision{0};
  const GoParsedUint parsed = go_parse_uint(text);
  if (parsed.error.empty()) return parsed.value;
  const std::string what =
      "resourceVersion: Invalid value: " + go_quote(text) + ": " + parsed.error;
  // The real server forgets to turn this into a bad request where its watch cache checks first.
  const bool plain =
      verb == VersionCheck::kWatch || (verb == VersionCheck::kGet && !type.strategy->uncached);
  if (plain) return errors::plain_error(what);
  return errors::bad_request("invalid resource version: " + what);
}

Failure not_reached(const registry::ResourceType& type, store::Revision wanted,
                    store::Revision current) {
  ApiStatus status =
      errors::too_large_resource_version(std::to_string(wanted), std::to_string(current));
  if (type.strategy->uncached) status.details->retry_after_seconds = 0;
  return status;
}

Result<void> check_reached(RequestContext& call, store::Revision wanted) {
  const store::Revision current = call.objects.revision();
  if (wanted <= current) return {};
  if (!call.type->strategy->uncached) call.waits_for_revision = wanted;
  return not_reached(*call.type, wanted, current);
}

}  // namespace tabernetes::server
