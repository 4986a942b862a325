#include "least_objects.h"

namespace tabernetes::property {
namespace {

struct LeastMembers {
  std::string_view kind;
  std::string_view json;
};

#define TAB_TEMPLATE \
  R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})"
#define TAB_WORKLOAD R"("selector":{"matchLabels":{"a":"b"}},)" TAB_TEMPLATE
#define TAB_JOB \
  R"({"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}})"
#define TAB_WEBHOOK                                             \
  R"({"webhooks":[{"name":"a.b.example","sideEffects":"None",)" \
  R"("admissionReviewVersions":["v1"],"clientConfig":{"url":"https://x.example"}}]})"
#define TAB_MATCH                                                                   \
  R"("matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],)" \
  R"("operations":["CREATE"],"resources":["pods"]}]})"

constexpr LeastMembers kLeastMembers[] = {
    {"APIService",
     R"({"spec":{"group":"x.example","version":"v1","groupPriorityMinimum":10,"versionPriority":10,)"
     R"("service":{"name":"s","namespace":"default"},"insecureSkipTLSVerify":true}})"},
    {"CSIStorageCapacity", R"({"storageClassName":"s"})"},
    {"CSINode", R"({"spec":{"drivers":[{"name":"d.example","nodeID":"n"}]}})"},
    {"CertificateSigningRequest",
     R"({"spec":{"signerName":"x.example/y","usages":["client auth"],"request":")"
     R"(LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHSU1EQUNBUUF3QURBWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBd0lBQURBQUJBRUFBd0VBCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=)"
     R"("}})"},
    {"ControllerRevision", R"({"revision":1,"data":{}})"},
    {"CronJob", R"({"spec":{"schedule":"* * * * *","jobTemplate":{"spec":)" TAB_JOB "}}}"},
    {"CustomResourceDefinition",
     R"({"spec":{"group":"x.example","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},)"
     R"("versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})"},
    {"DaemonSet", R"({"spec":{)" TAB_WORKLOAD "}}"},
    {"Deployment", R"({"spec":{)" TAB_WORKLOAD "}}"},
    {"EndpointSlice", R"({"addressType":"IPv4"})"},
    {"Event", R"({"involvedObject":{"namespace":"default"}})"},
    {"FlowSchema",
     R"({"spec":{"matchingPrecedence":10,"priorityLevelConfiguration":{"name":"p"}}})"},
    {"HorizontalPodAutoscaler",
     R"({"spec":{"maxReplicas":1,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}})"},
    {"IPAddress",
     R"({"spec":{"parentRef":{"resource":"services","namespace":"default","name":"s"}}})"},
    {"Ingress", R"({"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}}})"},
    {"IngressClass", R"({"spec":{"controller":"x.example/c"}})"},
    {"Job", R"({"spec":)" TAB_JOB "}"},
    {"Lease", R"({"spec":{}})"},
    {"MutatingAdmissionPolicy",
     R"({"spec":{"reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"remove\", path: \"/spec\"}]"}}],)" TAB_MATCH
     "}}"},
    {"MutatingAdmissionPolicyBinding", R"({"spec":{"policyName":"p"}})"},
    {"MutatingWebhookConfiguration", TAB_WEBHOOK},
    {"PersistentVolume",
     R"({"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/p"}}})"},
    {"PersistentVolumeClaim",
     R"({"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})"},
    {"Pod", R"({"spec":{"containers":[{"name":"c","image":"i"}]}})"},
    {"PodTemplate", "{" TAB_TEMPLATE "}"},
    {"PriorityClass", R"({"value":1})"},
    {"PriorityLevelConfiguration",
     R"({"spec":{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}}})"},
    {"ReplicaSet", R"({"spec":{)" TAB_WORKLOAD "}}"},
    {"ReplicationController", R"({"spec":{"selector":{"a":"b"},)" TAB_TEMPLATE "}}"},
    {"ResourceClaimTemplate", R"({"spec":{"spec":{}}})"},
    {"ResourceSlice",
     R"({"spec":{"driver":"d.example","nodeName":"n","pool":{"name":"p","resourceSliceCount":1}}})"},
    {"ClusterRoleBinding",
     R"({"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"}})"},
    {"RoleBinding",
     R"({"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"}})"},
    {"RuntimeClass", R"({"handler":"h"})"},
    {"Service", R"({"spec":{"ports":[{"port":80}]}})"},
    {"ServiceCIDR", R"({"spec":{"cidrs":["10.1.0.0/24"]}})"},
    {"StatefulSet", R"({"spec":{)" TAB_WORKLOAD "}}"},
    {"StorageClass", R"({"provisioner":"x.example/p"})"},
    {"ValidatingAdmissionPolicy",
     R"({"spec":{"validations":[{"expression":"true"}],)" TAB_MATCH "}}"},
    {"ValidatingAdmissionPolicyBinding",
     R"({"spec":{"policyName":"p","validationActions":["Deny"]}})"},
    {"ValidatingWebhookConfiguration", TAB_WEBHOOK},
    {"VolumeAttachment",
     R"({"spec":{"attacher":"x.example","nodeName":"n","source":{"persistentVolumeName":"p"}}})"},
    {"VolumeAttributesClass", R"({"driverName":"x.example","parameters":{"a":"b"}})"},
};

}  // namespace

std::string_view least_members(const schema::Resource& resource) {
  if (resource.kind == "Event" && !resource.group.empty()) {
    return R"({"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"x.example/c",)"
           R"("reportingInstance":"i","action":"a","reason":"r","type":"Normal"})";
  }
  for (const LeastMembers& least : kLeastMembers) {
    if (least.kind == resource.kind) return least.json;
  }
  return "{}";
}

std::string least_name(const schema::Resource& resource) {
  if (resource.kind == "APIService") return "v1.x.example";
  if (resource.kind == "CustomResourceDefinition") return "things.x.example";
  if (resource.kind == "IPAddress") return "10.1.2.3";
  if (resource.group.empty()) return std::string(resource.version);
  return std::string(resource.group) + "-" + std::string(resource.version);
}

}  // namespace tabernetes::property
