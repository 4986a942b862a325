#include "kinds.h"

#include <algorithm>

namespace tabernetes::property {

bool Kind::is_selectable(std::string_view name) const {
  return std::find(selectable.begin(), selectable.end(), name) != selectable.end();
}

std::string Kind::path(std::string_view before, std::string_view ns) const {
  std::string path = api_version == "v1" ? "/api/v1" : "/apis/" + std::string(api_version);
  path += before;
  if (!ns.empty()) path += "/namespaces/" + std::string(ns);
  return path + "/" + std::string(plural);
}

std::string Kind::collection(std::string_view ns) const { return path("", ns); }
std::string Kind::watch_path(std::string_view ns) const { return path("/watch", ns); }

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll = {
      {.kind = "ConfigMap",
       .api_version = "v1",
       .plural = "configmaps",
       .resource = "configmaps",
       .group_kind = "ConfigMap",
       .body = R"("data":{"k":"one"})",
       .field = "data.k",
       .values = {R"("one")", R"("two")", R"("three")"},
       .selectable = {"metadata.name", "metadata.namespace"}},
      {.kind = "Pod",
       .api_version = "v1",
       .plural = "pods",
       .resource = "pods",
       .group_kind = "Pod",
       .graceful = true,
       .body = R"("spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]})",
       .field = "status.phase",
       .values = {R"("Pending")", R"("Running")", R"("Succeeded")"},
       .in_status = true,
       .selectable = {"metadata.name", "metadata.namespace", "status.phase", "spec.nodeName"}},
      {.kind = "Event",
       .api_version = "v1",
       .plural = "events",
       .resource = "events",
       .group_kind = "Event",
       .cached = false,
       .create_on_update = true,
       .body = R"("reason":"Pulled","type":"Normal")",
       .field = "reason",
       .values = {R"("Pulled")", R"("Killing")", R"("Failed")"},
       .selectable = {"metadata.name", "metadata.namespace", "reason", "type"}},
      {.kind = "Node",
       .api_version = "v1",
       .plural = "nodes",
       .resource = "nodes",
       .group_kind = "Node",
       .namespaced = false,
       .body = R"("spec":{"podCIDR":"10.0.0.0/24"})",
       .field = "spec.unschedulable",
       .values = {"true", "false"},
       .selectable = {"metadata.name", "spec.unschedulable"}},
      {.kind = "Lease",
       .api_version = "coordination.k8s.io/v1",
       .plural = "leases",
       .resource = "leases.coordination.k8s.io",
       .group_kind = "Lease.coordination.k8s.io",
       .unconditional_update = false,
       .create_on_update = true,
       .body = R"("spec":{"holderIdentity":"one"})",
       .field = "spec.holderIdentity",
       .values = {R"("one")", R"("two")"},
       .selectable = {"metadata.name", "metadata.namespace"}},
  };
  return kAll;
}

const std::vector<std::string>& namespaces() {
  static const std::vector<std::string> kAll = {"a", "a-b", "a0", "b"};
  return kAll;
}

const std::vector<std::string>& names() {
  static const std::vector<std::string> kAll = {"a", "a-b", "a.b", "a0", "b", "c.d-e", "z"};
  return kAll;
}

}  // namespace tabernetes::property
