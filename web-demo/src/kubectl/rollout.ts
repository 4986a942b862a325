// kubectl rollout
import { chosen } from './change';
import type { Flags } from './flags';
import { pathOf, typeName } from './resources';
import { type Caller, CommandError, type KubeObject } from './session';
import { aligned } from './table';

const kStrategic = 'application/strategic-merge-patch+json';
const kRevision = 'deployment.kubernetes.io/revision';

export async function rollout(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [verb = '', ...words] = flags.rest;
  const found = await chosen(caller, flags, namespace, words);
  for (const { resource, object } of found) {
    const path = pathOf(resource, object.metadata.namespace ?? namespace, object.metadata.name);
    const name = `${typeName(resource)}/${object.metadata.name}`;
    const patch = (body: unknown) => caller.json('PATCH', `${path}?fieldManager=kubectl-rollout`, body, kStrategic);
    switch (verb) {
      case 'restart': {
        const time = `${caller.session.now().toISOString().slice(0, 19)}Z`;
        await patch({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': time } } } } });
        caller.terminal.out(`${name} restarted\n`);
        break;
      }
      case 'pause':
      case 'resume': {
        const already = Boolean(object.spec?.paused) === (verb === 'pause');
        if (already) throw new CommandError(`error: ${resource.name}.${resource.group} "${object.metadata.name}" is ${verb === 'pause' ? 'already' : 'not'} paused`);
        await patch({ spec: { paused: verb === 'pause' ? true : null } });
        caller.terminal.out(`${name} ${verb}d\n`);
        break;
      }
      case 'status':
        await status(caller, path);
        break;
      case 'history':
        caller.terminal.out(await history(caller, object, name));
        break;
      case 'undo':
        await undo(caller, object, flags.get('to-revision'), patch);
        caller.terminal.out(`${name} rolled back\n`);
        break;
      default:
        throw new CommandError(`error: unknown command "${verb}" for "kubectl rollout"`);
    }
  }
  return 0;
}

async function status(caller: Caller, path: string): Promise<void> {
  for (let last = ''; !caller.terminal.signal.aborted; ) {
    const { text, done } = progressOf(await caller.json('GET', path));
    if (text !== last) caller.terminal.out(`${text}\n`);
    if (done) return;
    last = text;
    await new Promise((resolve) => void setTimeout(resolve, 300));
  }
}

function progressOf({ kind, metadata, spec, status = {} }: KubeObject): { text: string; done: boolean } {
  const waiting = (text: string) => ({ text: `Waiting for ${kind === 'StatefulSet' ? '' : `${kind === 'DaemonSet' ? 'daemon set' : 'deployment'} `}${text}`, done: false });
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0)) {
    return { text: `Waiting for ${kind === 'Deployment' ? 'deployment' : kind === 'DaemonSet' ? 'daemon set' : 'statefulset'} spec update to be observed...`, done: false };
  }
  const replicas = spec?.replicas ?? 1;
  const named = `"${metadata.name}" rollout to finish:`;
  if (kind === 'Deployment') {
    const { updatedReplicas = 0, availableReplicas = 0, replicas: all = 0 } = status;
    if (updatedReplicas < replicas) return waiting(`${named} ${updatedReplicas} out of ${replicas} new replicas have been updated...`);
    if (all > updatedReplicas) return waiting(`${named} ${all - updatedReplicas} old replicas are pending termination...`);
    if (availableReplicas < updatedReplicas) return waiting(`${named} ${availableReplicas} of ${updatedReplicas} updated replicas are available...`);
    return { text: `deployment "${metadata.name}" successfully rolled out`, done: true };
  }
  if (kind === 'DaemonSet') {
    const { updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = status;
    if (updatedNumberScheduled < desiredNumberScheduled) return waiting(`${named} ${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated...`);
    if (numberAvailable < desiredNumberScheduled) return waiting(`${named} ${numberAvailable} of ${desiredNumberScheduled} updated pods are available...`);
    return { text: `daemon set "${metadata.name}" successfully rolled out`, done: true };
  }
  const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status;
  if (readyReplicas < replicas) return { text: `Waiting for ${replicas - readyReplicas} pods to be ready...`, done: false };
  if (updateRevision !== currentRevision) return { text: `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...`, done: false };
  return { text: `statefulset rolling update complete ${replicas} pods at revision ${currentRevision}...`, done: true };
}

async function revisions(caller: Caller, { metadata, spec }: KubeObject): Promise<KubeObject[]> {
  const selector = Object.entries(spec?.selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${String(value)}`).join(',');
  const path = `/apis/apps/v1/namespaces/${metadata.namespace}/replicasets?labelSelector=${encodeURIComponent(selector)}`;
  const { items } = await caller.json<{ items: KubeObject[] }>('GET', path);
  const own = items.filter((each) => (each.metadata.ownerReferences as { uid: string }[] | undefined)?.some(({ uid }) => uid === metadata.uid));
  return own.sort((a, b) => Number(a.metadata.annotations?.[kRevision]) - Number(b.metadata.annotations?.[kRevision]));
}

async function history(caller: Caller, object: KubeObject, name: string): Promise<string> {
  const rows = (await revisions(caller, object)).map(({ metadata }) => [metadata.annotations?.[kRevision] ?? '', metadata.annotations?.['kubernetes.io/change-cause'] ?? '<none>']);
  if (rows.length === 0) return `${name} \nNo rollout history found.\n`;
  return `${name} \n${aligned([['REVISION', 'CHANGE-CAUSE'], ...rows]).replaceAll(/ {3}(?=\S+\n)/g, '  ')}\n`;
}

async function undo(caller: Caller, object: KubeObject, to: string, patch: (body: unknown) => Promise<KubeObject>): Promise<void> {
  const all = await revisions(caller, object);
  const chosenOne = to === '' || to === '0' ? all.at(-2) : all.find(({ metadata }) => metadata.annotations?.[kRevision] === to);
  if (!chosenOne) throw new CommandError(to === '' || to === '0' ? 'error: no rollout history found for deployment "' + object.metadata.name + '"' : 'error: unable to find specified revision ' + to + ' in history');
  const template = structuredClone(chosenOne.spec.template) as KubeObject;
  delete template.metadata.labels?.['pod-template-hash'];
  await patch({ spec: { template: { ...template, $patch: 'replace' } } });
}
