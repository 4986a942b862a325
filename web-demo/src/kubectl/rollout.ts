// kubectl rollout
import { chosen, pathTo } from './chosen';
import { writeTemplate } from './describe/pod';
import { Sheet } from './describe/sheet';
import type { Flags } from './flags';
import type { Found } from './output';
import { Printer } from './printer';
import { typeName } from './resources';
import { selectorText } from './selectors';
import { type Caller, CommandError, type KubeObject } from './session';
import { typed } from './typed';

const kStrategic = 'application/strategic-merge-patch+json';
const kRevision = 'deployment.kubernetes.io/revision';
const kCause = 'kubernetes.io/change-cause';
/** What is rolled out. */
const kKinds = ['Deployment', 'DaemonSet', 'StatefulSet'];

const kVerbs = ['history', 'pause', 'restart', 'resume', 'status', 'undo'];
/** What can be done to what, and how it is refused for others. */
const kChanges: Readonly<Record<string, { kinds: readonly string[]; doing: string }>> = {
  pause: { kinds: ['Deployment'], doing: 'pausing' },
  restart: { kinds: kKinds, doing: 'restarting' },
  resume: { kinds: ['Deployment'], doing: 'resuming' },
};

export async function rollout(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [verb = '', ...words] = flags.rest;
  if (!kVerbs.includes(verb)) throw new CommandError(`error: unknown command "${verb}"\nSee 'kubectl rollout -h' for help and examples`);
  if (words.length === 0 && !flags.has('filename')) throw new CommandError('error: required resource not specified');
  const printer = new Printer(caller, flags);
  for (const one of await chosen(caller, flags, namespace, words, undefined, true)) await roll(caller, flags, printer, verb, one, pathTo(one, namespace));
  return 0;
}

async function roll(caller: Caller, flags: Flags, printer: Printer, verb: string, { resource, object }: Found, path: string): Promise<void> {
  const name = `${typeName(resource)}/${object.metadata.name}`;
  const plural = `${resource.name}${resource.group === '' ? '' : `.${resource.group}`} "${object.metadata.name}"`;
  const change = kChanges[verb];
  if (change && !change.kinds.includes(object.kind)) throw new CommandError(`error: ${plural} ${change.doing} is not supported`);
  const patch = (body: unknown) => caller.json('PATCH', printer.target(path, 'kubectl-rollout'), body, kStrategic);
  const done = (now: KubeObject, said: string) => printer.done({ resource, object: typed(now) }, said);
  switch (verb) {
    case 'restart': {
      const time = `${caller.session.now().toISOString().slice(0, 19)}Z`;
      return done(await patch({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': time } } } } }), 'restarted');
    }
    case 'pause':
    case 'resume': {
      const already = Boolean(object.spec?.paused) === (verb === 'pause');
      if (already) throw new CommandError(`error: ${plural} is ${verb === 'pause' ? 'already' : 'not'} paused`);
      return done(await patch({ spec: { paused: verb === 'pause' ? true : null } }), `${verb}d`);
    }
    case 'status':
      if (!kKinds.includes(object.kind)) throw new CommandError(`error: no status viewer has been implemented for ${object.kind}`);
      return status(caller, path, secondsOf(flags.get('timeout')));
    case 'history':
      return caller.terminal.out(await history(caller, object, name, flags.get('revision')));
    default:
      await undo(caller, object, flags.get('to-revision'), patch);
      caller.terminal.out(`${name} rolled back${printer.suffix}\n`);
  }
}

const secondsOf = (timeout: string) => Number(/^(\d+)s?$/.exec(timeout)?.[1] ?? 0);

/** `seconds`: after which it gives up; 0 for never. */
async function status(caller: Caller, path: string, seconds: number): Promise<void> {
  const end = seconds === 0 ? Infinity : Date.now() + 1000 * seconds;
  for (let last = ''; !caller.terminal.signal.aborted; ) {
    const { text, done } = progressOf(await caller.json('GET', path));
    if (text !== last) caller.terminal.out(`${text}\n`);
    if (done) return;
    if (Date.now() > end) throw new CommandError('error: timed out waiting for the condition');
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

interface Revision {
  number: number;
  cause: string;
  template: KubeObject;
}

const isOwnedBy = (uid: string | undefined) => (each: KubeObject) => (each.metadata.ownerReferences as { uid: string }[] | undefined)?.some((owner) => owner.uid === uid) === true;

/** The revisions of a deployment are its replica sets; those of the others are kept as what is merged into the object. */
async function revisions(caller: Caller, { kind, metadata, spec }: KubeObject): Promise<Revision[]> {
  const ofSets = kind === 'Deployment';
  const path = `/apis/apps/v1/namespaces/${metadata.namespace}/${ofSets ? 'replicasets' : 'controllerrevisions'}?labelSelector=${encodeURIComponent(selectorText(spec.selector))}`;
  const own = (await caller.json<{ items: KubeObject[] }>('GET', path)).items.filter(isOwnedBy(metadata.uid));
  return own
    .map((each) => {
      const cause = each.metadata.annotations?.[kCause] ?? '';
      if (!ofSets) return { number: each.revision as number, cause, template: each.data.spec.template as KubeObject };
      const { metadata: inner, ...rest } = each.spec.template as KubeObject;
      const annotations = cause === '' ? inner.annotations : { ...inner.annotations, [kCause]: cause };
      return { number: Number(each.metadata.annotations?.[kRevision]), cause, template: { ...rest, metadata: { ...inner, annotations } } as KubeObject };
    })
    .sort((a, b) => a.number - b.number);
}

async function history(caller: Caller, object: KubeObject, name: string, wanted: string): Promise<string> {
  if (!kKinds.includes(object.kind)) throw new CommandError(`error: no history viewer has been implemented for "${object.kind}"`);
  const all = await revisions(caller, object);
  const sheet = new Sheet(caller.session.now());
  if (wanted !== '' && wanted !== '0') {
    const found = all.find(({ number }) => number === Number(wanted));
    if (!found) throw new CommandError('error: unable to find the specified revision');
    writeTemplate(sheet, found.template);
    return `${name} with revision #${wanted}\n${sheet.unaligned()}\n`;
  }
  if (all.length === 0) return `${name} \nNo rollout history found.\n`;
  sheet.line(0, 'REVISION', 'CHANGE-CAUSE');
  for (const { number, cause } of all) sheet.line(0, number, cause || '<none>');
  return `${name} \n${sheet.toString()}\n`;
}

async function undo(caller: Caller, object: KubeObject, to: string, patch: (body: unknown) => Promise<KubeObject>): Promise<void> {
  const all = await revisions(caller, object);
  const last = to === '' || to === '0';
  const found = last ? all.at(-2) : all.find(({ number }) => number === Number(to));
  if (!found) throw new CommandError(last ? `error: no rollout history found for ${object.kind.toLowerCase()} "${object.metadata.name}"` : `error: unable to find specified revision ${to} in history`);
  const template = structuredClone(found.template);
  delete template.metadata.labels?.['pod-template-hash'];
  await patch({ spec: { template: { ...template, $patch: 'replace' } } });
}
