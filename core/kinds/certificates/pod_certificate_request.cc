// PodCertificateRequest of certificates.k8s.io, which is printed but not served as a resource.
// Source: upstream 1.36 printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

std::string_view pod_request_state(const Value& request) {
  std::string_view state = "Pending";
  for (const Value& condition : items_at(request, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if (type == "Issued" || type == "Denied" || type == "Failed") state = type;
  }
  return state;
}

void print_pod_certificate_request(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "podName"}));
  row.text(text_at(object, {"spec", "serviceAccountName"}));
  row.text(text_at(object, {"spec", "nodeName"}));
  row.text(text_at(object, {"spec", "signerName"}));
  row.text(pod_request_state(object));
  row.text(labels_text(object.at({"spec", "unverifiedUserAnnotations"})));
}

}  // namespace

extern const Kind kPodCertificateRequestKind{.group = "certificates.k8s.io",
                                             .kind = "PodCertificateRequest",
                                             .print = &print_pod_certificate_request};

}  // namespace tabernetes::registry::kinds
