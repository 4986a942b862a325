// kubectl delete, scale, label, annotate, patch, edit, cordon, drain.
import { parse } from 'yaml';
import type { Flags } from './flags';
import { objectsOf } from './get';
import { readManifests } from './manifests';
import type { Found } from './output';
import { allResources, pathOf, resourceOfKind, type Target, targetsOf, typeName } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { yamlOf } from './yaml';

const kMerge = 'application/merge-patch+json';
const kStrategic = 'application/strategic-merge-patch+json';

/** Returns the objects that a command is about: by names, a selector, `--all` or `-f`. */
export async function chosen(caller: Caller, flags: Flags, namespace: string, words: readonly string[], input?: string): Promise<Found[]> {
  const all = await allResources(caller);
  if (flags.has('filename')) {
    return readManifests(caller, flags, input).map((object) => ({ resource: resourceOfKind(all, object), object: { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? namespace } } }));
  }
  const targets = targetsOf(all, words);
  const query = new URLSearchParams(flags.has('selector') ? { labelSelector: flags.get('selector') } : {});
  if (flags.has('field-selector')) query.set('fieldSelector', flags.get('field-selector'));
  if (targets.some(({ name }) => name === '') && query.size === 0 && !flags.is('all')) throw new CommandError('error: resource(s) were provided, but no name was specified');
  const found: Found[] = [];
  for (const target of targets) found.push(...(await objectsOf(caller, target, { namespace: flags.is('all-namespaces') ? '' : namespace, query })));
  return found;
}

const pathTo = ({ resource, object }: Found, namespace: string) => pathOf(resource, object.metadata.namespace ?? namespace, object.metadata.name);

function dryRunOf(flags: Flags): { query: string; suffix: string; client: boolean } {
  const dryRun = flags.get('dry-run');
  return { query: dryRun === 'server' ? '?dryRun=All' : '', suffix: dryRun === 'server' ? ' (server dry run)' : dryRun === 'client' ? ' (dry run)' : '', client: dryRun === 'client' };
}

export async function remove(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  const all = await allResources(caller);
  const selects = flags.has('selector') || flags.is('all') || flags.has('filename') || flags.has('field-selector');
  const named: Target[] = selects ? [] : targetsOf(all, flags.rest);
  if (named.some(({ name }) => name === '')) throw new CommandError('error: resource(s) were provided, but no name was specified');
  const found = selects ? await chosen(caller, flags, namespace, flags.rest, input) : named.map(({ resource, name }) => ({ resource, object: { metadata: { name } } as KubeObject }));
  if (selects && found.length === 0) caller.terminal.out('No resources found\n');
  const { query, suffix, client } = dryRunOf(flags);
  const grace = flags.is('now') ? 1 : flags.is('force') ? 0 : flags.has('grace-period') ? Number(flags.get('grace-period')) : -1;
  if (flags.is('force')) caller.terminal.err('Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n');
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: policyOf(flags.get('cascade')), ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}) };
  let code = 0;
  const gone: Found[] = [];
  for (const one of found) {
    try {
      if (!client) await caller.send('DELETE', `${pathTo(one, namespace)}${query}`, body);
      caller.terminal.out(`${typeName(one.resource)} "${one.object.metadata.name}" ${flags.is('force') ? 'force deleted' : 'deleted'}${suffix}\n`);
      gone.push(one);
    } catch (fault) {
      if (!(fault instanceof ServerError)) throw fault;
      if (fault.reason === 'NotFound' && flags.is('ignore-not-found')) continue;
      caller.terminal.err(`${fault.message}\n`);
      code = 1;
    }
  }
  if (flags.is('wait', true) && suffix === '') for (const one of gone) await untilGone(caller, pathTo(one, namespace));
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
  const found = await chosen(caller, flags, namespace, flags.rest, input).catch((fault: unknown) => {
    if (fault instanceof ServerError && fault.reason === 'NotFound') throw new CommandError(fault.message.replace(/^Error from server \(NotFound\):/, 'error: no objects passed to scale'));
    throw fault;
  });
  for (const one of found) {
    const wanted = flags.get('current-replicas');
    if (wanted !== '' && one.object.spec?.replicas !== Number(wanted)) {
      throw new CommandError(`error: Expected replicas to be ${wanted}, was ${one.object.spec?.replicas}`);
    }
    await caller.send('PATCH', `${pathTo(one, namespace)}/scale`, { spec: { replicas } }, kMerge);
    caller.terminal.out(`${typeName(one.resource)}/${one.object.metadata.name} scaled\n`);
  }
  return 0;
}

