// kubectl set image, env, resources, serviceaccount, selector
import { chosen, pathTo } from './chosen';
import { mapOf, pairOf } from './create/words';
import type { Flags } from './flags';
import type { Found } from './output';
import { Printer } from './printer';
import { type Caller, CommandError, type KubeObject } from './session';
import { typed } from './typed';

export interface Container {
  name: string;
  image?: string;
  env?: Variable[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: Record<string, { name?: string; key?: string; fieldPath?: string; resource?: string; containerName?: string }>;
}

interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
}

const kStrategic = 'application/strategic-merge-patch+json';
const kNoNames = 'error: one or more resources must be specified as <resource> <name> or <resource>/<name>';

type Setter = (caller: Caller, flags: Flags, namespace: string, words: readonly string[]) => Promise<number>;

const kSetters: Readonly<Record<string, Setter>> = { env: setEnv, image: setImage, resources: setResources, selector: setSelector, serviceaccount: setAccount, sa: setAccount };

export async function set(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [what = '', ...words] = flags.rest;
  const setter = kSetters[what];
  if (!setter) throw new CommandError(`error: unknown command "${what}"\nSee 'kubectl set -h' for help and examples`);
  return setter(caller, flags, namespace, words);
}

/** Returns the pod's part of an object. */
function podSpecOf({ kind, spec }: KubeObject): PodSpec {
  return (kind === 'Pod' ? spec : (spec?.jobTemplate?.spec?.template ?? spec?.template)?.spec) ?? {};
}

/** Returns the patch, or the object's fields, with `spec` in place of the pod's part. */
function aroundPodSpec({ kind, spec: own }: KubeObject, spec: object): object {
  if (kind === 'Pod') return { spec };
  return own?.jobTemplate ? { spec: { jobTemplate: { spec: { template: { spec } } } } } : { spec: { template: { spec } } };
}

function withPodSpec(object: KubeObject, spec: object): KubeObject {
  const copy = structuredClone(object);
  Object.assign(podSpecOf(copy), spec);
  return copy;
}

/** Patches the pod's part of an object; `whole` are its fields afterwards. */
async function send(caller: Caller, printer: Printer, one: Found, namespace: string, patch: object, whole: object, said: string): Promise<void> {
  const { resource, object } = one;
  const now = printer.client ? withPodSpec(object, whole) : await caller.json('PATCH', printer.target(pathTo(one, namespace), 'kubectl-set'), aroundPodSpec(object, patch), kStrategic);
  printer.done({ resource, object: typed(now) }, said);
}

/** `main=nginx:2 *=…` */
async function setImage(caller: Caller, flags: Flags, namespace: string, words: readonly string[]): Promise<number> {
  const images = words.filter((word) => word.includes('=')).map(pairOf);
  const named = words.filter((word) => !word.includes('='));
  if (named.length === 0) throw new CommandError(kNoNames);
  if (images.length === 0) throw new CommandError('error: at least one image update is required');
  const imageOf = (name: string) => images.filter(([each]) => each === '*' || each === name).at(-1)?.[1];
  const printer = new Printer(caller, flags);
  const faults: string[] = [];
  for (const one of await chosen(caller, flags, namespace, named)) {
    const { containers = [], initContainers = [] } = podSpecOf(one.object);
    for (const [name] of images) if (name !== '*' && ![...containers, ...initContainers].some((each) => each.name === name)) faults.push(`error: unable to find container named "${name}"`);
    const changedOf = (list: readonly Container[]) => list.flatMap(({ name, image }) => (imageOf(name) === undefined || imageOf(name) === image ? [] : [{ name, image: imageOf(name) }]));
    const wholeOf = (list: readonly Container[]) => list.map((each) => ({ ...each, image: imageOf(each.name) ?? each.image }));
    const patch = parts(changedOf(containers), changedOf(initContainers));
    if (Object.keys(patch).length > 0) await send(caller, printer, one, namespace, patch, parts(wholeOf(containers), wholeOf(initContainers)), 'image updated');
  }
  for (const fault of faults) caller.terminal.err(`${fault}\n`);
  return faults.length > 0 ? 1 : 0;
}

