#include "rules/webhook_client.h"

#include <string>
#include <string_view>

#include "base/api/names.h"
#include "base/go/text.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kForm = "; desired format: https://host[/path]";

// Returns url.Parse's error for a host with its port; empty if it is good. Source: Go
// net/url/url.go (parseHost).
std::string host_fault(std::string_view host) {
  std::size_t colon = host.rfind(':');
  if (host.starts_with('[')) {
    const std::size_t end = host.rfind(']');
    if (end == std::string_view::npos) return "missing ']' in host";
    colon = end + 1 == host.size() ? std::string_view::npos : end + 1;
  }
  if (colon == std::string_view::npos) return {};
  const std::string_view port = host.substr(colon);
  if (port[0] == ':' && port.find_first_not_of("0123456789", 1) == std::string_view::npos) {
    return {};
  }
  return "invalid port " + go_quote(port) + " after host";
}

// Returns url.Parse's error; empty if there is none.
std::string parse_fault(std::string_view url, std::string_view scheme, std::string_view host) {
  for (const char c : url) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      return "net/url: invalid control character in URL";
    }
  }
  if (scheme.empty() && url.starts_with(':')) return "missing protocol scheme";
  return host_fault(host);
}

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
  if (const std::string fault = parse_fault(url.text(), scheme, host); !fault.empty()) {
    return url.required("url must be a valid URL: parse " + go_quote(url.text()) + ": " + fault +
                        std::string(kForm));
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
