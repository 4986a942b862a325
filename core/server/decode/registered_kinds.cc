// Tested by tests/conformance/cases/bodies.json.
#include "server/decode/registered_kinds.h"

#include <algorithm>
#include <string_view>

#include "base/go/text.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kMeta = "meta.k8s.io";

bool is_one_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Kinds common to all groups and versions.
bool is_unversioned(std::string_view kind) {
  return is_one_of(kind, {"Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"});
}

// Kinds registered for every group and version.
bool comes_with_versions(std::string_view kind) {
  return is_one_of(kind, {"DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions",
                          "GetOptions", "ListOptions", "WatchEvent"});
}

bool is_served_version(const schema::Catalogue& catalogue, const Gvk& gvk) {
  const auto& resources = catalogue.resources();
  return std::any_of(resources.begin(), resources.end(), [&gvk](const schema::Resource& resource) {
    return resource.group == gvk.group && resource.version == gvk.version;
  });
}

}  // namespace

const schema::Type* registered_object(const schema::Catalogue& catalogue, const Gvk& gvk) {
  if (is_unversioned(gvk.kind)) return catalogue.find_kind("", "v1", gvk.kind);
  if (comes_with_versions(gvk.kind)) {
    const bool known = is_served_version(catalogue, gvk) ||
                       (gvk.group == "extensions" && gvk.version == "v1beta1");
    return known ? catalogue.find_kind(kMeta, "v1", gvk.kind) : nullptr;
  }
  if (gvk.group == kMeta) return nullptr;
  return catalogue.find_kind(gvk.group, gvk.version, gvk.kind);
}

const schema::Type* registered_option(const schema::Catalogue& catalogue, const Gvk& gvk) {
  if (is_unversioned(gvk.kind)) return catalogue.find_kind("", "v1", gvk.kind);
  if (is_one_of(gvk.kind, {"DeleteOptions", "CreateOptions", "UpdateOptions"})) {
    return catalogue.find_kind(kMeta, "v1", gvk.kind);
  }
  if (gvk.group != kMeta || gvk.kind == "ApplyOptions") return nullptr;
  return catalogue.find_kind(kMeta, gvk.version, gvk.kind);
}

std::string cannot_be_handled(const Gvk& actual, std::string_view target) {
  return actual.kind + " in version \"" + actual.version + "\" cannot be handled as a " +
         std::string(target) + ": ";
}

std::string not_registered(const Gvk& gvk, Scheme scheme) {
  const std::string_view name =
      scheme == Scheme::kObjects
          ? "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"
          : "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";
  return "no kind " + go_quote(gvk.kind) + " is registered for version " +
         go_quote(gvk.api_version()) + " in scheme \"" + std::string(name) + "\"";
}

std::string missing_kind(std::string_view body) {
  return "Object 'Kind' is missing in '" + std::string(body) + "'";
}

std::string missing_version(std::string_view body) {
  return "Object 'apiVersion' is missing in '" + std::string(body) + "'";
}

std::string unknown_conversion(std::string_view version, std::string_view kind,
                               const std::string& target) {
  return "converting (" + std::string(version) + "." + std::string(kind) + ") to (" + target +
         "): unknown conversion";
}

std::string internal_type(const Gvk& gvk) {
  const std::string package = gvk.group.empty() ? "core" : gvk.group.substr(0, gvk.group.find('.'));
  return package + "." + gvk.kind;
}

bool is_registered_elsewhere(const schema::Catalogue& catalogue, const Gvk& gvk) {
  return gvk.group == "extensions" && gvk.version == "v1beta1" &&
         catalogue.find_kind("apps", "v1", gvk.kind) != nullptr;
}

}  // namespace tabernetes::server
