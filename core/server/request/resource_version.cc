#include "server/request/resource_version.h"

#include "base/go_text.h"

namespace tabernetes::server {

Result<store::Revision> parse_version(const registry::ResourceType& type, VersionOf verb,
                                      std::string_view text) {
  if (text.empty()) return store::Revision{0};
  const GoParsedUint parsed = go_parse_uint(text);
  if (parsed.error.empty()) return parsed.value;
  const std::string what =
      "resourceVersion: Invalid value: " + go_quote(text) + ": " + parsed.error;
  // The real server forgets to make a bad request of it where its cache looks first.
  const bool plain =
      verb == VersionOf::kWatch || (verb == VersionOf::kGet && !type.strategy->uncached);
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

Result<void> check_reached(Call& call, store::Revision wanted) {
  const store::Revision current = call.objects.revision();
  if (wanted <= current) return {};
  if (!call.type->strategy->uncached) call.awaits = wanted;
  return not_reached(*call.type, wanted, current);
}

}  // namespace tabernetes::server
