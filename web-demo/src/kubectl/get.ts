// kubectl get
import type { Table, TableEvent } from '../api/types';
import type { Flags } from './flags';
import { jsonPathValues } from './jsonpath';
import { type Found, outputText } from './output';
import { allResources, type Known, pathOf, type Target, targetsOf, typeName } from './resources';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
import { aligned, cellsOf, headerOf, type TableForm, tableText } from './table';

export const kTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

interface Scope {
  flags: Flags;
  namespace: string;
  query: URLSearchParams;
}

export async function get(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const raw = flags.get('raw');
  if (raw !== '') {
    caller.terminal.out(await caller.send('GET', raw, undefined, undefined, '*/*'));
    return 0;
  }
  if (flags.rest.length === 0) {
    throw new CommandError(`You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\nerror: Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples`);
  }
  const targets = targetsOf(await allResources(caller), flags.rest, (text) => caller.warn(text));
  const query = new URLSearchParams();
  if (flags.has('selector')) query.set('labelSelector', flags.get('selector'));
  if (flags.has('field-selector')) query.set('fieldSelector', flags.get('field-selector'));
  if (targets.some(({ name }) => name !== '') && query.size > 0 && !flags.rest.some((word) => word.includes('/'))) throw new CommandError('error: name cannot be provided when a selector is specified');
  if (targets.some(({ name }) => name !== '') && query.size > 0) throw new CommandError('error: selectors and the all flag cannot be used when passing resource/name arguments');
  if (targets.some(({ name }) => name !== '') && flags.is('all-namespaces')) throw new CommandError('error: a resource cannot be retrieved by name across all namespaces');
  const scope: Scope = { flags, namespace: flags.is('all-namespaces') ? '' : namespace, query };
  const format = flags.get('output');
  if (flags.is('watch') || flags.is('watch-only')) return watch(caller, targets[0]!, scope);
  return format === '' || format === 'wide' ? tables(caller, targets, scope) : objects(caller, targets, scope);
}

/** Runs `work` for each target, and prints failures at the end as kubectl does. */
async function forEach(caller: Caller, targets: readonly Target[], flags: Flags, work: (target: Target) => Promise<void>): Promise<number> {
  let code = 0;
  for (const target of targets) {
    try {
      await work(target);
    } catch (thrown) {
      const fault = unselectable(thrown, target, flags);
      if (!(fault instanceof ServerError) || targets.length === 1) {
        if (fault instanceof ServerError && fault.reason === 'NotFound' && flags.is('ignore-not-found')) continue;
        throw fault;
      }
      if (fault.reason === 'NotFound' && flags.is('ignore-not-found')) continue;
      caller.terminal.err(`${fault.message}\n`);
      code = 1;
    }
  }
  return code;
}

/** A refused selector is said together with what it was for. */
function unselectable(fault: unknown, { resource: { group, version, name: plural }, name }: Target, flags: Flags): unknown {
  const selectors = [flags.get('selector'), flags.get('field-selector')] as const;
  if (!(fault instanceof ServerError) || fault.reason !== 'BadRequest' || name !== '' || selectors.join('') === '') return fault;
  const what = `Unable to find "${group}/${version}, Resource=${plural}" that match label selector "${selectors[0]}", field selector "${selectors[1]}": `;
  return new ServerError(fault.message.replace(/^Error from server \(BadRequest\): /, (head) => head + what), fault.reason);
}

function targetPath({ resource, name }: Target, { namespace, query }: Scope, more: Record<string, string> = {}): string {
  const all = new URLSearchParams([...query, ...Object.entries(more)]);
  return `${pathOf(resource, namespace, name)}${all.size > 0 ? `?${all}` : ''}`;
}

function formOf({ flags, namespace }: Scope, resource: Known, prefixed: boolean): TableForm {
  return {
    wide: flags.get('output') === 'wide',
    headers: !flags.is('no-headers'),
    namespaces: namespace === '' && resource.namespaced,
    labels: flags.is('show-labels'),
    labelColumns: flags.all('label-columns').flatMap((each) => each.split(',')),
    prefix: prefixed ? `${typeName(resource)}/` : '',
  };
}

