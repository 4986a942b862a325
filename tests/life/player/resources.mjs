// The resources that recordings speak of: where each is served, and whether it has namespaces.

const kGroups = [
  ['/api/v1', false, ['namespaces', 'nodes', 'persistentvolumes']],
  ['/api/v1', true, ['configmaps', 'serviceaccounts', 'pods', 'events', 'services', 'endpoints', 'secrets', 'resourcequotas', 'persistentvolumeclaims', 'replicationcontrollers']],
  ['/apis/apps/v1', true, ['deployments', 'replicasets', 'statefulsets', 'daemonsets', 'controllerrevisions']],
  ['/apis/batch/v1', true, ['jobs', 'cronjobs']],
  ['/apis/autoscaling/v2', true, ['horizontalpodautoscalers']],
  ['/apis/discovery.k8s.io/v1', true, ['endpointslices']],
  ['/apis/policy/v1', true, ['poddisruptionbudgets']],
  ['/apis/coordination.k8s.io/v1', true, ['leases']],
  ['/apis/storage.k8s.io/v1', false, ['storageclasses']],
  ['/apis/scheduling.k8s.io/v1', false, ['priorityclasses']],
];

/** @type {Record<string, {prefix: string, namespaced: boolean}>} */
const kResources = Object.fromEntries(kGroups.flatMap(([prefix, namespaced, names]) => names.map((name) => [name, { prefix, namespaced }])));

export const isNamespaced = (resource) => kResources[resource]?.namespaced ?? false;

/** Returns the path of an object, of the objects of a namespace (no name), or of all (no namespace). */
export function pathOf(resource, namespace, name) {
  const { prefix, namespaced } = kResources[resource];
  return `${prefix}${namespaced && namespace ? `/namespaces/${namespace}` : ''}/${resource}${name ? `/${name}` : ''}`;
}
