// Checks of the volumes of pods and their sources. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidateVolumes and below.
#include <string>

#include "base/api/quantity.h"
#include "base/regex/pattern.h"
#include "kinds/pod_template/env_sources.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/volumes/sources.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kEmptyDirVolumeRules, R"(
sizeLimit @size-limit
)");

TAB_RULES(kGitRepoVolumeRules, R"(
repository required
directory @relative-path
)");

TAB_RULES(kSecretVolumeRules, R"(
secretName required
&keyed-files
)");

TAB_RULES(kIscsiVolumeRules, R"(
targetPortal required
iqn required @initiator
lun range:0-255
&chap
initiatorName>initiatorname given @initiator
)");

TAB_RULES(kGlusterfsVolumeRules, R"(
endpoints,path required
)");

TAB_RULES(kPersistentVolumeClaimVolumeRules, R"(
claimName required
)");

TAB_RULES(kCinderVolumeRules, R"(
volumeID required
secretRef given
 name required
)");

TAB_RULES(kDownwardAPIVolumeRules, R"(
defaultMode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
items>^[].^ &downward-file
)");

TAB_RULES(kConfigMapVolumeRules, R"(
name required
&keyed-files
)");

TAB_RULES(kAzureFileVolumeRules, R"(
secretName,shareName required
)");

TAB_RULES(kStorageosVolumeRules, R"(
volumeName required is:label
volumeNamespace opt is:label
secretRef given
 name required
)");

TAB_RULES(kProjectedVolumeRules, R"(
defaultMode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
@projected
)");

TAB_RULES(kCsiVolumeRules, R"(
driver required maxlen:63 is:lower-subdomain
nodePublishSecretRef given
 name required
nodePublishSecretRef>^.name opt is:subdomain
)");

TAB_RULES(kEphemeralVolumeRules, R"(
volumeClaimTemplate present &claim-template
)");

TAB_RULES(kImageVolumeRules, R"(
?!@template
 reference required
pullPolicy required enum:Always,IfNotPresent,Never
)");

TAB_RULES(kClaimTemplateRules, R"(
metadata
 annotations @annotations
 labels @labels
 @no-other-metadata
spec &claim-spec
)");

// Pods only.
TAB_RULES(kKeyedFilesRules, R"(
defaultMode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
items[] &volume-key
)");

TAB_RULES(kVolumeKeyRules, R"(
key required
path required
path @volume-path
mode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
)");

TAB_RULES(kDownwardFileRules, R"(
path required
path @volume-path
?+fieldRef
 fieldRef @downward-field
 ?+resourceFieldRef
  . bad="resource" "fieldRef and resourceFieldRef can not be specified simultaneously"
else ?+resourceFieldRef
 resourceFieldRef @volume-resource
else
 . need "one of fieldRef and resourceFieldRef is required"
mode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
)");

TAB_RULES(kTokenSecondsRules, R"(
expirationSeconds ge:600 "may not specify a duration less than 10 minutes"
expirationSeconds le:4294967296 "may not specify a duration larger than 2^32 seconds"
)");

namespace {

constexpr std::string_view kOneType = "may not specify more than 1 volume type";
constexpr std::string_view kOneTypePerSource = "may not specify more than 1 volume type per source";

void volume_path(const Place& place) { validate_volume_path(place.now); }

void size_limit(const Place& place) {
  std::string_view error;
  const auto quantity = Quantity::parse(place.now.text(), error);
  if (quantity && quantity->sign() < 0) {
    place.now.forbidden("SizeLimit field must be a valid resource quantity");
  }
}

// Checks the name of an iSCSI initiator: iqn., eui. or naa.
void initiator(const Place& place) {
  const Field& name = place.now;
  constexpr std::string_view kPatterns[] = {
      R"(^iqn\.\d{4}-\d{2}\.([0-9A-Za-z-.]+)(:[^,;*&$|\s]+)$)", "^eui.[0-9A-Za-z]{16}$",
      "^naa.[0-9A-Za-z]{32}$"};
  for (const std::string_view pattern : kPatterns) {
    if (name.text().substr(0, 3) != pattern.substr(1, 3)) continue;
    if (!Pattern::compile(pattern)->matches(name.text())) name.invalid("must be valid format");
    return;
  }
  name.invalid("must be valid format starting with iqn, eui, or naa");
}

void downward_field(const Place& place) {
  constexpr std::string_view kFields =
      "metadata.annotations,metadata.labels,metadata.name,metadata.namespace,metadata.uid";
  validate_field_reference(place.now, kFields);
}

void volume_resource(const Place& place) { validate_resource_reference(place.now, true); }

// Rejects metadata of a claim template other than labels and annotations.
void only_labels_and_annotations(const Place& place) {
  for (const Field member : place.now.items()) {
    if (member.name() == "annotations" || member.name() == "labels") continue;
    place.now[member.name()].forbidden("cannot be set");
  }
}

// --- Projected volumes

// The paths of files in the volume.
class Paths {
 public:
  explicit Paths(const Field& volume) : volume_(volume) {}
  void add(std::string_view path, std::string_view shown) {
    if (!taken_.add(path)) volume_.invalid_string(shown, "conflicting duplicate paths");
  }
  const Field& volume() const { return volume_; }

