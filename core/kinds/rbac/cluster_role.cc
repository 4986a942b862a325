// ClusterRole of rbac.authorization.k8s.io. Source: upstream 1.36 pkg/apis/rbac/validation.
#include "kinds/row/kind.h"
#include "kinds/shared/selectors.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kClusterRoleRules, R"(
rules[]
 verbs required "verbs must contain at least one value"
 &policy-rule
aggregationRule given
 clusterRoleSelectors required "at least one clusterRoleSelector required if aggregationRule is non-nil"
 clusterRoleSelectors[] @sound-selector
)");

namespace {

void sound_selector(const Place& place) {
  const std::size_t before = place.now.errors().size();
  kSelectorRules.check(place);
  if (place.now.errors().size() != before) {
    place.now.invalid_printed("null", "invalid label selector.");
  }
}

}  // namespace

extern const NamedCheck kClusterRoleChecks[] = {
    {"sound-selector", &sound_selector},
};

extern const Kind kClusterRoleKind{.group = "rbac.authorization.k8s.io",
                                   .kind = "ClusterRole",
                                   .strategy = {.names = kAnyName,
                                                .meta_passes = {"CF", "CFUF", ""},
                                                .allow_create_on_update = true},
                                   .rules = &kClusterRoleRules};

}  // namespace tabernetes::registry::kinds
