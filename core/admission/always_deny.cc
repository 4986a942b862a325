// AlwaysDeny: refuses everything. Source: upstream 1.36 plugin/pkg/admission/deny.

#include "admission/plugins.h"
#include "admission/request.h"

namespace tabernetes::admission {

Result<void> deny_everything(const AdmissionRequest& request, PluginState&) {
  return refusal(request, "admission control is denying all modifications");
}

}  // namespace tabernetes::admission