const parts = (containers: readonly object[], initContainers: readonly object[]) => ({ ...(containers.length > 0 ? { containers } : {}), ...(initContainers.length > 0 ? { initContainers } : {}) });

/** `-c`: a name, where `*` stands for any letters. */
function selects(pattern: string, name: string): boolean {
  if (pattern === '' || pattern === '*') return true;
  return new RegExp(`^${pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`).test(name);
}

/** `A=b` sets, `A-` removes; `--from=configmap/x` takes all of its keys; `--list` prints. */
async function setEnv(caller: Caller, flags: Flags, namespace: string, words: readonly string[]): Promise<number> {
  const isChange = (word: string) => word.includes('=') || word.endsWith('-');
  const named = words.filter((word) => !isChange(word));
  if (named.length === 0) throw new CommandError(kNoNames);
  const changes = [...words.filter(isChange), ...flags.all('env')];
  const removed = changes.filter((word) => !word.includes('=')).map((word) => word.slice(0, -1));
  const variables = [...(await variablesFrom(caller, flags, namespace)), ...changes.filter((word) => word.includes('=')).map(pairOf).map(([name, value]): Variable => ({ name, value }))];
  const printer = new Printer(caller, flags);
  for (const one of await chosen(caller, flags, namespace, named)) {
    const { kind, metadata } = one.object;
    const { containers = [] } = podSpecOf(one.object);
    const about = containers.filter(({ name }) => selects(flags.get('container'), name));
    if (about.length === 0) caller.terminal.err(`Warning: ${kind}/${metadata.name} does not have any containers matching "${flags.get('container')}"\n`);
    const changed = new Map(about.map((each) => [each.name, environment(each.env ?? [], variables, removed)]));
    if (flags.is('list')) {
      for (const { name } of about) caller.terminal.out(`# ${kind} ${metadata.name}, container ${name}\n${changed.get(name)!.map(variableText).join('')}`);
      continue;
    }
    const patch = about.flatMap(({ name, env = [] }) => (JSON.stringify(changed.get(name)) === JSON.stringify(env) ? [] : [{ name, ...environmentPatch(env, changed.get(name)!) }]));
    const whole = containers.map((each) => (changed.has(each.name) ? { ...each, env: changed.get(each.name) } : each));
    if (patch.length > 0) await send(caller, printer, one, namespace, { containers: patch }, { containers: whole }, 'env updated');
  }
  return 0;
}

function environment(env: readonly Variable[], set: readonly Variable[], removed: readonly string[]): Variable[] {
  const added = set.filter(({ name }) => !env.some((each) => each.name === name));
  return [...env.map((each) => set.find(({ name }) => name === each.name) ?? each), ...added].filter(({ name }) => !removed.includes(name));
}

/** The order is given, because the server puts new ones first. */
function environmentPatch(before: readonly Variable[], after: readonly Variable[]): object {
  const gone = before.filter(({ name }) => !after.some((each) => each.name === name)).map(({ name }) => ({ $patch: 'delete', name }));
  const changed = after.filter((each) => !before.some((old) => JSON.stringify(old) === JSON.stringify(each)));
  const env = [...changed.map((each) => (before.some(({ name }) => name === each.name) ? { valueFrom: null, value: null, ...each } : each)), ...gone];
  return { '$setElementOrder/env': after.map(({ name }) => ({ name })), env };
}

function variableText({ name, value = '', valueFrom }: Variable): string {
  if (!valueFrom) return `${name}=${value}\n`;
  const [[kind, source]] = Object.entries(valueFrom) as [[string, NonNullable<Variable['valueFrom']>[string]]];
  const from: Readonly<Record<string, string>> = {
    configMapKeyRef: `configmap ${source.name}, key ${source.key}`,
    secretKeyRef: `secret ${source.name}, key ${source.key}`,
    fieldRef: `field path ${source.fieldPath}`,
    resourceFieldRef: `resource field ${source.containerName ? `${source.containerName}, ` : ''}${source.resource}`,
  };
  return `# ${name} from ${from[kind] ?? 'invalid valueFrom'}\n`;
}

