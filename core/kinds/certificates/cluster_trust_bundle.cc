// ClusterTrustBundle of certificates.k8s.io, which is printed but not served as a resource. Source:
// upstream 1.36 printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_cluster_trust_bundle(const Value& object, Row& row) {
  row.name(object);
  row.text_or(text_at(object, {"spec", "signerName"}), kNone);
}

}  // namespace

extern const Kind kClusterTrustBundleKind{.group = "certificates.k8s.io",
                                          .kind = "ClusterTrustBundle",
                                          .print = &print_cluster_trust_bundle};

}  // namespace tabernetes::registry::kinds