/** label and annotate: `k=v` sets, `k-` removes. */
export async function mark(caller: Caller, flags: Flags, namespace: string, field: 'labels' | 'annotations'): Promise<number> {
  const isChange = (word: string) => /^[^=/]+(\/[^=]+)?=|[^/]-$/.test(word) && (word.includes('=') || word.endsWith('-'));
  const words = flags.rest.filter((word) => !isChange(word));
  const changes = flags.rest.filter(isChange);
  if (changes.length === 0) throw new CommandError(`error: at least one ${field === 'labels' ? 'label' : 'annotation'} update is required`);
  const set: Record<string, string | null> = {};
  for (const change of changes) {
    const at = change.indexOf('=');
    if (at < 0) set[change.slice(0, -1)] = null;
    else set[change.slice(0, at)] = change.slice(at + 1);
  }
  const { query, suffix, client } = dryRunOf(flags);
  let code = 0;
  for (const one of await chosen(caller, flags, namespace, words)) {
    const { name } = one.object.metadata;
    const present = one.object.metadata[field] ?? {};
    const clash = Object.entries(set).find(([key, value]) => value !== null && key in present && present[key] !== value && !flags.is('overwrite'));
    if (clash) {
      const what = field === 'labels' ? `'${clash[0]}' already has a value (${present[clash[0]]}), and --overwrite is false` : `--overwrite is false but found the following declared annotation(s): '${clash[0]}' already has a value (${present[clash[0]]})`;
      caller.terminal.err(`error: ${what}\n`);
      code = 1;
      continue;
    }
    for (const key of Object.keys(set)) if (set[key] === null && !(key in present)) caller.terminal.out(`${field === 'labels' ? 'label' : 'annotation'} "${key}" not found.\n`);
    const changed = Object.entries(set).some(([key, value]) => (value === null ? key in present : present[key] !== value));
    if (changed && !client) await caller.send('PATCH', `${pathTo(one, namespace)}${query}`, { metadata: { [field]: set } }, kMerge);
    const removes = Object.values(set).every((value) => value === null);
    const word = field === 'annotations' ? 'annotated' : !changed ? 'not labeled' : removes ? 'unlabeled' : 'labeled';
    caller.terminal.out(`${typeName(one.resource)}/${name} ${word}${suffix}\n`);
  }
  return code;
}

export async function patch(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  if (!flags.has('patch')) throw new CommandError('error: must specify --patch or --patch-file containing the contents of the patch');
  const body: unknown = parse(flags.get('patch'), { version: '1.1' });
  const type = { json: 'application/json-patch+json', merge: kMerge, strategic: kStrategic, '': kStrategic }[flags.get('type')];
  if (type === undefined) throw new CommandError(`error: --type must be one of [json merge strategic], not "${flags.get('type')}"`);
  const { query, suffix } = dryRunOf(flags);
  const part = flags.get('subresource') === '' ? '' : `/${flags.get('subresource')}`;
  for (const one of await chosen(caller, flags, namespace, flags.rest, input)) {
    const now = await caller.json('PATCH', `${pathTo(one, namespace)}${part}${query}`, body, type);
    const same = now.metadata.resourceVersion === one.object.metadata.resourceVersion && query === '';
    caller.terminal.out(`${typeName(one.resource)}/${one.object.metadata.name} patched${same ? ' (no change)' : ''}${suffix}\n`);
  }
  return 0;
}

/** `set image deploy/web main=nginx:2 *=…`; nothing else can be set. */
export async function setImage(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [what = '', ...words] = flags.rest;
  if (what !== 'image') throw new CommandError(`error: unknown command "${what}" for "kubectl set"`);
  const images = words.filter((word) => word.includes('=')).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
  const named = words.filter((word) => !word.includes('='));
  if (named.length === 0) throw new CommandError('error: one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (images.length === 0) throw new CommandError('error: at least one image update is required');
  const { query, suffix, client } = dryRunOf(flags);
  for (const one of await chosen(caller, flags, namespace, named)) {
    const { template, jobTemplate } = one.object.spec ?? {};
    const pod = (jobTemplate?.spec?.template ?? template ?? one.object)?.spec as { containers?: { name: string; image: string }[] } | undefined;
    const containers = pod?.containers ?? [];
    const unknown = images.find(([name]) => name !== '*' && !containers.some((each) => each.name === name));
    if (unknown) throw new CommandError(`error: unable to find container named "${unknown[0]}"`);
    const imageOf = (name: string) => images.filter(([each]) => each === '*' || each === name).at(-1)?.[1];
    const changed = containers.flatMap(({ name, image }) => (imageOf(name) === undefined || imageOf(name) === image ? [] : [{ name, image: imageOf(name) }]));
    if (changed.length === 0) continue;
    const spec = { containers: changed };
    const body = jobTemplate ? { spec: { jobTemplate: { spec: { template: { spec } } } } } : template ? { spec: { template: { spec } } } : { spec };
    if (!client) await caller.send('PATCH', `${pathTo(one, namespace)}${query}`, body, kStrategic);
    caller.terminal.out(`${typeName(one.resource)}/${one.object.metadata.name} image updated${suffix}\n`);
  }
  return 0;
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
  for (const one of await chosen(caller, flags, '', ['nodes', ...flags.rest])) {
    const { name } = one.object.metadata;
    const already = Boolean(one.object.spec?.unschedulable) === on;
    if (!already) await caller.send('PATCH', pathTo(one, ''), { spec: { unschedulable: on ? true : null } }, kStrategic);
    caller.terminal.out(`node/${name} ${already ? 'already ' : ''}${on ? 'cordoned' : 'uncordoned'}\n`);
  }
  return 0;
}

/** Cordons a node and evicts its pods. */
export async function drain(caller: Caller, flags: Flags): Promise<number> {
  await cordon(caller, flags, true);
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
      caller.terminal.out(`evicting pod ${metadata.namespace}/${metadata.name}\n`);
      const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
      await caller.send('POST', `${path}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace: metadata.namespace } });
      await untilGone(caller, path, metadata.uid);
      caller.terminal.out(`pod/${metadata.name} evicted\n`);
    }
    caller.terminal.out(`node/${node} drained\n`);
  }
  return 0;
}
