// kubectl delete, scale, patch, edit, cordon, drain.
import { parse } from 'yaml';
import { choose, chosen, ended, pathTo } from './chosen';
import type { Flags } from './flags';
import type { Found } from './output';
import { Printer } from './printer';
import { allResources, type Target, targetsOf, typeName } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { sorted, yamlOf } from './yaml';

const kMerge = 'application/merge-patch+json';
const kStrategic = 'application/strategic-merge-patch+json';

export async function remove(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  const format = flags.get('output');
  if (format !== '' && format !== 'name') throw new CommandError(`error: unexpected -o output mode: ${format}. We only support '-o name'`);
  if (flags.is('all') && flags.has('selector')) throw new CommandError("error: setting 'all' parameter but found a non empty selector. ");
  const all = await allResources(caller);
  const selects = flags.has('selector') || flags.is('all') || flags.has('filename') || flags.has('field-selector');
  const named: Target[] = selects ? [] : targetsOf(all, flags.rest);
  if (named.some(({ name }) => name === '')) throw new CommandError('error: resource(s) were provided, but no name was specified');
  const found = selects ? await chosen(caller, flags, namespace, flags.rest, input) : named.map(({ resource, name }) => ({ resource, object: { metadata: { name } } as KubeObject }));
  if (selects && found.length === 0) caller.terminal.out('No resources found\n');
  const printer = new Printer(caller, flags);
  const grace = flags.is('now') ? 1 : flags.is('force') ? 0 : flags.has('grace-period') ? Number(flags.get('grace-period')) : -1;
  if (flags.is('force')) caller.terminal.err('Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n');
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: policyOf(flags.get('cascade')), ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}), ...(flags.get('dry-run') === 'server' ? { dryRun: ['All'] } : {}) };
  let code = 0;
  const gone: Found[] = [];
  for (const one of found) {
    try {
      if (!printer.client) await caller.send('DELETE', pathTo(one, namespace), body);
      const { name } = one.object.metadata;
      caller.terminal.out(format === 'name' ? `${typeName(one.resource)}/${name}\n` : `${typeName(one.resource)} "${name}" ${flags.is('force') ? 'force deleted' : 'deleted'}${printer.suffix}\n`);
      gone.push(one);
    } catch (fault) {
      if (!(fault instanceof ServerError)) throw fault;
      if (fault.reason === 'NotFound' && flags.is('ignore-not-found')) continue;
      caller.terminal.err(`${flags.has('filename') ? fault.message.replace(/^Error from server( \(\w+\))?:/, `Error from server$1: error when deleting "${flags.get('filename') === '-' ? 'STDIN' : flags.get('filename')}":`) : fault.message}\n`);
      code = 1;
    }
  }
  if (flags.is('wait', true) && printer.suffix === '') for (const one of gone) await untilGone(caller, pathTo(one, namespace));
  return code;
}

const policyOf = (cascade: string) => ({ orphan: 'Orphan', foreground: 'Foreground' })[cascade] ?? 'Background';

/** `uid`: of the object, where another one of its name may come. */
export async function untilGone(caller: Caller, path: string, uid?: string): Promise<void> {
  for (;;) {
    const found = (await caller.find(path)) as KubeObject | undefined;
    if (caller.terminal.signal.aborted || !found || (uid !== undefined && found.metadata.uid !== uid)) return;
    await pause(200);
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));

