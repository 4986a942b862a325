#include "rules/webhook_client.h"

#include <string>
#include <string_view>

#include "base/api/names.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kForm = "; desired format: https://host[/path]";

}  // namespace

// Checks scheme://[user@]host[/path][?query][#fragment].
void check_webhook_url(const Place& place) {
  const Field& url = place.now;
  std::string_view rest = url.text();
  const auto cut = [&](std::string_view marks) {
    const std::size_t at = rest.find_first_of(marks);
    const std::string_view tail = at == std::string_view::npos ? "" : rest.substr(at);
    rest = rest.substr(0, at);
    return tail;
  };
  const std::string_view fragment = cut("#");
  const std::string_view query = cut("?");
  std::string_view scheme;
  std::size_t colon = rest.find(':');
  if (colon != std::string_view::npos && rest.find('/') > colon) {
    scheme = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  std::string_view host;
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    host = rest.substr(0, rest.find('/'));
  }
  std::string_view user;
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
    user = host.substr(0, at);
    host.remove_prefix(at + 1);
  }
  if (scheme != "https") {
    url.invalid_string(scheme, "'https' is the only allowed URL scheme" + std::string(kForm));
  }
  if (host.empty()) url.invalid_string("", "host must be specified" + std::string(kForm));
  if (!user.empty()) url.invalid_string(user, "user information is not permitted in the URL");
  if (fragment.size() > 1) {
    url.invalid_string(fragment.substr(1), "fragments are not permitted in the URL");
  }
  if (query.size() > 1) {
    url.invalid_string(query.substr(1), "query parameters are not permitted in the URL");
  }
}

void check_webhook_path(const Place& place) {
  const Field& path = place.now;
  std::string_view rest = path.text();
  if (rest.empty() || rest == "/") return;
  if (rest == "//") return path.invalid("segment[0] may not be empty");
  if (rest[0] != '/') path.invalid("must start with a '/'");
  rest.remove_prefix(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (int i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    const std::string where = "segment[" + std::to_string(i) + "]";
    if (step.empty()) {
      path.invalid(where + " may not be empty");
    } else {
      for (const std::string& fault : dns1123_subdomain_faults(step)) {
        path.invalid(where + ": " + fault);
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace tabernetes::registry::validation
