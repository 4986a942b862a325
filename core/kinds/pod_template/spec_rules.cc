// Rules of pod specs, in a pod or a template. `/` is the spec. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidatePodSpec and below.
#include "kinds/pod_template/pod_scope.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodSpecRules, R"(
resourceClaims[]
 ?@static
  @static-claim
 else
  name required distinct! is:label
  ?two:resourceClaimName,resourceClaimTemplateName
   . bad=#core.v1.PodResourceClaim "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
  ?!any:resourceClaimName,resourceClaimTemplateName
   . bad=#core.v1.PodResourceClaim "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
  resourceClaimName,resourceClaimTemplateName given is:subdomain
&containers
@pod-resources
?hostNetwork=true
 containers[].ports[].hostPort
  ?@template
   . nonzero &host-port
  else
   &host-port
restartPolicy required enum:Always,OnFailure,Never
dnsPolicy required enum:ClusterFirstWithHostNet,ClusterFirst,Default,None
nodeSelector @labels
securityContext given &pod-security
affinity
 nodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution given &node-selector
  preferredDuringSchedulingIgnoredDuringExecution[]
   &weight
   preference &preferred-node-term
 podAffinity,podAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution[] &pod-term
  preferredDuringSchedulingIgnoredDuringExecution[]
   &weight
   podAffinityTerm &pod-term
&dns
readinessGates[].conditionType is:qualified
schedulingGates[].name>^ is:qualified distinct=""
topologySpreadConstraints[]
 maxSkew positive
 topologyKey required "can not be empty"
 whenUnsatisfiable enum:DoNotSchedule,ScheduleAnyway
 @repeated-spread
 minDomains given positive @min-domains
 nodeAffinityPolicy,nodeTaintsPolicy given enum:Honor,Ignore
 ?gate:MatchLabelKeysInPodTopologySpreadSelectorMerge
  @match-keys
 else
  @unmerged-keys
 labelSelector &selector
@host-process
?hostUsers=false
 ?hostNetwork=true ?!gate:UserNamespacesHostNetworkSupport
  hostNetwork deny "when `hostUsers` is false"
 ?hostPID=true
  hostPID>HostPID deny "when `hostUsers` is false"
 ?hostIPC=true
  hostIPC>HostIPC deny "when `hostUsers` is false"
 initContainers,containers,ephemeralContainers[].volumeDevices forbid "when `hostUsers` is false"
hostnameOverride given
 ?/setHostnameAsFQDN=true
  . deny "may not be specified when setHostnameAsFQDN is true"
 ?/hostNetwork=true
  . deny "may not be specified when hostNetwork is true"
 . maxlen:64 is:subdomain
serviceAccountName,nodeName opt is:subdomain
activeDeadlineSeconds given range:1-2147483647
hostname,subdomain opt is:label
tolerations[] &toleration
hostAliases[]
 ip is:ip
 hostnames[] is:subdomain
priorityClassName opt is:subdomain
runtimeClassName given is:subdomain
preemptionPolicy given required enum:PreemptLowerPriority,Never
overhead @overhead
os given
 name required
 name>^ opt enum:linux,windows
?os.name=windows
 &on-windows
?os.name=linux
 securityContext.windowsOptions given deny "windows options cannot be set for a linux pod"
 initContainers,containers,ephemeralContainers[].securityContext.windowsOptions given deny "windows options cannot be set for a linux pod"
initContainers,containers,ephemeralContainers[].env[].valueFrom.fileKeyRef given
 volumeName @file-volume
)");

TAB_RULES(kHostPortRules, R"(
. eq:.containerPort "must match `containerPort` when `hostNetwork` is true"
)");

TAB_RULES(kDnsRules, R"(
?dnsPolicy=None ?-dnsConfig
 dnsConfig need "must provide `dnsConfig` when `dnsPolicy` is None"
else ?dnsPolicy=None ?!dnsConfig.nameservers
 dnsConfig.nameservers need "must provide at least one DNS nameserver when `dnsPolicy` is None"
else
 dnsConfig
  nameservers max!:3 "must not have more than 3 nameservers"
  nameservers[] is:ip
  searches max:32 "must not have more than 32 search paths"
  searches @searches
  options[]
   ?!name
    . need "must not be empty"
)");

// scheduling
TAB_RULES(kWeightRules, R"(
weight range:1-100 "must be in the range 1-100"
)");

TAB_RULES(kPodTermRules, R"(
labelSelector &selector
namespaceSelector &selector
namespaces>^[].^>namespace is:label
@match-keys
topologyKey required "can not be empty"
topologyKey is:qualified
)");

