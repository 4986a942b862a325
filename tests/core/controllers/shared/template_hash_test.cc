#include "controllers/shared/template_hash.h"

#include "../../registry_fixture.h"
#include "controllers/shared/go_dump.h"

namespace tabernetes::controllers {
namespace {

using tests::RegistryFixture;

constexpr RegistryFixture::Resource kHashed{"apps", "v1", "deployments"};

// Returns the hash of a template, which is JSON with all defaults.
std::string hash_of(std::string_view text, std::optional<std::int64_t> collisions = {}) {
  RegistryFixture cluster;
  const registry::ResourceType& type = cluster.type_of(kHashed);
  const codec::JsonRead read = codec::read_json(text, cluster.arena);
  REQUIRE(read.ok());
  return template_hash(type, read.value, collisions);
}

constexpr std::string_view kUsual =
    R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx:1",)"
    R"("resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],)"
    R"("restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
    R"("securityContext":{},"schedulerName":"default-scheduler"}})";

TEST_CASE("template hash: the one that a real controller names its ReplicaSet by",
          "[controllers]") {
  CHECK(hash_of(kUsual) == "d84b86575");
  CHECK(hash_of(kUsual, 0) != "d84b86575");
  CHECK(hash_of(kUsual, 0) != hash_of(kUsual, 1));
  CHECK(safe_encode(0) == "4");
  CHECK(safe_encode(1234567890) == "56789bcdf4");
}

