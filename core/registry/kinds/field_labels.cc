#include "registry/kinds/field_labels.h"

#include <algorithm>

#include "base/go_text.h"

namespace tabernetes::registry {
namespace {

// Resources without a rule of their own know the name and the namespace.
bool has_default_labels(const schema::Resource& resource) {
  const auto& known = resource.selectable_fields;
  return known.size() == 2 &&
         std::find(known.begin(), known.end(), "metadata.name") != known.end() &&
         std::find(known.begin(), known.end(), "metadata.namespace") != known.end();
}

}  // namespace

std::string unsupported_field_label(const schema::Resource& resource, std::string_view label) {
  if (!resource.type->open && has_default_labels(resource)) {
    return go_quote(label) +
           " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
  }
  if (resource.group == "batch" && resource.plural == "jobs") {
    return "field label " + go_quote(label) + " not supported for Job";
  }
  std::string text = "field label not supported";
  if (resource.group == "resource.k8s.io" && resource.plural == "resourceslices") {
    text += " for resource.k8s.io/" + std::string(resource.version) + ", Kind=ResourceSlice";
  }
  return text + ": " + std::string(label);
}

}  // namespace tabernetes::registry
