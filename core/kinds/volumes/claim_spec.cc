// Specs of persistent volume claims, also in claim templates. Source: upstream 1.36
// pkg/apis/core/validation, pkg/api/persistentvolumeclaim/util.go; spec/defaults-validation.md 2.4.
#include "kinds/volumes/claim_spec.h"

#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/checks.h"
#include "kinds/shared/resource_names.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kClaimSpecRules, R"(
accessModes required "at least 1 access mode is required"
selector given &selector
@access-modes
@claim-size
storageClassName opt is:subdomain
volumeMode given enum:Block,Filesystem
dataSource given &data-source
dataSourceRef given &data-source
dataSourceRef.namespace opt is:label
@data-sources
volumeAttributesClassName opt is:subdomain
)");

TAB_RULES(kDataSourceRules, R"(
name required
kind required
?!apiGroup
 @claim-source
apiGroup opt is:subdomain
)");

namespace {

using json::Arena;
using json::Value;

void claim_size(const Place& place) {
  const Field resources = place.now["resources"];
  const Field requests = resources["requests"];
  const Field storage = requests["storage"];
  const field::Path path = resources.path().key("storage");
  if (!storage.present()) {
    resources.errors().push_back(field::required(path));
  } else if (quantity_of(storage).sign() <= 0) {
    resources.errors().push_back(
        field::invalid(path, storage.printed(), "must be greater than zero"));
  }
}

void claim_source(const Place& place) {
  const std::string_view kind = place.now.text_at("kind");
  if (kind == "PersistentVolumeClaim") return;
  place.now.invalid_string(kind,
                           "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
}

// Upstream's path has no members.
void data_sources(const Place& place) {
  const Field source = place.now["dataSource"];
  const Field reference = place.now["dataSourceRef"];
  if (!source.present() || !reference.present()) return;
  if (!reference.text_at("namespace").empty()) {
    place.now.invalid_printed("{}",
                              "may not be specified when dataSourceRef.namespace is specified");
    return;
  }
  for (const std::string_view name : {"apiGroup", "kind", "name"}) {
    if (source.text_at(name) != reference.text_at(name)) {
      return place.now.invalid_printed("{}", "must match dataSourceRef");
    }
  }
}

}  // namespace

void set_claim_spec_defaults(Value& claim, Arena& arena) {
  fill(object_or_new(claim, "spec", arena), "volumeMode", Value::string("Filesystem"), arena);
}

void warn_of_claim_spec(const Field& resources, Warnings& out) {
  warn_of_fraction(resources["requests"], "storage", out);
  warn_of_fraction(resources["limits"], "storage", out);
}

extern const NamedCheck kClaimSpecChecks[] = {
    {"claim-size", &claim_size},
    {"claim-source", &claim_source},
    {"data-sources", &data_sources},
};

}  // namespace tabernetes::registry::kinds
