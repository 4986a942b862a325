// kubectl apply: as the client does it, by a three-way patch, or as the server does. And create and replace with manifests.
import { untilGone } from './change';
import type { Flags } from './flags';
import { readManifests } from './manifests';
import { allResources, type Known, pathOf, resourceOfKind, typeName } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { sorted } from './yaml';
import { Printer } from './printer';

const kLast = 'kubectl.kubernetes.io/last-applied-configuration';

export async function apply(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  if (flags.is('server-side') && flags.get('dry-run') === 'client') throw new CommandError("error: --dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  return each(caller, flags, namespace, input, 'apply', async (resource, object, printer) => {
    const path = `${pathOf(resource, object.metadata.namespace ?? '')}`;
    if (flags.is('server-side')) {
      const target = printer.target(`${path}/${object.metadata.name}`, 'kubectl', { force: String(flags.is('force-conflicts')) });
      return { done: 'serverside-applied', object: await caller.json('PATCH', target, object, 'application/apply-patch+yaml') };
    }
    const target = (name = '') => printer.target(path + name, 'kubectl-client-side-apply', { fieldValidation: 'Strict' });
    if (!object.metadata.name) throw new CommandError(nameless(resource, object));
    const live = await caller.find(`${path}/${object.metadata.name}`);
    const wanted = annotated(object);
    if (!live) return { done: 'created', object: printer.client ? wanted : await caller.json('POST', target(), wanted) };
    if (printer.client) return { done: 'configured', object: live };
    const last = JSON.parse(live.metadata.annotations?.[kLast] ?? 'null') as KubeObject | null;
    if (!last) {
      caller.terminal.err(`Warning: resource ${resource.name}/${object.metadata.name} is missing the ${kLast} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`);
    }
    const builtIn = resource.group === '' || !resource.group.includes('.') || resource.group.endsWith('.k8s.io');
    const patch = threeWay(last ?? {}, wanted, live, builtIn);
    if (Object.keys(patch as object).length === 0) return { done: 'unchanged', object: live };
    const type = builtIn ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json';
    const now = await caller.json('PATCH', target(`/${object.metadata.name}`), patch, type);
    return { done: now.metadata.resourceVersion === live.metadata.resourceVersion && printer.suffix === '' ? 'unchanged' : 'configured', object: now };
  });
}

export async function createFromManifests(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  return each(caller, flags, namespace, input, 'create', async (resource, object, printer) => {
    const path = pathOf(resource, object.metadata.namespace ?? namespace);
    return { done: 'created', object: printer.client ? object : await caller.json('POST', printer.target(path, 'kubectl-create', { fieldValidation: 'Strict' }), object) };
  });
}

export async function replace(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  return each(caller, flags, namespace, input, 'replace', async (resource, object, printer) => {
    const list = pathOf(resource, object.metadata.namespace ?? namespace);
    const path = `${list}/${object.metadata.name}`;
    if (flags.is('force')) {
      if (await caller.find(path)) {
        await caller.send('DELETE', path, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', gracePeriodSeconds: 0 });
        caller.terminal.out(`${typeName(resource)} "${object.metadata.name}" deleted\n`);
        await untilGone(caller, path);
      }
      return { done: 'replaced', object: await caller.json('POST', printer.target(list, 'kubectl-replace', { fieldValidation: 'Strict' }), object) };
    }
    return { done: 'replaced', object: printer.client ? object : await caller.json('PUT', printer.target(path, 'kubectl-replace', { fieldValidation: 'Strict' }), object) };
  });
}

interface Done {
  done: string;
  object: KubeObject;
}

/** Does `work` with each object of the manifests. */
async function each(
  caller: Caller,
  flags: Flags,
  namespace: string,
  input: string | undefined,
  command: 'apply' | 'create' | 'replace',
  work: (resource: Known, object: KubeObject, printer: Printer) => Promise<Done>,
): Promise<number> {
  const objects = readManifests(caller, flags, input, command);
  const printer = new Printer(caller, flags);
  let all = await allResources(caller);
  let code = 0;
  for (const object of objects) {
    try {
      const resource = resourceOfKind(all, object);
      const own = object.metadata.namespace;
      if (resource.namespaced && own && flags.has('namespace') && own !== namespace) throw new CommandError(`error: the namespace from the provided object "${own}" does not match the namespace "${namespace}". You must pass '--namespace=${own}' to perform this operation.`);
      const placed = resource.namespaced && !object.metadata.namespace ? { ...object, metadata: { ...object.metadata, namespace } } : object;
      const { done, object: now } = await work(resource, placed, printer);
      printer.done({ resource, object: now }, done);
      if (object.kind === 'CustomResourceDefinition' && !printer.client) all = await afterDefinition(caller, object);
    } catch (fault) {
      if (!(fault instanceof CommandError)) throw fault;
      const { message } = fault;
      const isServers = fault instanceof ServerError && fault.reason !== 'Invalid';
      caller.terminal.err(`${isServers ? message.replace(/^Error from server( \(\w+\))?:/, `Error from server$1: error when ${command === 'replace' ? 'replacing' : 'creating'} "${flags.get('filename') === '-' ? 'STDIN' : flags.get('filename')}":`) : message}\n`);
      code = 1;
    }
  }
  return code;
}

/** A new kind is served after a moment. */
async function afterDefinition(caller: Caller, definition: KubeObject): Promise<Known[]> {
  for (let i = 0; ; i++) {
    const all = await allResources(caller);
    if (i === 30 || all.some(({ group, name }) => group === definition.spec.group && name === definition.spec.names.plural)) return all;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}

const nameless = ({ group, version, name, kind }: Known, { metadata }: KubeObject) =>
  `error: error when retrieving current configuration of:\nResource: "${group}/${version}, Resource=${name}", GroupVersionKind: "${group}/${version}, Kind=${kind}"\nName: "", Namespace: "${metadata.namespace ?? ''}"\nfrom server for: "STDIN": resource name may not be empty`;

/** Adds what the client applied, as kubectl writes it. */
function annotated(object: KubeObject): KubeObject {
  const { [kLast]: _, ...annotations } = object.metadata.annotations ?? {};
  const config = { ...object, metadata: { ...object.metadata, annotations } };
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [kLast]: `${JSON.stringify(sorted(config))}\n` } } };
}

