// Cells of certificates.k8s.io. Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry {
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

}  // namespace

void print_cluster_trust_bundle(const Value& object, Row& row) {
  row.name(object);
  row.text_or(text_at(object, {"spec", "signerName"}), kNone);
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

}  // namespace tabernetes::registry
