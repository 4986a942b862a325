// Rules that checks in C++ apply.
#pragma once

#include "rules/rules.h"

namespace tabernetes::registry::validation {

extern const Rules kDownwardFileRules, kJobSpecRules, kNewPodRules, kPodImageRules, kPodSpecRules,
    kPodStatusRules, kSelectorRules, kTokenSecondsRules, kTolerationsRules, kVolumeKeyRules,
    kWholePodRules;

// Sources of metrics.
extern const Rules kContainerSourceRules, kExternalSourceRules, kObjectSourceRules,
    kPodsSourceRules, kResourceSourceRules;

// Sources of persistent volumes and pods; pods have further ones (volumes.cc).
extern const Rules kAwsElasticBlockStoreRules, kAzureDiskRules, kAzureFileRules, kCephfsRules,
    kCinderRules, kCsiRules, kFcRules, kFlexVolumeRules, kFlockerRules, kGcePersistentDiskRules,
    kGlusterfsRules, kHostPathRules, kIscsiRules, kLocalRules, kNfsRules,
    kPhotonPersistentDiskRules, kPortworxVolumeRules, kQuobyteRules, kRbdRules, kScaleIORules,
    kStorageosRules, kVsphereVolumeRules;

}  // namespace tabernetes::registry::validation
