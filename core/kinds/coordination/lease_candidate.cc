// LeaseCandidate of coordination.k8s.io, which is printed but not served as a resource. Source:
// upstream 1.36 printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_lease_candidate(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "leaseName"}));
  row.text(text_at(object, {"spec", "binaryVersion"}));
  row.text(text_at(object, {"spec", "emulationVersion"}));
  row.age(object);
}

}  // namespace

extern const Kind kLeaseCandidateKind{
    .group = "coordination.k8s.io", .kind = "LeaseCandidate", .print = &print_lease_candidate};

}  // namespace tabernetes::registry::kinds
