// StatefulSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "json/access.h"
#include "json/fill.h"
#include "kinds/apps/int_or_percent.h"
#include "kinds/apps/shared.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/pod_template/template.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "kinds/shared/selectors.h"
#include "kinds/volumes/claim_spec.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/name_table.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kStatefulSetRules, R"(
on create update
 spec
  podManagementPolicy required
   ?!=OrderedReady|Parallel
    . bad "must be 'OrderedReady' or 'Parallel'"
  updateStrategy
   ?!type
    . need
   else ?type=OnDelete
    rollingUpdate given bad=#apps.v1.RollingUpdateStatefulSetStrategy "only allowed for updateStrategy 'RollingUpdate'"
   else ?type=RollingUpdate
    rollingUpdate @rolling-set
   else
    . bad=#apps.v1.StatefulSetUpdateStrategy "must be 'RollingUpdate' or 'OnDelete'"
  persistentVolumeClaimRetentionPolicy given
   whenDeleted,whenScaled enum:Retain,Delete
  on create
   volumeClaimTemplates[].spec &claim-spec
  replicas,minReadySeconds min:0
  ordinals.start min:0
  on create
   serviceName opt is:label
  @stateful-template
  template.spec
   restartPolicy enum:Always
   activeDeadlineSeconds given deny "activeDeadlineSeconds in StatefulSet is not Supported"
on update
 spec @fixed-members
on status
 status
  replicas,readyReplicas,currentReplicas,updatedReplicas,availableReplicas,observedGeneration,collisionCount min:0
  readyReplicas,currentReplicas,updatedReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
  availableReplicas le:.readyReplicas "cannot be greater than status.readyReplicas"
  collisionCount @not-decremented
)");

TAB_DEFAULTS(kStatefulSetDefaults, R"(
spec made
 template made @template-defaults
 podManagementPolicy default=OrderedReady
 updateStrategy made
  ?!type
   type default=RollingUpdate
   rollingUpdate made
  ?type=RollingUpdate
   rollingUpdate given
    partition fill=0
 persistentVolumeClaimRetentionPolicy made
  whenDeleted,whenScaled default=Retain
 replicas fill=1
 revisionHistoryLimit fill=10
 volumeClaimTemplates[]
  spec made
   volumeMode fill=Filesystem
  apiVersion default=v1
  kind default=PersistentVolumeClaim
  status made
   phase default=Pending
)");

