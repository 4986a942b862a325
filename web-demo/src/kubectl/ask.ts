// kubectl explain, auth, logs, wait, api-resources, version and what else only asks.
import { logTarget } from '../api/containers';
import type { Flags } from './flags';
import { jsonPathValues } from './jsonpath';
import { podsOf } from './pods';
import { allResources, findResource, groupVersionPath, pathOf, typeName } from './resources';
import { chosen } from './change';
import { type Caller, CommandError, type KubeObject, ServerError } from './session';
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
  if (what === '') throw new CommandError('error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee \'kubectl auth can-i -h\' for help and examples.');
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
  interface Rule { verbs: string[]; apiGroups?: string[]; resources?: string[]; resourceNames?: string[]; nonResourceURLs?: string[] }
  const list = (all: readonly string[] = []) => `[${all.join(' ')}]`;
  const rows = ((review.status?.resourceRules ?? []) as Rule[]).flatMap(({ resources = [], apiGroups = [], resourceNames, verbs }) =>
    resources.flatMap((resource) => apiGroups.map((group) => [group === '' || resource === '*' && group === '*' ? (group === '*' ? '*.*' : resource) : `${resource}.${group}`, '[]', list(resourceNames), list(verbs)])),
  );
  const urls = ((review.status?.nonResourceRules ?? []) as Rule[]).map(({ nonResourceURLs, verbs }) => ['', list(nonResourceURLs), '[]', list(verbs)]);
  caller.terminal.out(aligned([['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], ...rows, ...urls]));
  return 0;
}

const kUnits: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** `1h30m` in seconds; empty if nothing is given. */
function secondsOf(text: string): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([hms])/g)];
  if (text === '') return '';
  if (parts.map(([part]) => part).join('') !== text) throw new CommandError(`error: invalid argument "${text}" for "--since" flag: time: invalid duration "${text}"`);
  return String(Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * kUnits[unit!]!, 0)));
}

export async function logs(caller: Caller, flags: Flags, namespace: string): Promise<number> {
  const [given = '', container = ''] = flags.rest;
  const selects = given === '' && flags.has('selector');
  if (given === '' && !selects) throw new CommandError("error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
  const found = await podsOf(caller, flags, namespace, given).catch((fault: unknown) => {
    if (!(fault instanceof ServerError) || fault.reason !== 'NotFound') throw fault;
    throw new CommandError(`${fault.message.replace(/^E/, 'error: e')} in namespace "${namespace}"`);
  });
  if (found.length === 0) caller.terminal.err(`No resources found in ${namespace} namespace.\n`);
  if (found.length > 1 && !selects) caller.terminal.err(`Found ${found.length} pods, using pod/${found[0]!.metadata.name}\n`);
  for (const pod of selects ? found : found.slice(0, 1)) await logOf(caller, flags, pod, container, selects ? '10' : '');
  return 0;
}

async function logOf(caller: Caller, flags: Flags, { metadata, spec }: KubeObject, container: string, lines: string): Promise<void> {
  const follow = flags.is('follow');
  const tail = flags.get('tail') || lines;
  const names = ((spec?.containers ?? []) as { name: string }[]).map(({ name }) => name);
  const wanted = flags.get('container') || container;
  if (wanted === '' && names.length > 1) caller.terminal.err(`Defaulted container "${names[0]}" out of: ${names.join(', ')}\n`);
  const target = logTarget(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, {
    container: wanted || names[0] || '',
    follow,
    previous: flags.is('previous'),
    timestamps: flags.is('timestamps'),
    tailLines: tail === '-1' ? '' : tail,
    sinceSeconds: secondsOf(flags.get('since')),
    sinceTime: flags.get('since-time'),
  });
  if (follow) {
    await caller.session.api.watch({ target, headers: caller.headers({ accept: '*/*' }), signal: caller.terminal.signal }, (line) => caller.terminal.out(`${line}\n`));
  } else caller.terminal.out(await caller.send('GET', target, undefined, undefined, '*/*'));
}

export async function apiResources(caller: Caller, flags: Flags): Promise<number> {
  const preferred = new Map<string, string>();
  const all = (await allResources(caller)).filter(({ group, version }) => (preferred.has(group) ? preferred.get(group) === version : preferred.set(group, version)));
  const wanted = all.filter((each) => (!flags.has('api-group') || each.group === flags.get('api-group')) && (!flags.has('namespaced') || each.namespaced === flags.is('namespaced')));
  const sortedAll = wanted.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.name < b.name ? -1 : 1));
  if (flags.get('output') === 'name') caller.terminal.out(sortedAll.map(({ name, group }) => `${name}${group === '' ? '' : `.${group}`}\n`).join(''));
  else {
    const rows = sortedAll.map(({ name, shortNames, group, version, namespaced, kind }) => [name, shortNames.join(','), group === '' ? version : `${group}/${version}`, String(namespaced), kind]);
    caller.terminal.out(aligned([['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'], ...rows]));
  }
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