 private:
  const Field& volume_;
  NameTable taken_;
};

void validate_projected_keys(const Field& source, Paths& paths) {
  source["name"].require();
  const Field items = source["items"];
  for (const Field item : items.items()) {
    kVolumeKeyRules.check_alone(item);
    const std::string_view path = item.text_at("path");
    if (!path.empty()) paths.add(path, source.text_at("name"));
  }
}

void validate_projected_fields(const Field& source, Paths& paths) {
  const Field files = source["items"];
  for (const Field file : files.items()) {
    kDownwardFileRules.check_alone(source.with(file));
    const std::string_view path = file.text_at("path");
    if (!path.empty()) paths.add(path, path);
  }
}

void validate_token(const Field& source, Paths& paths) {
  kTokenSecondsRules.check_alone(source);
  const Field path = paths.volume().as("path", source["path"]);
  if (path.require()) validate_volume_path(path);
}

void projected(const Place& place) {
  const Field& volume = place.now;
  struct Source {
    std::string_view name;
    void (*validate)(const Field&, Paths&);
  };
  static constexpr Source kProjected[] = {
      {"secret", &validate_projected_keys},
      {"configMap", &validate_projected_keys},
      {"downwardAPI", &validate_projected_fields},
      {"serviceAccountToken", &validate_token},
  };
  Paths paths(volume);
  const Field list = volume["sources"];
  for (const Field item : list.items()) {
    int count = 0;
    for (const Source& source : kProjected) {
      const Field field = item[source.name];
      // A token is not counted.
      if (!field.present()) continue;
      if (source.name != "serviceAccountToken") ++count;
      source.validate(field, paths);
    }
    if (count > 1) item.forbidden(kOneTypePerSource);
  }
}

// --- Volumes

struct VolumeSource {
  std::string_view name;
  const Rules& rules;
  std::string_view shown = {};   // name in paths
  std::string_view second = {};  // name in paths if another source precedes it
};

// In upstream's order. Some rules are those of persistent volumes.
constexpr VolumeSource kVolumeSources[] = {
    {"emptyDir", kEmptyDirVolumeRules},
    {"hostPath", kHostPathRules},
    {"gitRepo", kGitRepoVolumeRules},
    {"gcePersistentDisk", kGcePersistentDiskRules, "persistentDisk"},
    {"awsElasticBlockStore", kAwsElasticBlockStoreRules},
    {"secret", kSecretVolumeRules},
    {"nfs", kNfsRules},
    {"iscsi", kIscsiVolumeRules},
    {"glusterfs", kGlusterfsVolumeRules},
    {"flocker", kFlockerRules},
    {"persistentVolumeClaim", kPersistentVolumeClaimVolumeRules},
    {"rbd", kRbdRules},
    {"cinder", kCinderVolumeRules},
    {"cephfs", kCephfsRules, {}, "cephFS"},
    {"quobyte", kQuobyteRules},
    {"downwardAPI", kDownwardAPIVolumeRules, {}, "downwarAPI"},
    {"fc", kFcRules},
    {"flexVolume", kFlexVolumeRules},
    {"configMap", kConfigMapVolumeRules},
    {"azureFile", kAzureFileVolumeRules},
    {"vsphereVolume", kVsphereVolumeRules},
    {"photonPersistentDisk", kPhotonPersistentDiskRules},
    {"portworxVolume", kPortworxVolumeRules},
    {"azureDisk", kAzureDiskRules},
    {"storageos", kStorageosVolumeRules},
    {"projected", kProjectedVolumeRules},
    {"scaleIO", kScaleIORules},
    {"csi", kCsiVolumeRules},
    {"ephemeral", kEphemeralVolumeRules},
    {"image", kImageVolumeRules},
};

void validate_initiator_length(const Field& volume, const Field& iscsi) {
  if (!iscsi.has("initiatorName")) return;
  if (volume.text_at("name").size() + 1 + iscsi.text_at("targetPortal").size() <= 64) return;
  volume["name"].invalid(
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
      "iscsi.initiatorName is specified.");
}

std::string claim_name(const PodScope& scope, std::string_view volume) {
  return std::string(scope.pod_name) + "-" + std::string(volume);
}

// Checks the name of the claim that will be created for the volume.
void validate_claim_name(const Field& volume, const PodScope& scope) {
  const Field name = volume["name"];
  if (scope.pod_name.empty() || name.text().empty()) return;
  const std::string claim = claim_name(scope, name.text());
  for (const std::string& fault : dns1123_subdomain_faults(claim)) {
    name.invalid("PVC name \"" + claim + "\": " + fault);
  }
}

void validate_source(const Field& volume, const PodScope& scope) {
  bool any = false;
  for (const VolumeSource& row : kVolumeSources) {
    const json::Value* value = volume.find(row.name);
    if (value == nullptr || value->is_null()) continue;
    const Field source = volume[row.name];
    if (any) {
      volume.as(row.second.empty() ? row.name : row.second, source).forbidden(kOneType);
    } else {
      any = true;
      const Field shown = volume.as(row.shown.empty() ? row.name : row.shown, source);
      Place place{shown, nullptr, Write::kCreate, scope.spec.value()};
      place.pod = &scope;
      row.rules.check(place);
      if (row.name == "ephemeral") validate_claim_name(volume, scope);
    }
    if (row.name == "iscsi") validate_initiator_length(volume, source);
  }
  if (!any) volume.required("must specify a volume type");
}

// Returns true if the claim belongs to one of the pod's ephemeral volumes.
bool is_ephemeral_claim(const Field& volumes, const PodScope& scope, std::string_view claim) {
  if (scope.pod_name.empty() || !claim.starts_with(scope.pod_name)) return false;
  for (const Field volume : volumes.items()) {
    if (volume.has("ephemeral") && claim_name(scope, volume.text_at("name")) == claim) return true;
  }
  return false;
}

}  // namespace

