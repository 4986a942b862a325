// Rules of volumes: their specs and sources. Source: upstream 1.36 pkg/apis/core/validation:
// ValidatePersistentVolumeSpec.

#include "kinds/validation/checks_kinds.h"

namespace tabernetes::registry::validation {

const NamedRules kVolumeRules[] = {
    {"volume-spec", R"(
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
)"},
    {"inline-volume-spec", R"(
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
)"},
    {"volume-attributes", R"(
volumeAttributesClassName given required "an empty string is disallowed" is:subdomain
?+volumeAttributesClassName
 csi present "has to be specified when using volumeAttributesClassName"
)"},
    {"claim-spec", R"(
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
)"},
    {"data-source", R"(
name required
kind required
?!apiGroup
 @claim-source
apiGroup opt is:subdomain
)"},
    {"attachment-status", R"(
attachmentMetadata @attachment-metadata
attachError &volume-error
detachError &volume-error
)"},
    {"volume-error", R"(
message @volume-error-message
errorCode given range:0-2147483647
)"},
    {"secret-pair", R"(
name required
namespace required
)"},
    {"secret-names", R"(
name required is:subdomain
namespace required is:label
)"},
    {"claim-template", R"(
metadata
 annotations @annotations
 labels @labels
 @no-other-metadata
spec &claim-spec
)"},
    // pods only
    {"keyed-files", R"(
defaultMode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
items[] &volume-key
)"},
    {"volume-key", R"(
key required
path required
path @volume-path
mode range:0-511 "must be a number between 0 and 0777 (octal), both inclusive"
)"},
    {"downward-file", R"(
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
)"},
    {"token-seconds", R"(
expirationSeconds ge:600 "may not specify a duration less than 10 minutes"
expirationSeconds le:4294967296 "may not specify a duration larger than 2^32 seconds"
)"},
    // sources of persistent volumes and pods, by field name
    {"hostPath", R"(
path required @no-backsteps
?path
 type given enum:,BlockDevice,CharDevice,Directory,DirectoryOrCreate,File,FileOrCreate,Socket
)"},
    {"gcePersistentDisk", R"(
pdName required
partition range:0-255 "must be between 1 and 255, inclusive"
)"},
    {"awsElasticBlockStore", R"(
volumeID required
partition range:0-255 "must be between 1 and 255, inclusive"
)"},
    {"glusterfs", R"(
endpoints required
path required
?+endpointsNamespace
 ?!endpointsNamespace
  endpointsNamespace bad "if the endpointnamespace is set, it must be a valid namespace name"
endpointsNamespace opt is:label
)"},
    {"flocker", R"(
?!datasetName
 ?!datasetUUID
  . need "one of datasetName and datasetUUID is required"
?datasetName
 ?datasetUUID
  . bad="resource" "datasetName and datasetUUID can not be specified simultaneously"
datasetName @no-slash
)"},
    {"nfs", R"(
server required
path required
path @absolute-path
)"},
    {"rbd", R"(
monitors required
image required
)"},
    {"quobyte", R"(
registry required "must be a host:port pair or multiple pairs separated by commas"
?registry
 @quobyte
volume required
)"},
    {"cephfs", R"(
monitors required
)"},
    {"iscsi", R"(
targetPortal required
@initiator-length
iqn required @iqn
lun range:0-255
&chap
secretRef given
 name required
initiatorName>initiatorname given @iqn
)"},
    {"cinder", R"(
volumeID required
secretRef given &secret-pair
)"},
    {"fc", R"(
?!targetWWNs
 ?!wwids
  targetWWNs need "must specify either targetWWNs or wwids, but not both"
?targetWWNs
 ?wwids
  targetWWNs bad "targetWWNs and wwids can not be specified simultaneously"
 lun present "lun is required if targetWWNs is specified" range:0-255
)"},
    {"flexVolume", R"(
driver required
options{} @flex-option
)"},
    {"azureFile", R"(
secretName required
shareName required
secretNamespace given required
)"},
    {"vsphereVolume", R"(
volumePath required
)"},
    {"photonPersistentDisk", R"(
pdID required
)"},
    {"portworxVolume", R"(
volumeID required
)"},
    {"azureDisk", R"(
diskName required
diskURI required
cachingMode given enum:None,ReadOnly,ReadWrite
kind given enum:Dedicated,Managed,Shared
@disk-uri
)"},
    {"scaleIO", R"(
gateway required
system required
volumeName required
)"},
    {"local", R"(
path required
path @no-backsteps
)"},
    {"storageos", R"(
volumeName required is:label
volumeNamespace opt is:label
secretRef given &secret-pair
)"},
    {"csi", R"(
driver required maxlen:63 is:lower-subdomain
volumeHandle required
controllerPublishSecretRef given &secret-names
controllerExpandSecretRef given &secret-names
nodePublishSecretRef given &secret-names
nodeExpandSecretRef given &secret-names
)"},
    {},
};

}  // namespace tabernetes::registry::validation
