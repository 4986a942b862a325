#include "registry/conversion.h"
#include "registry/kinds/convert_autoscaler.h"
#include "registry/kinds/convert_event.h"

namespace tabernetes::registry {
namespace {

constexpr Conversion kConversions[] = {
    {"events.k8s.io", "v1", "events", "", "v1", "events", &kinds::events_v1_from_core,
     &kinds::events_v1_to_core},
    {"autoscaling", "v1", "horizontalpodautoscalers", "autoscaling", "v2",
     "horizontalpodautoscalers", &kinds::autoscaler_v1_from_v2, &kinds::autoscaler_v1_to_v2},
};

}  // namespace

const Conversion* find_conversion(std::string_view group, std::string_view version,
                                  std::string_view plural) {
  for (const Conversion& conversion : kConversions) {
    if (conversion.plural == plural && conversion.group == group && conversion.version == version) {
      return &conversion;
    }
  }
  return nullptr;
}

}  // namespace tabernetes::registry