void validate_volumes(PodScope& scope) {
  const Field volumes = scope.spec["volumes"];
  for (const Field volume : volumes.items()) {
    const std::size_t before = volume.errors().size();
    validate_source(volume, scope);
    const Field name = volume["name"];
    name.require(dns1123_label_faults);
    if (scope.volumes.has(name.text())) name.duplicate();
    if (volume.errors().size() == before) scope.volumes.add(name.text(), volume.value());
    const Field claim = volume["persistentVolumeClaim"];
    if (claim.present() && is_ephemeral_claim(volumes, scope, claim.text_at("claimName"))) {
      claim["claimName"].invalid(
          "must not reference a PVC that gets created for an ephemeral volume");
    }
  }
}

void validate_relative_path(const Field& path) {
  if (path.text().starts_with('/')) path.invalid("must be a relative path");
  validate_no_parent_elements(path);
}

void validate_volume_path(const Field& path) {
  validate_relative_path(path);
  if (path.text().starts_with("..") && !path.text().starts_with("../")) {
    path.invalid("must not start with '..'");
  }
}

bool validate_no_parent_elements(const Field& path) {
  if (!has_parent_element(path.text())) return true;
  path.invalid("must not contain '..'");
  return false;
}

extern const NamedCheck kVolumesChecks[] = {
    {"volume-path", &volume_path},
    {"size-limit", &size_limit},
    {"initiator", &initiator},
    {"downward-field", &downward_field},
    {"volume-resource", &volume_resource},
    {"no-other-metadata", &only_labels_and_annotations},
    {"projected", &projected},
};

}  // namespace tabernetes::registry::kinds