async function variablesFrom(caller: Caller, flags: Flags, namespace: string): Promise<Variable[]> {
  if (!flags.has('from')) return [];
  const [{ object } = { object: undefined }] = await chosen(caller, flags, namespace, [flags.get('from')]);
  const reference = { ConfigMap: 'configMapKeyRef', Secret: 'secretKeyRef' }[object?.kind ?? ''];
  if (!object || !reference) throw new CommandError('error: unsupported resource specified in --from');
  const keys = flags.get('keys').split(',').filter(Boolean);
  return Object.keys(object.data ?? {})
    .filter((key) => keys.length === 0 || keys.includes(key))
    .sort()
    .map((key) => {
      const name = key.replaceAll(/[^a-zA-Z0-9_]/g, '_').toUpperCase();
      if (name !== key) caller.terminal.err(`Warning: key ${key} transferred to ${name}\n`);
      return { name, valueFrom: { [reference]: { key, name: object.metadata.name } } };
    });
}

async function setResources(caller: Caller, flags: Flags, namespace: string, words: readonly string[]): Promise<number> {
  if (!flags.has('limits') && !flags.has('requests')) throw new CommandError('error: you must specify an update to requests or limits (in the form of --requests/--limits)');
  const quantities = (flag: string) => mapOf(flags.get(flag), (part) => `Invalid argument syntax ${part}, expected <resource>=<value>`);
  const [limits, requests] = [quantities('limits'), quantities('requests')];
  const patched = { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) };
  const printer = new Printer(caller, flags);
  for (const one of await chosen(caller, flags, namespace, words)) {
    const { containers = [] } = podSpecOf(one.object);
    const about = containers.filter(({ name }) => selects(flags.get('container'), name));
    if (about.length === 0) throw new CommandError(`error: unable to find container named ${flags.get('container')}`);
    const whole = containers.map((each) => {
      if (!about.includes(each)) return each;
      const { resources = {} } = each;
      return { ...each, resources: { ...resources, ...(limits ? { limits: { ...resources.limits, ...limits } } : {}), ...(requests ? { requests: { ...resources.requests, ...requests } } : {}) } };
    });
    if (JSON.stringify(whole) === JSON.stringify(containers)) continue;
    await send(caller, printer, one, namespace, { containers: about.map(({ name }) => ({ name, resources: patched })) }, { containers: whole }, 'resource requirements updated');
  }
  return 0;
}

async function setAccount(caller: Caller, flags: Flags, namespace: string, words: readonly string[]): Promise<number> {
  if (words.length === 0) throw new CommandError('error: serviceaccount is required');
  const printer = new Printer(caller, flags);
  const fields = { serviceAccountName: words.at(-1) };
  for (const one of await chosen(caller, flags, namespace, words.slice(0, -1))) await send(caller, printer, one, namespace, fields, fields, 'serviceaccount updated');
  return 0;
}

async function setSelector(caller: Caller, flags: Flags, namespace: string, words: readonly string[]): Promise<number> {
  const text = words.at(-1) ?? '';
  if (!text.includes('=')) throw new CommandError('error: one selector is required');
  const selector = mapOf(text, (part) => `unable to parse requirement: ${part}`);
  const printer = new Printer(caller, flags);
  for (const one of await chosen(caller, flags, namespace, words.slice(0, -1))) {
    const { resource, object } = one;
    if (object.kind !== 'Service') throw new CommandError(`error: selector for ${object.kind}.${resource.group} is not supported`);
    const gone = Object.fromEntries(Object.keys(object.spec.selector ?? {}).map((key) => [key, null]));
    const now = printer.client ? { ...object, spec: { ...object.spec, selector } } : await caller.json('PATCH', printer.target(pathTo(one, namespace), 'kubectl-set'), { spec: { selector: { ...gone, ...selector } } }, kStrategic);
    printer.done({ resource, object: now }, 'selector updated');
  }
  return 0;
}