async function tables(caller: Caller, targets: readonly Target[], scope: Scope): Promise<number> {
  const { flags, namespace } = scope;
  const found: { resource: Known; table: Table }[] = [];
  const code = await forEach(caller, targets, flags, async (target) => {
    const sort = flags.get('sort-by');
    const table = await caller.json<Table>('GET', targetPath(target, scope, sort === '' ? {} : { includeObject: 'Object' }), undefined, undefined, kTable);
    if (sort !== '') table.rows = byPath(table.rows ?? [], sort, ({ object }) => object);
    const last = found.at(-1);
    // One table for the objects of a kind that were asked for one by one.
    if (last?.resource === target.resource && target.name !== '') last.table.rows = [...(last.table.rows ?? []), ...(table.rows ?? [])];
    else found.push({ resource: target.resource, table });
  });
  const shown = found.filter(({ table }) => (table.rows ?? []).length > 0);
  const several = new Set(found.map(({ resource }) => resource)).size > 1 || flags.is('show-kind');
  shown.forEach(({ resource, table }, index) => {
    if (index > 0 && !flags.is('no-headers')) caller.terminal.out('\n');
    caller.terminal.out(tableText(table, formOf(scope, resource, several)));
  });
  if (shown.length === 0 && code === 0 && !flags.is('ignore-not-found')) {
    const inNamespace = namespace !== '' && targets.every(({ resource }) => resource.namespaced);
    caller.terminal.err(inNamespace ? `No resources found in ${namespace} namespace.\n` : 'No resources found\n');
  }
  return code;
}

async function objects(caller: Caller, targets: readonly Target[], scope: Scope): Promise<number> {
  const { flags } = scope;
  const found: Found[] = [];
  const code = await forEach(caller, targets, flags, async (target) => {
    found.push(...(await objectsOf(caller, target, scope)));
  });
  const single = targets.length === 1 && targets[0]!.name !== '';
  if (found.length === 0 && (single || code !== 0)) return code;
  const sort = flags.get('sort-by');
  const all = sort === '' ? found : byPath(found, sort, ({ object }) => object);
  const text = outputText(flags.get('output'), all, single, flags.is('show-managed-fields'), !flags.is('no-headers'));
  caller.terminal.out(text);
  return code;
}

/** Returns the objects of a target; those of a list with their kind. */
export async function objectsOf(caller: Caller, target: Target, scope: Pick<Scope, 'namespace' | 'query'>): Promise<Found[]> {
  const { resource, name } = target;
  const answer = await caller.json<KubeObject & { items?: KubeObject[] }>('GET', targetPath(target, scope as Scope));
  if (name !== '') return [{ resource, object: answer }];
  const kind = answer.kind.replace(/List$/, '');
  return (answer.items ?? []).map((item) => ({ resource, object: { ...item, apiVersion: answer.apiVersion, kind } }));
}

function byPath<T>(all: readonly T[], path: string, objectOf: (each: T) => unknown): T[] {
  const key = (each: T) => jsonPathValues(path.startsWith('{') || path.startsWith('.') ? path : `.${path}`, objectOf(each))[0];
  return [...all].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    return String(x ?? '') < String(y ?? '') ? -1 : String(x ?? '') > String(y ?? '') ? 1 : 0;
  });
}

/** Prints what there is, then each change as a line, until it is stopped. */
async function watch(caller: Caller, target: Target, scope: Scope): Promise<number> {
  const { resource, name } = target;
  const list = await caller.json<Table>('GET', targetPath(target, scope), undefined, undefined, kTable);
  const form = formOf(scope, resource, false);
  const columns = list.columnDefinitions ?? [];
  const widths: number[] = [];
  if (!scope.flags.is('watch-only')) caller.terminal.out(aligned([headerOf(columns, form), ...(list.rows ?? []).map((row) => cellsOf(columns, row, form))], widths));
  const query = { watch: 'true', resourceVersion: list.metadata?.resourceVersion ?? '' };
  const all = name === '' ? query : { ...query, fieldSelector: `metadata.name=${name}` };
  const path = targetPath({ resource, name: '' }, scope, all);
  const send = { target: path, headers: caller.headers({ accept: kTable }), signal: caller.terminal.signal };
  await caller.session.api.watch(send, (line) => {
    const { type, object } = JSON.parse(line) as TableEvent;
    if (type === 'ERROR' || type === 'BOOKMARK') return;
    for (const row of object.rows ?? []) caller.terminal.out(aligned([cellsOf(columns, row, form)], widths));
  });
  return 0;
}
