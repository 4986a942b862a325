// Rules of volumes: their specs and sources. Source: upstream 1.36 pkg/apis/core/validation:
// ValidatePersistentVolumeSpec.

#include "kinds/validation/shared_rules.h"

namespace tabernetes::registry::validation {

TAB_RULES(kVolumeSpecRules, R"(
accessModes required
@access-modes
capacity @capacity
persistentVolumeReclaimPolicy opt enum:Delete,Recycle,Retain
nodeAffinity given
 required present "must specify required node constraints" &node-selector
@volume-source
storageClassName opt is:subdomain
volumeMode given enum:Block,Filesystem
&volume-attributes
)");

TAB_RULES(kInlineVolumeSpecRules, R"(
claimRef forbid "may not be specified in the context of inline volumes"
capacity forbid "may not be specified in the context of inline volumes"
csi present "has to be specified in the context of inline volumes"
accessModes required
@access-modes
?persistentVolumeReclaimPolicy!=Retain
 persistentVolumeReclaimPolicy forbid "may only be Retain in the context of inline volumes"
nodeAffinity forbid "may not be specified in the context of inline volumes"
@volume-source
storageClassName forbid "may not be specified in the context of inline volumes"
?volumeMode!=Filesystem
 volumeMode forbid "may not specify volumeMode other than Filesystem in the context of inline volumes"
&volume-attributes
)");

TAB_RULES(kVolumeAttributesRules, R"(
volumeAttributesClassName given required "an empty string is disallowed" is:subdomain
?+volumeAttributesClassName
 csi present "has to be specified when using volumeAttributesClassName"
)");

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

TAB_RULES(kAttachmentStatusRules, R"(
attachmentMetadata @attachment-metadata
attachError &volume-error
detachError &volume-error
)");

TAB_RULES(kVolumeErrorRules, R"(
message @volume-error-message
errorCode given range:0-2147483647
)");

TAB_RULES(kSecretPairRules, R"(
name required
namespace required
)");

TAB_RULES(kSecretNamesRules, R"(
name required is:subdomain
namespace required is:label
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

}  // namespace tabernetes::registry::validation
