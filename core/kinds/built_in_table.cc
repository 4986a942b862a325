#include "kinds/built_in_table.h"

#include "json/access.h"
#include "kinds/kinds.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// Printers for kinds that are not resources.
struct Entry {
  std::string_view group, kind;
  Printer print;
};
constexpr Entry kOthers[] = {
    {"", "Status", &print_status},
    {"autoscaling", "Scale", &print_scale},
    {"certificates.k8s.io", "ClusterTrustBundle", &print_cluster_trust_bundle},
    {"certificates.k8s.io", "PodCertificateRequest", &print_pod_certificate_request},
    {"coordination.k8s.io", "LeaseCandidate", &print_lease_candidate},
    {"internal.apiserver.k8s.io", "StorageVersion", &print_storage_version},
    {"resource.k8s.io", "DeviceTaintRule", &print_device_taint_rule},
    {"resource.k8s.io", "ResourcePoolStatusRequest", &print_resource_pool_status_request},
    {"scheduling.k8s.io", "PodGroup", &print_pod_group},
    {"scheduling.k8s.io", "Workload", &print_name_and_age},
    {"storagemigration.k8s.io", "StorageVersionMigration", &print_storage_version_migration},
};

Printer find_printer(std::string_view group, std::string_view kind) {
  for (const Entry& entry : kOthers) {
    if (entry.kind == kind && entry.group == group) return entry.print;
  }
  return kinds::find_kind(group, kind).print;
}

constexpr std::string_view kNeverSet = "0001-01-01T00:00:00Z";

void print_usual(const Value& object, Row& row) {
  row.name(object);
  row.text_or(text_at(object, {"metadata", "creationTimestamp"}), kNeverSet);
}

}  // namespace

BuiltInTable::BuiltInTable(std::string_view group, std::string_view kind)
    : columns_(schema::Catalogue::built_in().default_table().columns), print_(&print_usual) {
  const schema::PrintedKind* printed = schema::Catalogue::built_in().find_printed(group, kind);
  const Printer own = find_printer(group, kind);
  usual_ = printed == nullptr || own == nullptr;
  if (usual_) return;
  columns_ = printed->columns;
  print_ = own;
  order_ = kinds::find_kind(group, kind).row_order;
}

}  // namespace tabernetes::registry
