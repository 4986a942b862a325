#include "auth/bootstrap_roles_text.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kRoles = R"(
cluster-admin group=system:masters
  * * *
  * *
system:discovery group=system:authenticated
  get /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/
system:monitoring group=system:monitoring
  get /flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*,/statusz
  get "" nodes/metrics
system:basic-user group=system:authenticated
  create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews
  create authentication.k8s.io selfsubjectreviews
system:public-info-viewer group=system:authenticated group=system:unauthenticated
  get /healthz,/livez,/readyz,/version,/version/
admin <admin
edit +admin <edit
view +edit <view
system:aggregate-to-admin +admin
  create authorization.k8s.io localsubjectaccessreviews
  create,delete,deletecollection,get,list,patch,update,watch rbac.authorization.k8s.io rolebindings,roles
system:aggregate-to-edit +edit
  get,list,watch "" pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy
  impersonate "" serviceaccounts
  create,delete,deletecollection,patch,update "" pods,pods/attach,pods/exec,pods/portforward,pods/proxy
  create "" pods/eviction
  create,delete,deletecollection,patch,update "" configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy
  create "" serviceaccounts/token
  create,delete,deletecollection,patch,update "",events.k8s.io events
  create,delete,deletecollection,patch,update apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale
  create,delete,deletecollection,patch,update autoscaling horizontalpodautoscalers
  create,delete,deletecollection,patch,update batch cronjobs,jobs
  create,delete,deletecollection,patch,update extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale
  create,delete,deletecollection,patch,update policy poddisruptionbudgets
  create,delete,deletecollection,patch,update networking.k8s.io ingresses,networkpolicies
  create,delete,deletecollection,get,list,patch,update,watch coordination.k8s.io leases
  create,delete,deletecollection,patch,update resource.k8s.io resourceclaims,resourceclaimtemplates
system:aggregate-to-view +view
  get,list,watch "" configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status
  get,list,watch "" bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status
  get,list,watch "" namespaces
  get,list,watch "",events.k8s.io events
  get,list,watch discovery.k8s.io endpointslices
  get,list,watch apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status
  get,list,watch autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status
  get,list,watch batch cronjobs,cronjobs/status,jobs,jobs/status
  get,list,watch extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale
  get,list,watch policy poddisruptionbudgets,poddisruptionbudgets/status
  get,list,watch networking.k8s.io ingresses,ingresses/status,networkpolicies
  get,list,watch resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates
system:heapster
  get,list,watch "" events,namespaces,nodes,pods
  get,list,watch extensions deployments
system:node nobody
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews
  get,list,watch "" services
  create,get,list,watch "" nodes
  patch,update "" nodes/status
  patch,update "" nodes
  create,patch,update "",events.k8s.io events
  get,list,watch "" pods
  create,delete "" pods
  patch,update "" pods/status
  create "" pods/eviction
  get,list,watch "" configmaps,secrets
  get "" persistentvolumeclaims,persistentvolumes
  get "" endpoints
  create,get,list,watch certificates.k8s.io certificatesigningrequests
  create,delete,get,patch,update coordination.k8s.io leases
  get storage.k8s.io volumeattachments
  create "" serviceaccounts/token
  get,patch,update "" persistentvolumeclaims/status
  get,list,watch storage.k8s.io csidrivers
  create,delete,get,patch,update storage.k8s.io csinodes
  get,list,watch node.k8s.io runtimeclasses
  get resource.k8s.io resourceclaims
  deletecollection resource.k8s.io resourceslices
  get "" serviceaccounts
system:node-problem-detector
  get "" nodes
  patch "" nodes/status
  create,patch,update "",events.k8s.io events
system:node-bootstrapper
  create,get,list,watch certificates.k8s.io certificatesigningrequests
system:auth-delegator
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
system:kube-aggregator
  get,list,watch "" endpoints,services
system:kube-controller-manager user=system:kube-controller-manager
  create,patch,update "",events.k8s.io events
  create coordination.k8s.io leases
  get,update coordination.k8s.io leases kube-controller-manager
  create "" secrets,serviceaccounts
  delete "" secrets
  get "" configmaps,namespaces,secrets,serviceaccounts
  update "" secrets,serviceaccounts
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  list,watch * *
  create "" serviceaccounts/token
system:kube-dns account=kube-dns
  list,watch "" endpoints,services
system:persistent-volume-provisioner
  create,delete,get,list,watch "" persistentvolumes
  get,list,update,watch "" persistentvolumeclaims
  get,list,watch storage.k8s.io storageclasses
  watch "" events
  create,patch,update "",events.k8s.io events
