// kubectl create configmap, secret, quota, pdb, priorityclass
import type { Flags } from '../flags';
import { type Caller, CommandError, type KubeObject } from '../session';
import { given, intOrString, mapOf, pairOf } from './words';

/** What `--from-literal` and `--from-file` give, by key. */
function dataOf(flags: Flags, caller: Caller): Record<string, string> | undefined {
  const literals = flags.all('from-literal').map((each): [string, string] => {
    const [key, value] = pairOf(each);
    if (!each.includes('=') || key === '') throw new CommandError(`error: invalid literal source ${each}, expected key=value`);
    return [key, value.replace(/^(['"])(.*)\1$/s, '$2')];
  });
  const files = flags.all('from-file').map((each): [string, string] => {
    const path = each.includes('=') ? pairOf(each)[1] : each;
    const text = caller.session.files.get(path.replace(/^\.\//, ''));
    if (text === undefined) throw new CommandError(`error: error reading ${path}: no such file or directory`);
    return [each.includes('=') ? pairOf(each)[0] : path.split('/').at(-1)!, text];
  });
  const data = new Map<string, string>();
  for (const [key, value] of [...files, ...literals]) {
    if (data.has(key)) throw new CommandError(`error: cannot add key ${flags.rest[0] === 'secret' ? `${key}, another key by that name already exists` : `"${key}", another key by that name already exists in Data for ConfigMap "${flags.rest.at(-1)}"`}`);
    data.set(key, value);
  }
  return data.size === 0 ? undefined : Object.fromEntries(data);
}

export function configMap(flags: Flags, name: string, caller: Caller): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...given({ data: dataOf(flags, caller) }) };
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** `kind`: generic, docker-registry or tls. */
export function secret(flags: Flags, name: string, caller: Caller, kind: string): KubeObject {
  const made = { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
  const encoded = (data: Readonly<Record<string, string>> | undefined) => data && Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
  if (kind === 'generic') return { ...made, ...given({ data: encoded(dataOf(flags, caller)), type: flags.get('type') }) };
  if (kind === 'docker-registry') return { ...made, data: encoded({ '.dockerconfigjson': registryConfig(flags) }), type: 'kubernetes.io/dockerconfigjson' };
  if (kind !== 'tls') throw new CommandError(`error: unknown command "${kind}"\nSee 'kubectl create secret -h' for help and examples`);
  const [cert, key] = ['cert', 'key'].map((flag) => caller.session.files.get(flags.get(flag).replace(/^\.\//, '')));
  if (cert === undefined || key === undefined) throw new CommandError('error: key and cert must be specified');
  return { ...made, data: encoded({ 'tls.crt': cert, 'tls.key': key }), type: 'kubernetes.io/tls' };
}

function registryConfig(flags: Flags): string {
  const [username, password, email] = ['docker-username', 'docker-password', 'docker-email'].map((name) => flags.get(name)) as [string, string, string];
  if (username === '' || password === '') throw new CommandError('error: either --from-file or the combination of --docker-username, --docker-password and --docker-server is required');
  const auth = { username, password, ...given({ email }), auth: base64(`${username}:${password}`) };
  return JSON.stringify({ auths: { [flags.get('docker-server') || 'https://index.docker.io/v1/']: auth } });
}

export function quota(flags: Flags, name: string): KubeObject {
  const hard = mapOf(flags.get('hard'), (part) => `Invalid argument syntax ${part}, expected <resource>=<value>`);
  const scopes = flags.get('scopes').split(',').filter(Boolean);
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec: given({ hard, scopes }) };
}

export function disruptionBudget(flags: Flags, name: string): KubeObject {
  const [selector, least, most] = ['selector', 'min-available', 'max-unavailable'].map((flag) => flags.get(flag)) as [string, string, string];
  if (selector === '') throw new CommandError('error: a selector must be specified');
  if (least === '' && most === '') throw new CommandError('error: one of min-available or max-unavailable must be specified');
  if (least !== '' && most !== '') throw new CommandError('error: min-available and max-unavailable cannot be both specified');
  for (const [flag, value] of [['min-available', least], ['max-unavailable', most]] as const) {
    if (value !== '' && !/^\d+%?$/.test(value)) throw new CommandError(`error: invalid format specified for ${flag}`);
  }
  const matchLabels = mapOf(selector, (part) => `unable to parse requirement: ${part}`);
  const limit = least === '' ? { maxUnavailable: intOrString(most) } : { minAvailable: intOrString(least) };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec: { selector: { matchLabels }, ...limit } };
}

export function priorityClass(flags: Flags, name: string): KubeObject {
  const fields = { value: Number(flags.get('value') || 0), preemptionPolicy: flags.get('preemption-policy') || 'PreemptLowerPriority', ...given({ description: flags.get('description') }) };
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, ...fields, ...(flags.is('global-default') ? { globalDefault: true } : {}) };
}
