// Sources of volumes: their rules, and the table of those of persistent volumes.
#pragma once

#include <span>
#include <string_view>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Sources of persistent volumes and pods; pods have further ones (pod_template/volumes.cc).
extern const Rules kAwsElasticBlockStoreRules, kAzureDiskRules, kAzureFileRules, kCephfsRules,
    kCinderRules, kCsiRules, kFcRules, kFlexVolumeRules, kFlockerRules, kGcePersistentDiskRules,
    kGlusterfsRules, kHostPathRules, kIscsiRules, kLocalRules, kNfsRules,
    kPhotonPersistentDiskRules, kPortworxVolumeRules, kQuobyteRules, kRbdRules, kScaleIORules,
    kStorageosRules, kVsphereVolumeRules;

extern const Defaults kSourceDefaults;

// A source of persistent volumes.
struct PersistentSource {
  std::string_view field;
  const Rules& rules;
  std::string_view shown = {};   // name in paths inside the source
  std::string_view second = {};  // name in paths if another source precedes it
};
std::span<const PersistentSource> persistent_sources();

}  // namespace tabernetes::registry::kinds
