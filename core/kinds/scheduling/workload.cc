// Workload of scheduling.k8s.io, which is printed but not served as a resource. Source:
// upstream 1.36 printers/internalversion/printers.go.
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"

namespace tabernetes::registry::kinds {

extern const Kind kWorkloadKind{
    .group = "scheduling.k8s.io", .kind = "Workload", .print = &print_name_and_age};

}  // namespace tabernetes::registry::kinds