// containers
TAB_RULES(kContainersRules, R"(
containers required
containers[] &container
 name distinct=""
 &probes
 &restarts
containers @host-ports
initContainers[] &container
 ?+restartPolicy
  &restarts
 else ?restartPolicyRules
  restartPolicy need "must specify restartPolicy when restart rules are used"
 name apart!:..containers[].name opt distinct
 @own-host-ports
 ?restartPolicy=Always
  &probes
 else
  lifecycle,livenessProbe,readinessProbe,startupProbe given deny "may not be set for init containers without restartPolicy=Always"
  resizePolicy[].restartPolicy
   ?=RestartContainer
    . bad "must not be set to 'RestartContainer' for non-sidecar initContainers"
ephemeralContainers[] &container
 image @not-padded
 name apart!:..containers[].name apart!:..initContainers[].name distinct=""
 targetContainerName opt among:..containers[].name,..initContainers[].name
 ports given deny "cannot be set for an Ephemeral Container"
 ?@resources
  resources deny "cannot be set for an Ephemeral Container"
 resizePolicy,restartPolicy,restartPolicyRules,livenessProbe,readinessProbe,startupProbe,lifecycle given deny "cannot be set for an Ephemeral Container"
 volumeMounts[].subPath,subPathExpr forbid "cannot be set for an Ephemeral Container"
)");

TAB_RULES(kContainerRules, R"~(
name required is:label
image required
terminationMessagePolicy required enum:File,FallbackToLogsOnError
ports[]
 name opt is!:port-name distinct
 containerPort needed range:1-65535
 hostPort nonzero range:1-65535
 protocol required enum:SCTP,TCP,UDP
env[]
 name required is:env-name
 valueFrom given &env-source
envFrom[]
 prefix opt is:env-name
 configMapRef,secretRef given
  name required @source-name
 ?!any:configMapRef,secretRef
  ^ bad="" "must specify one of: `configMapRef` or `secretRef`"
 ?two:configMapRef,secretRef
  ^ bad="" "may not have more than one field specified at a time"
volumeMounts[]
 name required
 name @volume
 mountPath required
 mountPath distinct="" "must be unique"
 name apart:..volumeDevices[].name "must not already exist in volumeDevices"
 mountPath apart:..volumeDevices[].devicePath "must not already exist as a path in volumeDevices"
 ^subPath opt @relative-path
 ?subPathExpr ?subPath
  subPathExpr bad "subPathExpr and subPath are mutually exclusive"
 ^subPathExpr opt @relative-path
 ^mountPropagation given enum:Bidirectional,HostToContainer,None
  ?=Bidirectional ?..securityContext.privileged!=true
   . deny "Bidirectional mount propagation is available only to privileged containers"
 ^recursiveReadOnly given
  ?!=Disabled
   . enum!:Disabled,Enabled,IfPossible
    ?.readOnly!=true
     . deny "may only be specified when readOnly is true"
    ?.mountPropagation ?.mountPropagation!=None
     . deny "may only be specified when mountPropagation is None or not specified"
volumeDevices[]
 name required
 name opt distinct "must be unique"
 name @block-volume
 devicePath required
 devicePath
  ?@backsteps
   . bad "can not contain backsteps ('..')"
  else
   . distinct="" "must be unique"
 name apart:..volumeMounts[].name "must not already exist in volumeMounts"
 devicePath apart:..volumeMounts[].mountPath "must not already exist as a path in volumeMounts"
imagePullPolicy required enum:Always,IfNotPresent,Never
resources @container-resources
resizePolicy[]
 resourceName>^ distinct=""
 ^resourceName>^ required enum:cpu,memory
 ^restartPolicy>^ required enum:NotRequired,RestartContainer
 ?/restartPolicy=Never ?restartPolicy!=NotRequired
  ^restartPolicy>^ bad "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
securityContext given
 ?privileged=true ?@unprivileged
  privileged deny "disallowed by cluster policy"
 runAsUser,runAsGroup given range:0-2147483647
 procMount given enum:Default,Unmasked
  ?=Unmasked ?/hostUsers!=false
   . bad "`hostUsers` must be false to use `Unmasked`"
 seccompProfile given &seccomp
 ?allowPrivilegeEscalation=false
  ?privileged=true
   . bad=#core.v1.SecurityContext "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
  @admin-capability
 windowsOptions given &windows-options
 appArmorProfile given &app-armor
)~");

TAB_RULES(kEnvSourceRules, R"(
fieldRef given @field-reference
resourceFieldRef given @resource-reference
configMapKeyRef,secretKeyRef given
 name is:subdomain
 key required is:config-key
fileKeyRef given
 key required is:env-name
 volumeName required is:label
 path required @no-backsteps
?!any:fieldRef,resourceFieldRef,configMapKeyRef,secretKeyRef,fileKeyRef
 . bad="" "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
else ?.value
 . bad="" "may not be specified when `value` is not empty"
else ?two:fieldRef,resourceFieldRef,configMapKeyRef,secretKeyRef,fileKeyRef
 . bad="" "may not have more than one field specified at a time"
)");

