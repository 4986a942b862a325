#include "kinds/pod_template/env_sources.h"

#include <string>

#include "base/api/quantity.h"
#include "base/text/ascii.h"

namespace tabernetes::registry::kinds {
namespace {

// Fields that the API knows; `supported` lists the ones allowed here.
constexpr std::string_view kLabels =
    "metadata.annotations,metadata.labels,metadata.name,metadata.namespace,metadata.uid,"
    "spec.nodeName,spec.restartPolicy,spec.serviceAccountName,spec.schedulerName,status.phase,"
    "status.hostIP,status.hostIPs,status.podIP,status.podIPs";
constexpr std::string_view kResources =
    "limits.cpu,limits.ephemeral-storage,limits.memory,requests.cpu,requests.ephemeral-storage,"
    "requests.memory";
constexpr std::string_view kByteDivisors = "1,1k,1M,1G,1T,1P,1E,1Ki,1Mi,1Gi,1Ti,1Pi,1Ei";

// Splits path['subscript']; returns false for other texts.
bool split_subscript(std::string_view text, std::string_view& path, std::string_view& subscript) {
  path = text;
  const std::size_t open = text.find("['");
  if (!text.ends_with("']") || open == 0 || open == std::string_view::npos ||
      open + 4 > text.size()) {
    return false;
  }
  path = text.substr(0, open);
  subscript = text.substr(open + 2, text.size() - open - 4);
  return true;
}

void validate_divisor(const Field& divisor, std::string_view resource) {
  std::string_view error;
  const auto quantity = Quantity::parse(divisor.text(), error);
  if (!quantity || quantity->is_zero()) return;
  const auto refuse = [&](std::string_view values, std::string_view what) {
    if (listed(values, divisor.text())) return;
    std::string list;
    for (const char c : values) list.append(c == ',' ? ", " : std::string(1, c));
    if (values == "1m,1") list = "1m and 1";
    divisor.invalid_string(resource, "only divisor's values " + list + " are supported with the " +
                                         std::string(what) + " resource");
  };
  if (resource.ends_with("s.cpu")) {
    refuse("1m,1", "cpu");
  } else if (resource.ends_with("s.memory")) {
    refuse(kByteDivisors, "memory");
  } else if (resource.ends_with("s.ephemeral-storage")) {
    refuse(kByteDivisors, "local ephemeral storage");
  } else if (resource.starts_with("requests.hugepages-") ||
             resource.starts_with("limits.hugepages-")) {
    refuse(kByteDivisors, "hugepages");
  }
}

}  // namespace

void validate_field_reference(const Field& ref, std::string_view supported) {
  if (!ref["apiVersion"].require() || !ref["fieldPath"].require()) return;
  const Field field = ref["fieldPath"];
  const auto refuse = [&](std::string_view why, std::string_view what) {
    field.invalid("error converting fieldPath: " + std::string(why) + ": " + std::string(what));
  };
  if (!ref["apiVersion"].is("v1")) {
    return refuse("unsupported pod version", ref.text_at("apiVersion"));
  }
  std::string_view path;
  std::string_view subscript;
  if (split_subscript(field.text(), path, subscript)) {
    if (path == "metadata.annotations" || path == "metadata.labels") {
      const std::string key =
          path == "metadata.labels" ? std::string(subscript) : ascii_lower(subscript);
      for (const std::string& fault : qualified_name_faults(key)) ref.invalid_string(key, fault);
      return;
    }
    return refuse("field label does not support subscript", field.text());
  }
  if (path == "spec.host") path = "spec.nodeName";
  if (!listed(kLabels, path)) return refuse("field label not supported", path);
  if (listed(supported, path)) return;
  const json::Value shown = json::Value::string(path);
  ref.as("fieldPath", Field(shown, ref.errors())).not_supported(supported);
}

void validate_resource_reference(const Field& ref, bool in_volume) {
  const Field resource = ref["resource"];
  const std::string_view name = resource.text();
  if (in_volume && ref.text_at("containerName").empty()) {
    ref["containerName"].required();
  } else if (name.empty()) {
    resource.required();
  } else if (!listed(kResources, name) && !name.starts_with("requests.hugepages-") &&
             !name.starts_with("limits.hugepages-")) {
    resource.not_supported(kResources);
  }
  validate_divisor(ref["divisor"], name);
}

bool has_parent_element(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace tabernetes::registry::kinds
