// kubectl auth, wait, api-resources, version and what else only asks.
import type { Flags } from './flags';
import { jsonPathValues } from './jsonpath';
import { allResources, findResource, type Known, pathOf, typeName } from './resources';
import { chosen } from './chosen';
import { compactRules, type Rule, ruleCells } from './rules';
import { type Caller, CommandError, type KubeObject } from './session';
import { aligned } from './table';
import { yamlOf } from './yaml';

export async function auth(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [verb, ...words] = flags.rest;
  if (verb === 'whoami') {
    const review = await caller.json('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const { username = '', groups = [] } = review.status?.userInfo ?? {};
    caller.terminal.out(aligned([['ATTRIBUTE', 'VALUE'], ['Username', username], ['Groups', `[${(groups as string[]).join(' ')}]`]]));
    return 0;
  }
  if (verb !== 'can-i') throw new CommandError(`error: unknown command "${verb ?? ''}" for "kubectl auth"`);
  if (flags.is('list')) return rules(caller, namespace);
  const [action = '', what = '', third = ''] = words;
  if (what === '' || words.length > 2) throw new CommandError('error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee \'kubectl auth can-i -h\' for help and examples.');
  const place = flags.is('all-namespaces') ? '' : namespace;
  const spec = what.startsWith('/') ? { nonResourceAttributes: { verb: action, path: what } } : { resourceAttributes: { verb: action, ...(await attributesOf(caller, what, third, flags)), namespace: place } };
  const review = await caller.json('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec });
  const { allowed = false, reason = '', evaluationError = '' } = review.status ?? {};
  const why = [reason, evaluationError].filter(Boolean).join(' - ');
  if (!flags.is('quiet')) caller.terminal.out(`${allowed ? 'yes' : `no${why ? ` - ${why}` : ''}`}\n`);
  return allowed ? 0 : 1;
}

async function attributesOf(caller: Caller, what: string, third: string, flags: Flags) {
  const [type = '', name = third] = what.split('/');
  const subresource = flags.get('subresource');
  if (type === '*') return { group: '*', resource: '*', name, subresource };
  try {
    const { group, name: resource, namespaced } = findResource(await allResources(caller), type);
    if (!namespaced) caller.terminal.err(`Warning: resource '${resource}' is not namespace scoped${group === '' ? '' : ` in group '${group}'`}\n\n`);
    return { group, resource, name, subresource };
  } catch {
    caller.terminal.err(`Warning: the server doesn't have a resource type '${type}'\n\n`);
    return { group: '', resource: type, name, subresource };
  }
}

async function rules(caller: Caller, namespace: string): Promise<number> {
  const review = await caller.json('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } });
  const all = [...((review.status?.resourceRules ?? []) as Rule[]), ...((review.status?.nonResourceRules ?? []) as Rule[])];
  caller.terminal.out(aligned([['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], ...compactRules(all).map(ruleCells)]));
  return 0;
}

export async function apiResources(caller: Caller, flags: Flags): Promise<number> {
  const preferred = new Map<string, string>();
  const all = (await allResources(caller)).filter(({ group, version }) => (preferred.has(group) ? preferred.get(group) === version : preferred.set(group, version)));
  const listed = (name: string) => flags.get(name).split(',').filter(Boolean);
  const wanted = all.filter(
    (each) =>
      (!flags.has('api-group') || each.group === flags.get('api-group')) &&
      (!flags.has('namespaced') || each.namespaced === flags.is('namespaced')) &&
      listed('verbs').every((verb) => each.verbs.includes(verb)) &&
      listed('categories').every((category) => each.categories.includes(category)),
  );
  const order = (each: Known) => (flags.get('sort-by') === 'kind' ? each.kind : flags.get('sort-by') === 'name' ? each.name : `${each.group}\0${each.name}`);
  const sortedAll = wanted.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  if (flags.get('output') === 'name') {
    caller.terminal.out(sortedAll.map(({ name, group }) => `${name}${group === '' ? '' : `.${group}`}\n`).join(''));
    return 0;
  }
  const wide = flags.get('output') === 'wide';
  const rows = sortedAll.map(({ name, shortNames, group, version, namespaced, kind, verbs, categories }) => {
    const cells = [name, shortNames.join(','), group === '' ? version : `${group}/${version}`, String(namespaced), kind];
    return wide ? [...cells, verbs.join(','), categories.join(',')] : cells;
  });
  const head = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(wide ? ['VERBS', 'CATEGORIES'] : [])];
  caller.terminal.out(aligned(flags.is('no-headers') ? rows : [head, ...rows]));
  return 0;
}

export async function apiVersions(caller: Caller): Promise<number> {
  const versions = new Set((await allResources(caller)).map(({ group, version }) => (group === '' ? version : `${group}/${version}`)));
  caller.terminal.out([...versions].sort().map((each) => `${each}\n`).join(''));
  return 0;
}

export async function version(caller: Caller, flags: Flags): Promise<number> {
  const server = await caller.json<{ gitVersion: string }>('GET', '/version');
  const format = flags.get('output');
  if (format === 'json') caller.terminal.out(`${JSON.stringify({ serverVersion: server }, null, 2)}\n`);
  else if (format === 'yaml') caller.terminal.out(yamlOf({ serverVersion: server }));
  else caller.terminal.out(`Client: the command line of this page\nServer Version: ${server.gitVersion}\n`);
  return 0;
}

/** `--for=delete`, `--for=condition=Ready`, `--for=jsonpath='{.status.phase}'=Running`. */
export async function wait(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const condition = flags.get('for');
  const seconds = Number(/^(\d+)s?$/.exec(flags.get('timeout') || '30s')?.[1] ?? 30);
  const found = await chosen(caller, flags, namespace, flags.rest);
  for (const { resource, object } of found) {
    const path = pathOf(resource, object.metadata.namespace ?? namespace, object.metadata.name);
    const name = `${typeName(resource)}/${object.metadata.name}`;
    for (const end = Date.now() + 1000 * seconds; ; await new Promise((resolve) => void setTimeout(resolve, 200))) {
      const now = await caller.find(path);
      if (holds(now, condition)) break;
      if (Date.now() > end || caller.terminal.signal.aborted) throw new CommandError(`error: timed out waiting for the condition on ${resource.name}/${object.metadata.name}`);
    }
    caller.terminal.out(`${name} condition met\n`);
  }
  return 0;
}

function holds(object: KubeObject | undefined, condition: string): boolean {
  if (condition === 'delete') return object === undefined;
  if (object === undefined) return false;
  const [, path, value] = /^jsonpath='?(\{[^}]*\})'?(?:=(.*))?$/.exec(condition) ?? [];
  if (path !== undefined) {
    const found = jsonPathValues(path, object);
    return value === undefined ? found.length > 0 : found.map(String).join(' ') === value;
  }
  const [, type = '', wanted = 'True'] = /^condition=([^=]+)(?:=(.*))?$/.exec(condition) ?? [];
  if (type === '') throw new CommandError(`error: unrecognized condition: "${condition}"`);
  const all = (object.status?.conditions ?? []) as { type: string; status: string }[];
  return all.some((each) => each.type.toLowerCase() === type.toLowerCase() && each.status.toLowerCase() === wanted.toLowerCase());
}

export async function clusterInfo(caller: Caller): Promise<number> {
  const { address } = caller.session.api as { address?: string };
  caller.terminal.out(`Kubernetes control plane is running at ${address || 'this page'}\n\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n`);
  return 0;
}