TAB_RULES(kRestartsRules, R"(
?+restartPolicy
 restartPolicy enum:Always,Never,OnFailure
else ?restartPolicyRules
 restartPolicy need "must specify restartPolicy when restart rules are used"
restartPolicyRules max:20
restartPolicyRules[]
 action enum:Restart,RestartAllContainers
 exitCodes present "must be specified"
  operator enum:In,NotIn
  values max:255
)");

TAB_RULES(kProbesRules, R"(
lifecycle.postStart,preStop given &handler
livenessProbe given &probe
 successThreshold eq:1 "must be 1"
readinessProbe given &probe
 terminationGracePeriodSeconds given bad "must not be set for readinessProbes"
startupProbe given &probe
 successThreshold eq:1 "must be 1"
)");

TAB_RULES(kProbeRules, R"(
&handler
initialDelaySeconds,timeoutSeconds,periodSeconds,successThreshold,failureThreshold min:0
terminationGracePeriodSeconds given ge:1 "must be greater than 0"
)");

TAB_RULES(kHandlerRules, R"(
exec given
 command required
httpGet given first:exec "may not specify more than 1 handler type"
 path required
 port @port
 scheme enum:HTTP,HTTPS
 httpHeaders[].^name>^ is:header-name
tcpSocket given first:exec,httpGet "may not specify more than 1 handler type"
 port @port
grpc given first:exec,httpGet,tcpSocket "may not specify more than 1 handler type"
 port @port
sleep given first:exec,httpGet,tcpSocket,grpc "may not specify more than 1 handler type" @sleep
?!any:exec,httpGet,tcpSocket,grpc,sleep
 . need "must specify a handler type"
)");

// security
TAB_RULES(kPodSecurityRules, R"(
fsGroup,runAsUser,runAsGroup given range:0-2147483647
supplementalGroups[] given range:0-2147483647
?/shareProcessNamespace=true ?/hostPID=true
 shareProcessNamespace bad=true "ShareProcessNamespace and HostPID cannot both be enabled"
sysctls[].name
 . required is!:sysctl distinct
 ?@network-sysctl ?/hostNetwork=true
  . bad "may not be specified when 'hostNetwork' is true"
 ?@ipc-sysctl ?/hostIPC=true
  . bad "may not be specified when 'hostIPC' is true"
fsGroupChangePolicy given enum:Always,OnRootMismatch
seccompProfile given &seccomp
windowsOptions given &windows-options
appArmorProfile given &app-armor
supplementalGroupsPolicy given enum:Merge,Strict
seLinuxChangePolicy given enum:MountOption,Recursive
)");

TAB_RULES(kSeccompRules, R"(
type required "type is required when seccompProfile is set" enum:Localhost,RuntimeDefault,Unconfined
?type=Localhost
 localhostProfile present "must be set when seccomp type is Localhost" @relative-path
else ?+localhostProfile
 >localhostProfile bad=#core.v1.SeccompProfile "can only be set when seccomp type is Localhost"
)");

TAB_RULES(kAppArmorRules, R"(
?type=Localhost
 localhostProfile
  ?@padded
   . bad "must not be padded with whitespace"
  else
   . required "must be set when AppArmor type is Localhost"
  . maxlen:4095
else
 type required "type is required when appArmorProfile is set" enum:Localhost,RuntimeDefault,Unconfined
 ?type=RuntimeDefault|Unconfined
  localhostProfile given bad "can only be set when AppArmor type is Localhost"
)");

TAB_RULES(kWindowsOptionsRules, R"(
gmsaCredentialSpecName given is:subdomain
gmsaCredentialSpec given maxlen:65536 "gmsaCredentialSpec size must be under 64 KiB"
 ?!
  . bad "gmsaCredentialSpec cannot be an empty string"
runAsUserName given @user-name
)");

TAB_RULES(kOnWindowsRules, R"(
securityContext.appArmorProfile,seLinuxOptions given deny "cannot be set for a windows pod"
hostUsers given deny "cannot be set for a windows pod"
hostPID,hostIPC
 ?=true
  . deny "cannot be set for a windows pod"
securityContext.seccompProfile,fsGroup,fsGroupChangePolicy,sysctls given deny "cannot be set for a windows pod"
shareProcessNamespace given deny "cannot be set for a windows pod"
securityContext.runAsUser,runAsGroup,supplementalGroups,supplementalGroupsPolicy,seLinuxChangePolicy given deny "cannot be set for a windows pod"
initContainers,containers,ephemeralContainers[].securityContext.appArmorProfile,seLinuxOptions,seccompProfile,capabilities,readOnlyRootFilesystem,privileged,allowPrivilegeEscalation,procMount,runAsUser,runAsGroup given deny "cannot be set for a windows pod"
)");

}  // namespace tabernetes::registry::kinds
