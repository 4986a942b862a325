// Usually the JSON name with a capital letter. Exceptions are in a table, from the Go types of
// Kubernetes 1.36. Tested by tests/core/codec/protobuf_reader_test.cc.
#include "codec/go_field_name.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text/ascii.h"

namespace tabernetes::codec {
namespace {

struct Name {
  std::string_view json, go;
};

// Sorted by JSON name.
constexpr std::array kNames = std::to_array<Name>({
    {"$ref", "Ref"},
    {"$schema", "Schema"},
    {"apiGroup", "APIGroup"},
    {"apiGroups", "APIGroups"},
    {"apiVersion", "APIVersion"},
    {"apiVersions", "APIVersions"},
    {"awsElasticBlockStore", "AWSElasticBlockStore"},
    {"bool", "BoolValue"},
    {"bools", "BoolValues"},
    {"caBundle", "CABundle"},
    {"cel", "CEL"},
    {"cephfs", "CephFS"},
    {"chapAuthDiscovery", "DiscoveryCHAPAuth"},
    {"chapAuthSession", "SessionCHAPAuth"},
    {"cidr", "CIDR"},
    {"cidrs", "CIDRs"},
    {"csi", "CSI"},
    {"diskURI", "DataDiskURI"},
    {"dnsConfig", "DNSConfig"},
    {"dnsPolicy", "DNSPolicy"},
    {"externalID", "DoNotUseExternalID"},
    {"fc", "FC"},
    {"fsGroup", "FSGroup"},
    {"fsGroupChangePolicy", "FSGroupChangePolicy"},
    {"fsGroupPolicy", "FSGroupPolicy"},
    {"fsType", "FSType"},
    {"gcePersistentDisk", "GCEPersistentDisk"},
    {"gid", "GID"},
    {"gmsaCredentialSpec", "GMSACredentialSpec"},
    {"gmsaCredentialSpecName", "GMSACredentialSpecName"},
    {"grpc", "GRPC"},
    {"http", "HTTP"},
    {"httpGet", "HTTPGet"},
    {"httpHeaders", "HTTPHeaders"},
    {"id", "ID"},
    {"int", "IntValue"},
    {"ints", "IntValues"},
    {"ip", "IP"},
    {"ipBlock", "IPBlock"},
    {"ipFamilies", "IPFamilies"},
    {"ipFamilyPolicy", "IPFamilyPolicy"},
    {"ipMode", "IPMode"},
    {"ips", "IPs"},
    {"iqn", "IQN"},
    {"iscsi", "ISCSI"},
    {"iscsiInterface", "ISCSIInterface"},
    {"jsonPatch", "JSONPatch"},
    {"jsonPath", "JSONPath"},
    {"lastState", "LastTerminationState"},
    {"nfs", "NFS"},
    {"os", "OS"},
    {"osImage", "OSImage"},
    {"pdName", "PDName"},
    {"qosClass", "QOSClass"},
    {"rbd", "RBD"},
    {"reportingComponent", "ReportingController"},
    {"seLinuxChangePolicy", "SELinuxChangePolicy"},
    {"seLinuxMount", "SELinuxMount"},
    {"seLinuxOptions", "SELinuxOptions"},
    {"sslEnabled", "SSLEnabled"},
    {"storageos", "StorageOS"},
    {"string", "StringValue"},
    {"strings", "StringValues"},
    {"tcpSocket", "TCPSocket"},
    {"tls", "TLS"},
    {"ttlSecondsAfterFinished", "TTLSecondsAfterFinished"},
    {"tty", "TTY"},
    {"uid", "UID"},
    {"url", "URL"},
    {"wwids", "WWIDs"},
    {"x-kubernetes-embedded-resource", "XEmbeddedResource"},
    {"x-kubernetes-int-or-string", "XIntOrString"},
    {"x-kubernetes-list-map-keys", "XListMapKeys"},
    {"x-kubernetes-list-type", "XListType"},
    {"x-kubernetes-map-type", "XMapType"},
    {"x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"},
    {"x-kubernetes-validations", "XValidations"},
});

struct OwnName {
  std::string_view type, json, go;
};

// Names used by one type only.
constexpr std::array kOwnNames = std::to_array<OwnName>({
    {"APIResourceList", "resources", "APIResources"},
    {"DeviceAttribute", "version", "VersionValue"},
    {"DeviceAttribute", "versions", "VersionValues"},
    {"GlusterfsPersistentVolumeSource", "endpoints", "EndpointsName"},
    {"GlusterfsVolumeSource", "endpoints", "EndpointsName"},
    {"PodSpec", "serviceAccount", "DeprecatedServiceAccount"},
    {"RBDPersistentVolumeSource", "image", "RBDImage"},
    {"RBDPersistentVolumeSource", "monitors", "CephMonitors"},
    {"RBDPersistentVolumeSource", "pool", "RBDPool"},
    {"RBDPersistentVolumeSource", "user", "RadosUser"},
    {"RBDVolumeSource", "image", "RBDImage"},
    {"RBDVolumeSource", "monitors", "CephMonitors"},
    {"RBDVolumeSource", "pool", "RBDPool"},
    {"RBDVolumeSource", "user", "RadosUser"},
    {"StatusCause", "reason", "Type"},
});

}  // namespace

std::string go_field_name(const schema::Type& owner, const schema::Field& field) {
  if (field.inlined || (field.name == "metadata" && field.type.ref != nullptr)) {
    return std::string(field.type.ref->go_name);
  }
  for (const OwnName& own : kOwnNames) {
    if (own.type == owner.go_name && own.json == field.name) return std::string(own.go);
  }
  const auto* found =
      std::lower_bound(kNames.begin(), kNames.end(), field.name,
                       [](const Name& name, std::string_view json) { return name.json < json; });
  if (found != kNames.end() && found->json == field.name) return std::string(found->go);
  std::string name(field.name);
  if (!name.empty()) name[0] = ascii_upper(name[0]);
  return name;
}

}  // namespace tabernetes::codec
