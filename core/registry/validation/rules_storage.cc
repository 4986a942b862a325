// Volumes and claims, their classes and drivers.
// Source: upstream 1.36 pkg/apis/core/validation, storage/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kVolume = R"(
spec &volume-spec
on update
 spec &volume-spec
 @volume-change
)";

constexpr std::string_view kClaim = R"(
spec &claim-spec
on update
 spec &claim-spec
 @claim-change
on status
 status
  capacity{} @quantity
  allocatedResourceStatuses @resize-statuses
  allocatedResources @claim-resources
)";

constexpr std::string_view kStorageClass = R"(
on create update
 provisioner required @lower-qualified
 parameters @parameters
 reclaimPolicy opt enum:Delete,Retain
 volumeBindingMode present enum:Immediate,WaitForFirstConsumer
 allowedTopologies[]
  matchLabelExpressions[]
   values required
   values[] distinct
   key is:qualified
   key distinct
 allowedTopologies @distinct-topologies
on update
 parameters immutable
 provisioner immutable=""
 reclaimPolicy immutable
 volumeBindingMode immutable
)";

constexpr std::string_view kVolumeAttachment = R"(
spec
 attacher required maxlen:63 is:lower-subdomain
 source
  ?+inlineVolumeSpec
   ?+persistentVolumeName
    . deny "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
   ?-persistentVolumeName
    inlineVolumeSpec &inline-volume-spec
  ?-inlineVolumeSpec
   ?-persistentVolumeName
    . need "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
   persistentVolumeName given required "must specify non empty persistentVolumeName"
 nodeName is:subdomain
status &attachment-status
spec.source.persistentVolumeName given is:subdomain
on update
 spec immutable
on status
 status &attachment-status
)";

constexpr std::string_view kVolumeAttributesClass = R"(
on update
 driverName immutable=forbid "updates to driverName are forbidden."
 parameters immutable=forbid "updates to parameters are forbidden."
driverName required @lower-qualified
parameters @parameters
?!parameters
 parameters need "must contain at least one key/value pair"
)";

constexpr std::string_view kCsiDriver = R"(
spec
 attachRequired>attachedRequired present
 podInfoOnMount present
 storageCapacity present
 fsGroupPolicy given enum:File,None,ReadWriteOnceWithFSType
 tokenRequests @token-requests
 volumeLifecycleModes @lifecycle-modes
 nodeAllocatableUpdatePeriodSeconds given ge:10 "must be greater than or equal to 10 seconds"
 ?!tokenRequests
  serviceAccountTokenInSecrets given bad "serviceAccountTokenInSecrets is set but no tokenRequests are specified"
on update
 spec.attachRequired>attachedRequired immutable
 spec.volumeLifecycleModes immutable
)";

constexpr std::string_view kCsiNode = R"(
spec.drivers[]
 name required maxlen:63 is:lower-subdomain
 nodeID required maxlen:256 "must be 256 characters or less"
 allocatable.count given min:0
 name distinct
 @topology-keys
on update
 @node-drivers-change
)";

constexpr std::string_view kCsiStorageCapacity = R"(
on create update
 nodeTopology given &selector
 storageClassName is:subdomain
 capacity given @not-negative
on update
 nodeTopology immutable
 storageClassName immutable
)";

}  // namespace

const KindRules kStorageRules[] = {
    {"", "PersistentVolume", kVolume},
    {"", "PersistentVolumeClaim", kClaim},
    {"storage.k8s.io", "StorageClass", kStorageClass},
    {"storage.k8s.io", "VolumeAttachment", kVolumeAttachment},
    {"storage.k8s.io", "VolumeAttributesClass", kVolumeAttributesClass},
    {"storage.k8s.io", "CSIDriver", kCsiDriver},
    {"storage.k8s.io", "CSINode", kCsiNode},
    {"storage.k8s.io", "CSIStorageCapacity", kCsiStorageCapacity},
    {},
};

}  // namespace tabernetes::registry::validation
