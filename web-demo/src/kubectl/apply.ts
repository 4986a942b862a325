// kubectl apply and create: as the client does it, by a three-way patch, or as the server does.
import type { Flags } from './flags';
import { readManifests } from './manifests';
import { allResources, type Known, pathOf, resourceOfKind, typeName } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { sorted } from './yaml';
import { outputText } from './output';

const kLast = 'kubectl.kubernetes.io/last-applied-configuration';

export async function apply(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  return each(caller, flags, input, async (resource, object, query) => {
    const base = pathOf(resource, object.metadata.namespace ?? namespace);
    if (flags.is('server-side')) {
      const manager = flags.get('field-manager') || 'kubectl';
      const more = new URLSearchParams([...query, ['fieldManager', manager], ['force', String(flags.is('force-conflicts'))]]);
      return { done: 'serverside-applied', object: await caller.json('PATCH', `${base}/${object.metadata.name}?${more}`, object, 'application/apply-patch+yaml') };
    }
    const more = new URLSearchParams([...query, ['fieldManager', 'kubectl-client-side-apply'], ['fieldValidation', 'Strict']]);
    const live = await caller.find(`${base}/${object.metadata.name}`);
    const wanted = annotated(object, resource.namespaced ? (object.metadata.namespace ?? namespace) : undefined);
    if (!live) return { done: 'created', object: await caller.json('POST', `${base}?${more}`, wanted) };
    const last = JSON.parse(live.metadata.annotations?.[kLast] ?? 'null') as KubeObject | null;
    if (!last) {
      caller.terminal.err(`Warning: resource ${resource.name}/${object.metadata.name} is missing the ${kLast} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`);
    }
    const builtIn = resource.group === '' || !resource.group.includes('.') || resource.group.endsWith('.k8s.io');
    const patch = threeWay(last ?? {}, wanted, live, builtIn);
    if (Object.keys(patch as object).length === 0) return { done: 'unchanged', object: live };
    const type = builtIn ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json';
    const now = await caller.json('PATCH', `${base}/${object.metadata.name}?${more}`, patch, type);
    return { done: now.metadata.resourceVersion === live.metadata.resourceVersion ? 'unchanged' : 'configured', object: now };
  });
}

/** Creates the objects of manifests, or a simple one that the words describe. */
export async function create(caller: Caller, flags: Flags, namespace: string, input: string | undefined): Promise<number> {
  const described = flags.has('filename') ? undefined : simpleObject(flags);
  return each(caller, flags, input, async (resource, object, query) => {
    const more = new URLSearchParams([...query, ['fieldManager', 'kubectl-create'], ['fieldValidation', 'Strict']]);
    return { done: 'created', object: await caller.json('POST', `${pathOf(resource, object.metadata.namespace ?? namespace)}?${more}`, object) };
  }, described && [described]);
}

interface Done {
  done: string;
  object: KubeObject;
}

async function each(
  caller: Caller,
  flags: Flags,
  input: string | undefined,
  work: (resource: Known, object: KubeObject, query: URLSearchParams) => Promise<Done>,
  given?: KubeObject[],
): Promise<number> {
  const objects = given ?? readManifests(caller, flags, input);
  const dryRun = flags.get('dry-run');
  const query = new URLSearchParams(dryRun === 'server' ? [['dryRun', 'All']] : []);
  const suffix = dryRun === 'server' ? ' (server dry run)' : dryRun === 'client' ? ' (dry run)' : '';
  let all = await allResources(caller);
  let code = 0;
  for (const object of objects) {
    try {
      const resource = resourceOfKind(all, object);
      const { done, object: now } = dryRun === 'client' ? { done: 'created', object } : await work(resource, object, query);
      const format = flags.get('output');
      caller.terminal.out(format === '' ? `${typeName(resource)}/${now.metadata.name} ${done}${suffix}\n` : outputText(format, [{ resource, object: now }], true, false));
      if (object.kind === 'CustomResourceDefinition') all = await afterDefinition(caller, object);
    } catch (fault) {
      if (!(fault instanceof CommandError)) throw fault;
      const { message } = fault;
      const isServers = fault instanceof ServerError && fault.reason !== 'Invalid' && given === undefined;
      caller.terminal.err(`${isServers ? message.replace(/^Error from server( \(\w+\))?:/, `Error from server$1: error when creating "${flags.get('filename') === '-' ? 'STDIN' : flags.get('filename')}":`) : message}\n`);
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

/** Adds what the client applied, as kubectl writes it. */
function annotated(object: KubeObject, namespace: string | undefined): KubeObject {
  const { [kLast]: _, ...annotations } = object.metadata.annotations ?? {};
  const metadata = { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) };
  const config = { ...object, metadata: { ...metadata, annotations } };
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [kLast]: `${JSON.stringify(sorted(config))}\n` } } };
}