interface Schema {
  description?: string;
  type?: string;
  $ref?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  enum?: string[];
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/** Prints a kind's fields, as its OpenAPI document describes them. */
export async function explain(caller: Caller, flags: Flags): Promise<number> {
  const [given = ''] = flags.rest;
  if (given === '') throw new CommandError('error: You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.');
  const all = await allResources(caller);
  const [type = '', ...fields] = given.split('.');
  const resource = findResource(all, type);
  const group = groupVersionPath(resource).slice(1);
  const { components } = await caller.json<{ components: { schemas: Record<string, Schema> } }>('GET', `/openapi/v3/${group}`);
  const schemas = components.schemas;
  const of = (schema: Schema): Schema => {
    const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
    return ref === undefined ? schema : (schemas[ref.split('/').at(-1)!] ?? {});
  };
  const matches = (schema: Schema) => schema['x-kubernetes-group-version-kind']?.some((each) => each.kind === resource.kind && each.group === resource.group && each.version === resource.version);
  const root = Object.values(schemas).find(matches);
  if (!root) throw new CommandError(`error: couldn't find resource for "${given}"`);
  let field: Schema = root;
  const typeOf = (schema: Schema): string => {
    const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (ref !== undefined) return kindOfRef(ref, of(schema));
    if (schema.items) return `[]${typeOf(schema.items)}`;
    if (schema.additionalProperties) return `map[string]${typeOf(schema.additionalProperties)}`;
    return schema.type === 'object' ? 'Object' : (schema.type ?? 'Object');
  };
  const inner = (schema: Schema): Schema => {
    const whole = of(schema);
    return whole.items ? inner(whole.items) : whole.additionalProperties ? inner(whole.additionalProperties) : whole;
  };
  for (const name of fields) {
    const next = inner(field).properties?.[name];
    if (!next) throw new CommandError(`error: field "${name}" does not exist`);
    field = next;
  }
  const whole = inner(field);
  let text = resource.group === '' ? '' : `GROUP:      ${resource.group}\n`;
  text += `KIND:       ${resource.kind}\nVERSION:    ${resource.version}\n\n`;
  if (fields.length > 0) text += `FIELD: ${fields.at(-1)} <${typeOf(field)}>\n${field.enum ? `ENUM:\n${field.enum.map((each) => `    ${each}\n`).join('')}` : ''}\n\n`;
  const description = [field === root ? undefined : field.description, whole === field ? field.description : whole.description].filter((each, index, list) => each && list.indexOf(each) === index);
  text += `DESCRIPTION:\n${description.length === 0 ? '    <empty>\n' : description.map((each) => wrapped(each!, 4)).join('')}`;
  const properties = Object.entries(whole.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (properties.length > 0) {
    text += `${description.length === 0 ? '' : '    \n'}FIELDS:\n`;
    for (const [name, property] of properties) {
      const required = whole.required?.includes(name) ? ' -required-' : '';
      text += `  ${name}\t<${typeOf(property)}>${required}\n`;
      if (property.enum) text += `  enum: ${property.enum.slice(0, 4).join(', ')}${property.enum.length > 4 ? ', ....' : ''}\n`;
      text += `${wrapped(property.description ?? '<no description>', 4)}\n`;
    }
  } else text += '    \n';
  caller.terminal.out(`${text}\n`);
  return 0;
}

const kindOfRef = (ref: string, schema: Schema) => (schema.type === 'object' || schema.properties ? (ref.split('.').at(-1) ?? 'Object') : (ref.split('.').at(-1) ?? schema.type ?? 'Object'));

function wrapped(text: string, indent: number): string {
  const pad = ' '.repeat(indent);
  return text
    .split('\n')
    .map((paragraph) => {
      const lines: string[] = [''];
      for (const word of paragraph.split(' ')) {
        const last = lines.at(-1)!;
        if (last === '') lines[lines.length - 1] = word;
        else if (last.length + 1 + word.length > 80 - indent) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines.map((line) => `${pad}${line}\n`).join('');
    })
    .join('');
}
