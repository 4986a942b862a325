// DenyServiceExternalIPs: no service gets another external address. Source: upstream 1.36
// plugin/pkg/admission/network/denyserviceexternalips.

#include <algorithm>
#include <string_view>
#include <vector>

#include "admission/plugins.h"
#include "admission/request.h"
#include "json/access.h"

namespace tabernetes::admission {

using json::Value;

Result<void> deny_external_ips(const AdmissionRequest& request, PluginState&) {
  std::vector<std::string_view> before;
  if (request.old != nullptr) {
    for (const Value& ip : items_at(*request.old, {"spec", "externalIPs"})) {
      before.push_back(text_of(ip));
    }
  }
  for (const Value& ip : items_at(request.object, {"spec", "externalIPs"})) {
    if (std::find(before.begin(), before.end(), text_of(ip)) == before.end()) {
      return refusal(request, "Use of external IPs is denied by admission control");
    }
  }
  return {};
}

}  // namespace tabernetes::admission