export async function scale(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  if (!flags.has('replicas')) throw new CommandError('error: required flag(s) "replicas" not set');
  const replicas = Number(flags.get('replicas'));
  if (replicas < 0) throw new CommandError('error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  const { found, faults } = await choose(caller, flags, namespace, flags.rest, input);
  if (found.length === 0) throw new CommandError(['error: no objects passed to scale', ...(faults.length > 1 ? [`[${faults.map(({ said }) => said).join(', ')}]`] : faults.map(({ said }) => said))].join(' '));
  const printer = new Printer(caller, flags);
  for (const one of found) {
    const wanted = flags.get('current-replicas');
    if (wanted !== '' && one.object.spec?.replicas !== Number(wanted)) {
      throw new CommandError(`error: Expected replicas to be ${wanted}, was ${one.object.spec?.replicas}`);
    }
    if (!printer.client) await caller.send('PATCH', printer.target(`${pathTo(one, namespace)}/scale`, 'kubectl-scale'), { spec: { replicas } }, kMerge);
    printer.done(one, 'scaled');
  }
  return ended(caller, faults);
}

const kPatchTypes: Readonly<Record<string, string>> = { json: 'application/json-patch+json', merge: kMerge, strategic: kStrategic, '': kStrategic };

export async function patch(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  if (!flags.has('patch')) throw new CommandError('error: must specify --patch or --patch-file containing the contents of the patch');
  const type = kPatchTypes[flags.get('type')];
  if (type === undefined) throw new CommandError(`error: --type must be one of [json merge strategic], not "${flags.get('type')}"`);
  const text = flags.get('patch');
  // What begins as JSON goes as it is, and the server says what is wrong with it.
  const body = /^\s*[{[]/.test(text) ? text : JSON.stringify(parse(text, { version: '1.1' }));
  const printer = new Printer(caller, flags);
  const part = flags.get('subresource');
  for (const one of await chosen(caller, flags, namespace, flags.rest, input)) {
    const path = `${pathTo(one, namespace)}${part === '' ? '' : `/${part}`}`;
    const before = part === '' ? one.object : await caller.json('GET', path);
    const now = printer.client ? await imagined(caller, path, before, body, type) : await caller.json('PATCH', printer.target(path, 'kubectl-patch'), body, type);
    const same = JSON.stringify(sorted(now)) === JSON.stringify(sorted(before));
    printer.done({ resource: part === '' ? one.resource : { ...one.resource, ...kindOf(now) }, object: now }, `patched${same ? ' (no change)' : ''}`, '');
  }
  return 0;
}

/** How kubectl calls an object of another kind than its resource's. */
const kindOf = ({ apiVersion, kind }: KubeObject) => ({ singular: kind.toLowerCase(), group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '' });

/** Returns what a patch would make of an object. Nothing is kept. */
async function imagined(caller: Caller, path: string, before: KubeObject, body: string, type: string): Promise<KubeObject> {
  const now = await caller.json('PATCH', `${path}?dryRun=All`, body, type);
  const { resourceVersion, generation, managedFields } = before.metadata;
  return { ...now, metadata: { ...now.metadata, resourceVersion, managedFields, ...(generation === undefined ? {} : { generation }) } };
}

/** Lets the user edit an object, and sends what was changed. */
export async function edit(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  for (const one of await chosen(caller, flags, namespace, flags.rest)) {
    const { managedFields: _, ...metadata } = one.object.metadata;
    const before = yamlOf({ ...one.object, metadata });
    const after = await caller.terminal.edit?.(before);
    if (after === undefined || after === before) {
      caller.terminal.out('Edit cancelled, no changes made.\n');
      continue;
    }
    const wanted = parse(after, { version: '1.1' }) as KubeObject;
    const now = await caller.json('PUT', `${pathTo(one, namespace)}?fieldManager=kubectl-edit&fieldValidation=Strict`, wanted);
    caller.terminal.out(`${typeName(one.resource)}/${now.metadata.name} edited\n`);
  }
  return 0;
}

export async function cordon(caller: Caller, flags: Flags, on: boolean): Promise<number> {
  if (flags.rest.length === 0 && !flags.has('selector')) throw new CommandError(`error: USAGE: ${on ? '' : 'un'}cordon NODE [flags]\nSee 'kubectl ${on ? '' : 'un'}cordon -h' for help and examples`);
  const printer = new Printer(caller, flags);
  for (const one of await chosen(caller, flags, '', ['nodes', ...flags.rest])) {
    const { name } = one.object.metadata;
    const already = Boolean(one.object.spec?.unschedulable) === on;
    if (!already && !printer.client) await caller.send('PATCH', printer.target(pathTo(one, ''), 'kubectl'), { spec: { unschedulable: on ? true : null } }, kStrategic);
    caller.terminal.out(`node/${name} ${already ? 'already ' : ''}${on ? 'cordoned' : 'uncordoned'}${printer.suffix}\n`);
  }
  return 0;
}

/** Cordons a node and evicts its pods. */
export async function drain(caller: Caller, flags: Flags): Promise<number> {
  await cordon(caller, flags, true);
  const { client, suffix } = new Printer(caller, flags);
  for (const node of flags.rest) {
    const { items } = await caller.json<{ items: KubeObject[] }>('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${encodeURIComponent(node)}`);
    const controllerOf = (pod: KubeObject) => (pod.metadata.ownerReferences as { kind: string; controller?: boolean }[] | undefined)?.find(({ controller }) => controller)?.kind;
    const daemons = items.filter((pod) => controllerOf(pod) === 'DaemonSet');
    const bare = items.filter((pod) => controllerOf(pod) === undefined);
    const names = (pods: readonly KubeObject[]) => pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(', ');
    const faults = [
      ...(bare.length > 0 && !flags.is('force') ? [`cannot delete Pods that declare no controller (use --force to override): ${names(bare)}`] : []),
      ...(daemons.length > 0 && !flags.is('ignore-daemonsets') ? [`cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): ${names(daemons)}`] : []),
    ];
    if (faults.length > 0) throw new CommandError(`error: unable to drain node "${node}" due to error: [${faults.join(', ')}], continuing command...\nThere are pending nodes to be drained:\n ${node}\n${faults.join('\n')}`);
    for (const { metadata } of items.filter((pod) => !daemons.includes(pod))) {
      caller.terminal.out(`evicting pod ${metadata.namespace}/${metadata.name}${suffix}\n`);
      if (client) continue;
      const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
      await caller.send('POST', `${path}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace: metadata.namespace }, ...(suffix === '' ? {} : { deleteOptions: { dryRun: ['All'] } }) });
      if (suffix !== '') continue;
      await untilGone(caller, path, metadata.uid);
      caller.terminal.out(`pod/${metadata.name} evicted\n`);
    }
    caller.terminal.out(`node/${node} drained${suffix}\n`);
  }
  return 0;
}
