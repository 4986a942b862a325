// Cells of certificates.k8s.io. Upstream 1.36: printers/internalversion/printers.go.
#include <string>

#include "base/rfc3339.h"
#include "json/access.h"
#include "registry/conditions.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// Which conditions there are counts, not their status.
std::string request_condition(const Value& request) {
  std::string text = find_condition(request, "Denied")     ? "Denied"
                     : find_condition(request, "Approved") ? "Approved"
                                                           : "Pending";
  if (find_condition(request, "Failed")) text += ",Failed";
  if (!text_at(request, {"status", "certificate"}).empty()) text += ",Issued";
  return text;
}

std::string_view pod_request_state(const Value& request) {
  std::string_view state = "Pending";
  for (const Value& condition : items_at(request, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if (type == "Issued" || type == "Denied" || type == "Failed") state = type;
  }
  return state;
}

}  // namespace

void print_certificate_signing_request(const Value& object, Row& row) {
  row.name(object);
  row.age(object);
  row.text_or(text_at(object, {"spec", "signerName"}), kNone);
  row.text(text_at(object, {"spec", "username"}));
  if (has(object, {"spec", "expirationSeconds"})) {
    row.text(
        human_duration(Duration::from_seconds(number_at(object, {"spec", "expirationSeconds"}))));
  } else {
    row.text(kNone);
  }
  row.text(request_condition(object));
}

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
