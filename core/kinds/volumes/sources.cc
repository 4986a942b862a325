// Source: upstream 1.36 pkg/apis/core/validation, pkg/apis/core/v1/defaults.go.
#include "kinds/volumes/sources.h"

#include <algorithm>
#include <string>

#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kSecretPairRules, R"(
name required
namespace required
)");

TAB_RULES(kSecretNamesRules, R"(
name required is:subdomain
namespace required is:label
)");

// Sources of persistent volumes and pods, by field name.
TAB_RULES(kHostPathRules, R"(
path required @no-backsteps
?path
 type given enum:,BlockDevice,CharDevice,Directory,DirectoryOrCreate,File,FileOrCreate,Socket
)");

TAB_RULES(kGcePersistentDiskRules, R"(
pdName required
partition range:0-255 "must be between 1 and 255, inclusive"
)");

TAB_RULES(kAwsElasticBlockStoreRules, R"(
volumeID required
partition range:0-255 "must be between 1 and 255, inclusive"
)");

TAB_RULES(kGlusterfsRules, R"(
endpoints required
path required
?+endpointsNamespace
 ?!endpointsNamespace
  endpointsNamespace bad "if the endpointnamespace is set, it must be a valid namespace name"
endpointsNamespace opt is:label
)");

TAB_RULES(kFlockerRules, R"(
?!datasetName
 ?!datasetUUID
  . need "one of datasetName and datasetUUID is required"
?datasetName
 ?datasetUUID
  . bad="resource" "datasetName and datasetUUID can not be specified simultaneously"
datasetName @no-slash
)");

TAB_RULES(kNfsRules, R"(
server required
path required
path @absolute-path
)");

TAB_RULES(kRbdRules, R"(
monitors required
image required
)");

TAB_RULES(kQuobyteRules, R"(
registry required "must be a host:port pair or multiple pairs separated by commas"
?registry
 @quobyte
volume required
)");

TAB_RULES(kCephfsRules, R"(
monitors required
)");

TAB_RULES(kIscsiRules, R"(
targetPortal required
@initiator-length
iqn required @iqn
lun range:0-255
&chap
secretRef given
 name required
initiatorName>initiatorname given @iqn
)");

TAB_RULES(kCinderRules, R"(
volumeID required
secretRef given &secret-pair
)");

TAB_RULES(kFcRules, R"(
?!targetWWNs
 ?!wwids
  targetWWNs need "must specify either targetWWNs or wwids, but not both"
?targetWWNs
 ?wwids
  targetWWNs bad "targetWWNs and wwids can not be specified simultaneously"
 lun present "lun is required if targetWWNs is specified" range:0-255
)");

TAB_RULES(kFlexVolumeRules, R"(
driver required
options{} @flex-option
)");

TAB_RULES(kAzureFileRules, R"(
secretName required
shareName required
secretNamespace given required
)");

TAB_RULES(kVsphereVolumeRules, R"(
volumePath required
)");

TAB_RULES(kPhotonPersistentDiskRules, R"(
pdID required
)");

TAB_RULES(kPortworxVolumeRules, R"(
volumeID required
)");

TAB_RULES(kAzureDiskRules, R"(
diskName required
diskURI required
cachingMode given enum:None,ReadOnly,ReadWrite
kind given enum:Dedicated,Managed,Shared
@disk-uri
)");

TAB_RULES(kScaleIORules, R"(
gateway required
system required
volumeName required
)");

TAB_RULES(kLocalRules, R"(
path required
path @no-backsteps
)");

TAB_RULES(kStorageosRules, R"(
volumeName required is:label
volumeNamespace opt is:label
secretRef given &secret-pair
)");

TAB_RULES(kCsiRules, R"(
driver required maxlen:63 is:lower-subdomain
volumeHandle required
controllerPublishSecretRef given &secret-names
controllerExpandSecretRef given &secret-names
nodePublishSecretRef given &secret-names
nodeExpandSecretRef given &secret-names
)");

TAB_RULES(kChapRules, R"(
?chapAuthDiscovery=true
 secretRef present
else ?chapAuthSession=true
 secretRef present
)");

TAB_DEFAULTS(kSourceDefaults, R"(
hostPath given
 type fill=""
iscsi given
 iscsiInterface default=default
rbd given
 pool default=rbd
 user default=admin
 keyring default=/etc/ceph/keyring
azureDisk given
 cachingMode fill=ReadWrite
 fsType fill=ext4
 readOnly fill=false
 kind fill=Shared
scaleIO given
 storageMode default=ThinProvisioned
 fsType default=xfs
)");

