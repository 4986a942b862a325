#include "registry/validation/signer_names.h"

#include <string>

namespace tabernetes::registry::validation {
namespace {

constexpr std::size_t kMaxDomain = 253;
constexpr std::size_t kMaxName = kMaxDomain + 1 + 63 + 1 + 253;
constexpr std::size_t kMaxAnnotationBytes = 256 * 1024;

// Each part between dots; only the first with faults is told of. Returns how many there are.
std::size_t validate_parts(const Field& name, std::string_view text,
                           Faults (*format)(std::string_view)) {
  std::size_t count = 1;
  bool told = false;
  for (std::string_view rest = text;; ++count) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    if (!told) {
      for (const std::string& fault : format(part)) {
        name.invalid_text(text, "validating label \"" + std::string(part) + "\": " + fault);
        told = true;
      }
    }
    if (dot == std::string_view::npos) return count;
    rest.remove_prefix(dot + 1);
  }
}

}  // namespace

void validate_signer_name(const Field& name) {
  if (!name.require()) return;
  const std::string_view text = name.text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos) {
    name.invalid("must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  const std::string_view domain = text.substr(0, slash);
  if (domain.size() > kMaxDomain) name.too_long(kMaxDomain);
  if (validate_parts(name, domain, dns1123_label_faults) < 2) {
    name.invalid_text(domain, "should be a domain with at least two segments separated by dots");
  }
  validate_parts(name, text.substr(slash + 1), dns1123_subdomain_faults);
  if (text.size() > kMaxName) name.too_long(kMaxName);
}

bool is_kubernetes_signer(std::string_view name) {
  const std::string_view host = name.substr(0, name.find('/'));
  return host == "kubernetes.io" || host.ends_with(".kubernetes.io");
}

Faults trust_bundle_name_faults(std::string_view name) {
  // What stands before the last colon is the signer, and so the prefix is always there.
  const std::size_t colon = name.rfind(':');
  return dns1123_subdomain_faults(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

void validate_user_annotations(const Field& annotations) {
  std::size_t bytes = 0;
  for (const Field entry : annotations.items()) {
    std::string key(entry.name());
    for (char& c : key) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    bytes += entry.name().size() + entry.text().size();
    if (key.empty()) {
      annotations.required();
      continue;
    }
    const Faults faults = qualified_name_faults(key);
    for (const std::string& fault : faults) annotations.invalid_text(key, fault);
    if (faults.empty() && key.find('/') == std::string::npos) {
      annotations.invalid_text(key, "must be a domain-prefixed key (such as \"acme.io/foo\")");
    }
  }
  if (bytes > kMaxAnnotationBytes) annotations.too_long(kMaxAnnotationBytes);
}

}  // namespace tabernetes::registry::validation