system:certificates.k8s.io:certificatesigningrequests:nodeclient
  create certificates.k8s.io certificatesigningrequests/nodeclient
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  create certificates.k8s.io certificatesigningrequests/selfnodeclient
system:volume-scheduler user=system:kube-scheduler
  get,list,patch,update,watch "" persistentvolumes
  get,list,watch storage.k8s.io storageclasses
  get,list,patch,update,watch "" persistentvolumeclaims
system:certificates.k8s.io:legacy-unknown-approver
  approve certificates.k8s.io signers kubernetes.io/legacy-unknown
system:certificates.k8s.io:kubelet-serving-approver
  approve certificates.k8s.io signers kubernetes.io/kubelet-serving
system:certificates.k8s.io:kube-apiserver-client-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client
system:certificates.k8s.io:kube-apiserver-client-kubelet-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
system:service-account-issuer-discovery group=system:serviceaccounts
  get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/
system:kubelet-api-admin
  get,list,watch "" nodes
  proxy "" nodes
  * "" nodes/log,nodes/metrics,nodes/proxy,nodes/stats
  * "" nodes/configz,nodes/healthz,nodes/pods
system:node-proxier user=system:kube-proxy
  list,watch "" endpoints,services
  get,list,watch "" nodes
  create,patch,update "",events.k8s.io events
  list,watch networking.k8s.io servicecidrs
  list,watch discovery.k8s.io endpointslices
system:kube-scheduler user=system:kube-scheduler
  create,patch,update "",events.k8s.io events
  create coordination.k8s.io leases
  get,list,update,watch coordination.k8s.io leases kube-scheduler
  create,delete,deletecollection,get,list,patch,update,watch coordination.k8s.io leasecandidates
  get,list,watch "" nodes
  delete,get,list,watch "" pods
  create "" bindings,pods/binding
  patch,update "" pods/status
  get,list,watch "" replicationcontrollers,services
  get,list,watch apps,extensions replicasets
  get,list,watch apps statefulsets
  get,list,watch policy poddisruptionbudgets
  get,list,watch "" persistentvolumeclaims,persistentvolumes
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  get,list,watch storage.k8s.io csinodes
  get,list,watch storage.k8s.io volumeattachments
  get,list,watch "" namespaces
  get,list,watch storage.k8s.io csidrivers
  get,list,watch storage.k8s.io csistoragecapacities
  get,list,watch resource.k8s.io deviceclasses
  get,list,patch,update,watch resource.k8s.io resourceclaims
  get,list,patch,update,watch resource.k8s.io resourceclaims/status
  update "" pods/finalizers
  get,list,watch resource.k8s.io resourceslices
  create,delete resource.k8s.io resourceclaims
  patch,update resource.k8s.io resourceclaims/binding
system:controller:attachdetach-controller account=attachdetach-controller
  list,watch "" persistentvolumeclaims,persistentvolumes
  get,list,watch "" nodes
  patch,update "" nodes/status
  list,watch "" pods
  create,patch,update "",events.k8s.io events
  create,delete,get,list,watch storage.k8s.io volumeattachments
  get,list,watch storage.k8s.io csidrivers
  get,list,watch storage.k8s.io csinodes
system:controller:clusterrole-aggregation-controller account=clusterrole-aggregation-controller
  escalate,get,list,patch,update,watch rbac.authorization.k8s.io clusterroles
system:controller:cronjob-controller account=cronjob-controller
  get,list,update,watch batch cronjobs
  create,delete,get,list,patch,update,watch batch jobs
  update batch cronjobs/status
  update batch cronjobs/finalizers
  delete,list,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:daemon-set-controller account=daemon-set-controller
  get,list,watch apps,extensions daemonsets
  update apps,extensions daemonsets/status
  update apps,extensions daemonsets/finalizers
  list,watch "" nodes
  create,delete,list,patch,watch "" pods
  create "" pods/binding
  create,delete,get,list,patch,update,watch apps controllerrevisions
  create,patch,update "",events.k8s.io events
system:controller:deployment-controller account=deployment-controller
  get,list,update,watch apps,extensions deployments
  update apps,extensions deployments/status
  update apps,extensions deployments/finalizers
  create,delete,get,list,patch,update,watch apps,extensions replicasets
  get,list,update,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:disruption-controller account=disruption-controller
  get,list,watch apps,extensions deployments
  get,list,watch apps,extensions replicasets
  get,list,watch "" replicationcontrollers
  get,list,watch policy poddisruptionbudgets
  get,list,watch apps statefulsets
  update policy poddisruptionbudgets/status
  patch,update "" pods/status
  get * */scale
  create,patch,update "",events.k8s.io events