namespace {

using json::Value;

constexpr std::string_view kBadFormat = "must be valid format";

// In upstream's order, with its names.
constexpr PersistentSource kPersistentSources[] = {
    {"hostPath", kHostPathRules},
    {"gcePersistentDisk", kGcePersistentDiskRules, "persistentDisk"},
    {"awsElasticBlockStore", kAwsElasticBlockStoreRules},
    {"glusterfs", kGlusterfsRules},
    {"flocker", kFlockerRules},
    {"nfs", kNfsRules},
    {"rbd", kRbdRules},
    {"quobyte", kQuobyteRules},
    {"cephfs", kCephfsRules, {}, "cephFS"},
    {"iscsi", kIscsiRules},
    {"cinder", kCinderRules},
    {"fc", kFcRules},
    {"flexVolume", kFlexVolumeRules},
    {"azureFile", kAzureFileRules},
    {"vsphereVolume", kVsphereVolumeRules},
    {"photonPersistentDisk", kPhotonPersistentDiskRules},
    {"portworxVolume", kPortworxVolumeRules},
    {"azureDisk", kAzureDiskRules},
    {"scaleIO", kScaleIORules},
    {"local", kLocalRules},
    {"storageos", kStorageosRules},
    {"csi", kCsiRules},
};

// Checks that the spec has exactly one source, and that source.
void volume_source(const Place& place) {
  const Field& spec = place.now;
  bool any = false;
  for (const PersistentSource& source : kPersistentSources) {
    const Field field = spec[source.field];
    if (!field.present()) continue;
    if (any && source.field != "flexVolume") {
      spec.as(source.second.empty() ? source.field : source.second, field)
          .forbidden("may not specify more than 1 volume type");
      continue;
    }
    any = true;
    const Field shown = spec.as(source.shown.empty() ? source.field : source.shown, field);
    source.rules.check({shown, nullptr, place.write, place.root});
    if (source.field == "local" && !spec.has("nodeAffinity")) {
      place.now["nodeAffinity"].required("Local volume requires node affinity");
    }
  }
  if (!any) spec.required("must specify a volume type");
  if (spec.text_at("persistentVolumeReclaimPolicy") != "Recycle") return;
  const Field host = place.now["hostPath"];
  if (host.present() && host.text_at("path") == "/") {
    place.now["persistentVolumeReclaimPolicy"].forbidden(
        "may not be 'recycle' for a hostPath mount of '/'");
  }
}

void no_backsteps(const Place& place) {
  const std::string text = "/" + std::string(place.now.text()) + "/";
  if (text.find("/../") != std::string::npos) place.now.invalid("must not contain '..'");
}

void no_slash(const Place& place) {
  if (place.now.text().find('/') != std::string_view::npos)
    place.now.invalid("must not contain '/'");
}

// Checks host:port as Go's net.SplitHostPort does.
bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (port.find_first_of("[]") != std::string_view::npos) return false;
  if (!host.starts_with('[')) return host.find_first_of(":[]") == std::string_view::npos;
  return host.find(']') + 1 == host.size() && host.find('[', 1) == std::string_view::npos;
}

void quobyte(const Place& place) {
  if (place.now.text_at("tenant").size() >= 65) {
    place.now["tenant"].required("must be a UUID and may not exceed a length of 64 characters");
    return;
  }
  for (const std::string_view pair : split(place.now.text_at("registry"), ',')) {
    if (is_host_and_port(pair)) continue;
    place.now["registry"].invalid("must be a host:port pair or multiple pairs separated by commas");
  }
}

// Checks iqn.yyyy-mm.reversed.domain[:anything]; upstream: iscsiInitiatorIqnRegex.
bool is_iqn(std::string_view text) {
  constexpr std::string_view kShape = "iqn.0000-00.";
  if (text.size() <= kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == '0' ? is_digit(text[i]) : text[i] == kShape[i];
    if (!fits) return false;
  }
  const std::string_view name = text.substr(kShape.size());
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.' || c == ':' || c == '_';
  };
  return std::all_of(name.begin(), name.end(), fits);
}

bool is_initiator(std::string_view text) {
  const std::string_view digits = text.substr(std::min<std::size_t>(4, text.size()));
  const bool hex = std::all_of(digits.begin(), digits.end(), is_hex);
  if (text.starts_with("iqn")) return is_iqn(text);
  if (text.starts_with("eui.")) return hex && digits.size() == 16;
  return text.starts_with("naa.") && hex && (digits.size() == 16 || digits.size() == 32);
}

void iqn(const Place& place) {
  if (is_initiator(place.now.text())) return;
  place.now.invalid(kBadFormat);
}

void initiator_length(const Place& place) {
  const Value* name = place.root->at({"metadata", "name"});
  const std::string_view portal = place.now.text_at("targetPortal");
  if (!place.now.has("initiatorName") || name == nullptr) return;
  if (name->as_string().size() + 1 + portal.size() <= 64) return;
  const Field shown = place.now["targetportal"];
  shown.invalid_string(portal,
                       "Total length of <volume name>:<iscsi.targetPortal> must be under 64 "
                       "characters if iscsi.initiatorName is specified.");
}

void flex_option(const Place& place) {
  const std::string_view key = place.now.name();
  const std::string domain = "." + ascii_lower(key.substr(0, key.find('/')));
  const std::string_view view = domain;
  if (view.ends_with(".kubernetes.io") || view.ends_with(".k8s.io")) {
    place.now.invalid_string(key, "kubernetes.io and k8s.io namespaces are reserved");
  }
}

void disk_uri(const Place& place) {
  const Field uri = place.now["diskURI"];
  if (!place.now.has("kind")) return;
  if (place.now.text_at("kind") == "Managed") {
    if (!uri.text().starts_with("/subscriptions/")) {
      uri.not_supported(
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/"
          "{disk-id}");
    }
  } else if (!uri.text().starts_with("https://")) {
    uri.not_supported(
        "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
  }
}

}  // namespace

std::span<const PersistentSource> persistent_sources() { return kPersistentSources; }

extern const NamedCheck kSourcesChecks[] = {
    {"volume-source", &volume_source},
    {"no-backsteps", &no_backsteps},
    {"no-slash", &no_slash},
    {"quobyte", &quobyte},
    {"iqn", &iqn},
    {"initiator-length", &initiator_length},
    {"flex-option", &flex_option},
    {"disk-uri", &disk_uri},
};

}  // namespace tabernetes::registry::kinds