type Map = Record<string, unknown>;
const isMap = (value: unknown): value is Map => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNamed = (value: unknown): value is Map[] => Array.isArray(value) && value.length > 0 && value.every((each) => isMap(each) && typeof each.name === 'string');

/** Returns what changes `live` into `wanted`, and removes what only `last` had. `byName`: lists are merged by their items' names. */
function threeWay(last: unknown, wanted: unknown, live: unknown, byName: boolean): unknown {
  const patch: Map = {};
  const [before, now, there] = [last, wanted, live].map((each) => (isMap(each) ? each : {})) as [Map, Map, Map];
  for (const key of Object.keys(before)) if (!(key in now) && key in there) patch[key] = null;
  for (const [key, value] of Object.entries(now)) {
    const found = there[key];
    if (isMap(value) && isMap(found)) {
      const inner = threeWay(before[key], value, found, byName) as Map;
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (byName && isNamed(value) && isNamed(found)) {
      const items = namedItems(before[key], value, found);
      if (items.length > 0) patch[key] = items;
    } else if (JSON.stringify(sorted(value)) !== JSON.stringify(sorted(found)) && !(found === undefined && (value === null || (isMap(value) && Object.keys(value).length === 0)))) {
      patch[key] = value;
    }
  }
  return patch;
}

function namedItems(last: unknown, wanted: Map[], live: Map[]): Map[] {
  const gone = isNamed(last) ? last.filter(({ name }) => !wanted.some((each) => each.name === name) && live.some((each) => each.name === name)) : [];
  const changed = wanted.flatMap((item) => {
    const found = live.find(({ name }) => name === item.name);
    if (!found) return [item];
    const before = isNamed(last) ? last.find(({ name }) => name === item.name) : undefined;
    const inner = threeWay(before, item, found, true) as Map;
    return Object.keys(inner).length > 0 ? [{ ...inner, name: item.name }] : [];
  });
  return [...changed, ...gone.map(({ name }) => ({ $patch: 'delete', name }))];
}

/** `create namespace x`, `create deployment x --image=…`, `create configmap x --from-literal=k=v`. */
function simpleObject(flags: Flags): KubeObject {
  const [kind = '', ...rest] = flags.rest;
  const name = rest.at(-1) ?? '';
  const literals = Object.fromEntries(flags.all('from-literal').map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
  if (name === '') throw new CommandError(`error: exactly one NAME is required, got 0\nSee 'kubectl create ${kind} -h' for help and examples`);
  const metadata = { name };
  switch (kind) {
    case 'namespace':
    case 'ns':
      return { apiVersion: 'v1', kind: 'Namespace', metadata };
    case 'serviceaccount':
    case 'sa':
      return { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    case 'configmap':
    case 'cm':
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: literals };
    case 'secret':
      return { apiVersion: 'v1', kind: 'Secret', metadata, stringData: literals, type: 'Opaque' };
    case 'deployment':
    case 'deploy': {
      const images = flags.all('image');
      if (images.length === 0) throw new CommandError('error: required flag(s) "image" not set');
      const labels = { app: name };
      const containers = images.map((image) => ({ name: image.split('/').at(-1)!.split(/[:@]/)[0]!, image }));
      const spec = { replicas: Number(flags.get('replicas') || 1), selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels }, spec };
    }
    default:
      throw new CommandError(`error: unknown command "${kind}" here: create -f takes any kind`);
  }
}

/** kubectl run */
export async function runPod(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [name = ''] = flags.rest;
  const image = flags.get('image');
  if (name === '') throw new CommandError('error: NAME is required for run');
  if (image === '') throw new CommandError('error: required flag(s) "image" not set');
  const container = { name, image, ...(flags.after.length > 0 ? { args: flags.after } : {}) };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { run: name } }, spec: { containers: [container], restartPolicy: flags.get('restart') || 'Always' } };
  await caller.json('POST', `/api/v1/namespaces/${namespace}/pods?fieldManager=kubectl-run`, pod);
  caller.terminal.out(`pod/${name} created\n`);
  return 0;
}