system:controller:endpoint-controller account=endpoint-controller
  get,list,watch "" pods,services
  create,delete,get,list,update,watch "" endpoints
  create "" endpoints/restricted
  create,patch,update "",events.k8s.io events
system:controller:endpointslice-controller account=endpointslice-controller
  get,list,watch "" nodes,pods,services
  update "" services/finalizers
  create,delete,get,list,update,watch discovery.k8s.io endpointslices
  create,patch,update "",events.k8s.io events
system:controller:endpointslicemirroring-controller account=endpointslicemirroring-controller
  get,list,watch "" endpoints,services
  update "" services/finalizers
  update "" endpoints/finalizers
  create,delete,get,list,update,watch discovery.k8s.io endpointslices
  create,patch,update "",events.k8s.io events
system:controller:expand-controller account=expand-controller
  get,list,patch,update,watch "" persistentvolumes
  patch,update "" persistentvolumeclaims/status
  get,list,watch "" persistentvolumeclaims
  create,patch,update "",events.k8s.io events
system:controller:ephemeral-volume-controller account=ephemeral-volume-controller
  get,list,watch "" pods
  update "" pods/finalizers
  create,get,list,watch "" persistentvolumeclaims
  create,patch,update "",events.k8s.io events
system:controller:resource-claim-controller account=resource-claim-controller
  get,list,watch "" pods
  update "" pods/finalizers
  create,delete,get,list,watch resource.k8s.io resourceclaims
  patch,update resource.k8s.io resourceclaims,resourceclaims/status
  patch,update "" pods/status
  create,patch,update "",events.k8s.io events
  patch,update resource.k8s.io resourceclaims/binding
system:controller:device-taint-eviction-controller account=device-taint-eviction-controller
  delete,get,list,watch "" pods
  patch,update "" pods/status
  get,list,watch resource.k8s.io resourceclaims
  get,list,watch resource.k8s.io resourceslices
  get,list,watch resource.k8s.io deviceclasses
  create,patch,update "",events.k8s.io events
system:controller:generic-garbage-collector account=generic-garbage-collector
  delete,get,list,patch,update,watch * *
  create,patch,update "",events.k8s.io events
system:controller:horizontal-pod-autoscaler account=horizontal-pod-autoscaler
  get,list,watch autoscaling horizontalpodautoscalers
  update autoscaling horizontalpodautoscalers/status
  get,update * */scale
  list,watch "" pods
  list,watch metrics.k8s.io pods
  get,list,watch custom.metrics.k8s.io *
  get,list,watch external.metrics.k8s.io *
  create,patch,update "",events.k8s.io events
system:controller:job-controller account=job-controller
  get,list,patch,update,watch batch jobs
  update batch jobs/status
  update batch jobs/finalizers
  create,delete,list,patch,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:namespace-controller account=namespace-controller
  delete,get,list,watch "" namespaces
  update "" namespaces/finalize,namespaces/status
  delete,deletecollection,get,list,watch * *
system:controller:node-controller account=node-controller
  delete,get,list,patch,update,watch "" nodes
  patch,update "" nodes/status
  patch,update "" pods/status
  delete,get,list,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:persistent-volume-binder account=persistent-volume-binder
  create,delete,get,list,update,watch "" persistentvolumes
  update "" persistentvolumes/status
  get,list,update,watch "" persistentvolumeclaims
  update "" persistentvolumeclaims/status
  create,delete,get,list,watch "" pods
  get,list,watch storage.k8s.io storageclasses
  list,watch "" nodes
  create,patch,update "",events.k8s.io events
  watch "" events
system:controller:pod-garbage-collector account=pod-garbage-collector
  delete,list,watch "" pods
  get,list,watch "" nodes
  patch "" pods/status
system:controller:replicaset-controller account=replicaset-controller
  get,list,update,watch apps,extensions replicasets
  update apps,extensions replicasets/status
  update apps,extensions replicasets/finalizers
  create,delete,list,patch,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:replication-controller account=replication-controller
  get,list,update,watch "" replicationcontrollers
  update "" replicationcontrollers/status
  update "" replicationcontrollers/finalizers
  create,delete,list,patch,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:resourcequota-controller account=resourcequota-controller
  list,watch * *
  update "" resourcequotas/status
  create,patch,update "",events.k8s.io events
system:controller:route-controller account=route-controller
  list,watch "" nodes
  patch "" nodes/status
  create,patch,update "",events.k8s.io events
