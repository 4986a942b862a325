// kubectl describe
import { writeBinding, writeConfigMap, writeLimitRange, writeNamespace, writeQuota, writeRole, writeSecret, writeServiceAccount } from './describe/config';
import { eventsOf, writeEvents } from './describe/events';
import { writeEndpoints, writeEndpointSlice, writeIngress, writeNetworkPolicy, writeService } from './describe/network';
import { writeNode } from './describe/node';
import { writePod } from './describe/pod';
import { writeAutoscaler, writeBudget, writePriorityClass } from './describe/scaling';
import { Sheet } from './describe/sheet';
import { writeClaim, writeStorageClass, writeVolume } from './describe/storage';
import { writeUnknown } from './describe/unknown';
import { writeCronJob, writeDaemonSet, writeDeployment, writeJob, writeReplicaSet, writeStatefulSet } from './describe/workloads';
import type { Flags } from './flags';
import { objectsOf } from './get';
import { allResources, type Known, type Target, targetsOf } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';

type Writer = (sheet: Sheet, object: KubeObject, caller: Caller) => void | Promise<void>;

/** Of each kind that has a description of its own.. */
const kWriters: Readonly<Record<string, Writer>> = {
  Pod: writePod,
  ReplicationController: writeReplicaSet,
  Service: writeService,
  Endpoints: writeEndpoints,
  ConfigMap: writeConfigMap,
  Secret: writeSecret,
  ServiceAccount: writeServiceAccount,
  Namespace: writeNamespace,
  ResourceQuota: writeQuota,
  LimitRange: writeLimitRange,
  Node: writeNode,
  PersistentVolume: writeVolume,
  PersistentVolumeClaim: writeClaim,
  'Deployment.apps': writeDeployment,
  'ReplicaSet.apps': writeReplicaSet,
  'StatefulSet.apps': writeStatefulSet,
  'DaemonSet.apps': writeDaemonSet,
  'Job.batch': writeJob,
  'CronJob.batch': writeCronJob,
  'Ingress.networking.k8s.io': writeIngress,
  'NetworkPolicy.networking.k8s.io': writeNetworkPolicy,
  'EndpointSlice.discovery.k8s.io': writeEndpointSlice,
  'HorizontalPodAutoscaler.autoscaling': writeAutoscaler,
  'PodDisruptionBudget.policy': writeBudget,
  'PriorityClass.scheduling.k8s.io': writePriorityClass,
  'StorageClass.storage.k8s.io': writeStorageClass,
  'Role.rbac.authorization.k8s.io': writeRole,
  'ClusterRole.rbac.authorization.k8s.io': writeRole,
  'RoleBinding.rbac.authorization.k8s.io': writeBinding,
  'ClusterRoleBinding.rbac.authorization.k8s.io': writeBinding,
};
const kWithoutEvents = ['Secret', 'Namespace', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

export async function describe(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  if (flags.rest.length === 0) throw new CommandError('error: You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.');
  const targets = targetsOf(await allResources(caller), flags.rest);
  const query = new URLSearchParams(flags.has('selector') ? { labelSelector: flags.get('selector') } : {});
  const place = { namespace: flags.is('all-namespaces') ? '' : namespace, query };
  const faults: string[] = [];
  let count = 0;
  for (const target of targets) {
    const found = await foundBy(caller, target, place).catch((fault: unknown) => {
      if (!(fault instanceof ServerError) || targets.length === 1) throw fault;
      faults.push(fault.message);
      return [];
    });
    for (const { resource, object } of found) {
      caller.terminal.out(`${count++ === 0 ? '' : '\n\n'}${await textOf(caller, resource, object, flags.is('show-events', true))}`);
    }
  }
  for (const fault of faults) caller.terminal.err(`${fault}\n`);
  if (count === 0 && faults.length === 0) caller.terminal.err(place.namespace === '' || !targets[0]!.resource.namespaced ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
  return faults.length > 0 ? 1 : 0;
}

/** The object of a name, or all whose names begin with it, if none has it; without a name all. */
async function foundBy(caller: Caller, target: Target, place: { namespace: string; query: URLSearchParams }) {
  try {
    return await objectsOf(caller, target, place);
  } catch (fault) {
    if (target.name === '' || !(fault instanceof ServerError) || fault.reason !== 'NotFound') throw fault;
    const all = await objectsOf(caller, { ...target, name: '' }, place).catch(() => []);
    const similar = all.filter(({ object }) => object.metadata.name.startsWith(target.name));
    if (similar.length === 0) throw fault;
    return similar;
  }
}

async function textOf(caller: Caller, { kind, group }: Known, object: KubeObject, withEvents: boolean): Promise<string> {
  const sheet = new Sheet(caller.session.now());
  const writer = kWriters[group === '' ? kind : `${kind}.${group}`] ?? writeUnknown;
  await writer(sheet, object, caller);
  if (withEvents && !(writer !== writeUnknown && kWithoutEvents.includes(kind))) writeEvents(sheet, await eventsFor(caller, object));
  return sheet.toString();
}

/** Events of a pod may be about any kind of its name; those of a node also have its name for a uid. */
async function eventsFor(caller: Caller, { metadata, kind }: KubeObject) {
  const { uid } = metadata;
  if (kind === 'Pod') return eventsOf(caller, { metadata, uid: metadata.annotations?.['kubernetes.io/config.mirror'] ?? uid });
  const own = await eventsOf(caller, { metadata, kind, uid });
  return kind === 'Node' ? [...own, ...(await eventsOf(caller, { metadata, kind, uid: metadata.name }))] : own;
}
