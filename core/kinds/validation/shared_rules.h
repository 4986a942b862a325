// The rules that checks in C++ apply, beside those that are called from other rules.
#pragma once

#include "rules/rules.h"

namespace tabernetes::registry::validation {

extern const Rules kDownwardFileRules, kJobSpecRules, kNewPodRules, kPodImageRules, kPodSpecRules,
    kPodStatusRules, kSelectorRules, kTokenSecondsRules, kTolerationsRules, kVolumeKeyRules,
    kWholePodRules;

// Of the sources of metrics.
extern const Rules kContainerSourceRules, kExternalSourceRules, kObjectSourceRules,
    kPodsSourceRules, kResourceSourceRules;

// Of the sources of volumes; those of pods have some of their own.
extern const Rules kAwsElasticBlockStoreRules, kAzureDiskRules, kAzureFileRules, kCephfsRules,
    kCinderRules, kCsiRules, kFcRules, kFlexVolumeRules, kFlockerRules, kGcePersistentDiskRules,
    kGlusterfsRules, kHostPathRules, kIscsiRules, kLocalRules, kNfsRules,
    kPhotonPersistentDiskRules, kPortworxVolumeRules, kQuobyteRules, kRbdRules, kScaleIORules,
    kStorageosRules, kVsphereVolumeRules;

}  // namespace tabernetes::registry::validation
