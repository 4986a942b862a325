#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {

void check_kind(const GroupResource& group_kind, Write write, const Field& object,
                const json::Value* old) {
  for (const KindRules* rows : {kCoreRules, kNetworkRules, kStorageRules, kAccessRules,
                                kScalingRules, kWorkloadRules, kAdmissionRules, kDeviceRules}) {
    for (; !rows->kind.empty(); ++rows) {
      if (rows->kind == group_kind.resource && rows->group == group_kind.group) {
        return check(rows->rules, write, object, old);
      }
    }
  }
}

}  // namespace tabernetes::registry::validation