// One with something of almost every type.
constexpr std::string_view kFull =
    R"json({"metadata":{"creationTimestamp":null,"labels":{"app":"web","b":"c"},"annotations")json"
    R"json(:{"x":"y z","a":"1"}},"spec":{"volumes":[{"name":"e","emptyDir":{}},{"name":"c","c)json"
    R"json(onfigMap":{"name":"cm","items":[{"key":"a","path":"p","mode":420}],"defaultMode":4)json"
    R"json(20}},{"name":"s","secret":{"secretName":"sec","defaultMode":256,"optional":true}},)json"
    R"json({"name":"h","hostPath":{"path":"/x","type":"Directory"}},{"name":"pvc","persistent)json"
    R"json(VolumeClaim":{"claimName":"d","readOnly":true}},{"name":"p","projected":{"defaultM)json"
    R"json(ode":420,"sources":[{"serviceAccountToken":{"path":"token","expirationSeconds":360)json"
    R"json(7}},{"downwardAPI":{"items":[{"path":"ns","fieldRef":{"apiVersion":"v1","fieldPath)json"
    R"json(":"metadata.namespace"}}]}},{"configMap":{"name":"kube"}}]}},{"name":"nfs","nfs":{)json"
    R"json("server":"s","path":"/"}},{"name":"csi","csi":{"driver":"d","fsType":"ext4","volum)json"
    R"json(eAttributes":{"k":"v"}}},{"name":"eph","ephemeral":{"volumeClaimTemplate":{"metada)json"
    R"json(ta":{"labels":{"q":"r"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"req)json"
    R"json(uests":{"storage":"1Gi"}},"storageClassName":"x","volumeMode":"Filesystem"}}}},{"n)json"
    R"json(ame":"g","glusterfs":{"endpoints":"e","path":"p"}},{"name":"r","rbd":{"monitors":[)json"
    R"json("a"],"image":"i","pool":"rbd","user":"admin","keyring":"/k"}},{"name":"ed","emptyD)json"
    R"json(ir":{"medium":"Memory","sizeLimit":"64Mi"}},{"name":"im","image":{"reference":"r",)json"
    R"json("pullPolicy":"Always"}},{"name":"az","azureDisk":{"diskName":"a","diskURI":"u","ca)json"
    R"json(chingMode":"None","fsType":"ext4","readOnly":false,"kind":"Shared"}},{"name":"isc")json"
    R"json(,"iscsi":{"targetPortal":"t","iqn":"i","lun":0,"iscsiInterface":"default","chapAut)json"
    R"json(hDiscovery":true}}],"initContainers":[{"name":"i","image":"busybox:1","restartPoli)json"
    R"json(cy":"Always","command":["sh","-c","x"],"resources":{},"terminationMessagePath":"/d)json"
    R"json(ev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPres)json"
    R"json(ent"}],"containers":[{"name":"c","image":"nginx","args":["--a","b"],"workingDir":")json"
    R"json(/w","ports":[{"name":"http","containerPort":80,"protocol":"TCP"},{"containerPort":)json"
    R"json(8080,"hostPort":90,"hostIP":"1.2.3.4","protocol":"UDP"}],"envFrom":[{"prefix":"P",)json"
    R"json("configMapRef":{"name":"cm"}},{"secretRef":{"name":"s","optional":false}}],"env":[)json"
    R"json({"name":"A","value":"b"},{"name":"F","valueFrom":{"fieldRef":{"apiVersion":"v1","f)json"
    R"json(ieldPath":"spec.nodeName"}}},{"name":"R","valueFrom":{"resourceFieldRef":{"contain)json"
    R"json(erName":"c","resource":"limits.cpu","divisor":"0"}}},{"name":"S","valueFrom":{"sec)json"
    R"json(retKeyRef":{"name":"s","key":"k"}}}],"resources":{"limits":{"cpu":"2","memory":"1G)json"
    R"json(i","nvidia.com/gpu":"1","ephemeral-storage":"10G"},"requests":{"cpu":"1500m","memo)json"
    R"json(ry":"128Mi","hugepages-2Mi":"100k"}},"volumeMounts":[{"name":"e","mountPath":"/e",)json"
    R"json("subPath":"x","readOnly":true,"mountPropagation":"None"}],"livenessProbe":{"httpGe)json"
    R"json(t":{"path":"/h","port":"http","scheme":"HTTP","httpHeaders":[{"name":"X","value":")json"
    R"json(y"}]},"initialDelaySeconds":3,"timeoutSeconds":1,"periodSeconds":10,"successThresh)json"
    R"json(old":1,"failureThreshold":3},"readinessProbe":{"tcpSocket":{"port":8080},"timeoutS)json"
    R"json(econds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},"startupPr)json"
    R"json(obe":{"exec":{"command":["a"]},"timeoutSeconds":1,"periodSeconds":10,"successThres)json"
    R"json(hold":1,"failureThreshold":3,"terminationGracePeriodSeconds":7},"lifecycle":{"preS)json"
    R"json(top":{"sleep":{"seconds":3}},"postStart":{"httpGet":{"port":80,"scheme":"HTTP"}}},)json"
    R"json("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)json"
    R"json("imagePullPolicy":"Always","securityContext":{"capabilities":{"add":["NET_ADMIN"],)json"
    R"json("drop":["ALL"]},"privileged":false,"seLinuxOptions":{"level":"s0"},"runAsUser":100)json"
    R"json(0,"runAsNonRoot":true,"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":fal)json"
    R"json(se,"procMount":"Default","seccompProfile":{"type":"RuntimeDefault"}},"stdin":true,)json"
    R"json("tty":true}],"restartPolicy":"Always","terminationGracePeriodSeconds":0,"activeDea)json"
    R"json(dlineSeconds":5,"dnsPolicy":"ClusterFirst","nodeSelector":{"disk":"ssd"},"serviceA)json"
    R"json(ccountName":"sa","serviceAccount":"sa","automountServiceAccountToken":false,"hostN)json"
    R"json(etwork":true,"securityContext":{"runAsUser":1,"supplementalGroups":[1,2],"fsGroup")json"
    R"json(:3,"sysctls":[{"name":"n","value":"v"}],"fsGroupChangePolicy":"Always","seLinuxOpt)json"
    R"json(ions":{"user":"u"}},"imagePullSecrets":[{"name":"x"}],"hostname":"h","subdomain":")json"
    R"json(s","affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{")json"
    R"json(nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"In","values":["v"])json"
    R"json(}],"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}},"pod)json"
    R"json(AntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"pod)json"
    R"json(AffinityTerm":{"labelSelector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key")json"
    R"json(:"x","operator":"Exists"}]},"topologyKey":"zone","matchLabelKeys":["l"]}}]}},"sche)json"
    R"json(dulerName":"default-scheduler","tolerations":[{"key":"k","operator":"Exists","effe)json"
    R"json(ct":"NoExecute","tolerationSeconds":300}],"hostAliases":[{"ip":"1.1.1.1","hostname)json"
    R"json(s":["h"]}],"priorityClassName":"pc","priority":5,"dnsConfig":{"nameservers":["8.8.)json"
    R"json(8.8"],"options":[{"name":"ndots","value":"2"}]},"readinessGates":[{"conditionType")json"
    R"json(:"c"}],"runtimeClassName":"rc","enableServiceLinks":true,"preemptionPolicy":"Never)json"
    R"json(","overhead":{"cpu":"10m"},"topologySpreadConstraints":[{"maxSkew":1,"topologyKey")json"
    R"json(:"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"a":"b)json"
    R"json("}},"minDomains":2,"nodeAffinityPolicy":"Honor"}],"setHostnameAsFQDN":true,"os":{")json"
    R"json(name":"linux"},"hostUsers":true,"schedulingGates":[{"name":"g"}],"resourceClaims":)json"
    R"json([{"name":"rc","resourceClaimName":"z"}],"resources":{"limits":{"cpu":"1"}}}})json";

TEST_CASE("template hash: every kind of field counts as upstream prints it", "[controllers]") {
  CHECK(hash_of(kFull) == "7678b967b5");
}

}  // namespace
}  // namespace tabernetes::controllers
