// The objects of a cluster as manifests: what users made, without what the server, its controllers and simulated
// nodes write.
import type { Group } from './discovery';
import { kServers } from './edits';
import { apiVersion, resourcePath } from './paths';
import type { Resource } from './types';

type Members = { [key: string]: unknown };

export interface DumpedObject {
  apiVersion: string;
  kind: string;
  metadata: Members & {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { controller?: boolean }[];
  };
  spec?: Members;
  [key: string]: unknown;
}

/** Resources whose objects a cluster makes itself. */
const kOwnResources = new Set([
  'apiservices',
  'certificatesigningrequests',
  'componentstatuses',
  'controllerrevisions',
  'csinodes',
  'endpoints',
  'endpointslices',
  'events',
  'flowschemas',
  'ipaddresses',
  'leasecandidates',
  'leases',
  'nodes',
  'prioritylevelconfigurations',
  'resourceslices',
  'servicecidrs',
  'storageversions',
  'volumeattachments',
]);

/** What others need comes first. */
const kFirst = ['Namespace', 'CustomResourceDefinition', 'StorageClass', 'PriorityClass', 'ServiceAccount', 'Secret', 'ConfigMap', 'PersistentVolume', 'PersistentVolumeClaim', 'ClusterRole', 'Role'];

/** Annotations that controllers write. */
const kOwnAnnotations = /^(?:pv\.kubernetes\.io|volume\.kubernetes\.io|volume\.beta\.kubernetes\.io|deployment\.kubernetes\.io|control-plane\.alpha\.kubernetes\.io)\/|^kubernetes\.io\/limit-ranger$/;

/** Finalizers that the server or a controller adds. */
const kOwnFinalizers = ['kubernetes.io/pvc-protection', 'kubernetes.io/pv-protection'];

/** Labels of a Job and its pods that the server chooses. */
const kJobLabels = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'];

const isSystemNamespace = (name: string | undefined) => name === undefined || /^kube-/.test(name);

/**
 * Returns what users made in a namespace, with the Namespace itself; an empty one: in all but those of the system, with
 * what belongs to no namespace. `list` resolves with the items of a collection.
 */
export async function dumpOf(groups: readonly Group[], namespace: string, list: (target: string) => Promise<Members[]>): Promise<DumpedObject[]> {
  const resources = groups
    .flatMap((group) => group.resources)
    .filter(({ name, verbs, namespaced }) => verbs.includes('create') && !kOwnResources.has(name) && (namespaced || namespace === '' || name === 'namespaces'));
  const found: DumpedObject[] = [];
  for (const resource of resources) {
    const items = await list(resourcePath(resource, namespace));
    const objects = items.map((item) => ({ apiVersion: apiVersion(resource), kind: resource.kind, ...item }) as DumpedObject);
    found.push(...objects.filter((object) => isWanted(object, resource, namespace)).map(configurationOf));
  }
  const rank = ({ kind }: DumpedObject) => (kFirst.includes(kind) ? kFirst.indexOf(kind) : kFirst.length);
  return found.sort((a, b) => rank(a) - rank(b));
}

function isWanted(object: DumpedObject, { namespaced, name: plural }: Resource, namespace: string): boolean {
  const { name, namespace: own, labels = {}, annotations = {}, ownerReferences = [], deletionTimestamp } = object.metadata;
  if (plural === 'namespaces') return name !== 'default' && !isSystemNamespace(name) && (namespace === '' || namespace === name);
  if (deletionTimestamp !== undefined || ownerReferences.some(({ controller }) => controller)) return false;
  if (namespaced && namespace === '' && isSystemNamespace(own)) return false;
  if ('kubernetes.io/bootstrapping' in labels || 'pv.kubernetes.io/provisioned-by' in annotations) return false;
  switch (object.kind) {
    case 'ServiceAccount':
      return name !== 'default';
    case 'ConfigMap':
      return name !== 'kube-root-ca.crt';
    case 'Service':
      return !(own === 'default' && name === 'kubernetes');
    case 'PriorityClass':
      return !name.startsWith('system-');
    case 'Secret':
      return object.type !== 'kubernetes.io/service-account-token';
    default:
      return true;
  }
}

/** Returns the object as one would create it. */
function configurationOf({ apiVersion: version, kind, metadata, status: _, ...rest }: DumpedObject): DumpedObject {
  const meta = Object.fromEntries(Object.entries(metadata).filter(([name]) => !kServers.includes(name))) as DumpedObject['metadata'];
  const object: DumpedObject = structuredClone({ apiVersion: version, kind, metadata: meta, ...rest });
  keep(object.metadata, 'annotations', (name) => !kOwnAnnotations.test(name));
  const finalizers = ((meta.finalizers ?? []) as string[]).filter((name) => !kOwnFinalizers.includes(name));
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  if (object.spec) kSpecs[kind]?.(object.spec, object);
  return object;
}

/** Leaves only those members of a map that are wanted, and no empty map. */
function keep(holder: Members | undefined, map: string, wanted: (name: string) => boolean): void {
  if (!holder?.[map]) return;
  const left = Object.entries(holder[map]).filter(([name]) => wanted(name));
  if (left.length > 0) holder[map] = Object.fromEntries(left);
  else delete holder[map];
}

/** What the server and its controllers choose in a spec, by kind. */
const kSpecs: Record<string, (spec: Members, object: DumpedObject) => void> = {
  Namespace: (_, object) => {
    delete object.spec;
    keep(object.metadata, 'labels', (name) => name !== 'kubernetes.io/metadata.name');
  },
  Service: (spec) => {
    if (spec.clusterIP === 'None') return;
    delete spec.clusterIP;
    delete spec.clusterIPs;
  },
  PersistentVolumeClaim: (spec) => void delete spec.volumeName,
  PersistentVolume: (spec) => void delete spec.claimRef,
  Job: (spec, object) => {
    if (spec.manualSelector) return;
    delete spec.selector;
    const template = (spec.template as { metadata?: Members } | undefined)?.metadata;
    for (const holder of [object.metadata, template]) keep(holder, 'labels', (name) => !kJobLabels.includes(name));
  },
  Pod: (spec) => {
    delete spec.nodeName;
    const isToken = ({ name }: { name?: unknown }) => /^kube-api-access-/.test(String(name));
    const without = (holder: Members, list: string) => {
      const left = ((holder[list] ?? []) as { name?: unknown }[]).filter((each) => !isToken(each));
      if (left.length > 0) holder[list] = left;
      else delete holder[list];
    };
    without(spec, 'volumes');
    for (const containers of ['initContainers', 'containers']) {
      for (const container of (spec[containers] ?? []) as Members[]) without(container, 'volumeMounts');
    }
  },
};