type Map = Record<string, unknown>;
const isMap = (value: unknown): value is Map => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Lists that are replaced as a whole though their items have names. */
const kAtomic = ['httpHeaders', 'subjects', 'sysctls'];

/** Returns the field by which the server merges the items of a list; undefined if it replaces the list. */
function mergeKey(field: string, ...lists: unknown[]): string | undefined {
  if (kAtomic.includes(field)) return undefined;
  return (field === 'ports' ? ['containerPort', 'port'] : ['name']).find((key) => lists.every((list) => isKeyed(list, key)));
}

const isKeyed = (value: unknown, key: string): value is Map[] => Array.isArray(value) && value.length > 0 && value.every((each) => isMap(each) && each[key] !== undefined);

/** Returns what changes `live` into `wanted`, and removes what only `last` had. `byName`: lists are merged by a field of their items, where the server does so. */
function threeWay(last: unknown, wanted: unknown, live: unknown, byName: boolean): unknown {
  const patch: Map = {};
  const [before, now, there] = [last, wanted, live].map((each) => (isMap(each) ? each : {})) as [Map, Map, Map];
  for (const key of Object.keys(before)) if (!(key in now) && key in there) patch[key] = null;
  for (const [key, value] of Object.entries(now)) {
    const found = there[key];
    if (isMap(value) && isMap(found)) {
      const inner = threeWay(before[key], value, found, byName) as Map;
      if (Object.keys(inner).length > 0) patch[key] = inner;
      continue;
    }
    const by = byName ? mergeKey(key, value, found) : undefined;
    if (by !== undefined) {
      const items = keyedItems(before[key], value as Map[], found as Map[], by);
      if (items.length > 0) Object.assign(patch, { [`$setElementOrder/${key}`]: (value as Map[]).map((item) => ({ [by]: item[by] })), [key]: items });
    } else if (JSON.stringify(sorted(value)) !== JSON.stringify(sorted(found)) && !(found === undefined && (value === null || (isMap(value) && Object.keys(value).length === 0)))) {
      patch[key] = value;
    }
  }
  return patch;
}

function keyedItems(last: unknown, wanted: Map[], live: Map[], by: string): Map[] {
  const before = isKeyed(last, by) ? last : [];
  const gone = before.filter((item) => !wanted.some((each) => each[by] === item[by]) && live.some((each) => each[by] === item[by]));
  const changed = wanted.flatMap((item) => {
    const found = live.find((each) => each[by] === item[by]);
    if (!found) return [item];
    const inner = threeWay(before.find((each) => each[by] === item[by]), item, found, true) as Map;
    return Object.keys(inner).length > 0 ? [{ ...inner, [by]: item[by] }] : [];
  });
  return [...changed, ...gone.map((item) => ({ $patch: 'delete', [by]: item[by] }))];
}