namespace {

using json::Arena;
using json::Value;

void set_stateful_set_defaults(const HookContext& context, Value& object) {
  if (!context.gates.enabled("MaxUnavailableStatefulSet")) return;
  Value* update = object_in(object_or_new(object, "spec", context.arena), "updateStrategy");
  if (update == nullptr || update->string_at("type") != "RollingUpdate") return;
  if (Value* rolling = object_in(*update, "rollingUpdate")) {
    fill_int(*rolling, "maxUnavailable", 1, context.arena);
  }
}

// Returns the template as the controller will use it: with generated pod names, and with the
// volumes of the claims.
Value used_template(const Field& spec, Arena& arena) {
  const Field tmpl = spec["template"];
  const Field pod = tmpl["spec"];
  const Field claims = spec["volumeClaimTemplates"];
  if (!pod.present()) return *tmpl.value();
  Value used = tmpl.value()->shallow_copy(arena);
  Value own = pod.value()->shallow_copy(arena);
  own.erase("subdomain");
  own.erase("hostname");
  if (!claims.empty()) {
    NameTable names;
    Value volumes = Value::array(arena);
    for (const Field claim : claims.items()) {
      const Field metadata = claim["metadata"];
      const std::string_view name = metadata.text_at("name");
      if (!names.add(name)) continue;
      Value source = Value::object(arena);
      source.append(arena, "claimName", Value::string(name));
      Value volume = Value::object(arena);
      volume.append(arena, "name", Value::string(name));
      volume.append(arena, "persistentVolumeClaim", source);
      volumes.push_back(arena, volume);
    }
    const Field given = pod["volumes"];
    for (const Field volume : given.items()) {
      if (!names.has(volume.text_at("name"))) volumes.push_back(arena, *volume.value());
    }
    own.set(arena, "volumes", volumes);
  }
  used.set(arena, "spec", own);
  return used;
}

void stateful_template(const Place& at) {
  const Field& spec = at.now;
  const Field selector = spec["selector"];
  if (!validate_selector(selector, "statefulset")) {
    selector.invalid("");
  } else {
    Arena arena;
    const Value used = used_template(spec, arena);
    const Field place = spec.as("template", Field(used, spec.errors()));
    const Field metadata = place["metadata"];
    const Field annotations = place.as("annotations", metadata["annotations"]);
    validate_template_labels(selector, place);
    validate_pod_template(place);
    validate_label_map(place.as("labels", metadata["labels"]));
    validate_annotation_map(annotations);
    validate_pod_annotations(annotations, place["spec"]);
  }
}

void rolling_set(const Place& place) {
  const Field& rolling = place.now;
  rolling["partition"].non_negative();
  const Field unavailable = rolling["maxUnavailable"];
  if (!unavailable.present()) return;
  validate_int_or_percent(unavailable);
  if (int_or_percent_value(unavailable) == 0) unavailable.invalid("cannot be 0");
  validate_at_most_100_percent(unavailable);
}

// Returns true if every immutable member of `a` is the same in `b`.
bool same_fixed_members(const Field& a, const Field& b) {
  constexpr std::string_view kMayChange =
      "replicas,ordinals,template,updateStrategy,minReadySeconds,revisionHistoryLimit,"
      "persistentVolumeClaimRetentionPolicy";
  for (const Field member : a.items()) {
    if (!listed(kMayChange, member.name()) && !member.same(b[member.name()])) return false;
  }
  return true;
}

void fixed_members(const Place& place) {
  const Field& now = place.now;
  const Value none;
  const Field before(place.old == nullptr ? none : *place.old, now.errors());
  if (same_fixed_members(now, before) && same_fixed_members(before, now)) return;
  now.forbidden(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

void warn_of_stateful_set(const Field& object, const Value* old, Warnings& out) {
  warn_of_spec_template(object, old, out);
  const Field spec = object["spec"];
  const Field claims = spec["volumeClaimTemplates"];
  for (const Field claim : claims.items()) {
    // Upstream's paths omit the spec or capitalize it.
    const Field claim_spec = claim["spec"];
    const Field large = claim.as("Spec", claim_spec);
    warn_of_claim_spec(
        old == nullptr ? claim.as("resources", claim_spec["resources"]) : large["resources"], out);
  }
  if (spec.number_at("revisionHistoryLimit") < 0) {
    out.at(spec["revisionHistoryLimit"],
           {"a negative value retains all historical revisions; a value >= 0 is recommended"});
  }
}

void print_stateful_set(const Value& object, Row& row) {
  row.name(object);
  row.text(ready_of_desired(object));
  row.age(object);
  print_template_containers(object, row);
}

}  // namespace

extern const NamedCheck kStatefulSetChecks[] = {
    {"stateful-template", &stateful_template},
    {"rolling-set", &rolling_set},
    {"fixed-members", &fixed_members},
};

extern const Kind kStatefulSetKind{.group = "apps",
                                   .kind = "StatefulSet",
                                   .strategy = {.names = kLabelName,
                                                .meta_passes = {"CF", "UF", "UF"},
                                                .generation = Generation::kSpec,
                                                .set_defaults = &set_stateful_set_defaults,
                                                .warnings = &warn_of_stateful_set},
                                   .rules = &kStatefulSetRules,
                                   .defaults = &kStatefulSetDefaults,
                                   .print = &print_stateful_set};

}  // namespace tabernetes::registry::kinds