system:controller:service-account-controller account=service-account-controller
  create "" serviceaccounts
  create,patch,update "",events.k8s.io events
system:controller:service-controller account=service-controller
  get,list,watch "" services
  patch,update "" services/status
  list,watch "" nodes
  create,patch,update "",events.k8s.io events
system:controller:service-cidrs-controller account=service-cidrs-controller
  get,list,patch,update,watch networking.k8s.io servicecidrs
  patch,update networking.k8s.io servicecidrs/finalizers
  patch,update networking.k8s.io servicecidrs/status
  get,list,watch networking.k8s.io ipaddresses
  create,patch,update "",events.k8s.io events
system:controller:statefulset-controller account=statefulset-controller
  list,watch "" pods
  get,list,watch apps statefulsets
  update apps statefulsets/status
  update apps statefulsets/finalizers
  create,delete,get,patch,update "" pods
  create,delete,get,list,patch,update,watch apps controllerrevisions
  create,get,list,watch "" persistentvolumeclaims
  delete,update "" persistentvolumeclaims
  update "" pods/finalizers
  create,patch,update "",events.k8s.io events
system:controller:ttl-controller account=ttl-controller
  list,patch,update,watch "" nodes
  create,patch,update "",events.k8s.io events
system:controller:certificate-controller account=certificate-controller
  delete,get,list,watch certificates.k8s.io certificatesigningrequests
  update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
  sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown
  create authorization.k8s.io subjectaccessreviews
  create,patch,update "",events.k8s.io events
system:controller:pvc-protection-controller account=pvc-protection-controller
  get,list,update,watch "" persistentvolumeclaims
  update "" persistentvolumeclaims/status
  get,list,watch "" pods
  create,patch,update "",events.k8s.io events
system:controller:pv-protection-controller account=pv-protection-controller
  get,list,update,watch "" persistentvolumes
  create,patch,update "",events.k8s.io events
system:controller:volumeattributesclass-protection-controller account=volumeattributesclass-protection-controller
  get,list,watch "" persistentvolumeclaims
  get,list,watch "" persistentvolumes
  get,list,update,watch storage.k8s.io volumeattributesclasses
  create,patch,update "",events.k8s.io events
system:controller:ttl-after-finished-controller account=ttl-after-finished-controller
  delete,get,list,watch batch jobs
  create,patch,update "",events.k8s.io events
system:controller:root-ca-cert-publisher account=root-ca-cert-publisher
  create,update "" configmaps
  create,patch,update "",events.k8s.io events
system:controller:validatingadmissionpolicy-status-controller account=validatingadmissionpolicy-status-controller
  get,list,watch admissionregistration.k8s.io validatingadmissionpolicies
  get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status
  create,patch,update "",events.k8s.io events
system:controller:legacy-service-account-token-cleaner account=legacy-service-account-token-cleaner
  get "" configmaps kube-apiserver-legacy-service-account-token-tracking
  delete,patch "" secrets
system:controller:selinux-warning-controller account=selinux-warning-controller
  create,patch,update "",events.k8s.io events
  get,list,watch "" persistentvolumes
  get,list,watch "" persistentvolumeclaims
  get,list,watch "" pods
  get,list,watch storage.k8s.io csidrivers
kube-system/extension-apiserver-authentication-reader as=system::extension-apiserver-authentication-reader user=system:kube-controller-manager user=system:kube-scheduler
  get,list,watch "" configmaps extension-apiserver-authentication
kube-system/system:controller:bootstrap-signer account=bootstrap-signer
  get,list,watch "" secrets
kube-system/system:controller:cloud-provider account=cloud-provider
  create,get,list,watch "" configmaps
kube-system/system:controller:token-cleaner account=token-cleaner
  delete,get,list,watch "" secrets
  create,patch,update "",events.k8s.io events
kube-system/system::leader-locking-kube-controller-manager user=system:kube-controller-manager account=kube-controller-manager account=leader-election-controller
  create,get,list,update,watch coordination.k8s.io leases
  create,get,list,update,watch coordination.k8s.io leasecandidates
kube-system/system::leader-locking-kube-scheduler user=system:kube-scheduler account=kube-scheduler
  create,get,list,update,watch coordination.k8s.io leases
  create,get,list,update,watch coordination.k8s.io leasecandidates
kube-public/system:controller:bootstrap-signer account=bootstrap-signer
  get,list,watch "" configmaps
  update "" configmaps cluster-info
  create,patch,update "",events.k8s.io events
)";

}  // namespace

std::string_view bootstrap_roles_text() { return kRoles.substr(1); }

}  // namespace tabernetes::auth
